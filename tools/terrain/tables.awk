# SPDX-License-Identifier: MIT
# Tables of classes as C strings, one a line.
FNR == 1 {
    if (NR > 1)
        print "    },"
    else
        print "#include \"config.h\"\n\n#include \"terrain/classes.h\"\n\nconst class_text class_texts[] = {"
    name = FILENAME
    sub(/.*\//, "", name)
    sub(/\.csv$/, "", name)
    print "    {\"" name "\","
}
{
    gsub(/\\/, "\\\\")
    gsub(/"/, "\\\"")
    print "     \"" $0 "\\n\""
}
END { print "    },\n    {NULL, NULL}};" }
