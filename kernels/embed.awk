# SPDX-License-Identifier: MIT
# kernels/ROOM/NAME.cl -> a C array of one string a line.  Each #include "x.h" is put in once, in place,
# from the folders in `path` (separated by ':', the kernels' own first), and #line keeps file and line
# true in build logs.

# A file's name as #line, messages and symbols have it: without the folder it was found in, which make
# writes as ./kernels or as kernels when it builds in the source folder.
function short(file, folders, count, i) {
    sub(/^\.\//, "", file)
    count = split(path, folders, ":")
    for (i = 1; i <= count; i++) {
        sub(/^\.\//, "", folders[i])
        if (index(file, folders[i] "/") == 1)
            return substr(file, length(folders[i]) + 2)
    }
    return file
}

function find(name, folders, count, i, file, line) {
    if (name in found)
        return found[name] # it may be open: looking for it again would begin it anew
    count = split(path, folders, ":")
    for (i = 1; i <= count; i++) {
        file = folders[i] "/" name
        if ((getline line < file) >= 0) { close(file); return found[name] = file }
    }
    print "embed.awk: no " name " in " path > "/dev/stderr"
    failed = 1
    exit 1
}

function string(line) {
    gsub(/\\/, "&&", line) # doubled, whatever the awk thinks of backslashes in replacements
    gsub(/"/, "\\\"", line)
    print "    \"" line "\\n\","
    lines++
}

function embed(file, line, number, name) {
    done[file] = 1
    string("#line 1 \"" short(file) "\"")
    number = 0
    while ((getline line < file) > 0) {
        number++
        if (match(line, /^#include "[^"]*"/)) {
            name = line
            sub(/^#include "/, "", name)
            sub(/".*/, "", name)
            name = find(name)
            if (!(name in done))
                embed(name)
            string("#line " (number + 1) " \"" short(file) "\"")
        } else
            string(line)
    }
    close(file)
}

BEGIN {
    source = ARGV[1]
    name = short(source)
    sub(/\.cl$/, "", name)
    symbol = name
    gsub(/[^a-z0-9]/, "_", symbol)
    print "/* Made from " short(source) " by embed.awk: edit that. */"
    print "#include \"device/internal.h\""
    print "extern const foehn_source foehn_source_" symbol ";"
    print "static const char *const lines[] = {"
    embed(source)
    print "};"
    print "const foehn_source foehn_source_" symbol " = {\"" name "\", lines, " lines "};"
    exit failed
}
