# SPDX-License-Identifier: MIT
# An SVG plot from lines of text:
#
#   title TEXT    x TEXT    y TEXT    what stands above and along the axes
#   log x         log y               logarithmic axes
#   line COLOUR NAME                  the pairs x y that follow are joined
#   points COLOUR NAME                x y, or x y low high with error bars
#   both COLOUR NAME                  joined and marked

/^(title|x|y) / { text[$1] = substr($0, length($1) + 2); next }
/^log / { logarithmic[$2] = 1; next }
/^(line|points|both) / {
    kind[++series] = $1
    colour[series] = $2
    name[series] = substr($0, length($1) + length($2) + 3)
    next
}
NF >= 2 {
    n = ++count[series]
    px[series, n] = $1; py[series, n] = $2
    lo[series, n] = NF >= 4 ? $3 : $2
    hi[series, n] = NF >= 4 ? $4 : $2
    if (!seen++) { x0 = x1 = $1; y0 = y1 = $2 }
    if ($1 < x0) x0 = $1
    if ($1 > x1) x1 = $1
    if (lo[series, n] < y0) y0 = lo[series, n]
    if (hi[series, n] > y1) y1 = hi[series, n]
}

function log10(v) { return log(v) / log(10) }
function floor(v,    i) { i = int(v); return i > v ? i - 1 : i }
function X(v) { return left + width * (logarithmic["x"] ? log10(v / x0) / log10(x1 / x0) : (v - x0) / (x1 - x0)) }
function Y(v) { return top + height * (1 - (logarithmic["y"] ? log10(v / y0) / log10(y1 / y0) : (v - y0) / (y1 - y0))) }
function escape(s) { gsub(/&/, "\\&amp;", s); gsub(/</, "\\&lt;", s); gsub(/>/, "\\&gt;", s); return s }
function put(x, y, anchor, s) { printf "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n", x, y, anchor, escape(s) }
function rule(xa, ya, xb, yb, c) {
    printf "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>\n", xa, ya, xb, yb, c
}

# ticks of an axis into tick[1..]; returns their number and widens linear ranges to whole steps
function ticks(axis, a, b,    step, v, n, m) {
    n = 0
    if (logarithmic[axis]) {
        for (v = floor(log10(a)); v <= log10(b) + 1; v++)
            for (m = 1; m <= 5; m += (m == 1 ? 1 : 3))
                if (m * 10 ^ v >= a * 0.999 && m * 10 ^ v <= b * 1.001)
                    tick[++n] = m * 10 ^ v
        return n
    }
    step = 10 ^ floor(log10(b - a))
    if ((b - a) / step < 2.5) step /= 5
    else if ((b - a) / step < 6) step /= 2
    for (v = floor(a / step + 1e-9) * step; v < b + step * 0.999; v += step)
        tick[++n] = (v < step / 1e6 && v > -step / 1e6) ? 0 : v
    return n
}

END {
    left = 78; top = 34; width = 616; height = 300
    print "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"720\" height=\"400\" viewBox=\"0 0 720 400\" " \
          "font-family=\"sans-serif\" font-size=\"12\">"
    print "<rect width=\"720\" height=\"400\" fill=\"#ffffff\"/>"
    if (logarithmic["x"]) { x0 /= 1.1; x1 *= 1.1 }
    if (logarithmic["y"]) { y0 /= 1.3; y1 *= 1.3 }
    nx = ticks("x", x0, x1)
    for (i = 1; i <= nx; i++) tx[i] = tick[i]
    if (!logarithmic["x"]) { x0 = tx[1]; x1 = tx[nx] }
    ny = ticks("y", y0, y1)
    for (i = 1; i <= ny; i++) ty[i] = tick[i]
    if (!logarithmic["y"]) { y0 = ty[1]; y1 = ty[ny] }
    for (i = 1; i <= nx; i++) {
        rule(X(tx[i]), top, X(tx[i]), top + height, "#e4e4e4")
        put(X(tx[i]), top + height + 16, "middle", sprintf("%g", tx[i]))
    }
    for (i = 1; i <= ny; i++) {
        rule(left, Y(ty[i]), left + width, Y(ty[i]), ty[i] == 0 ? "#909090" : "#e4e4e4")
        put(left - 6, Y(ty[i]) + 4, "end", sprintf("%g", ty[i]))
    }
    printf "<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" fill=\"none\" stroke=\"#404040\"/>\n", left, top, width, height
    printf "<text x=\"%g\" y=\"20\" text-anchor=\"middle\" font-size=\"14\">%s</text>\n", left + width / 2, escape(text["title"])
    put(left + width / 2, top + height + 36, "middle", text["x"])
    printf "<text transform=\"translate(16 %g) rotate(-90)\" text-anchor=\"middle\">%s</text>\n", top + height / 2, escape(text["y"])
    for (s = 1; s <= series; s++) {
        if (kind[s] != "points") {
            printf "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"", colour[s]
            for (i = 1; i <= count[s]; i++) printf "%.1f,%.1f ", X(px[s, i]), Y(py[s, i])
            print "\"/>"
        }
        if (kind[s] != "line")
            for (i = 1; i <= count[s]; i++) {
                if (hi[s, i] > lo[s, i]) rule(X(px[s, i]), Y(lo[s, i]), X(px[s, i]), Y(hi[s, i]), colour[s])
                printf "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\" fill=\"%s\"/>\n", X(px[s, i]), Y(py[s, i]), colour[s]
            }
    }
    x = left
    for (s = 1; s <= series; s++) { # the legend, in one row under the axis
        if (kind[s] != "points") rule(x, 392, x + 22, 392, colour[s])
        if (kind[s] != "line") printf "<circle cx=\"%.1f\" cy=\"392\" r=\"3.5\" fill=\"%s\"/>\n", x + 11, colour[s]
        put(x + 28, 396, "start", name[s])
        x += 52 + 6.3 * length(name[s])
    }
    print "</svg>"
}
