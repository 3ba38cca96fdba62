# SPDX-License-Identifier: MIT
# What plot.awk draws: a centre line of the cavity (line = u or v) and the reference's points, from what
# `cavity RE ... --curves` prints, a file for each Reynolds number, cavity-RE.txt.

BEGIN {
    split("#1f77b4 #d95f02 #2b8a3e", colours)
    print "title Lid-driven cavity, lid from left to right at speed 1: " \
        (line == "u" ? "u on the vertical centre line" : "v on the horizontal centre line")
    print line == "u" ? "x height y" : "x place x from the left wall"
    print line == "u" ? "y u, to the right" : "y v, upwards"
}
FNR == 1 {
    files++
    re = FILENAME
    sub(/.*cavity-/, "", re)
    sub(/\..*/, "", re)
    print "line " colours[files] " Re " re
    points = 0
}
$1 == line { print $2, $3 }
$1 == toupper(line) {
    if (!points++)
        print "points " colours[files] " reference"
    print $2, $3
}
