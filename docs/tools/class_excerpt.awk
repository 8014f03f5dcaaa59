# SPDX-License-Identifier: MIT
#
# Completes a class header of which NVIDIA publishes only an excerpt (c86f, c96f and ca6f, in the
# open kernel driver) from the whole header of the class before it: prints the header of the class
# before under the number of the new class, with what the excerpt redefines or adds.  What the
# excerpt leaves out is taken to be as before: INFERRED.  Run by hand, in front of class_table.awk:
#
#   awk -f docs/tools/class_excerpt.awk clc76f.h clc86f.h > whole-clc86f.h
#
# A definition that is new stands behind the one that the excerpt has in front of it.
# Works with mawk and gawk.

FNR == 1 {
    header++
    prefix = ""
}

/Copyright \(c\)/ && header == 2 && copyright == "" {
    copyright = $0
}

/^[ \t]*#define[ \t]/ {
    sub(/\/\/.*/, "")
    gsub(/\/\*.*\*\//, "")
    sub(/\r$/, "")
    if (NF < 3)
        next
    if (prefix == "" && $2 !~ /^NV[0-9A-F]+_/ && $3 ~ /^\(?0[xX][0-9A-Fa-f]+\)?$/) {
        gsub(/[()]/, "", $3)
        prefix = "NV" toupper(substr($3, length($3) - 3))
        class_line = $0
        next
    }
    if (prefix == "" || index($2, prefix "_") != 1)
        next
    name = substr($2, length(prefix) + 2)
    value = $3
    for (i = 4; i <= NF; i++)
        value = value " " $i
    if (header == 1) {
        order[++count] = name
        value_of[name] = value
    } else {
        if (!(name in value_of))
            behind[previous] = behind[previous] " " name
        value_of[name] = value
    }
    previous = name
}

function print_with_new(name,   part, parts, i)
{
    printf "#define %s_%s %s\n", prefix, name, value_of[name]
    parts = split(behind[name], part, " ")
    for (i = 1; i <= parts; i++)
        print_with_new(part[i])
}

END {
    print copyright
    print class_line
    for (n = 1; n <= count; n++)
        print_with_new(order[n])
}
