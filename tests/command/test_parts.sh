#!/bin/sh
# SPDX-License-Identifier: MIT
# One wind by several parts: files, checkpoints and messages are those of one; a rank that dies ends all.
set -u
. "${FOEHN_SRCDIR:-$(cd "$(dirname "$0")/../.." && pwd)}/tests/command/cli.sh"
small="wind --terrain $data/bell.tif --assume-metres --cells 40x10x36 --dt 0.3 --quiet"
# ---- without a device ----
expect 3 'separated by commas' 'a list with a hole' wind --devices 0,,1
expect 2 'exclude each other' 'a device and devices' wind --device 0 --devices 0,1
expect 2 'needs --scheme staggered' 'collocated in parts' wind --devices 0,0 --scheme collocated
expect 2 'runs on one device\|without NetCDF' 'sectors in parts' wind --devices 0,0 --sectors 4 --model consistent --out a.nc
expect 2 'leave out --devices' 'a periodic box in parts' wind --devices 0,0 --model les
finish() {
    echo "$((checks - failures)) passed, $failures failed"
    [ "$failures" -eq 0 ]
    exit
}
# shellcheck disable=SC2086
"$foehn" $small --steps 1 > out.log 2> err.log
code=$?
[ $code -ne 4 ] || { echo 'no device: the rest is skipped'; [ "$failures" -eq 0 ] || exit 1; exit 77; }
if grep -q 'built without GDAL' err.log; then echo 'skipped: built without GDAL'; exit 77; fi
same() { # same NAME FILE FILE
    check "$1" cmp "$2" "$3"
}

# ---- threads ----
# shellcheck disable=SC2086
one() { "$foehn" $small "$@"; }
check 'one part' one --steps 8 --checkpoint one.ck --out one.asc --out one.raw
check 'three parts of a process' one --steps 8 --devices cpu,cpu,cpu --checkpoint three.ck --out three.asc
same 'the same map by one and by three' one.asc three.asc
same 'the same checkpoint by one and by three' one.ck three.ck
check 'one part settles' one --model momentum --steps 20 --out m1.asc
check 'two parts settle' one --model momentum --steps 20 --devices cpu,cpu --out m2.asc
same 'the same momentum by one and by two' m1.asc m2.asc
at=283000,4882000
for n in 1 2; do
    [ $n = 1 ] || set -- --devices cpu,cpu
    check "a series, a plane and a map by $n" one --steps 4 --every 0.6 --probe $at,10 --box $at,100,3,3,5,5 \
        --out t$n.csv --out t$n.bts --out t$n.tif "$@"
done
for kind in csv bts tif; do same "the same .$kind by two" t1.$kind t2.$kind; done
set --
check 'eddies by one part' one --model les --spin-up 2 --duration 3 --checkpoint l1.ck --out l1.asc
"$foehn" $small --devices cpu,nothing-like-this --steps 1 --out a.asc > out.log 2> err.log
code=$?
check "a part without a device: status 4, not $code" test $code -eq 4
check 'one message' test "$(grep -c '^foehn: ' err.log)" -eq 1
check 'nothing is written' test ! -e a.asc

nc='' # NetCDF and VTKHDF, where they are built in
[ "$(grep -cE 'define HAVE_(NETCDF|HDF5) 1' "${FOEHN_BUILDDIR:-.}/config.h")" -lt 2 ] || nc=1
means="--model les --inflow noise --dt 0.5 --steps 6"
# shellcheck disable=SC2086
[ -z "$nc" ] || check 'fields of cells by one part' one $means --out c1.nc --out c1.vtkhdf

# ---- processes ----
command -v mpirun > mpirun.log || { echo 'no mpirun: parts are threads alone'; finish; }
grep -q 'define HAVE_MPI 1' "${FOEHN_BUILDDIR:-.}/config.h" || { echo 'built without MPI'; finish; }
root=
[ "$(id -u)" -ne 0 ] || root=--allow-run-as-root
export ASAN_OPTIONS="${ASAN_OPTIONS-}:detect_leaks=0" # MPI keeps what it loads until the end
ranks() { # ranks N ARGUMENT...
    count=$1
    shift
    # shellcheck disable=SC2086
    mpirun $root --oversubscribe -n "$count" "$foehn" "$@"
}
for n in 2 4; do
    check "$n ranks" ranks $n $small --steps 8 --checkpoint r$n.ck --out r$n.asc --out r$n.raw
    same "the same map by $n ranks" one.asc r$n.asc
    same "the same checkpoint by $n ranks" one.ck r$n.ck
    same "the same halves by $n ranks" one.raw r$n.raw
done
check 'two ranks go on where one stopped' ranks 2 $small --steps 12 --resume one.ck --checkpoint on2.ck
check 'eddies by two ranks' ranks 2 $small --model les --spin-up 2 --duration 3 --checkpoint l2.ck --out l2.asc
same 'the same mean of eddies by one and by two ranks' l1.asc l2.asc
same 'the same eddies by one and by two ranks' l1.ck l2.ck
if [ -n "$nc" ]; then
    check 'fields of cells by four ranks' ranks 4 $small $means --out c4.nc --out c4.vtkhdf
    same 'the same NetCDF by four ranks' c1.nc c4.nc
    same 'the same VTKHDF by four ranks' c1.vtkhdf c4.vtkhdf
fi
check 'one goes on' one --steps 12 --resume r4.ck --checkpoint on1.ck
same 'the same after it' on1.ck on2.ck
eight="wind --terrain $data/bell.tif --assume-metres --cells 64x8x32 --dt 0.3 --quiet"
# shellcheck disable=SC2086
check 'one part' "$foehn" $eight --steps 3 --checkpoint one8.ck
# shellcheck disable=SC2086
check 'eight ranks' ranks 8 $eight --steps 3 --checkpoint r8.ck
same 'the same checkpoint by eight ranks' one8.ck r8.ck
ranks 2 devices > out.log 2> err.log
check 'each rank says what it takes' test "$(grep -c '^rank [01] on ' out.log)" -eq 2
# shellcheck disable=SC2086
ranks 3 $small --steps 1 --devices cpu,nothing-like-this > out.log 2> err.log
code=$?
check "one rank without a device: status 4, not $code" test $code -eq 4
check 'it says so itself, once' test "$(grep -c '^foehn: .*rank 1 of 3: no device matches' err.log)" -eq 1
check 'and nobody else' test "$(grep -c '^foehn: ' err.log)" -eq 1
# shellcheck disable=SC2086
ranks 2 $small --resume one.asc > out.log 2> err.log
code=$?
check "what is no checkpoint: status 3, not $code" test $code -eq 3
check 'what is no checkpoint: one message' test "$(grep -c '^foehn: ' err.log)" -eq 1
ranks 3 wind --bogus > out.log 2> err.log
code=$?
check "wrong usage: status 2, not $code" test $code -eq 2
check 'wrong usage: one message' test "$(grep -c '^foehn: ' err.log)" -eq 1
ranks 2 fire none.yaml > out.log 2> err.log
code=$?
check "fire by ranks is refused: status 2, not $code" test $code -eq 2

# ---- the library's own transport, by the example ----
example=${FOEHN_BUILDDIR:-.}/examples/wind_mpi
if [ -x "$example" ]; then
    # shellcheck disable=SC2086
    mpirun $root --oversubscribe -n 2 "$example" > two.log 2> err.log
    check 'the example by two ranks' grep -q '^rank 1 of 2 keeps ' two.log
    "$example" > one.log 2> err.log
    check 'says the same wind as by one' sh -c 'grep m/s one.log > a.log && grep m/s two.log > b.log && cmp a.log b.log'
fi

# ---- a rank that is killed ----
# Its parent is the fourth word of a process's state, behind a name that may hold anything.
children() { cat /proc/[0-9]*/stat 2> /dev/null | awk -v p="$1" '{ id = $1; sub(/^.*\) /, ""); if ($2 == p) print id }'; }
tries=${FOEHN_KILLS:-4}
for try in $(seq "$tries"); do
    # shellcheck disable=SC2086
    mpirun $root --oversubscribe -n 3 "$foehn" $small --steps 1000000 --out k.asc --out k.nc > out.log 2> err.log &
    run=$!
    pids= waited=0
    while [ "$(echo "$pids" | wc -w)" -lt 3 ] && [ $waited -lt 100 ]; do
        sleep 0.1
        waited=$((waited + 1))
        pids=$(children $run)
    done
    sleep "$((try % 3)).$((try * 7 % 10))"
    victim=$(echo "$pids" | awk -v n="$((try % 3 + 1))" 'NF { a[++i] = $1 } END { print a[n] }')
    kill -9 "$victim"
    waited=0
    while kill -0 $run 2> /dev/null && [ $waited -lt 100 ]; do
        sleep 0.1
        waited=$((waited + 1))
    done
    check "a killed rank ends all within 10 s (try $try)" test $waited -lt 100
    kill -9 $run 2> /dev/null
    wait $run 2> /dev/null
    check "and nothing is half-written (try $try)" test ! -e k.asc -a ! -e k.nc
done
finish
