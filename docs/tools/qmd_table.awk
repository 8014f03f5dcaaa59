# SPDX-License-Identifier: MIT
#
# Turns a QMD header of NVIDIA's open-gpu-doc into NV_QMD_LAYOUT, NV_QMD_FIELD and NV_QMD_VALUE rows
# (see devices/nvidia/formats/nv_qmd.h).  Run by hand, never at build time:
#
#   awk -v path=classes/compute/clc1c0qmd.h -v commit=C -f docs/tools/qmd_table.awk clc1c0qmd.h \
#       > devices/nvidia/formats/nv_qmd_layouts_c1c0.h
#
# -v only='V00_06 V01_06' takes these layouts alone; -v note='...' is a sentence for the table's head;
# -v bits=3072 is the size of its descriptors (2048 without it).
#
# The header gives no array sizes: an array, or a group of interleaved arrays with one stride, ends
# where the next other field begins, and has whole elements only; those of CONSTANT_BUFFER have as
# many as CONSTANT_BUFFER_VALID.  A field that begins where one
# listed before begins is another name for the same bits and is left out.
# Works with mawk and gawk.

function fail(text)
{
    print "qmd_table.awk: line " NR ": " text > "/dev/stderr"
    failed = 1
    exit 1
}

# Is there a field that begins at lo?
function is_alias(lo,   m)
{
    for (m = 1; m <= count[layout]; m++)
        if (los[layout, m] == lo)
            return 1
    return 0
}

function add_field(name, hi, lo, stride)
{
    left_out = is_alias(lo)
    if (left_out)
        return
    n = ++count[layout]
    names[layout, n] = name
    his[layout, n] = hi
    los[layout, n] = lo
    strides[layout, n] = stride
}

/Copyright \(c\)/ && copyright == "" {
    copyright = $0
    sub(/^[ *]*/, "", copyright)
    sub(/[ *]*$/, "", copyright)
}

/^#define NV[0-9A-F]+_QMDV[0-9]+_[0-9]+_/ {
    match($2, /QMDV[0-9]+_[0-9]+_/)
    prefix = substr($2, 1, RSTART + RLENGTH - 2)
    if (only != "" && index(" " only " ", " " substr($2, RSTART + 3, RLENGTH - 4) " ") == 0)
        next
    if (!(prefix in known)) {
        known[prefix] = 1
        layouts[++layout_count] = prefix
    }
    layout = prefix
    name = $2
    value = $3
    sub(/\(i\)$/, "", name)
    if (name ~ /\(i,j\)$/) # another name for the bits of CONSTANT_BANK0 and CONSTANT_BANK1
        left_out = 1
    else if (value ~ /^MW\(\(/) {
        gsub(/[MW()i]/, "", value)
        gsub(/[+*:]+/, " ", value)
        split(value, part, " ") # hi, stride, lo, stride
        if (part[2] != part[4])
            fail("two strides: " name)
        add_field(name, part[1], part[3], part[2])
    } else if (value ~ /^MW\(/) {
        gsub(/[MW()]/, "", value)
        split(value, part, ":")
        add_field(name, part[1], part[2], 0)
    } else if (value ~ /^0x/) {
        if (left_out)
            next
        n = count[layout]
        if (index(name, names[layout, n] "_") != 1)
            fail("a value of no field: " name)
        values[layout, n] = values[layout, n] \
            sprintf("    NV_QMD_VALUE(%s, %s, %s, %s)\n", layout, names[layout, n], name, value)
    } else
        fail("what is this: " $0)
}

# Elements of field n: up to the nearest field above that is no array of the same stride.
function elements_alone(layout, n,   m, end)
{
    end = bits == "" ? 2048 : bits
    for (m = 1; m <= count[layout]; m++)
        if (strides[layout, m] != strides[layout, n] && los[layout, m] > los[layout, n] &&
            los[layout, m] < end)
            end = los[layout, m]
    return int((end - 1 - his[layout, n]) / strides[layout, n]) + 1
}

function are_buffers(name, other)
{
    return name ~ /_CONSTANT_BUFFER_VALID$/ && other ~ /_CONSTANT_BUFFER_/
}

# The fewest elements of the arrays that field n is interleaved with.
function elements(layout, n,   m, alone, fewest, apart)
{
    if (strides[layout, n] == 0)
        return 1
    fewest = elements_alone(layout, n)
    for (m = 1; m <= count[layout]; m++) {
        apart = los[layout, m] - los[layout, n]
        if ((strides[layout, m] != strides[layout, n] || apart >= strides[layout, n] ||
             -apart >= strides[layout, n]) && !are_buffers(names[layout, m], names[layout, n]))
            continue
        alone = elements_alone(layout, m)
        if (alone < fewest)
            fewest = alone
    }
    return fewest
}

END {
    if (failed)
        exit 1
    print "/* SPDX-License-Identifier: MIT */"
    print "/* clang-format off */"
    print "/*"
    print " * Queue meta data (QMD), as facts from NVIDIA/open-gpu-doc"
    print " * " path
    print " * commit " commit "."
    print " * Written by docs/tools/qmd_table.awk; do not edit.  Rows: see nv_qmd.h."
    if (note != "")
        print " * " note
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
    for (l = 1; l <= layout_count; l++) {
        layout = layouts[l]
        printf "NV_QMD_LAYOUT(%s)\n", layout
        for (n = 1; n <= count[layout]; n++)
            printf "  NV_QMD_FIELD(%s, %s, %d, %d, %d, %d)\n%s", layout, names[layout, n], \
                   his[layout, n], los[layout, n], elements(layout, n), strides[layout, n], \
                   values[layout, n]
    }
}
