# SPDX-License-Identifier: MIT
# Scene files as C strings, one a line: a table of built-in scenes.  -v table=NAME
FNR == 1 {
    if (NR > 1)
        print "    },"
    else
        print "#include \"config.h\"\n\n#include \"formats/builtin.h\"\n\nconst builtin_scene " table "[] = {"
    name = FILENAME
    sub(/.*\//, "", name)
    sub(/\.yaml$/, "", name)
    print "    {\"" name "\","
}
!/SPDX-License/ {
    gsub(/\\/, "\\\\")
    gsub(/"/, "\\\"")
    print "     \"" $0 "\\n\""
}
END { print "    },\n    {NULL, NULL}};" }
