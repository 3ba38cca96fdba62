# SPDX-License-Identifier: MIT
# Sensors of Bolund against probes of foehn: bolund.awk -v what=WHAT measured.csv probes.csv...
#
#   probes    options --probe for all sensors and, at each of their heights, for the undisturbed mast M0
#   scores    a row of the table per file; values: the same for programs, of one file
#   sensors   a table: measured, each file
#   plot      input of plot.awk: speed-up, modelled over measured
#
# Speed-up is the speed over that of M0 at the same height above ground, less 1; M0's by its cups, linear in the
# logarithm of height.  Errors are means of |modelled - measured| over sensors of 5 records or more.

BEGIN { FS = "," }

# ---- the sensors ----
FNR == 1 && NR == 1 { next }
NR == FNR {
    if ($2 == "M0") {
        if ($3 == "cup") {
            cup_height[++cups] = $6
            cup_speed[cups] = $9
            m0_east = $4; m0_north = $5
        }
        next
    }
    if ($7 < 5)
        next
    name[++sensors] = $1
    east[$1] = $4; north[$1] = $5; height[$1] = $6; speed_measured[$1] = $9; k_measured[$1] = $13
    next
}

# ---- the probes ----
FNR == 1 { label[++files] = FILENAME; sub(/.*bolund-/, "", label[files]); sub(/\.csv$/, "", label[files]) }
/^#/ || /^time_s/ { if (/^time_s/) for (c = 1; c <= NF; c++) column[$c] = c; next }
{
    speed[files, $2] = sqrt($column["eastward_m_s"] ^ 2 + $column["northward_m_s"] ^ 2 + $column["upward_m_s"] ^ 2)
    k[files, $2] = $column["k_m2_s2"]
}

function undisturbed(h,    n, t) { # measured at M0
    for (n = 1; n < cups - 1 && h > cup_height[n + 1]; n++)
        ;
    t = log(h / cup_height[n]) / log(cup_height[n + 1] / cup_height[n])
    return cup_speed[n] + t * (cup_speed[n + 1] - cup_speed[n])
}
function theirs(id) { return speed_measured[id] / undisturbed(height[id]) - 1 }
function ours(f, id) { return speed[f, id] / speed[f, "M0_" id] - 1 }
function level(id) { return height[id] < 3.7 ? 2 : height[id] < 7 ? 5 : 9 }
function magnitude(v) { return v < 0 ? -v : v }

# mean error of file f at a level; 0: over all
function score(f, at,    i, n, sum) {
    for (i = 1; i <= sensors; i++)
        if (at == 0 || level(name[i]) == at) {
            sum += magnitude(ours(f, name[i]) - theirs(name[i]))
            n++
        }
    return n ? sum / n : 0
}
# k over measured at 5 m, geometric mean of the larger over the smaller, where k is not that of a bubble (15 u*^2)
function factor_k(f,    i, n, sum, id, friction) {
    friction = 0.4
    for (i = 1; i <= sensors; i++) {
        id = name[i]
        if (level(id) != 5 || k_measured[id] + 0 == 0 || k_measured[id] > 15)
            continue
        sum += magnitude(log(k[f, id] / friction ^ 2 / k_measured[id]))
        n++
    }
    return n ? exp(sum / n) : 0
}
END {
    if (what == "probes")
        for (i = 1; i <= sensors; i++) {
            printf "--probe %s,%s,%s,%s\n", east[name[i]], north[name[i]], height[name[i]], name[i]
            printf "--probe %s,%s,%s,M0_%s\n", m0_east, m0_north, height[name[i]], name[i]
        }
    if (what == "scores")
        for (f = 1; f <= files; f++)
            printf "| %s | %.3f | %.3f | %.3f | %.3f | %.2f |\n", label[f], score(f, 2), score(f, 5), score(f, 9),
                   score(f, 0), factor_k(f)
    if (what == "values") {
        printf "2m %.4f\n5m %.4f\n9m %.4f\nall %.4f\nk %.3f\n", score(1, 2), score(1, 5), score(1, 9), score(1, 0), factor_k(1)
    }
    if (what == "sensors") {
        printf "| sensor | m above ground | measured |"
        for (f = 1; f <= files; f++) printf " %s |", label[f]
        printf "\n|---|---|---|"
        for (f = 1; f <= files; f++) printf "---|"
        print ""
        for (i = 1; i <= sensors; i++) {
            printf "| %s | %s | %+.3f |", name[i], height[name[i]], theirs(name[i])
            for (f = 1; f <= files; f++) printf " %+.3f |", ours(f, name[i])
            print ""
        }
    }
    if (what == "plot") {
        print "title Bolund, wind from " direction " degrees: speed-up at its sensors, cells of 4 x 2 m"
        print "x speed-up measured, speed over that of M0 at the same height, less 1"
        print "y modelled"
        print "line #909090 as measured\n-0.9 -0.9\n0.35 0.35"
        split("2 5 9", at, " "); split("#d55e00 #0072b2 #009e73", colour, " ")
        for (n = 1; n <= 3; n++) {
            print "points " colour[n] " at " at[n] " m"
            for (i = 1; i <= sensors; i++)
                if (level(name[i]) == at[n])
                    printf "%.4f %.4f\n", theirs(name[i]), ours(1, name[i])
        }
    }
}
