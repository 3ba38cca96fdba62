#!/bin/sh
# SPDX-License-Identifier: MIT
# foehn view on a display of its own: events from scripts, and what the pictures then show.
# 77 when there is no window in this build, no Xvfb, or no OpenCL device.
set -u
export LC_ALL=C # awk and sort follow the locale, 0,5 for 0.5
src=${FOEHN_SRCDIR:-$(cd "$(dirname "$0")/../.." && pwd)}
build=${FOEHN_BUILDDIR:-$src}
foehn=${FOEHN:-$build/foehn}
picture=$build/tests/command/picture
dir=$(mktemp -d "${TMPDIR:-/tmp}/foehn-view.XXXXXX") || exit 1
cd "$dir" || exit 1
# For builds with AddressSanitizer: what Mesa, SDL and fontconfig keep.
printf 'leak:%s\n' libfontconfig libdbus libGLX libgallium swrast_dri libSDL2 libX11 libLLVM > lsan.keep
export LSAN_OPTIONS="suppressions=$dir/lsan.keep:print_suppressions=0"
export LIBGL_ALWAYS_SOFTWARE=1
server=
cleanup() { test -z "$server" || kill "$server" 2> /dev/null; rm -rf "$dir"; }
trap cleanup EXIT
checks=0 failures=0

pass() { checks=$((checks + 1)); echo "ok: $1"; }
flunk() { checks=$((checks + 1)); failures=$((failures + 1)); echo "FAILED: $1"; shift; printf '    %s\n' "$@"; }
expect() { # expect STATUS PATTERN NAME ARGUMENTS...: exit status, and stderr has the pattern
    want=$1 pattern=$2 name=$3; shift 3
    timeout 300 "$foehn" "$@" > out.log 2> err.log
    got=$?
    if [ "$got" -ne "$want" ]; then flunk "$name" "status $got instead of $want" "$(head -c 600 err.log)"
    elif [ -n "$pattern" ] && ! grep -q -e "$pattern" err.log; then flunk "$name" "no '$pattern' in: $(head -c 600 err.log)"
    else pass "$name"; fi
}
# shows NAME CONDITION FILE X Y W H: of the means r, g, b and the spread s in a rectangle
shows() {
    name=$1 condition=$2; shift 2
    found=$("$picture" area "$@" 2>&1)
    if echo "$found" | awk "{ r = \$1; g = \$2; b = \$3; s = \$4; exit !(NF == 4 && ($condition)) }"; then pass "$name"
    else flunk "$name" "$* shows $found instead of $condition"; fi
}
# change NAME CONDITION A B X Y W H: of the mean difference d there
change() {
    name=$1 condition=$2; shift 2
    found=$("$picture" differ "$@" 2>&1)
    if echo "$found" | awk "{ d = \$1; exit !(NF == 1 && ($condition)) }"; then pass "$name"
    else flunk "$name" "$*: $found instead of $condition"; fi
}
figure() { sed -n "s/^ *\"$1\": \([0-9.e+-]*\),*$/\1/p" stats.json; }
equals() { # equals NAME KEY VALUE: of stats.json
    if [ "$(figure "$2")" = "$3" ]; then pass "$1"; else flunk "$1" "$2 is $(figure "$2") instead of $3"; fi
}

# ---- without a display ----
"$foehn" view --help > help.log 2>&1
if [ $? -eq 2 ] && grep -q 'install libsdl2-dev' help.log; then
    echo 'no window in this build: foehn view is not tested'
    exit 77
fi
grep -q 'foehn view \[PAGE\]' help.log && pass 'help of view' || flunk 'help of view' "$(head -c 600 help.log)"
"$foehn" view wind --help > help.log 2>&1
if grep -q -- '--terrain DEM' help.log && grep -q -- '--script FILE' help.log && ! grep -q -- '--out ' help.log
then pass 'help of a page has its options and no outputs'
else flunk 'help of a page has its options and no outputs' "$(head -c 600 help.log)"; fi
expect 2 'did you mean wind' 'an unknown page gets a suggestion' view winf
scenes=yes
if "$foehn" flow --list > help.log 2>&1; then
    expect 2 'one scene at a time' 'two scenes are refused' view flow stir wing
else
    scenes=no
    expect 2 'the page fire is not built in: install libyaml-dev' 'a page that is left out says what to install' view fire
fi
expect 3 '--size 10x10' 'a window too small' view --size 10x10
if env -u DISPLAY -u WAYLAND_DISPLAY -u SDL_VIDEODRIVER "$foehn" view > out.log 2> err.log; then status=0; else status=$?; fi
if [ $status -eq 1 ] && grep -q 'no display.*xvfb-run' err.log; then pass 'no display says what to do'
else flunk 'no display says what to do' "status $status" "$(cat err.log)"; fi

if ! command -v Xvfb > /dev/null; then
    echo 'no Xvfb: install xvfb to test the window'
    echo "$checks checks, $failures failed"
    [ $failures -eq 0 ] && exit 77
    exit 1
fi
"$foehn" devices > devices.log 2>&1 || {
    echo 'no OpenCL device'
    [ -z "${FOEHN_REQUIRE_DEVICE-}" ] && exit 77
    exit 1
}
unset WAYLAND_DISPLAY SDL_VIDEODRIVER
Xvfb -displayfd 3 -screen 0 1200x900x24 -nolisten tcp 3> display 2> xvfb.log &
server=$!
tries=0
until [ -s display ] || [ $tries -eq 50 ]; do sleep 0.2; tries=$((tries + 1)); done
DISPLAY=:$(cat display)
export DISPLAY

# ---- scripts ----
printf '0 dance\n' > bad.txt
expect 3 'bad.txt:1: dance: no such name' 'a script with an unknown deed' view --script bad.txt
printf '1 key q\n0.5 quit\n' > bad.txt
expect 3 'bad.txt:2: 0.5 s comes before' 'a script that goes back' view --script bad.txt
printf '1 drag 5 5\n' > bad.txt
expect 3 'bad.txt:1: drag: 3 numbers' 'a script with too few numbers' view --script bad.txt
printf '1 key Hyperspace\n' > bad.txt
expect 3 'no key is called Hyperspace' 'a script with an unknown key' view --script bad.txt
expect 3 'none.txt: cannot be read' 'a script that is not there' view --script none.txt

# ---- the flow lab: 942 x 530 pixels of water from (79, 44) on ----
the_flow_lab() {
cat > flow.txt << 'END'
0.1 screenshot start.png
0.2 press left 300 450      # stir upwards
0.2 drag 300 150 0.4
0.7 release left
0.8 screenshot stirred.png
0.9 key 1                   # force off: the same stroke does nothing
1.0 press left 700 450
1.0 drag 700 150 0.4
1.5 release left
1.6 screenshot idle.png
1.7 press left 54 22        # on again, by its chip
1.8 release left
1.9 press right 800 400     # draw
1.9 drag 900 400 0.2
2.2 release right
2.3 press left 331 628      # a cylinder
2.4 release left
2.5 key Space
2.6 screenshot paused.png
2.9 screenshot still.png
3.0 key n
3.1 screenshot stepped.png
3.2 key Space
3.3 press left 408 309      # drag it
3.3 drag 500 200 0.6
4.0 release left
4.3 press left 130 596      # speed
4.4 release left
4.5 screenshot dragged.png
4.6 press left 528 628      # a wing
4.7 release left
4.8 key F1
4.9 screenshot help.png
5.0 key Escape
5.1 key F12
5.2 screenshot noted.png
5.3 key Escape
END
expect 0 '' 'the flow lab plays a script' view flow stir --cells 120x68 --layer ink --size 1100x700 \
    --script flow.txt --fast --stats stats.json --quiet
[ "$("$picture" size start.png)" = '1100 700' ] && pass 'a picture is as large as the window' ||
    flunk 'a picture is as large as the window' "$("$picture" size start.png)"
# 159 frames, 21 of them paused with a step by hand, 6 under the help.
equals 'two steps of 1/60 s a frame, none while paused or helped, one by hand' steps 265
equals 'a frame every 1/30 s' frames 159
shows 'clear water at first' 'b > r + 15 && r < 30 && s < 4' start.png 600 300 300 200
shows 'a stroke leaves orange ink' 'r > 60 && r > b + 10' stirred.png 350 100 60 300
change 'and a note says why' 'd > 10' stirred.png idle.png 440 60 220 26
change 'a stroke with the force off leaves none' 'd < 1.5' stirred.png idle.png 680 100 200 400
shows 'the force is lit by its colour' 'r > 180 && g < 140 && b > 140' start.png 14 18 4 8
shows 'and dark while off' 'r < 60 && g < 60 && b < 60' idle.png 14 18 4 8
shows 'a drawn line is solid' 'r > 60 && r < 80 && b > 60 && b < 85 && s < 6' paused.png 820 396 60 6
shows 'a cylinder, too' 'r > 60 && r < 80 && b > 60 && b < 85 && s < 6' paused.png 395 295 24 24
change 'a pause stands still' 'd == 0' paused.png still.png 79 44 942 500
change 'a step moves' 'd > 0.02' still.png stepped.png 79 44 942 500
shows 'the cylinder went with the hand' 'r > 60 && r < 80 && s < 6' dragged.png 490 190 20 20
shows 'and left its place to the water' 'g > r + 20' dragged.png 400 330 16 16
change 'help lies over all' 'd > 15' dragged.png help.png 79 44 942 500
change 'and goes away' 'd > 15' help.png noted.png 300 200 500 300
shows 'the note of a screenshot' 'r < 60 && s > 20' noted.png 460 64 180 20
[ "$("$picture" size foehn-flow-001.png 2>&1)" = '1100 700' ] && pass 'a screenshot by its key' ||
    flunk 'a screenshot by its key' "$(ls)"

# ---- small windows of large letters, pages ----
cat > pages.txt << 'END'
0.1 screenshot large.png
0.2 resize 500 400
0.4 screenshot resized.png
0.5 key Tab
0.7 screenshot wind.png
0.8 quit
END
expect 0 '' 'another page' view flow box --cells 64x36 --size 400x300 --scale 2 --script pages.txt --fast --quiet
[ "$("$picture" size large.png)" = '800 600' ] && pass 'two pixels a point' ||
    flunk 'two pixels a point' "$("$picture" size large.png)"
[ "$("$picture" size resized.png)" = '1000 800' ] && pass 'a resized window' ||
    flunk 'a resized window' "$("$picture" size resized.png)"
change 'the page of the wind is another one' 'd > 20' resized.png wind.png 0 100 1000 400
}
if [ $scenes = yes ]; then the_flow_lab; fi

# ---- the wind: a picture 1000 pixels wide from y = 44 on ----
cat > wind.txt << 'END'
0.3 key x
0.4 screenshot level.png     # over the summit
0.5 key x
0.5 key x
0.5 key x
0.5 screenshot bare.png      # no slice
0.6 key t
0.7 key x                    # above the ground
0.7 key Space
0.8 screenshot slice.png
0.9 key x
0.9 key x
1.0 screenshot along.png
1.0 key v
1.1 screenshot upward.png
1.2 key Space
1.3 key x
1.3 key x
1.4 screenshot off.png
1.5 down w
6.0 up w
6.1 screenshot far.png
6.2 key x
6.3 screenshot far-slice.png
6.4 key Space
6.5 down w                   # held while another page comes, and let go there
6.6 press left 779 22
6.7 release left
6.8 up w
6.9 press left 832 22
7.0 release left
7.2 screenshot back.png
7.8 screenshot rest.png
7.9 down q
12.0 up q
12.1 screenshot low.png
12.2 quit
END
expect 0 '' 'the wind plays a script' view wind --cells 32x12x32 --size 1000x600 --script wind.txt --fast \
    --stats stats.json --quiet
shows 'sky above' 'b > r + 25 && b > 150' bare.png 200 60 300 30
shows 'land below' 'g > b + 20' off.png 200 420 400 60
change 'streaks over it' 'd > 0.8' bare.png off.png 100 150 600 300
change 'a slice above the ground' 'd > 15' slice.png off.png 200 350 400 150
change 'an upright slice' 'd > 3' along.png off.png 100 150 600 200
change 'other colours of it' 'd > 3' along.png upward.png 100 150 600 200
change 'a flight' 'd > 4' off.png far.png 100 150 600 300
change 'a level slice is over the ground' 'd > 5' level.png off.png 200 350 400 150
change 'a key that is let go on another page' 'd == 0' back.png rest.png 0 44 1000 450
change 'and its way until then' 'd > 2' far-slice.png back.png 100 150 600 300
shows 'land under a camera close to it' 'g > b + 10' low.png 300 300 400 180
change 'the box came along' 'd > 10' far.png far-slice.png 200 350 400 150

# ---- the fire: a picture of 800 x 330 pixels from (0, 44) on ----
the_fire() {
cat > fire.txt << 'END'
0.8 screenshot burning.png
0.9 press right 400 250
0.9 drag 500 250 0.2
1.3 release right
1.6 screenshot moved.png
1.7 key v
1.7 key v
1.8 screenshot density.png
1.9 quit
END
expect 0 '' 'the fire plays a script' view fire torch --resolution 0.4 --size 800x500 --script fire.txt --fast --quiet
shows 'a flame' 'r > 150 && r > b + 10' burning.png 390 288 20 18
shows 'dark beside it' 'r < 40 && g < 40' burning.png 490 288 20 18
shows 'the flame went with the hand' 'r > 150 && r > b + 10' moved.png 490 288 20 18
shows 'the density is grey' 's > 5 && r < g + 12 && g < r + 12' density.png 360 60 200 260
# A fire that burns: less of it when the key for that is held, and a recording.
cat > burn.txt << 'END'
0.6 screenshot strong.png
0.61 key F9
0.65 key F9
0.7 key down
0.7 key down
0.7 key down
0.7 key down
0.7 key down
0.7 key down
0.7 key down
0.7 key down
0.7 key down
0.7 key down
1.5 screenshot out.png
1.6 quit
END
expect 0 '' 'a fire that burns plays a script' view fire campfire-burn --resolution 0.4 --size 800x500 --script burn.txt --fast --quiet
test -s foehn-fire-take001_00001.png && pass 'a recording has begun, from picture 1 on' || flunk 'a recording'
test ! -e foehn-fire-take001_00008.png && pass 'and has ended' || flunk 'a recording that ends'
shows 'it burns' 'r > 150 && r > b + 30' strong.png 370 250 40 40
shows 'without power it goes out' 'r < 100' out.png 370 250 40 40
# The list: from the torch to the next scene, a broad fire.
cat > list.txt << 'END'
0.5 screenshot before.png
0.55 key l
0.6 screenshot list.png
0.65 key Down
0.7 key Return
1.3 screenshot other.png
1.4 quit
END
expect 0 '' 'a scene is picked from the list' view fire torch --resolution 0.3 --size 1000x700 --script list.txt --fast --quiet
change 'the list is shown' 'd > 3' before.png list.png 10 60 300 200
change 'and goes when a scene is open' 'd < 1' before.png other.png 10 90 200 100
shows 'which is that scene: a broad fire' 'r > 150 && r > b + 30' other.png 480 490 40 20
# What is saved is what the command writes after as many steps.
cat > save.txt << 'END'
0.4 key Space
0.5 key e
0.6 quit
END
expect 0 '' 'a fire is saved' view fire torch --resolution 0.3 --size 800x560 --script save.txt --fast --quiet --stats stats.json --names houdini
if "$foehn" fire torch --out nosuch/a.vdb 2>&1 | grep -q 'built without'; then
    [ ! -e foehn-fire-001.vdb ] && pass 'without OpenVDB nothing is saved' || flunk 'without OpenVDB nothing is saved'
else
    "$foehn" fire torch --resolution 0.3 --steps "$(figure steps)" --names houdini --out same.vdb --quiet 2> err.log
    cmp same.vdb foehn-fire-001.vdb > cmp.log 2>&1 && pass 'as the command saves it, bit for bit' ||
        flunk 'as the command saves it, bit for bit' "$(figure steps) steps" "$(cat cmp.log err.log)"
fi
}
if [ $scenes = yes ]; then the_fire; fi

echo "$checks checks, $failures failed"
[ $failures -eq 0 ]
