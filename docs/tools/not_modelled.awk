# SPDX-License-Identifier: MIT
# Prints a row of docs/not-modelled.md for each sentence about what is not modelled: of a header the
# sentences of its first comment that say "not modelled", of a page those that begin with "Not modelled".
#
# usage: awk -f docs/tools/not_modelled.awk FILE...

# Prints the sentences of `text` that tell of something not modelled. A sentence ends with a point
# before a space and a capital letter or a quotation mark.
function sentences(text, file, only_first,    at, one)
{
    gsub(/  +/, " ", text)
    while (text != "") {
        at = match(text, /\. +[A-Z"`]/)
        one = at ? substr(text, 1, at) : text
        text = at ? substr(text, at + 2) : ""
        sub(/^ +/, "", one)
        sub(/ +$/, "", one)
        if (only_first ? one ~ /^(\*\*)?Not modelled/ : one ~ /[Nn]ot modelled/) {
            gsub(/\|/, "\\|", one)
            printf "| `%s` | %s |\n", file, one
        }
    }
}

function flush()
{
    sentences(text, file, file ~ /\.md$/)
    text = ""
}

FNR == 1 {
    flush()
    file = FILENAME
    sub(/^\.\//, "", file)
    state = 0 # of a header: 0 before its first comment, 1 in it, 2 after it
}
/SPDX-License-Identifier/ { next }
# Of a page: a paragraph, a row of a table and an item of a list each stand for themselves.
file ~ /\.md$/ {
    if (/^ *$/ || /^ *[-|#*>]/ || /^    /)
        flush()
    if (/^    /)
        next
    sub(/^ *[-*>] +/, "")
    text = text " " $0
    next
}
state == 0 && /^\/\*/ { state = 1 }
state == 1 {
    last = /\*\//
    sub(/^\/\*/, "")
    sub(/\*\/.*/, "")
    sub(/^ *\* ?/, "")
    if (/^ *$/)
        flush()
    text = text " " $0
    if (last) {
        flush()
        state = 2
    }
}
END { flush() }
