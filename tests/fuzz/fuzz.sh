#!/bin/sh
# SPDX-License-Identifier: MIT
# Fuzz the readers of files: fuzz.sh [READER...], from a build folder.  FUZZ_SECONDS for each (60), or FUZZ_RUNS.
# The rule check-fuzz says with what: CLANG, FUZZ_SOURCES, FUZZ_FLAGS, FUZZ_LIBS, FOEHN_SRCDIR.
set -u
readers=${*:-flow fire input script mesh png state wind terrain classes stations constraints profile site climate weather}
seconds=${FUZZ_SECONDS:-60} runs=${FUZZ_RUNS:--1}
[ "$runs" = -1 ] || seconds=0
here=$FOEHN_SRCDIR/tests/fuzz work=tests/fuzz
sanitize='-fsanitize=address,undefined -fno-sanitize-recover=undefined -g -O1'
mkdir -p $work/objects || exit 1
# A small quarantine: libraries that free much would fill memory with what they freed.
asan=quarantine_size_mb=16:detect_leaks
ASAN_OPTIONS=$asan=${FUZZ_LEAKS:-1} UBSAN_OPTIONS=print_stacktrace=1; export ASAN_OPTIONS UBSAN_OPTIONS

compile() { # compile SOURCE OBJECT FLAGS...: unless it is there and newer
    source=$1 object=$2; shift 2
    [ -n "$(find "$object" -newer "$source" 2> /dev/null)" ] && return
    $CLANG -std=c11 -D_GNU_SOURCE -w $FUZZ_FLAGS $sanitize "$@" -c "$source" -o "$object"
}

objects=
for source in $FUZZ_SOURCES; do
    case $source in *.h|*/main.c|*/guard.c) continue ;; esac
    [ -e "$source" ] || source=$FOEHN_SRCDIR/$source
    object=$work/objects/$(echo "${source#$FOEHN_SRCDIR/}" | tr / _).o
    compile "$source" "$object" -fsanitize=fuzzer-no-link || exit 1
    objects="$objects $object"
done

compile "$here/target.c" $work/objects/target.o -fsanitize=fuzzer-no-link &&
    $CLANG $sanitize -fsanitize=fuzzer $work/objects/target.o $objects $FUZZ_LIBS -lm -lstdc++ -o $work/fuzz || exit 1

failed=0
for reader in $readers; do
    ln -f $work/fuzz $work/fuzz-$reader # it reads what its name says
    mkdir -p $work/corpus/$reader
    set -- $work/corpus/$reader
    for seeds in "$here/seeds/$reader" "$FOEHN_SRCDIR/scenes/$reader"; do
        [ -d "$seeds" ] && set -- "$@" "$seeds"
    done
    rm -rf $work/found-$reader; mkdir $work/found-$reader
    common="-max_total_time=$seconds -runs=$runs -max_len=20000 -timeout=20 -rss_limit_mb=3000 -close_fd_mask=3
        -artifact_prefix=$work/found-$reader/"
    case $reader in
    state|wind|site|weather) # HDF5 falls over damaged files; in the command that is another process's end (guard.c),
        # which is given no memory beyond what it needs either.
        ours=0 theirs=0 total=0 started=$(date +%s)
        ASAN_OPTIONS=allocator_may_return_null=1:max_allocation_size_mb=64:$asan=0
        while :; do
            left=$((seconds - $(date +%s) + started))
            [ "$runs" = -1 ] || left=0
            [ "$runs" = -1 ] && [ $left -le 0 ] && break
            $work/fuzz-$reader $common -max_total_time=$left -runs=$([ "$runs" = -1 ] && echo -1 || echo $((runs - total))) \
                -malloc_limit_mb=30000 -print_final_stats=1 "$@" > $work/$reader.log 2>&1
            status=$?
            count=$(sed -n 's/^stat::number_of_executed_units: *//p' $work/$reader.log)
            total=$((total + ${count:-1}))
            [ $status -eq 0 ] && break
            # Whose it is: the first frame that is neither the sanitizer's nor the C library's.
            if grep -m 1 '^ *#[0-9]* .*\(tools/\|libhdf5\|libnetcdf\)' $work/$reader.log | grep -q 'tools/'; then
                ours=$((ours + 1)); cp $work/$reader.log $work/found-$reader/ours-$ours.log
            else
                theirs=$((theirs + 1))
            fi
            [ "$runs" != -1 ] && [ $total -ge "$runs" ] && break
        done
        ASAN_OPTIONS=$asan=${FUZZ_LEAKS:-1}
        echo "$reader: $total executions, $ours faults, $theirs of its libraries"
        [ $ours -eq 0 ] || failed=1 ;;
    *)
        $work/fuzz-$reader $common -malloc_limit_mb=1500 -print_final_stats=1 "$@" > $work/$reader.log 2>&1
        status=$?
        count=$(sed -n 's/^stat::number_of_executed_units: *//p' $work/$reader.log)
        echo "$reader: ${count:-no} executions, $([ $status -eq 0 ] && echo no fault || echo "FAILED, see $work/$reader.log")"
        [ $status -eq 0 ] || failed=1 ;;
    esac
done
exit $failed
