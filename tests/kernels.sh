#!/bin/sh
# SPDX-License-Identifier: MIT
# Every kernel file compiles without a device: OpenCL C 1.2, no double anywhere, no warning.
# With fp64 taken away a double variable is an error and a literal like 1.0 a warning.
set -eu
clang=${CLANG:-clang}
command -v "$clang" > /dev/null || { echo "skipped: no clang"; exit 77; }
# Options that a file is built with, one word a variant; "plain" is none.
variants() {
    case $1 in
    pressure/transfer.cl) echo -DHALVED=0 -DHALVED=1 -DHALVED=2 -DHALVED=4 -DHALVED=7 '-DHALVED=7;-DFOEHN_UNFUSED' ;;
    pressure/wide.cl) echo '-DHALVED=3;-DFOEHN_2D' -DHALVED=0 -DHALVED=1 -DHALVED=2 -DHALVED=4 -DHALVED=7 ;;
    pressure/levels.cl) echo plain -DFOEHN_2D -DFOEHN_PERIODIC ;;
    wind/faces.cl | wind/rows.cl) echo plain -DFOEHN_PERIODIC ;;
    wind/potential.cl) echo plain -DFOEHN_ONE_LINE ;;
    wind/les.cl | wind/les_eddies.cl) echo plain -DLANES=8 ;;
    flow/sixteen.cl) echo plain ;;
    flow/flow.cl) echo plain -DFOEHN_FLOW_FRACTIONS -DFOEHN_FLOW_RINGS ;;
    flow/*) echo plain -DFOEHN_FLOW_FRACTIONS -DFOEHN_FLOW_RINGS ;;
    fire/*) echo plain -DFOEHN_STAGGERED -DFOEHN_SOLIDS '-DFOEHN_STAGGERED;-DFOEHN_BURN;-DFOEHN_FLOOR' ;;
    *) echo plain ;;
    esac
}
passed=0 failed=0
for file in "$FOEHN_SRCDIR"/kernels/*/*.cl; do
    name=${file#"$FOEHN_SRCDIR"/kernels/}
    for options in $(variants "$name") -DFOEHN_INDEX64; do
        test "$options" != plain || options=
        # The wide variant of a file that has no plain one.
        case $options,$name in
        -DFOEHN_INDEX64,pressure/transfer.cl | -DFOEHN_INDEX64,pressure/wide.cl)
            options='-DFOEHN_INDEX64 -DFOEHN_PERIODIC -DHALVED=7' ;;
        esac
        options=$(echo "$options" | tr ';' ' ')
        # shellcheck disable=SC2086
        if "$clang" -x cl -cl-std=CL1.2 --target=spir64 -Xclang -finclude-default-header \
            -Xclang -cl-ext=-cl_khr_fp64 -fsyntax-only -Wall -Wextra -Wdouble-promotion -Werror \
            -I"$FOEHN_SRCDIR/kernels" -I"$FOEHN_SRCDIR/include/foehn" \
            $options "$file"; then
            passed=$((passed + 1))
        else
            failed=$((failed + 1))
            echo "failed: $name $options"
        fi
    done
done
# The same text whether make builds in the source folder or elsewhere.
embedded() { # embedded FOLDER FILE
    awk -v path="$1/kernels:$1/include/foehn" -f "$FOEHN_SRCDIR/kernels/embed.awk" "$2"
}
here=$(cd "$FOEHN_SRCDIR" && embedded . kernels/fire/air.cl)
if test -n "$here" &&
    test "$here" = "$(embedded "$FOEHN_SRCDIR" "$FOEHN_SRCDIR/kernels/fire/air.cl")"; then
    passed=$((passed + 1))
else
    failed=$((failed + 1))
    echo 'failed: a build in the source folder embeds another text'
fi
# PoCL 5.0 aborts where a barrier follows an if whose last arm is a bare else (doc/numerics.md, drivers).
else_before_barrier() {
    awk '{
        code = $0
        gsub(/\/\*.*\*\/|"[^"]*"/, "", code)
        if (code ~ /^[ \t]*$/) next
        if (ended && code ~ /barrier *\(/) { print FILENAME ":" FNR ": a barrier behind a bare else"; bad = 1 }
        bare = code ~ /(^|[} \t])else([ \t]*\{|[ \t]*$|[ \t]+[^i \t{])/ || code ~ /else[ \t]+i[^f]/
        ended = bare && code !~ /\{/
        for (n = 1; n <= length(code); n++) {
            c = substr(code, n, 1)
            if (c == "{") { depth++; kind[depth] = bare && n > index(code, "else") }
            if (c == "}") { ended = kind[depth]; depth-- }
        }
    } END { exit bad }' "$1"
}
for file in "$FOEHN_SRCDIR"/kernels/*/*.cl; do
    if else_before_barrier "$file"; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
done
# The checks themselves must be able to fail.
planted=$(mktemp)
trap 'rm -f "$planted"' EXIT
printf '%s\n' 'if (a) {' 'f();' '} else {' 'for (;;) {' 'g();' '}' '}' '' 'barrier(x);' > "$planted"
if else_before_barrier "$planted" > /dev/null; then
    failed=$((failed + 1))
    echo "failed: a planted else before a barrier passed the check"
else
    passed=$((passed + 1))
fi
for text in 'kernel void f(global float *p) { p[0] *= 1.5; }' \
    'kernel void f(global float *p) { double d = p[0]; p[0] = (float)d; }'; do
    if echo "$text" | "$clang" -x cl -cl-std=CL1.2 --target=spir64 -Xclang -finclude-default-header \
        -Xclang -cl-ext=-cl_khr_fp64 -fsyntax-only -Wall -Wextra -Wdouble-promotion -Werror \
        - 2> /dev/null; then
        failed=$((failed + 1))
        echo "failed: a planted double passed the check: $text"
    else
        passed=$((passed + 1))
    fi
done
echo "$passed passed, $failed failed"
test "$failed" -eq 0
