#!/bin/sh
# SPDX-License-Identifier: MIT
# What foehn writes where: links, devices, pipes, full disks, two outputs of one name, runs that are killed.
set -u
. "${FOEHN_SRCDIR:-$(cd "$(dirname "$0")/../.." && pwd)}/tests/command/cli.sh"

small='wind --cells 8x4x8 --gustiness 0.9 --quiet'
# within SECONDS COMMAND...: the command ends by itself in time
within() {
    limit=$1; shift
    "$@" & child=$!
    (sleep "$limit"; kill -9 $child) 2> wait.log & watch=$!
    wait $child; code=$?
    kill $watch 2> wait.log
    return $code
}
none_but() { # none_but NAMES...: nothing else is in the folder, but logs
    for name in $(ls -A); do
        case " $* " in *" $name "*) continue ;; esac
        case $name in *.log|*.keep) continue ;; esac
        echo "left: $name"; return 1
    done
}

"$foehn" $small --steps 1 2> err.log
test $? -ne 4 || { echo 'no OpenCL device'; exit 77; }

# ---- what is no file is written into ----
mkfifo pipe
cat pipe > got.log & reader=$!
check 'a pipe is written into' "$foehn" $small --steps 1 --stats pipe
wait $reader
check 'its reader gets all of it' sh -c 'test -p pipe && grep -q "\"device\"" got.log && tail -n 1 got.log | grep -q "^}"'
cat pipe > got.log & reader=$!
check 'by every format' "$foehn" $small --steps 1 --out a.raw --stats pipe
wait $reader
rm -f a.raw a.raw.json
"$foehn" $small --steps 1 --stats pipe 2> err.log & run=$!
sleep 4; kill -INT $run 2> kill.log
wait $run; code=$?
check 'a pipe that nobody reads is left by one signal' test $code -eq 1
"$foehn" $small --steps 1 --stats /dev/stdout > got.log
check 'the standard output by its name' grep -q '"device"' got.log
if mknod null.json c 1 3 2> err.log && echo x 2> err.log > null.json; then
    for what in --stats --checkpoint; do
        built $small --steps 1 $what probe.h5 || continue
        rm -f probe.h5
        check "$what: a device is written into" "$foehn" $small --steps 1 $what null.json
        check "$what: and stays one" test -c null.json
    done
    mknod full.json c 1 7
    expect 1 'full.json: cannot be written' 'a device that is full' $small --steps 1 --stats full.json
    check 'and stays one' test -c full.json
    rm -f null.json full.json
fi
rm -f pipe

# ---- links stay, what they lead to is replaced ----
mkdir far
ln -s far/real.json link.json; ln -s link.json chain.json
check 'through a link that leads to nothing yet' "$foehn" $small --steps 1 --stats chain.json
check 'the target is there, the links are' sh -c 'test -f far/real.json && test ! -L far/real.json && test -L link.json && test -L chain.json'
echo old > far/real.json; ln far/real.json far/other.json
check 'through a link to a file' "$foehn" $small --steps 1 --stats link.json
check 'it is replaced beside the target, whole' sh -c 'grep -q "\"device\"" far/real.json && test "$(cat far/other.json)" = old && test "$(ls -A far | wc -l)" -eq 2'
ln -s circle.json circle.json
expect 1 'circle.json: cannot be written' 'a link that leads to itself' $small --steps 1 --stats circle.json
rm -rf far ./*.json

# ---- names that others made ----
i=0
echo mine > victim.log
while [ $i -lt 50 ]; do # links of the names that the coming processes would use
    ln -s victim.log ".s.json.$(($$ + i)).part"; i=$((i + 1))
done
"$foehn" $small --steps 1 --stats s.json
check 'links of likely temporary names are not followed' sh -c 'test "$(cat victim.log)" = mine && test -f s.json && test ! -L s.json'
rm -f .s.json.*.part s.json
true & gone=$!; wait $gone
: > ".s.json.$gone.abc123.part"; : > ".s.json.$$.abc123.part"
expect 0 ".s.json.$gone.abc123.part is left of a run that was killed" 'what a killed run left is told' $small --steps 1 --stats s.json
check 'once' test "$(grep -c 'is left of a run' err.log)" -eq 1
check 'what a running one has is not' sh -c "! grep -q '.s.json.$$.' err.log"
rm -f .s.json.*.part s.json

# ---- two outputs of one name ----
mkdir sub; ln -s sub/t.json l.json
expect 2 'one file' 'statistics and a checkpoint of one name' $small --steps 1 --stats s.json --checkpoint s.json
expect 2 'one file' 'two spellings of a name' $small --steps 1 --stats s.json --checkpoint ./sub/../s.json
expect 2 'one file' 'a link and what it leads to' $small --steps 1 --stats l.json --checkpoint sub/t.json
expect 2 'one file' 'what lies beside a .raw' $small --steps 1 --out a.raw --stats a.raw.json
if built $small --steps 1 --checkpoint c.h5; then
    expect 0 '' 'a checkpoint that is resumed may be written again' $small --steps 2 --resume c.h5 --checkpoint c.h5
fi
check 'nothing else is left' none_but sub l.json c.h5
rm -rf sub l.json c.h5

# ---- full disks ----
mkdir disk
full() { # full SIZE NAME PROBE ARGUMENTS...: into a file system of this size
    size=$1 name=$2; shift 2
    mount -t tmpfs -o size="$size" none disk || return
    expect 1 'cannot be written' "$name" "$@"
    check "$name: nothing is left" test -z "$(ls -A disk)"
    umount disk
}
if mount -t tmpfs -o size=20k none disk 2> err.log; then
    umount disk
    for e in nc vtkhdf raw h5 csv png tif; do
        case $e in
        h5) where='--checkpoint disk/a.h5' ;;
        csv) where='--steps 200 --probe 10,10,10 --out disk/a.csv' ;;
        *) where="--out disk/a.$e" ;;
        esac
        built $small --steps 1 $where &&
            full 8k "a full disk: .$e" wind --cells 64x8x64 --steps 9 --quiet $where
        rm -f disk/*
    done
    if built fire --list; then
        for e in vdb vtkhdf png raw; do
            built fire torch --resolution 0.2 --steps 1 --quiet --out "p.$e" &&
                full 8k "a full disk, fire: .$e" fire torch --resolution 1 --steps 3 --quiet --out "disk/a.$e"
            rm -f p.* p-*
        done
        built fire torch --resolution 0.2 --steps 1 --quiet --out p.vdb &&
            full 60k 'a disk that is full at the end: .vdb' fire torch --resolution 1 --steps 3 --quiet --out disk/a.vdb
        rm -f p.*
    fi
fi
rm -rf disk

# ---- signals ----
if [ "$(sh -c 'kill -HUP $$; echo ignored' 2> err.log)" = ignored ]; then
    echo 'hang-ups are ignored here (nohup): not tested'
else
    "$foehn" wind --cells 8x4x8 --quiet --steps 100000000 --stats s.json 2> err.log & run=$!
    sleep 4; kill -HUP $run
    (sleep 60; kill -KILL $run) 2> wait.log & watch=$!
    wait $run; code=$?
    kill $watch 2> wait.log
    check 'a hang-up ends a run as it ends by Ctrl-C' test $code -eq 0 -a -s s.json
fi
rm -f s.json

# ---- a run that was killed between its last checkpoint and its results ----
if built $small --steps 1 --checkpoint c.h5; then
    "$foehn" $small --steps 6 --checkpoint c.h5 --out a.raw
    expect 0 '' 'wind: a checkpoint of the last step gives the results' $small --steps 6 --resume c.h5 --out b.raw
    check 'wind: the same' cmp a.raw b.raw
    if built flow --list; then
        "$foehn" flow box --cells 9x9 --quiet --steps 6 --checkpoint c.h5 --out a.csv
        expect 0 '' 'flow: the same' flow box --cells 9x9 --quiet --steps 6 --resume c.h5 --out b.csv
        check 'flow: the same rows' cmp a.csv b.csv
        "$foehn" fire torch --resolution 0.2 --quiet --steps 6 --checkpoint c.h5 --out a.raw
        expect 0 '' 'fire: the same' fire torch --resolution 0.2 --quiet --steps 6 --resume c.h5 --out b.raw
        check 'fire: the same volume' cmp a.raw b.raw
    fi
fi
rm -f ./*.h5 ./*.raw ./*.json ./*.csv

# ---- what might never end is not read ----
mkfifo pipe
check 'a table from a pipe is refused at once' sh -c "! '$foehn' wind --input pipe 2> err.log && grep -q 'pipe: cannot be read' err.log"
for e in yaml h5 png; do ln -s pipe "p.$e"; done
if built flow --list; then
    expect 3 'p.yaml: cannot be read' 'a scene from a pipe' fire ./p.yaml
    expect 3 'p.yaml: cannot be read' 'the same for flow' flow ./p.yaml
    expect 3 'p.png: cannot be read' 'a background from a pipe' fire torch --resolution 0.2 --steps 1 --background p.png --out a.png
fi
if built $small --steps 1 --checkpoint c.h5; then
    expect 3 'p.h5: cannot be read' 'a checkpoint from a pipe' wind --cells 8x4x8 --resume p.h5
fi
rm -f c.h5
rm -f pipe p.*

nothing_left 'nothing is left'
echo "$checks checks, $failures failed"
test $failures -eq 0
