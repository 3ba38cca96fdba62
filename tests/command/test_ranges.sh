#!/bin/sh
# SPDX-License-Identifier: MIT
# Every option of every command, walked through its --help: what is no value is refused by the option's
# name, the value and what it takes; and the manual has each with the same range.
set -u
. "${FOEHN_SRCDIR:-$(cd "$(dirname "$0")/../.." && pwd)}/tests/command/cli.sh"
manual=${FOEHN_BUILDDIR:-$src}/doc/foehn.1
[ -e "$manual" ] || manual=$src/doc/foehn.1
mkdir none
export OCL_ICD_VENDORS="$dir/none" OCL_ICD_FILENAMES= POCL_DEVICES=none
# COMMAND, NAME, ARGUMENT, RANGE and HELP of each option that takes a value, with a character between that
# is in none; the run's are those of the wind.
bar=$(printf '\037')
for command in ${ONLY-wind flow fire box bench}; do
    [ $command = wind ] || built $command --help || continue
    "$foehn" $command --help | awk -v command=$command -v OFS="$bar" '
        /^  --/ && name != "" { tell() }
        /^  --/ { name = substr($1, 3); argument = $2; text = $0; sub(/^  --[^ ]+ /, "", text)
            argument = text ~ /^ / ? "" : $2; next_line = 0 }
        !/^  --/ && name != "" { if (/^      /) text = text " " $0; else { tell(); name = "" } }
        function tell(    range) {
            range = match(text, /; -?[0-9.e+-]+ to -?[0-9.e+-]+( [^;]*)?$/) ? substr(text, RSTART + 2) : ""
            if (argument != "") print command, name, argument, range, text }
        END { if (name != "") tell() }'
done | awk -F"$bar" '{ known = $1 != "wind" && ($2, $5) in seen; seen[$2, $5] = 1 } !known' > options.log
[ "$(awk -F"$bar" '$1 == "wind" && $4 != ""' options.log | wc -l)" -gt 15 ] && pass 'options have ranges' || flunk 'options have ranges' "$(head -3 options.log)"
wrong=0 tried=0
tell() { wrong=$((wrong + 1)); [ $wrong -le 40 ] && printf '    %s\n' "$1: status $got: $(head -c 300 err.log)"; }
try() { # try COMMAND NAME VALUE RANGE NUMERIC: an error of one line that names it
    scene=; [ "$1" = flow ] && scene=cylinder; [ "$1" = fire ] && scene=torch; [ "$1" = bench ] && scene=wind
    # shellcheck disable=SC2086
    "$foehn" $1 $scene "--$2=$3" > out.log 2> err.log < /dev/null
    got=$? tried=$((tried + 1))
    [ "$got" -ge 1 ] && [ "$got" -le 4 ] && [ "$(grep -vc '^foehn: warning: ' err.log)" -eq 1 ] || { tell "--$2=$3"; return; }
    [ -z "$4" ] && return
    [ "$got" -eq 3 ] && grep -qF -e "--$2 $3" err.log && grep -qF -e "give ${4%% (*}" err.log || tell "--$2=$3, $4"
}
while IFS=$bar read -r command name argument range text; do
    case $range in
    '') try $command "$name" nothing ''
        # All names that the message offers stand in the help, or it says that there are more.
        for word in $(sed -n 's/.*no such name: give \([^;]*\).*/\1/p' err.log | tr -d ','); do
            case $text in *"$word"* | *...*) ;; *) got=-; echo "no $word in: $text" > err.log; tell "--$name" ;; esac
        done ;;
    *) for value in x nan -1e99 1e99 ''; do try $command "$name" "$value" "$range" < /dev/null; done ;;
    esac
done < options.log
[ $wrong -eq 0 ] && pass "$tried values that are none are refused" || flunk 'values that are none are refused' "$wrong of $tried are not"
# The manual: the option under its command, and its range.
while IFS=$bar read -r command name argument range text; do
    grep -q "^\.It Fl -$name\( \|\$\)" "$manual" || { echo "    --$name is not in the manual"; wrong=$((wrong + 1)); continue; }
    awk -v name="$name" -v range="$range" '
        /^\.It/ { on = $2 == "Fl" && $3 == "-" name } on { said = said " " $0 }
        END { exit range != "" && index(said, range) == 0 }' "$manual" || { echo "    --$name: the manual lacks $range"; wrong=$((wrong + 1)); }
done < options.log
[ $wrong -eq 0 ] && pass 'the manual has all of them' || flunk 'the manual has all of them'
nothing_left 'nothing is left behind'
echo "$checks checks, $failures failed"
[ $failures -eq 0 ]
