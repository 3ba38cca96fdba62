#!/bin/sh
# SPDX-License-Identifier: MIT
# Build and test on a bare Debian of another release: a folder made by debootstrap, in which nothing is
# but what ./bootstrap installs.  As root, with debootstrap, unshare and a network to the package mirror.
#
#   tests/debian.sh trixie FOLDER                    ./bootstrap check on the files that git knows
#   tests/debian.sh bullseye FOLDER foehn-X.tar.xz   the tarball with a compiler and OpenCL alone:
#                                                    ./configure && make check, make installcheck
#   tests/debian.sh trixie FOLDER -- COMMAND         a command there, in the tree of an earlier call
#
# FOLDER/RELEASE is made once and kept; remove it for a fresh one.  The mirror is the one that this
# machine's apt uses, or DEBIAN_MIRROR.
# shellcheck disable=SC2016 # what stands in single quotes is for others to expand
set -eu

usage() { sed -n '3,12s/^# \{0,1\}//p' "$0" >&2; exit 2; }
die() { printf 'debian.sh: %s\n' "$*" >&2; exit 1; }

test $# -ge 2 || usage
release=$1 root=$2/$1 source=$(cd "$(dirname "$0")/.." && pwd)
shift 2
test "$(id -u)" -eq 0 || die 'only root may change the root folder'

mirror=${DEBIAN_MIRROR:-$(apt-get indextargets --format '$(REPO_URI)' 'Origin: Debian' 'Component: main' |
    head -n 1)}

make_root() {
    test -n "$mirror" || die 'no mirror of Debian in the sources of apt: set DEBIAN_MIRROR'
    command -v debootstrap > /dev/null || die 'no debootstrap: install debootstrap'
    mkdir -p "$root"
    debootstrap --variant=minbase "$release" "$root" "$mirror" || die "debootstrap failed: see $root"
    printf 'deb %s %s main\n' "$mirror" "$release" > "$root/etc/apt/sources.list"
    echo force-unsafe-io > "$root/etc/dpkg/dpkg.cfg.d/fast"
    touch "$root/made"
}

# A shell in the root with /proc, /sys and the devices; mounts are this command's own and end with it.
inside() { # inside SCRIPT [ARGUMENT...]
    cp /etc/resolv.conf /etc/hosts "$root/etc/"
    # shellcheck disable=SC2016
    unshare --mount sh -c 'root=$1; shift
        mount -t proc proc "$root/proc" && mount --rbind /sys "$root/sys" &&
        mount --rbind /dev "$root/dev" &&
        exec chroot "$root" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin \
            FOEHN_REQUIRE_DEVICE=1 DEBIAN_FRONTEND=noninteractive sh -euc "$@"' sh "$root" "$@"
}

test -e "$root/made" || make_root
tree=$root/root/foehn
case ${1-} in
--)
    shift
    inside 'cd /root/foehn && "$@"' sh "$@"
    ;;
'')
    rm -rf "$tree" && mkdir -p "$tree"
    (cd "$source" && git ls-files -z | xargs -0 cp --parents -t "$tree")
    inside 'cd /root/foehn && ./bootstrap check'
    ;;
*.tar.xz)
    rm -rf "$tree" && mkdir -p "$tree"
    tar -xJf "$1" -C "$tree" --strip-components=1
    inside 'apt-get update -q
        apt-get install -y -q --no-install-recommends gcc make ocl-icd-opencl-dev pocl-opencl-icd
        cd /root/foehn
        mkdir build && cd build
        ../configure --prefix=/usr && make -j "$(nproc)"
        # Its LLVM 11 builds nothing for processors younger than it is: tell it of an older one.
        printf "%s" "struct text { const char *at; unsigned long length; };
            struct text _ZN4llvm3sys14getHostCPUNameEv(void) {
                struct text name = {\"haswell\", 7}; return name; }" > host.c
        gcc -shared -fPIC host.c -o host.so
        export LD_PRELOAD="$PWD/host.so"
        make check VERBOSE=1
        make install && make installcheck'
    ;;
*) usage ;;
esac
