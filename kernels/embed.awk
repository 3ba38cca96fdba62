# SPDX-License-Identifier: MIT
# kernels/NAME.cl -> a C array of one string a line.  Each #include "x.h" is put in once, in place,
# from the folders in `path` (separated by ':'), and #line keeps file and line true in build logs.

function base(file) { sub(/.*\//, "", file); return file }

function find(name, folders, count, i, file, line) {
    count = split(path, folders, ":")
    for (i = 1; i <= count; i++) {
        file = folders[i] "/" name
        if ((getline line < file) >= 0) { close(file); return file }
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
    done[base(file)] = 1
    string("#line 1 \"" base(file) "\"")
    number = 0
    while ((getline line < file) > 0) {
        number++
        if (match(line, /^#include "[^"]*"/)) {
            name = line
            sub(/^#include "/, "", name)
            sub(/".*/, "", name)
            if (!(base(name) in done))
                embed(find(name))
            string("#line " (number + 1) " \"" base(file) "\"")
        } else
            string(line)
    }
    close(file)
}

BEGIN {
    source = ARGV[1]
    name = base(source)
    sub(/\.cl$/, "", name)
    print "/* Made from " base(source) " by embed.awk: edit that. */"
    print "#include \"../lib/internal.h\""
    print "extern const foehn_source foehn_source_" name ";"
    print "static const char *const lines[] = {"
    embed(source)
    print "};"
    print "const foehn_source foehn_source_" name " = {\"" name "\", lines, " lines "};"
    exit failed
}
