# SPDX-License-Identifier: MIT
#
# Turns one class header of NVIDIA's open-gpu-doc into a table of NV_CLASS, NV_METHOD, NV_FIELD
# and NV_VALUE rows (see devices/nvidia/formats/nv_class.h).  Run by hand, never at build time:
#
#   awk -v path=classes/compute/clc1c0.h -v commit=C -f docs/tools/class_table.awk clc1c0.h \
#       > devices/nvidia/formats/nv_class_c1c0.h
#
# The headers give no array sizes.  An array (or a group of interleaved arrays with one stride)
# is taken to end where the next other method begins: INFERRED, an upper bound.
# A format (GP entry, pushbuffer header) is no method: it gets a place past the last offset.
# Works with mawk and gawk.

function number(text,   i, digit, sum)
{
    if (text !~ /^0[xX]/)
        return text + 0
    sum = 0
    for (i = 3; i <= length(text); i++) {
        digit = index("0123456789abcdef", tolower(substr(text, i, 1)))
        if (digit == 0)
            fail("not a number: " text)
        sum = sum * 16 + digit - 1
    }
    return sum
}

function fail(text)
{
    print "class_table.awk: line " NR ": " text > "/dev/stderr"
    failed = 1
    exit 1
}

function starts(name, prefix)
{
    return substr(name, 1, length(prefix) + 1) == prefix "_"
}

# The longest name of list[1..count] that name continues, or "".
function longest(name, list, count,   i, best)
{
    best = ""
    for (i = count; i > 0; i--)
        if (starts(name, list[i]) && length(list[i]) > length(best))
            best = list[i]
    return best
}

function add_method(name, offset, stride, inner)
{
    if (offset % 4 || offset > 16380)
        fail("not a method offset: " name)
    method_count++
    method[method_count] = name
    base[method_count] = offset
    step[method_count] = stride
    inner_step[method_count] = inner
    current = name
    field_count = 0
}

function add_field(name, range,   owner, part)
{
    owner = starts(name, current) ? current : ""
    if (match(name, /_GP_ENTRY[01]_/) || match(name, /_DMA_/) && prefix ~ /6F$/) {
        owner = name ~ /_DMA_/ ? prefix "_DMA" : substr(name, 1, RSTART + RLENGTH - 2)
        if (!(owner in is_format)) {
            is_format[owner] = 1
            format[++format_count] = owner
        }
        if (owner != current)
            field_count = 0
        current = owner
    }
    if (owner == "")
        owner = longest(name, method, method_count)
    if (owner == "")
        fail("a field of no method: " name)
    if (name in known_field && known_field[name] == range)
        return # the header has it twice
    known_field[name] = range
    split(range, part, ":")
    field[++field_count] = name
    last_field = name
    text[owner] = text[owner] sprintf("  NV_FIELD(%s, %s, %d, %d)\n", owner, name, part[1], part[2])
    current = owner
}

function add_value(name, value,   owner)
{
    owner = longest(name, field, field_count)
    if (owner == "")
        owner = last_field # an alias that the header spells with another method's name
    text[current] = text[current] sprintf("    NV_VALUE(%s, %s, %s, 0x%x)\n", \
                                          current, owner, name, value)
}

/^[ \t]*#define/ {
    sub(/\/\/.*/, "")
    gsub(/\/\*.*\*\//, "")
    sub(/\r$/, "")
    if (NF < 3)
        next
    name = $2
    value = $3
    if (name !~ /^NV[0-9A-F]+_/ && value ~ /^\(?0[xX][0-9A-Fa-f]+\)?$/) {
        gsub(/[()]/, "", value)
        class_name = name
        class_id = number(value)
        prefix = sprintf("NV%04X", class_id)
        next
    }
    if (!starts(name, prefix) || name ~ /_TYPEDEF$/)
        next
    if (value ~ /^[0-9]+:[0-9]+$/) {
        add_field(name, value)
        next
    }
    if (name ~ /\([ij](,j)?\)$/) {
        sub(/\([ij](,j)?\)$/, "", name)
        gsub(/[()ij]/, "", value)
        gsub(/\+\*/, " ", value)
        part[3] = 0
        split(value, part, " ")
        add_method(name, number(part[1]), number(part[2]), number(part[3]))
        next
    }
    if (value !~ /^\(?[0-9xXA-Fa-f]+\)?$/)
        fail("what is this: " $0)
    gsub(/[()]/, "", value)
    value = number(value)
    if (name ~ /__SIZE$|_NUMBER_OF_SUBCHANNELS$|^NV[0-9A-F]+6F_DMA_NOP$/)
        constants = constants sprintf("NV_CONSTANT(%s, 0x%x)\n", name, value)
    else if (longest(name, field, field_count) != "" || value % 4)
        add_value(name, value)
    else
        add_method(name, value, 0, 0)
}

function licence()
{
    print "/* SPDX-License-Identifier: MIT */"
    print "/* clang-format off */"
    print "/*"
    print " * Methods of class " sprintf("%04x", class_id) ", " class_name ", as facts from NVIDIA/open-gpu-doc"
    print " * " path
    print " * commit " commit "."
    print " * Written by docs/tools/class_table.awk; do not edit.  Rows: see nv_class.h."
    print " * The file that the facts are from carries this notice:"
    print " *"
    print " * " copyright
    print " *"
    print " * Permission is hereby granted, free of charge, to any person obtaining a"
    print " * copy of this software and associated documentation files (the \"Software\"),"
    print " * to deal in the Software without restriction, including without limitation"
    print " * the rights to use, copy, modify, merge, publish, distribute, sublicense,"
    print " * and/or sell copies of the Software, and to permit persons to whom the"
    print " * Software is furnished to do so, subject to the following conditions:"
    print " *"
    print " * The above copyright notice and this permission notice shall be included in"
    print " * all copies or substantial portions of the Software."
    print " *"
    print " * THE SOFTWARE IS PROVIDED \"AS IS\", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR"
    print " * IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,"
    print " * FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT.  IN NO EVENT SHALL"
    print " * THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER"
    print " * LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING"
    print " * FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER"
    print " * DEALINGS IN THE SOFTWARE."
    print " */"
}

# order[] = the methods by offset; the header's own order where offsets are equal.
function sort_methods(   i, j, m)
{
    for (i = 1; i <= method_count; i++) {
        m = i
        for (j = i - 1; j > 0 && base[order[j]] > base[m]; j--)
            order[j + 1] = order[j]
        order[j + 1] = m
    }
}

function count_groups(   i, j, k, first, end)
{
    for (i = 1; i <= method_count; i = j) {
        first = order[i]
        j = i + 1
        if (step[first] == 0) {
            count[first] = 1
            continue
        }
        while (j <= method_count && step[order[j]] == step[first] &&
               base[order[j]] < base[first] + step[first])
            j++
        end = j <= method_count ? base[order[j]] : 16384
        for (k = i; k < j; k++)
            count[order[k]] = int((end - base[order[j - 1]] + step[first] - 1) / step[first])
    }
}

/Copyright \(c\)/ && copyright == "" {
    copyright = $0
    sub(/^[ *]*/, "", copyright)
    sub(/[ *]*$/, "", copyright)
}

END {
    if (failed)
        exit 1
    sort_methods()
    count_groups()
    licence()
    printf "NV_CLASS(%s, 0x%04x)\n", class_name, class_id
    printf "%s", constants
    for (i = 1; i <= method_count; i++) {
        m = order[i]
        if (inner_step[m])
            printf "NV_METHOD_2(%s, 0x%04x, %d, %d, %d, %d)\n", method[m], base[m], count[m], \
                   step[m], step[m] / inner_step[m], inner_step[m]
        else
            printf "NV_METHOD(%s, 0x%04x, %d, %d)\n", method[m], base[m], count[m], step[m]
        printf "%s", text[method[m]]
    }
    for (i = 1; i <= format_count; i++)
        printf "NV_FORMAT(%s, 0x%04x)\n%s", format[i], 16384 + 4 * (i - 1), text[format[i]]
}
