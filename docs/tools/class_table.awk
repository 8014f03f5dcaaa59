# SPDX-License-Identifier: MIT
#
# Turns a class header of NVIDIA's open-gpu-doc into a table of rows (see
# devices/nvidia/formats/nv_class.h).  Run by hand, never at build time.  Given the header of the
# class before it in its family, then its own, it writes only the differences:
#
#   awk -v path=classes/3d/clc997.h -v commit=C -f docs/tools/class_table.awk clc797.h clc997.h \
#       > devices/nvidia/formats/nv_class_c997.h
#
# Given one header, that of the first class of a family, it writes all rows:
#
#   awk -v path=classes/3d/cla097.h -v commit=C -f docs/tools/class_table.awk cla097.h \
#       > devices/nvidia/formats/nv_class_a097.h
#
# A method that was added or differs in anything is written whole, with all its fields and values;
# one that the class no longer has is an NV_REMOVED row.  Methods are compared by offset.
#
# The headers give no array sizes.  An array (or a group of interleaved arrays with one stride)
# is taken to end where the next other method begins: INFERRED, an upper bound.
# A format (GP entry, pushbuffer header) is no method: it gets a place past the last offset.
# -v source=NVIDIA/open-gpu-kernel-modules names another repository than open-gpu-doc; -v note='...' is a
# sentence for the table's head.
#
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
    if (owner == "" && index(name, current) == 1) { # LAUNCHCTA_PARAM of 90c0: the header forgets a _
        owner = current
        name = current "_" substr(name, length(current) + 1)
    }
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

FNR == 1 && NR > 1 {
    if (has_before++)
        fail("more than two headers")
    finish_class()
    keep_as_before()
}

/^[ \t]*#define/ {
    sub(/\/\/.*/, "")
    gsub(/\/\*.*\*\//, "")
    sub(/\r$/, "")
    if (NF < 3)
        next
    name = $2
    value = $3
    for (i = 4; i <= NF; i++)
        value = value $i
    sub(/U\)$/, ")", value)
    # Names of classes have no number in front, but those of video: NVC9B0_VIDEO_DECODER (0x0000C9B0).
    if ((name !~ /^NV[0-9A-F]+_/ || prefix == "" && index(value, substr(name, 3, 4) ")") > 0) &&
        value ~ /^\(?0[xX][0-9A-Fa-f]+\)?$/) {
        gsub(/[()]/, "", value)
        class_name = name
        class_id = number(value)
        prefix = sprintf("NV%04X", class_id)
        next
    }
    if (!starts(name, prefix) || name ~ /_TYPEDEF$/)
        next
    # Headers of video end with the codes that the engine reports, which are no methods.  Some say each
    # field's bits a second time.
    reports = reports || name == prefix "_ERROR_NONE"
    if (reports || name ~ /_(HIGH|LOW)_FIELD$/)
        next
    if (value ~ /^[0-9]+:[0-9]+$/) {
        add_field(name, value)
        next
    }
    if (name ~ /\([abij](,j)?\)$/) {
        sub(/\([abij](,j)?\)$/, "", name)
        gsub(/\([abij]\)/, "", value)
        gsub(/[()]/, "", value)
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
        constant[++constant_count] = sprintf("NV_CONSTANT(%s, 0x%x)\n", name, value)
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
    print " * Methods of class " sprintf("%04x", class_id) ", " class_name ", as facts from " (source ? source : "NVIDIA/open-gpu-doc")
    print " * " path
    print " * commit " commit "."
    if (note != "")
        print " * " note
    if (has_before)
        printf " * Only what differs from class %04x (nv_class_%04x.h) stands here.\n", before_id, before_id
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

# group[offset] = the rows of the method or format there; starts_at[] = its name.
function add_group(offset, name, rows)
{
    if (offset in group)
        fail("two methods at one offset: " starts_at[offset] ", " name)
    group[offset] = rows
    starts_at[offset] = name
    place[++place_count] = offset
}

# All lines of the header were read: orders the rows, and puts them into groups.
function finish_class(   i, m, head)
{
    sort_methods()
    count_groups()
    for (i = 1; i <= method_count; i++) {
        m = order[i]
        if (inner_step[m])
            head = sprintf("NV_METHOD_2(%s, 0x%04x, %d, %d, %d, %d)\n", method[m], base[m], count[m], \
                           step[m], step[m] / inner_step[m], inner_step[m])
        else
            head = sprintf("NV_METHOD(%s, 0x%04x, %d, %d)\n", method[m], base[m], count[m], step[m])
        add_group(base[m], method[m], head text[method[m]])
    }
    for (i = 1; i <= format_count; i++)
        add_group(16384 + 4 * (i - 1), format[i], sprintf("NV_FORMAT(%s, 0x%04x)\n%s", format[i], \
                  16384 + 4 * (i - 1), text[format[i]]))
}

# The rows without the number of their class, to compare those of two classes.
function without_class(rows)
{
    gsub(prefix "_", "", rows)
    return rows
}

# What was read is the class before; forgets all but that.
function keep_as_before(   i)
{
    before_id = class_id
    before_count = place_count
    for (i = 1; i <= place_count; i++) {
        before_place[i] = place[i]
        before_name[place[i]] = starts_at[place[i]]
        before_group[place[i]] = without_class(group[place[i]])
    }
    for (i = 1; i <= constant_count; i++)
        before_constant[without_class(constant[i])] = 1
    split("", group)
    split("", text)
    split("", known_field)
    split("", is_format)
    place_count = method_count = field_count = format_count = constant_count = 0
    prefix = current = last_field = copyright = ""
    reports = 0
}

function print_first(   i)
{
    printf "NV_CLASS_FIRST(%04x)\n", class_id
    for (i = 1; i <= constant_count; i++)
        printf "%s", constant[i]
    for (i = 1; i <= place_count; i++)
        printf "%s", group[place[i]]
}

function print_differences(   i, at)
{
    print "#ifdef NV_CLASS_WITH_BEFORE"
    printf "#include \"devices/nvidia/formats/nv_class_%04x.h\"\n", before_id
    print "#endif"
    printf "NV_CLASS_LIKE(%04x, %04x)\n", class_id, before_id
    for (i = 1; i <= constant_count; i++)
        if (!(without_class(constant[i]) in before_constant))
            printf "%s", constant[i]
    for (i = 1; i <= before_count; i++)
        if (!(before_place[i] in group))
            printf "NV_REMOVED(%s, 0x%04x)\n", before_name[before_place[i]], before_place[i]
    for (i = 1; i <= place_count; i++) {
        at = place[i]
        if (!(at in before_group) || before_group[at] != without_class(group[at]))
            printf "%s", group[at]
    }
}

END {
    if (failed)
        exit 1
    finish_class()
    if (failed)
        exit 1
    licence()
    if (has_before)
        print_differences()
    else
        print_first()
}
