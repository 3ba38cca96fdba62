# SPDX-License-Identifier: MIT
# What tests of the command share: an empty folder to work in, checks, exit statuses, messages.
# A test script sources it; $foehn is the command, $data the folder of data, $dir the working folder.
export LC_ALL=C # awk and sort follow the locale, 0,5 for 0.5
src=${FOEHN_SRCDIR:-$(cd "$(dirname "$0")/../.." && pwd)}
foehn=${FOEHN:-${FOEHN_BUILDDIR:-$src}/foehn}
data=$src/tests/data
dir=$(mktemp -d "${TMPDIR:-/tmp}/foehn-cli.XXXXXX") || exit 1
cd "$dir" || exit 1
# Some options are kept as words: a folder with a space has another name here.
case $src in *' '*) ln -s "$src" "$dir/src.keep" && src=$dir/src.keep data=$dir/src.keep/tests/data ;; esac
# For builds with AddressSanitizer: fontconfig keeps what it read.
echo 'leak:libfontconfig' > lsan.keep
export LSAN_OPTIONS="suppressions=$dir/lsan.keep:print_suppressions=0"
trap 'chmod -R u+w "$dir"; rm -rf "$dir"' EXIT
checks=0 failures=0

pass() { checks=$((checks + 1)); echo "ok: $1"; }
flunk() { checks=$((checks + 1)); failures=$((failures + 1)); echo "FAILED: $1"; shift; printf '    %s\n' "$@"; }
check() { # check NAME COMMAND...: the command succeeds
    name=$1; shift
    if "$@" > check.log 2>&1; then pass "$name"; else flunk "$name" "$(head -c 600 check.log)"; fi
}
# expect STATUS PATTERN NAME ARGUMENTS...: exit status, and stderr is one line with the pattern
expect() {
    want=$1 pattern=$2 name=$3; shift 3
    "$foehn" "$@" > out.log 2> err.log
    got=$?
    lines=$(grep -v '^foehn: warning: ' err.log | wc -l)
    if [ "$got" -ne "$want" ]; then flunk "$name" "status $got instead of $want" "$(head -c 600 err.log)"
    elif [ -n "$pattern" ] && ! grep -q -e "$pattern" err.log; then flunk "$name" "no '$pattern' in: $(head -c 600 err.log)"
    elif [ "$want" -ne 0 ] && [ "$lines" -ne 1 ]; then flunk "$name" "$lines lines of error" "$(head -c 600 err.log)"
    else pass "$name"; fi
}
# hidden: an empty folder of ICD files hides every driver.  NVIDIA's own loader looks elsewhere and does not heed it.
hidden() {
    none=$dir/none.d
    mkdir -p "$none"
    ! OCL_ICD_VENDORS=$none "$foehn" devices > none.log 2>&1 && return
    echo 'this OpenCL loader does not heed OCL_ICD_VENDORS: a machine without a device is not tested'
    return 1
}
# built ARGUMENTS...: this build has the part that they ask for
built() { ! "$foehn" "$@" 2>&1 | grep -q 'built without\|not built in\|no such command'; }
nothing_left() { # no file but the logs, no temporary file
    left=$(find . -name '.*.part' -o -type f ! -name '*.log' ! -name '*.keep' | tr '\n' ' ')
    if [ -z "$left" ]; then pass "$1"; else flunk "$1" "left: $left"; rm -f $left; fi
}
# stop_a_step ARGUMENTS...: Ctrl-C once steps are made; before that a stop ends with 130, and it is tried
# again with more patience.  Sets code; err.log has what was said.
stop_a_step() {
    for patience in 2 5 15 40 100; do
        "$foehn" "$@" 2> err.log &
        pid=$!; sleep $patience; kill -INT $pid; wait $pid; code=$?
        [ $code -eq 130 ] || return 0
    done
}
# stopped_while_building NAME ARGUMENTS...: a stop with no kernel in PoCL's cache is a stop, not a failure.
stopped_while_building() {
    name=$1; shift
    mkdir empty-cache
    POCL_CACHE_DIR=$dir/empty-cache "$foehn" "$@" 2> err.log &
    pid=$!; sleep 1; kill -TERM $pid; wait $pid; code=$?
    rm -rf empty-cache
    case $code in
    130) if grep -q 'stopped while kernels were built: nothing is written' err.log; then pass "$name"
         else flunk "$name" "$(cat err.log)"; fi ;;
    0 | 143) pass "$name (there was nothing to build, or it had not begun: status $code)" ;;
    *) flunk "$name" "status $code" "$(cat err.log)" ;;
    esac
}
