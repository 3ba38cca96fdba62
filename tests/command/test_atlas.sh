#!/bin/sh
# SPDX-License-Identifier: MIT
# The wind atlas files of foehn wind --sectors in the tools that their users have: windkit and PyWake, from PyPI.
# FOEHN_PYTHON names the interpreter that has them.
set -u
. "${FOEHN_SRCDIR:-$(cd "$(dirname "$0")/../.." && pwd)}/tests/command/cli.sh"

python=${FOEHN_PYTHON:-python3}
"$python" -c 'import windkit' 2> /dev/null || { echo 'windkit is not installed: pip install windkit py_wake; atlas files are not read back'; exit 77; }
flat='wind --model consistent --cells 8x8x8 --spacing 50x10 --quiet'
"$foehn" $flat 2> err.log || { cat err.log; exit 77; }
if "$foehn" wind --terrain "$data/bell.tif" --top 0 2>&1 | grep -q 'without GDAL'; then
    echo 'no GDAL in this build: atlas files are not read back'; exit 77
fi

# A mast's table: 12 sectors, each another Weibull, in bins of 1 m/s.
awk 'BEGIN { print "made up\n44.06 -113.71 20.0\n12 1.0 0.0"
    for (d = 0; d < 12; d++) { f[d] = 4 + 3 * (d % 5) + d; sum += f[d]; a[d] = 6 + 0.3 * d; k[d] = 1.6 + 0.08 * d }
    for (d = 0; d < 12; d++) printf " %.4f", 100 * f[d] / sum
    for (u = 1; u <= 40; u++) { printf "\n%5.1f", u
        for (d = 0; d < 12; d++) printf " %8.3f", 1000 * (exp(-((u - 1) / a[d]) ^ k[d]) - exp(-(u / a[d]) ^ k[d])) }
    print "" }' > mast.tab
"$foehn" wind --terrain "$data/bell.tif" --model consistent --spacing 300x60 --quiet --climate mast.tab --reference 283500,4882000,20 \
    --height 20 --height 60 --out hill.wrg --out hill.rsf || failures=1
"$foehn" $flat --climate mast.tab --reference 0,0,20 --height 20 --out flat.wrg || failures=1
"$python" "$src/tests/command/atlas.py" hill.wrg hill.rsf EPSG:32612 mast.tab flat.wrg
code=$?
[ $code -eq 77 ] && exit 77
[ $failures -eq 0 ] && [ $code -eq 0 ]
