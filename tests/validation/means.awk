# SPDX-License-Identifier: MIT
# A time series of probes as their means over its second half, a row each in the columns of the series;
# speed is the mean of the speeds, as cups have it.  means.awk series.csv
BEGIN { FS = OFS = "," }
/^#/ { next }
/^time_s/ { print; next }
{
    end = $1
    n++
    time[n] = $1; name[n] = $2; speed[n] = $9
    if (!($2 in row))
        order[++probes] = $2
    row[$2] = $0
}
END {
    for (i = 1; i <= n; i++)
        if (time[i] > end / 2) {
            count[name[i]]++
            sum[name[i]] += speed[i]
        }
    for (i = 1; i <= probes; i++) {
        $0 = row[order[i]]
        $9 = sprintf("%.4f", sum[order[i]] / count[order[i]])
        print
    }
}
