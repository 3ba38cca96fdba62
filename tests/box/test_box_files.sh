#!/bin/sh
# SPDX-License-Identifier: MIT
# foehn box as it is typed: its files, what they are read with, what it refuses.  FOEHN_PYTHON: a Python that has
# hipersim, openfast_io and xarray (all on PyPI), else python3.
set -u
. "${FOEHN_SRCDIR:-$(cd "$(dirname "$0")/../.." && pwd)}/tests/command/cli.sh"
"$foehn" box --quiet --size 4x2x2 --stats a.log > out.log 2> err.log
if grep -q 'not built in: install libfftw3-dev' err.log; then echo "$(cat err.log)"; exit 77; fi
small='--size 256x8x6 --spacing 2x5x5 --hub 60 --seed 5 --quiet'
# What there is no library for is left out.
outputs='--out box.bts --out box.bin --out box.wnd'
"$foehn" box $small --out box.nc 2> err.log && outputs="$outputs --out box.nc"
"$foehn" box $small --out box.png 2> err.log && outputs="$outputs --out box.png"
# The options are meant to be split.
# shellcheck disable=SC2086
check 'a box in every format' "$foehn" box $small $outputs --stats box.json
check 'its sizes are those of the formats' sh -c '[ $(wc -c < box_w.bin) -eq $((256 * 48 * 4)) ] && [ $(wc -c < box.bts) -gt $((256 * 48 * 6 + 68)) ]'
for f in box*; do cp "$f" "$f.first"; done
# shellcheck disable=SC2086
check 'the same again' "$foehn" box $small $outputs --stats box.json
for f in box.bts box_u.bin box.wnd; do check "$f: the same bytes" cmp "$f" "$f.first"; done
# shellcheck disable=SC2086
"$foehn" box $small --seed 6 --out other.bts
check 'another seed, another box' sh -c '! cmp -s box.bts other.bts'
if [ -f box.nc ]; then
    ${FOEHN_PYTHON:-${PYTHON:-python3}} "$src/tests/box/read.py" "$dir" > read.log 2>&1; code=$?
    cat read.log
    case $code in
    0) pass 'read back' ;;
    77) echo "left out: pip install hipersim openfast_io xarray, FOEHN_PYTHON=..." ;;
    *) flunk 'read back' "$(tail -n 3 read.log)" ;;
    esac
fi
rm -f box* other.bts again.nc

sigma() { awk -F'[:,]' -v key="\"$1\"" '$1 ~ key { print $2 }' s.json; }
near() { check "$1" awk -v a="$2" -v b="$3" -v tol="$4" 'BEGIN { exit !(a != "" && a - b <= tol && b - a <= tol) }'; }
"$foehn" box --model kaimal --size 2048x6x6 --spacing 5x10x10 --sigma 1.5 --scale exact --quiet --stats s.json
near 'Kaimal, exact: u' "$(sigma sigma_u)" 1.5 1e-4
near 'Kaimal, exact: v is 0.8 of u' "$(sigma sigma_v)" 1.2 1e-4
near 'Kaimal, exact: w is 0.5 of u' "$(sigma sigma_w)" 0.75 1e-4
"$foehn" box --size 1024x8x8 --spacing 5x10x10 --ti 0.1 --u 20kn --scale exact --quiet --stats s.json
near 'Mann, exact: u is a tenth of 20 knots' "$(sigma sigma_u)" 1.02889 1e-4
"$foehn" box --size 1024x4x4 --spacing 5x10x10 --class IIA --u 12 --quiet --stats s.json
near 'class IIA at 12 m/s' "$(sigma sigma_wanted)" 2.336 1e-3
"$foehn" box --size 1024x4x4 --spacing 5x10x10 --class IIA --u 12 --extreme --quiet --stats s.json
near 'the extreme model' "$(sigma sigma_wanted)" 3.53408 1e-3
"$foehn" box --size 1024x4x4 --spacing 5x10x10 --class IA --u 15 --scale iec --quiet --stats s.json
near 'as the standard has it' "$(sigma energy)" "$(awk 'BEGIN { print 1.4528 * (0.55 * 0.16 * (0.75 * 15 + 5.6))^2 / 33.6^(2 / 3) }')" 1e-4
rm -f s.json

printf 'x,y,z,u\n100,10,10,3\n110,10,10,4\n' > c.log
check 'constraints' "$foehn" box --size 256x8x8 --spacing 2x5x5 --quiet --constraints c.log --out c.bin
value() { od -An -tf4 -j $((4 * (($1 * 8 + $2) * 8 + $3))) -N4 c_u.bin; }
near 'met at x = 100 m' "$(value 50 2 2)" 3 1e-3
near 'met at x = 110 m' "$(value 55 2 2)" 4 1e-3
printf 'time,y,z,u\n0,10,10,-2\n' > c.log
"$foehn" box --size 256x8x8 --spacing 2x5x5 --quiet --constraints c.log --out c.bin
near 'what passes first lies farthest downwind' "$(value 255 2 2)" -2 1e-3
rm -f c_*.bin
printf 'height,speed\n20,6\n100,11\n' > p.log
check 'a mean wind by table' "$foehn" box --size 64x4x4 --profile p.log --quiet --out p.bts
rm -f p.bts

# A site: the wind that foehn wind has solved, where there is a device and NetCDF.
if "$foehn" wind --model momentum --cells 16x12x16 --spacing 40x10 --u10 8 --from 270 --steps 400 --quiet --out site.nc 2> err.log; then
    check 'a box of a site' "$foehn" box --site site.nc --at 0,0,40 --size 512x4x4 --spacing 4x4x4 --quiet --stats s.json
    # Undisturbed: the log law; k = u*^2 / sqrt(0.03), eps = u*^3 / (0.4 z), Gamma 3.9.
    near 'its mean wind is the log law' "$(sigma speed)" "$(awk 'BEGIN { print 8 * log(40 / 0.03) / log(10 / 0.03) }')" 0.25
    near 'its Gamma is that of a log layer' "$(sigma gamma)" 3.9 0.5
    near 'its energy is 1.7 eps^(2/3)' "$(sigma energy)" "$(awk 'BEGIN { u = 0.4 * 8 / log(10 / 0.03); print 1.7 * (u ^ 3 / (0.4 * 40)) ^ (2 / 3) }')" 0.02
    rm -f s.json
    expect 3 'lies outside of site.nc' 'a place outside' box --site site.nc --at 9000,0,40 --out a.bts
    expect 3 'the height is outside' 'a height above the lid' box --site site.nc --at 0,0,4000 --out a.bts
    expect 2 'exclude each other: the field has that' 'what the field has is not given' box --site site.nc --at 0,0,40 --u 9 --out a.bts
    rm -f site.nc
else echo "left out: a site: $(cat err.log)"; fi

# The wind that passes a plane of a simulation that runs.
if "$foehn" wind --cells 16x12x16 --spacing 8x8 --u10 9 --from 270 --gustiness 0.6 --dt 0.25 --steps 40 --quiet --box 4,-4,40,5,5,6,6 \
    --probe 4,-4,40 --out p.bts --out p.csv 2> err.log; then
    near 'a plane of a running wind has its mean wind' "$(od -An -tf4 -j30 -N4 p.bts)" \
        "$(awk -F, '/^[0-9]/ { n++; u += $6 } END { print u / n }' p.csv)" 1e-3
    near 'its times' "$(od -An -td4 -j14 -N4 p.bts)" 40 0
    near 'and how far they are apart' "$(od -An -tf4 -j26 -N4 p.bts)" 0.25 1e-6
    rm -f p.bts p.csv
    expect 2 'box needs --out FILE.bts' 'a plane needs a file' wind --cells 16x12x16 --box 0,0,40,5,5,6,6 --out a.csv --probe 0,0,10
    expect 2 'give --box' 'a file needs a plane' wind --cells 16x12x16 --steps 1 --out a.bts
    expect 3 'under the ground: raise it' 'a plane in the ground' wind --cells 16x12x16 --steps 1 --box 0,0,5,5,5,6,6 --out a.bts
    expect 3 'outside of the box' 'a plane outside' wind --cells 16x12x16 --steps 1 --box 900,0,40,5,5,6,6 --out a.bts
    expect 3 'give 2 to 256 across' 'a plane of one point' wind --cells 16x12x16 --steps 1 --box 0,0,40,1,5,6,6 --out a.bts
    expect 2 'not --steady' 'a plane of a mean' wind --cells 16x12x16 --steady --box 0,0,40,5,5,6,6 --out a.bts
else echo "left out: a plane: $(cat err.log)"; fi

refuse() { status=$1 pattern=$2 name=$3; shift 3; expect "$status" "$pattern" "$name" box --size 64x4x4 --spacing 9x4x4 --out a.bts "$@"; }
refuse 3 '--class IVA: no such class' 'a class that is none' --class IVA
refuse 3 'not of the form NXxNYxNZ' 'a size of one number' --size 10
refuse 3 'out of range: give 2 to 1024 points along y' 'too many points across' --size 64x2000x4
refuse 3 'needs .* GiB of memory' 'more than the machine has' --size 1048576x1024x1024
refuse 3 'out of range: give 0.01 to 1000 m' 'a spacing of nothing' --spacing 1e-9x1x1
refuse 3 'out of range: give 0.5 to 100 m/s' 'no wind' --u 0.1
refuse 3 'lie -.* m above the ground' 'a box in the ground' --hub 3
refuse 3 '--periodic q: not axes' 'axes that are none' --periodic q
refuse 3 '--shear log 40: out of range' 'a roughness as high as trees' --shear log:40
refuse 2 'exclude each other' 'sigma twice' --sigma 1 --ti 0.1
refuse 2 '--gamma is of --model mann' 'an option of the other model' --model kaimal --gamma 3
refuse 2 '--coherence is of --model kaimal' 'and the other way round' --coherence uvw
refuse 2 '--site needs --at' 'a site without a place' --site x.nc
refuse 2 '--at needs --site' 'a place without a site' --at 1,2,3
refuse 2 'unknown format: give .bts' 'a format that is none' --out a.xyz
refuse 3 'even number of times' 'an odd number of times for Bladed' --size 65x4x4 --out a.wnd
refuse 1 'cannot be written' 'a folder that is not there' --out nowhere/a.bts
printf 'x,y,z,u\n5,4,4,one\n' > c.log; refuse 3 "c.log:2: u is 'one', not a number" 'a word for a number' --constraints c.log
printf 'x,y,z,u\n5,4,4,nan\n' > c.log; refuse 3 'c.log:2: u is nan' 'what is no number' --constraints c.log
printf 'x,y,z,u\n-5,4,4,1\n' > c.log; refuse 3 'c.log:2: x is -5' 'a place before the box' --constraints c.log
printf 'x,y,z,u\n5,4,4,1\n5,4,4,2\n' > c.log; refuse 3 'constraints 1 and 2 fall on the same point' 'a place twice' --constraints c.log
printf 'x,y,z,u\n5,4\n' > c.log; refuse 3 'c.log:2: has 2 of 4 columns' 'too few columns' --constraints c.log
printf 'x,y,z,q\n5,4,4,1\n' > c.log; refuse 3 "c.log:1: 'q' is no column" 'a column that is none' --constraints c.log
printf 'x,y,u\n5,4,1\n' > c.log; refuse 3 'c.log: has no z' 'no height' --constraints c.log
printf 'x,time,y,z,u\n5,1,4,4,1\n' > c.log; refuse 3 'give x or time' 'both of two' --constraints c.log
printf 'x,y,z,u\n5,4,99,1\n' > c.log; refuse 3 'c.log: constraint 1: z = 99 m is outside of the box' 'a place above the box' --constraints c.log
printf 'height,speed\n20,6\n10,11\n' > p.log; refuse 3 'give rising heights' 'heights that fall' --profile p.log
printf 'height,speed\n' > p.log; refuse 3 'has no rows' 'an empty table' --profile p.log
printf 'none' > s.log; refuse 3 's.log: cannot be read' 'a site that is no NetCDF' --site s.log --at 0,0,10
mkdir c_v.bin
expect 1 'c_v.bin: is a folder' 'one of three files of HAWC2 that cannot be' box --size 64x4x4 --quiet --out c.bin
rmdir c_v.bin
(ulimit -f 8; "$foehn" box --size 256x8x8 --quiet --out a.bts 2> err.log; echo $? > code.log)
check 'a limit of file sizes is told' sh -c '[ $(cat code.log) -eq 1 ] && grep -q "a.bts: cannot be written: File too large" err.log'
"$foehn" box --size 262144x16x16 --quiet --out a.bts 2> err.log &
pid=$!; sleep 1; kill -TERM $pid; wait $pid; code=$?
check 'a stop ends it at once' sh -c "[ $code -eq 130 ] && grep -q 'stopped: nothing is written' err.log"
rm -f a.log
nothing_left 'no file is left of what was refused'
printf 'height,speed\n100,7\n300,9\n' > p.log
"$foehn" box --size 64x4x4 --spacing 2x5x5 --quiet --u 10 --profile p.log --out c.bts 2> err.log
check 'a profile is told where it ends' grep -q 'reaches from 100 to 300 m, the box from 82.5 to 97.5 m' err.log
check 'and what it has at the hub' grep -q 'has 7 m/s at the hub (90 m) and --u is 10 m/s.*give --u 7' err.log
rm -f c.bts
echo "$checks checks, $failures failed"
[ $failures -eq 0 ]
