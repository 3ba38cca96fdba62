# SPDX-License-Identifier: MIT
# Towers of Askervein against probes of foehn: askervein.awk -v what=WHAT towers.csv probes.csv...
#
#   probes        options --probe for all towers at 10 m and for the curves between them
#   towers        a table: measured, each file, its error
#   scores        a table: a row per file; scores-fixed: by 8.9 m/s instead of the model's RS
#   values        the same for programs: a word and a number per line, of one file
#   plot-LINE     input of plot.awk
#
# RMSE and bias of a line are over its towers at 10 m: A with HT, AA with CP (the cup), B with HT.

BEGIN { FS = "," }

# ---- the towers: the first argument ----
FNR == 1 && NR == 1 { next }
NR == FNR {
    if ($11 != 10 || $12 == "" || $1 !~ /^(A|AA|B|HT|CP|RS)$/ || $1 $2 == "CPCP")
        next
    id = $2
    gsub(/[^A-Za-z0-9]+/, "_", id)
    sub(/_$/, "", id)
    if (id in east)
        next
    east[id] = $4; north[id] = $5; measured[id] = $14; minus[id] = $15; plus[id] = $16; fixed[id] = $17
    line = $1 == "RS" ? "RS" : $1 == "CP" ? "AA" : id == "HT" ? "A" : $1 == "HT" ? "B" : $1
    along[id] = line == "B" ? ((75387 - $4) * -0.7357 + (823735 - $5) * 0.6773) : $18 # towards south-east
    member[line, ++members[line]] = id
    next
}

# ---- the probes ----
FNR == 1 {
    files++
    label[files] = FILENAME
    sub(/.*askervein-/, "", label[files])
    sub(/\.csv$/, "", label[files])
}
/^#/ || /^time_s/ { next }
{ speed[files, $2] = $9 }

function sort_lines(    l, i, j, t, name) {
    split("A AA B", name, " ")
    for (l = 1; l <= 3; l++)
        for (i = 2; i <= members[name[l]]; i++)
            for (j = i; j > 1 && along[member[name[l], j]] < along[member[name[l], j - 1]]; j--) {
                t = member[name[l], j]
                member[name[l], j] = member[name[l], j - 1]
                member[name[l], j - 1] = t
            }
}

function reference(f) { return by_fixed ? 8.9 : speed[f, "RS"] }
function have(f, id) { return (f, id) in speed && reference(f) > 0 }
function ours(f, id) { return speed[f, id] / reference(f) - 1 }
function theirs(id) { return by_fixed ? fixed[id] : measured[id] }

# rmse and bias of file f on a line, of its part with along <= upto
function score(f, line, upto,    i, id, n, d) {
    rmse = bias = n = 0
    for (i = 1; i <= members[line]; i++) {
        id = member[line, i]
        if (id == "CP_FRG_t" || along[id] > upto || !have(f, id))
            continue
        d = ours(f, id) - theirs(id)
        rmse += d * d
        bias += d
        n++
    }
    if (n == 0)
        return 0
    rmse = sqrt(rmse / n)
    bias /= n
    return n
}
function cell(f, line, upto) { return score(f, line, upto) ? sprintf("%.3f %+.3f", rmse, bias) : "-" }
function number(f, id) { return have(f, id) ? sprintf("%.3f", ours(f, id)) : "-" }

function stat(f, key,    file, text, found) {
    file = ARGV[first_file + f - 1]
    sub(/csv$/, "json", file)
    found = ""
    while ((getline text < file) > 0)
        if (text ~ "\"" key "\":") {
            sub(/.*: */, "", text)
            sub(/,$/, "", text)
            found = text
        }
    close(file)
    return found
}

function probes(    l, name, i, a, b, s, w, n) {
    for (n in east)
        if (n != without)
            printf "--probe %s,%s,10,%s\n", east[n], north[n], n
    split("A AA B", name, " ")
    for (l = 1; l <= 3; l++)
        for (i = 1; i < members[name[l]]; i++) {
            a = member[name[l], i]
            b = member[name[l], i + 1]
            n = int((along[b] - along[a]) / 20)
            for (s = 0; s < n; s++) {
                w = s / n
                printf "--probe %.1f,%.1f,10,%s@%.0f\n", east[a] + w * (east[b] - east[a]),
                       north[a] + w * (north[b] - north[a]), name[l], along[a] + w * (along[b] - along[a])
            }
        }
}

function towers(    l, name, i, f, id) {
    printf "| tower | m along | measured |"
    for (f = 1; f <= files; f++) printf " %s | error |", label[f]
    printf "\n|---|---|---|"
    for (f = 1; f <= files; f++) printf "---|---|"
    print ""
    split("A AA B", name, " ")
    for (l = 1; l <= 3; l++)
        for (i = 1; i <= members[name[l]]; i++) {
            id = member[name[l], i]
            printf "| %s, %s | %d | %.3f |", name[l], id, along[id], measured[id]
            for (f = 1; f <= files; f++)
                printf " %.3f | %+.3f |", ours(f, id), ours(f, id) - measured[id]
            print ""
        }
}

function scores(    f, steps) {
    print "| run | RS, m/s | HT | CP | A | A windward | AA | AA windward | B | ANE20 | ANE40 | cycles | steps, last change |"
    print "|---|---|---|---|---|---|---|---|---|---|---|---|---|"
    printf "| measured | %s | %.3f | %.3f | | | | | | %.3f | %.3f | | |\n", "8.895", theirs("HT"), theirs("CP_FRG_mf"),
           theirs("ANE20"), theirs("ANE40")
    for (f = 1; f <= files; f++) {
        steps = stat(f, "advection_steps")
        printf "| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", label[f],
               (f, "RS") in speed ? sprintf("%.2f", speed[f, "RS"]) : "-", number(f, "HT"), number(f, "CP_FRG_mf"),
               cell(f, "A", 1e9), cell(f, "A", 0), cell(f, "AA", 1e9), cell(f, "AA", 0), cell(f, "B", 1e9),
               number(f, "ANE20"), number(f, "ANE40"), stat(f, "cycles"),
               (steps + 0 > 0) ? sprintf("%d, %.1e", steps, stat(f, "advection_change")) : "-"
    }
}

function value(key, n) { if (n) printf "%s %.3f\n%s_bias %.3f\n", key, rmse, key, bias }
function values(    l, name) {
    print "HT", number(1, "HT")
    print "CP", number(1, "CP_FRG_mf")
    split("A AA B", name, " ")
    for (l = 1; l <= 3; l++) {
        value(name[l], score(1, name[l], 1e9))
        value(name[l] "_windward", score(1, name[l], 0))
    }
}

function plot(line,    i, f, id, n, key, part, x, count, curve) {
    split("#0072b2 #d55e00 #009e73", colour, " ")
    print "title", "Askervein, 210 degrees, line " line ": speed-up at 10 m"
    print "x", line == "B" ? "m from HT, along the ridge to the south-east" : "m from " (line == "A" ? "HT" : "CP") \
                           ", along the wind (from 210 degrees)"
    print "y", "speed / speed at RS - 1"
    for (f = 1; f <= files; f++) {
        print "line", colour[f], title[label[f]] != "" ? title[label[f]] : label[f]
        count = 0
        for (key in speed) {
            split(key, part, SUBSEP)
            if (part[1] != f || index(part[2], line "@") != 1)
                continue
            x = substr(part[2], length(line) + 2)
            curve[++count] = x + 0
        }
        id = member[line, members[line]] # the curve ends at the last tower
        for (i = 2; i <= count; i++)
            for (n = i; n > 1 && curve[n] < curve[n - 1]; n--) {
                x = curve[n]; curve[n] = curve[n - 1]; curve[n - 1] = x
            }
        for (i = 1; i <= count; i++)
            printf "%g %.4f\n", curve[i], ours(f, line "@" curve[i])
        printf "%g %.4f\n", along[id], ours(f, id)
    }
    print "points", "#000000", "measured, with its error"
    for (i = 1; i <= members[line]; i++) {
        id = member[line, i]
        printf "%g %s %.4f %.4f\n", along[id], measured[id], measured[id] - minus[id], measured[id] + plus[id]
    }
}

END {
    sort_lines()
    first_file = ARGC - files
    title["mass"] = "mass consistent"
    title["momentum"] = "momentum model"
    title["les"] = "large eddies, mean of 40 minutes"
    title["relax-0.02-window-7680"] = "advected, relaxation 0.02 1/s"
    if (what == "probes") probes()
    if (what == "towers") towers()
    if (what == "scores") scores()
    if (what == "scores-fixed") { by_fixed = 1; scores() }
    if (what == "values") values()
    if (what ~ /^plot-/) plot(substr(what, 6))
}
