# SPDX-License-Identifier: MIT
# Scene files as C strings, one a line: the table of built-in scenes.
FNR == 1 {
    if (NR > 1)
        print "    },"
    else
        print "#include \"config.h\"\n\n#include \"tools/flow.h\"\n\nconst builtin_scene builtin_scenes[] = {"
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
