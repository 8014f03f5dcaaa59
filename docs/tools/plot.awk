# SPDX-License-Identifier: MIT
# Draws a chart of numbers over numbers as SVG, in the style of gfe show --as svg: no scripts, light and
# dark as the reader's page, Okabe and Ito's colours, series told apart by their marks, too.
#
#     awk -f docs/tools/plot.awk CHART >CHART.svg
#
# A chart is lines of words:
#
#     width PIXELS                  of the picture (720)
#     title TEXT                    above it; sub TEXT: below that, smaller
#     xaxis LOW HIGH LABEL          of the panels that follow
#     panel PIXELS LOW HIGH lin|log LABEL      a new panel below the last one, and its other axis
#     name TEXT                     of the panel, above it
#     band FROM TO                  shades the panel there; key TEXT: what bands are, in the legend
#     series COLOUR MARK NAME       COLOUR 0 to 6; MARK line, dash, dots, rings or spans; series of
#                                   one name are one entry of the legend
#     X Y                           a point of it; of spans FROM TO Y; gap: its line is broken here
#     note TEXT                     a line of words at the end
#
# docs/tools/figures.sh makes such charts of what gfe prints.

function words_from(n,   text, i)
{
    text = $n
    for (i = n + 1; i <= NF; i++)
        text = text " " $i
    gsub(/&/, "\\&amp;", text)
    gsub(/</, "\\&lt;", text)
    gsub(/>/, "\\&gt;", text)
    return text
}

function refuse(why)
{
    print "plot.awk: line " NR ": " why ": " $0 >"/dev/stderr"
    refused = 1
    exit 1
}

BEGIN {
    width = 720
    left = 64
    right = 18
    split("#e69f00 #56b4e9 #009e73 #f0e442 #0072b2 #d55e00 #cc79a7", colours, " ")
}

/^#/ || NF == 0 { next }
$1 == "width" { width = $2 + 0; next }
$1 == "title" { title = words_from(2); next }
$1 == "sub" { sub_title = words_from(2); next }
$1 == "note" { notes[++note_count] = words_from(2); next }
$1 == "key" { key = words_from(2); next }
$1 == "xaxis" { x_low = $2 + 0; x_high = $3 + 0; x_label = words_from(4); next }

$1 == "panel" {
    if (NF < 6 || $4 + 0 <= $3 + 0 || ($5 != "lin" && $5 != "log"))
        refuse("not a panel")
    p = ++panel_count
    height[p] = $2 + 0
    low[p] = $3 + 0
    high[p] = $4 + 0
    is_log[p] = $5 == "log"
    label[p] = words_from(6)
    from[p] = x_low
    to[p] = x_high
    to_label[p] = x_label
    next
}

panel_count == 0 { refuse("no panel yet") }
$1 == "name" { name[p] = words_from(2); next }
$1 == "band" { bands[p, ++band_count[p]] = $2 " " $3; next }

$1 == "series" {
    s = ++series_count
    in_panel[s] = p
    colour[s] = $2 % 7
    mark[s] = $3
    series[s] = words_from(4)
    if (!(series[s] in known)) {
        known[series[s]] = 1
        entries[++entry_count] = s
    }
    next
}

series_count == 0 { refuse("no series yet") }
$1 == "gap" { points[s, ++point_count[s]] = "gap"; next }
{
    if (NF < (mark[s] == "spans" ? 3 : 2))
        refuse("not a point")
    points[s, ++point_count[s]] = $0
}

# ---- places ---------------------------------------------------------------------------------

function place_x(p, x)
{
    return left + (x - from[p]) / (to[p] - from[p]) * (width - left - right)
}

function place_y(p, y)
{
    if (is_log[p])
        return bottom[p] - (log(y) - log(low[p])) / (log(high[p]) - log(low[p])) * height[p]
    return bottom[p] - (y - low[p]) / (high[p] - low[p]) * height[p]
}

# Is the point in its panel?
function inside(p, x, y)
{
    return x >= from[p] && x <= to[p] && y >= low[p] && y <= high[p]
}

# 1, 2 or 5 times a power of ten, so that there are at most so many.
function step_of(range, most,   step)
{
    step = 1e-9
    while (step * most < range) {
        if (step * 2 * most >= range)
            return step * 2
        if (step * 5 * most >= range)
            return step * 5
        step *= 10
    }
    return step
}

# ---- drawing --------------------------------------------------------------------------------

function style_put(   i)
{
    print "<style>"
    print "text{font-family:Helvetica,Arial,\"DejaVu Sans\",sans-serif;font-size:11px;fill:#222}"
    print ".title{font-size:15px;font-weight:bold}.sub{fill:#555}.end{text-anchor:end}.mid{text-anchor:middle}.name{font-weight:bold}"
    print ".page{fill:#fff}.panel{fill:#f4f5f7}.band{fill:#d3d9e3}.grid{stroke:#dde0e4}.axis{stroke:#999;fill:none}"
    for (i = 0; i < 7; i++)
        printf ".l%d{stroke:%s;fill:none;stroke-width:1.6;stroke-linejoin:round}.f%d{fill:%s;stroke:none}.o%d{stroke:%s;fill:none;stroke-width:1.4}\n", i, colours[i + 1], i, colours[i + 1], i, colours[i + 1]
    print ".dash{stroke-dasharray:5 3}"
    print "@media (prefers-color-scheme:dark){text{fill:#e4e6ea}.sub{fill:#a3a9b5}.page{fill:#14161a}.panel{fill:#1e2127}.band{fill:#343a46}.grid{stroke:#30343c}.axis{stroke:#777}" \
          ".l4,.o4{stroke:#3d9bd9}.f4{fill:#3d9bd9}}"
    print "</style>"
}

function label_x_put(p,   y)
{
    y = bottom[p] + 32
    printf "<text class=\"mid sub\" x=\"%.1f\" y=\"%d\">%s</text>\n", (left + width - right) / 2, y, to_label[p]
}

function axis_x_put(p, with_words,   step, x, n)
{
    step = step_of(to[p] - from[p], int((width - left - right) / 70))
    for (n = int(from[p] / step); n * step <= to[p] * (1 + 1e-12); n++) {
        x = n * step
        if (x < from[p])
            continue
        printf "<path class=\"grid\" d=\"M%.1f %dV%d\"/>", place_x(p, x), bottom[p] - height[p], bottom[p]
        if (with_words)
            printf "<path class=\"axis\" d=\"M%.1f %dv4\"/><text class=\"mid\" x=\"%.1f\" y=\"%d\">%.6g</text>", place_x(p, x), bottom[p], place_x(p, x), bottom[p] + 16, x
        print ""
    }
    if (with_words)
        label_x_put(p)
}

function tick_y_put(p, y)
{
    printf "<path class=\"grid\" d=\"M%d %.1fH%d\"/><text class=\"end\" x=\"%d\" y=\"%.1f\">%.6g</text>\n", left, place_y(p, y), width - right, left - 6, place_y(p, y) + 4, y
}

function axis_y_put(p,   step, n, decade, i)
{
    if (is_log[p]) {
        for (decade = 1e-6; decade <= high[p]; decade *= 10)
            for (i = 1; i <= 5; i += i == 1 ? 1 : 3)
                if (decade * i >= low[p] * (1 - 1e-9) && decade * i <= high[p] * (1 + 1e-9))
                    tick_y_put(p, decade * i)
    } else {
        step = step_of(high[p] - low[p], height[p] < 56 ? 2 : int(height[p] / 28))
        for (n = int(low[p] / step); n * step <= high[p] * (1 + 1e-12); n++)
            if (n * step >= low[p])
                tick_y_put(p, n * step)
    }
    printf "<text class=\"mid sub\" transform=\"translate(14 %.1f) rotate(-90)\">%s</text>\n", bottom[p] - height[p] / 2, label[p]
}

function bands_put(p,   b, ends, a, z)
{
    for (b = 1; b <= band_count[p]; b++) {
        split(bands[p, b], ends, " ")
        a = ends[1] < from[p] ? from[p] : ends[1] + 0
        z = ends[2] > to[p] ? to[p] : ends[2] + 0
        if (z > a)
            printf "<rect class=\"band\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>\n", place_x(p, a), bottom[p] - height[p], place_x(p, z) - place_x(p, a), height[p]
    }
}

function line_put(s,   p, i, at, broken)
{
    p = in_panel[s]
    broken = 1
    printf "<path class=\"l%d%s\" d=\"", colour[s], mark[s] == "dash" ? " dash" : ""
    for (i = 1; i <= point_count[s]; i++) {
        split(points[s, i], at, " ")
        if (at[1] == "gap" || !inside(p, at[1] + 0, at[2] + 0)) {
            broken = 1
            continue
        }
        printf "%s%.1f %.1f%s", broken ? "M" : "L", place_x(p, at[1]), place_y(p, at[2]), i % 12 ? "" : "\n"
        broken = 0
    }
    print "\"/>"
}

function dot_put(class, x, y)
{
    printf "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"2.6\"/>\n", class, x, y
}

function span_put(p, s, a, z, y)
{
    a = a < from[p] ? from[p] : a + 0
    z = z > to[p] ? to[p] : z + 0
    if (z > a)
        printf "<rect class=\"f%d\" x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" height=\"3\"/>\n", colour[s], place_x(p, a), place_y(p, y) - 1.5, place_x(p, z) - place_x(p, a)
}

function series_put(s,   p, i, at)
{
    p = in_panel[s]
    if (mark[s] == "line" || mark[s] == "dash") {
        line_put(s)
        return
    }
    for (i = 1; i <= point_count[s]; i++) {
        split(points[s, i], at, " ")
        if (mark[s] == "spans" && at[3] >= low[p] && at[3] <= high[p])
            span_put(p, s, at[1], at[2], at[3])
        else if (mark[s] != "spans" && inside(p, at[1] + 0, at[2] + 0))
            dot_put((mark[s] == "rings" ? "o" : "f") colour[s], place_x(p, at[1]), place_y(p, at[2]))
    }
}

# One entry of the legend; returns where the next one begins.  draw 0: only that.
function entry_put(x, y, text, class, what, draw)
{
    if (draw && what == "band")
        printf "<rect class=\"band\" x=\"%d\" y=\"%d\" width=\"18\" height=\"10\"/>", x, y - 9
    else if (draw && (what == "dots" || what == "rings"))
        dot_put((what == "rings" ? "o" : "f") class, x + 9, y - 4)
    else if (draw && what == "spans")
        printf "<rect class=\"f%s\" x=\"%d\" y=\"%d\" width=\"18\" height=\"3\"/>", class, x, y - 6
    else if (draw)
        printf "<path class=\"l%s%s\" d=\"M%d %dh18\"/>", class, what == "dash" ? " dash" : "", x, y - 4
    if (draw)
        printf "<text x=\"%d\" y=\"%d\">%s</text>\n", x + 24, y, text
    return x + 24 + length(text) * 6.2 + 18
}

# The legend from y on; returns its last line's y.
function legend_put(y, draw,   i, x, next_x, s)
{
    x = left
    for (i = 1; i <= entry_count + (key != ""); i++) {
        s = entries[i]
        next_x = i > entry_count ? entry_put(x, y, key, "", "band", 0) : entry_put(x, y, series[s], colour[s], mark[s], 0)
        if (next_x - 18 > width - right && x > left) {
            x = left
            y += 18
        }
        next_x = i > entry_count ? entry_put(x, y, key, "", "band", draw) : entry_put(x, y, series[s], colour[s], mark[s], draw)
        x = next_x
    }
    return y
}

function has_words(p)
{
    return p == panel_count || from[p] != from[p + 1] || to[p] != to[p + 1] || to_label[p] != to_label[p + 1]
}

END {
    if (refused)
        exit 1
    y = sub_title == "" ? 34 : 50
    for (p = 1; p <= panel_count; p++) {
        y += p in name ? 16 : 4
        top[p] = y
        bottom[p] = y + height[p]
        y = bottom[p] + (has_words(p) ? 42 : 8)
    }
    legend_y = y + 10
    notes_y = legend_put(legend_y, 0) + 18
    whole = notes_y + note_count * 15 - 6
    printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" role=\"graphics-document document\" aria-labelledby=\"title\">\n", width, whole, width, whole
    printf "<title id=\"title\">%s</title>\n", title
    style_put()
    printf "<rect class=\"page\" width=\"%d\" height=\"%d\"/>\n", width, whole
    printf "<text class=\"title\" x=\"12\" y=\"22\">%s</text>\n", title
    if (sub_title != "")
        printf "<text class=\"sub\" x=\"12\" y=\"39\">%s</text>\n", sub_title
    for (p = 1; p <= panel_count; p++) {
        printf "<rect class=\"panel\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n", left, top[p], width - left - right, height[p]
        if (p in name)
            printf "<text class=\"name\" x=\"%d\" y=\"%d\">%s</text>\n", left, top[p] - 5, name[p]
        bands_put(p)
        axis_x_put(p, has_words(p))
        axis_y_put(p)
        for (s = 1; s <= series_count; s++)
            if (in_panel[s] == p)
                series_put(s)
        printf "<path class=\"axis\" d=\"M%d %dV%dH%d\"/>\n", left, top[p], bottom[p], width - right
    }
    legend_put(legend_y, 1)
    for (i = 1; i <= note_count; i++)
        printf "<text class=\"sub\" x=\"%d\" y=\"%d\">%s</text>\n", left, notes_y + (i - 1) * 15, notes[i]
    print "</svg>"
}
