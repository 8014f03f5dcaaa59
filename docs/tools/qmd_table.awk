# SPDX-License-Identifier: MIT
#
# Turns a QMD header of NVIDIA's open-gpu-doc into NV_QMD_LAYOUT, NV_QMD_FIELD and NV_QMD_VALUE rows
# (see devices/nvidia/formats/nv_qmd.h).  Run by hand, never at build time:
#
#   awk -v path=classes/compute/clc1c0qmd.h -v commit=C -f docs/tools/qmd_table.awk clc1c0qmd.h \
#       > devices/nvidia/formats/nv_qmd_layouts_c1c0.h
#
# -v only='V00_06 V01_06' takes these layouts alone; -v note='...' is a sentence for the table's head;
# -v bits=2048 leaves out the fields that begin there or behind (V04_00 has 3072 bits).
#
# The header gives no array sizes: an array, or a group of interleaved arrays with one stride, ends
# where the next other field begins.  That is exact here, as the layouts have no gaps at these places.
# Works with mawk and gawk.

function fail(text)
{
    print "qmd_table.awk: line " NR ": " text > "/dev/stderr"
    failed = 1
    exit 1
}

function add_field(name, hi, lo, stride)
{
    left_out = bits != "" && lo + 0 >= bits + 0
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
    if (value ~ /^MW\(\(/) {
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
function elements(layout, n,   m, end)
{
    if (strides[layout, n] == 0)
        return 1
    end = 2048
    for (m = 1; m <= count[layout]; m++)
        if (strides[layout, m] != strides[layout, n] && los[layout, m] > los[layout, n] &&
            los[layout, m] < end)
            end = los[layout, m]
    return int((end - los[layout, n] + strides[layout, n] - 1) / strides[layout, n])
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
