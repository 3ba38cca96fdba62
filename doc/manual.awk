# SPDX-License-Identifier: MIT
# The manual: foehn.1.in, with every option that it says nothing of taken from the command's table, and the
# range of every numeric one that does not have it.
# awk -v root=SRCDIR -f manual.awk foehn.1.in foehn.1.in
# A line  .\" OPTIONS wind tools/wind/wind.c  stands where those of a table go.
function section(line) {
    if (match(tolower(line), /foehn [a-z]+/))
        command = substr(tolower(line), RSTART + 6, RLENGTH - 6)
    else if (line ~ /^\.Sh/ || line ~ /The run/)
        command = line ~ /The run/ ? "run" : ""
}
# The strings of C that stand one behind the other at the start of text, as one.
function strings(text,    all, part) {
    while (match(text, /^[ \n]*"([^"\\]|\\.)*"/)) {
        part = substr(text, RSTART, RLENGTH)
        text = substr(text, RSTART + RLENGTH)
        sub(/^[ \n]*"/, "", part)
        sub(/"$/, "", part)
        all = all part
    }
    rest = text
    return all
}
# "0 to 200 m/s" of a row; "" where it has no range, or one that only the compiler knows.
function range(text,    part, n, unit) {
    if (!match(text, /(REAL|SPEED|COUNT|WHOLE)\(([^()"]|"[^"]*")*\)/))
        return ""
    text = substr(text, RSTART, RLENGTH - 1)
    n = split(text, part, /, */)
    if (part[2] !~ /^[-0-9.e]+$/ || part[3] !~ /^[-0-9.e]+$/)
        return ""
    unit = text ~ /^SPEED/ ? "m/s" : part[4]
    gsub(/"/, "", unit)
    if (text ~ /^(COUNT|WHOLE)/)
        return part[3] > 0 ? sprintf("%.0f to %.0f", part[2], part[3]) : sprintf("%.0f to 18446744073709551615", part[2])
    return sprintf("%g to %g", part[2], part[3]) (unit == "" ? "" : " " unit)
}
function row(text,    name, argument, help, whole) {
    whole = text
    sub(/^ *\{/, "", text)
    name = strings(text)
    text = rest
    sub(/^, */, "", text)
    argument = text ~ /^NULL/ ? "" : strings(text)
    if (argument == "")
        sub(/^NULL/, "", text)
    else
        text = rest
    sub(/^,[ \n]*/, "", text)
    help = strings(text)
    if (pass == 1) {
        ranges[at, name] = range(whole)
        return
    }
    if ((at, name) in told)
        return
    gsub(/\\"/, "\"", help)
    print ".It Fl -" name (argument == "" ? "" : " Ar " argument)
    print toupper(substr(help, 1, 1)) substr(help, 2) (ranges[at, name] == "" ? "" : "; " ranges[at, name]) "."
}
function table(path,    line, text) {
    while ((getline line < path) > 0) {
        if (line ~ /^    \{"[a-z0-9-]+", *("|NULL)/)
            text = line
        else if (text != "")
            text = text "\n" line
        if (text != "" && line ~ /\},$/) {
            row(text)
            text = ""
        }
    }
    close(path)
}
# The end of an option that the manual describes: its range, if it has none.
function finish() {
    if (item != "" && ranges[command, item] != "" && index(said, ranges[command, item]) == 0)
        print toupper(substr(ranges[command, item], 1, 1)) substr(ranges[command, item], 2) "."
    item = said = ""
}
FNR == 1 { pass++ }
pass == 2 && (/^\.S[hs]/ || depth == 1 && (/^\.It/ || /^\.El/) || /^\.\\" OPTIONS /) { finish() }
/^\.S[hs]/ { section($0); depth = 0 }
/^\.Bl/ { depth++ }
/^\.El/ { depth-- }
pass == 1 && /^\.It Fl -/ {
    name = $3
    sub(/^-/, "", name)
    told[command, name] = 1
}
/^\.\\" OPTIONS / {
    at = $3
    table(root "/" $4)
    next
}
pass == 2 && depth == 1 && /^\.It Fl -/ {
    item = $3
    sub(/^-/, "", item)
}
pass == 2 {
    said = said " " $0
    print
}
