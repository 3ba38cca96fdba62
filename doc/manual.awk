# SPDX-License-Identifier: MIT
# The manual: foehn.1.in, with every option that it says nothing of taken from the command's table.
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
function row(text,    name, argument, help) {
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
    if ((at, name) in told)
        return
    gsub(/\\"/, "\"", help)
    print ".It Fl -" name (argument == "" ? "" : " Ar " argument)
    print toupper(substr(help, 1, 1)) substr(help, 2) "."
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
FNR == 1 { pass++ }
/^\.S[hs]/ { section($0) }
pass == 1 && /^\.It Fl -/ {
    name = $3
    sub(/^-/, "", name)
    told[command, name] = 1
}
pass == 2 && /^\.\\" OPTIONS / {
    at = $3
    table(root "/" $4)
    next
}
pass == 2
