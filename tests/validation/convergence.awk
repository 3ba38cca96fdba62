# SPDX-License-Identifier: MIT
# Input of plot.awk from the tables of ridge and poisson: errors over cells.
BEGIN { FS = " *\\| *" }
what == "ridge" && ($2 == "fractions" || $2 == "staircase") {
    n = ++rows[$2]
    cells[$2, n] = $3; flow[$2, n] = $6; near[$2, n] = $9
}
what == "poisson" && $3 ~ / x / {
    n = ++rows[$2]
    if (n == 1) name[++names] = $2
    split($3, size, " ")
    cells[$2, n] = size[1] + 1; flow[$2, n] = $5
}
function series(of, key, kind, colour, title,    i) {
    print kind, colour, title
    for (i = 1; i <= rows[key]; i++)
        print cells[key, i], of == "near" ? near[key, i] : flow[key, i]
}
END {
    print "log x\nlog y"
    if (what == "ridge") {
        print "title A half-cylinder ridge: error of the wind 0.1 radii above the ground"
        print "x cells a radius\ny rms error / undisturbed wind"
        series("near", "staircase", "both", "#d55e00", "staircase")
        series("near", "fractions", "both", "#0072b2", "fractions")
        print "line #909090 second order"
        print cells["fractions", 1], near["fractions", 1]
        i = rows["fractions"]
        print cells["fractions", i], near["fractions", 1] * (cells["fractions", 1] / cells["fractions", i]) ^ 2
    } else {
        print "title Manufactured Poisson solutions: rms error"
        print "x cells along x\ny rms error of p"
        split("#0072b2 #009e73 #d55e00", colour, " ")
        for (i = 1; i <= names; i++)
            series("flow", name[i], "both", colour[i], name[i])
        print "line #909090 second order"
        print cells[name[1], 1], flow[name[1], 1] / 2
        i = rows[name[1]]
        print cells[name[1], i], flow[name[1], 1] / 2 * (cells[name[1], 1] / cells[name[1], i]) ^ 2
    }
}
