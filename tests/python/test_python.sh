#!/bin/sh
# SPDX-License-Identifier: MIT
# The Python package against the library that was built: its tests, its example, pip install.  PYTHON: with numpy,
# and xarray for the Datasets.
set -u
src=${FOEHN_SRCDIR:-$(cd "$(dirname "$0")/../.." && pwd)}
build=${FOEHN_BUILDDIR:-$src}
python=${FOEHN_PYTHON:-${PYTHON:-python3}}
dir=$(mktemp -d "${TMPDIR:-/tmp}/foehn-python.XXXXXX") || exit 1
trap 'rm -rf "$dir"' EXIT
$python -c 'import numpy' 2> /dev/null || { echo "left out: $python has no numpy"; exit 77; }
FOEHN_LIBRARY=${FOEHN_LIBRARY:-$build/.libs/libfoehn.so}
export FOEHN_LIBRARY PYTHONDONTWRITEBYTECODE=1 FOEHN_SRCDIR="$src"
test -f "$FOEHN_LIBRARY" || { echo "left out: no $FOEHN_LIBRARY"; exit 77; }
case $(nm -D "$FOEHN_LIBRARY" 2> /dev/null) in *__asan_init*) echo 'left out: a library with sanitizers cannot be loaded'; exit 77 ;; esac
failures=0
try() { # try NAME COMMAND...
    name=$1; shift
    if "$@" > "$dir/log" 2>&1; then echo "ok: $name"; else failures=$((failures + 1)); echo "FAILED: $name"; tail -n 40 "$dir/log"; fi
}
PYTHONPATH=$src/python $python -c 'import foehn, sys; sys.exit(0 if foehn.devices() else 1)' 2> "$dir/log" || {
    cat "$dir/log"; grep -q 'ImportError\|Traceback' "$dir/log" && exit 1; echo 'left out: no OpenCL device'; exit 77; }
if PYTHONPATH=$src/python $python "$src/tests/python/test_foehn.py"; then :; else failures=$((failures + 1)); fi
if $python -c 'import xarray' 2> /dev/null; then
    try 'the example runs' env PYTHONPATH="$src/python" $python "$src/python/examples/hill.py" "$dir"
    try 'and leaves its file' test -s "$dir/hill.nc" -o ! -e "$dir/hill.nc"
fi
# Without the network pip has to find all that it builds with.
if $python -c 'import setuptools, pip
if int(setuptools.__version__.split(".")[0]) < 71: import wheel
assert int(setuptools.__version__.split(".")[0]) >= 61' 2> /dev/null; then
    cp -r "$src/python" "$dir/python" && chmod -R u+w "$dir/python"
    try 'pip install ./python' $python -m pip install --quiet --no-build-isolation --no-deps --no-index --target "$dir/site" "$dir/python"
    try 'what is installed runs' env PYTHONPATH="$dir/site" $python -c 'import foehn; print(foehn.__file__); assert "/site/" in foehn.__file__; foehn.Wind(nx=8, ny=4, nz=8).step(0.1)'
fi
missing=$(FOEHN_LIBRARY=/nowhere/libfoehn.so PYTHONPATH=$src/python $python -c 'import foehn' 2>&1)
case $missing in *'FOEHN_LIBRARY name libfoehn.so'*) echo 'ok: a library that is not there is told' ;; *) failures=$((failures + 1)); echo "FAILED: a library that is not there: $missing" ;; esac
echo "$failures failed"
test $failures -eq 0
