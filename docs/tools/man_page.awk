# SPDX-License-Identifier: MIT
# Turns what "gfe --help" or "gfe COMMAND --help" prints into a manual page, man(7). The hand-written
# sections of the page, if it has any, are put behind what the help says:
#
#     gfe run --help | awk -v name=gfe-run -v summary='replay ...' -v version=0.1.0 \
#         -v more=docs/man/gfe-run.man -f docs/tools/man_page.awk
#
# tests/test_man.sh does this for every command and compares.

function escape(text)
{
    gsub(/\\/, "\\e", text)
    gsub(/-/, "\\-", text)
    if (text ~ /^[.']/)
        text = "\\\&" text
    return text
}

# Words in capitals stand for what the user gives.
function usage(text,   count, words, i, out, word)
{
    count = split(text, words, " ")
    for (i = 1; i <= count; i++) {
        word = escape(words[i])
        if (words[i] ~ /[A-Z]/)
            while (match(word, /(^|[^A-Za-z\\])[A-Z][A-Za-z.]*/)) {
                if (substr(word, RSTART, 1) !~ /[A-Z]/) { RSTART++; RLENGTH-- }
                out = out substr(word, 1, RSTART - 1) "\\fI" substr(word, RSTART, RLENGTH) "\\fR"
                word = substr(word, RSTART + RLENGTH)
            }
        out = out word (i < count ? " " : "")
    }
    return out
}

function close_display()
{
    if (display)
        print ".EE\n.RE"
    display = 0
}

function option_line(text,   end, names, words, count, i)
{
    # Two blanks part the option from what it does.
    sub(/^ +/, "", text)
    end = index(text, "  ")
    names = end ? substr(text, 1, end - 1) : text
    text = end ? substr(text, end) : ""
    sub(/^ +/, "", text)
    count = split(names, words, " ")
    printf ".TP\n"
    for (i = 1; i <= count; i++)
        printf "\\f%s%s\\fR%s", (words[i] ~ /^-/) ? "B" : "I", escape(words[i]), (i < count) ? " " : "\n"
    if (text != "")
        print escape(text)
}

BEGIN {
    printf ".\\\" SPDX-License-Identifier: MIT\n"
    printf ".\\\" Made of the program's own help; see tests/test_man.sh.\n"
    printf ".TH %s 1 \"\" \"gfe %s\" \"gfe manual\"\n", toupper(name), version
    printf ".SH NAME\n%s \\- %s\n", escape(name), escape(summary)
}

/^usage: / {
    sub(/^usage: /, "")
    command = name
    sub(/^gfe-/, "gfe ", command)
    printf ".SH SYNOPSIS\n.B %s\n", escape(command)
    print usage(substr($0, length(command) + 2))
    print ".SH DESCRIPTION"
    seen = 1
    next
}

! seen { next }

# The list of commands, in the help of gfe itself.
name == "gfe" && /^  [a-z]+  +[a-z]/ {
    printf "%s.TP\n\\fBgfe %s\\fR(1)\n", (listed++ ? "" : "The commands are:\n"), $1
    blank = 0
    sub(/^  [a-z]+ +/, "")
    print escape($0)
    next
}

# Its examples stand in the hand-written part.
name == "gfe" && /^A first round/ { skipped = 1 }
skipped && ! /^gfe / { next }
skipped { skipped = 0; blank = 1; text_lines++ }

/^ +-.*/ && ! /^ +- / {
    close_display()
    if (!options)
        print ".SH OPTIONS"
    options = 1
    option_line($0)
    next
}

options && /^ / { sub(/^ +/, ""); print escape($0); next }

/^Exit status: / { close_display(); print ".SH EXIT STATUS"; sub(/^Exit status: /, ""); blank = 0; print escape($0); next }

/^$/ { blank = 1; next }

/^  / {
    if (! display)
        print (blank ? ".PP\n" : "") ".RS\n.EX"
    else if (blank)
        print ""
    display = 1
    blank = 0
    print escape(substr($0, 3))
    next
}

{
    close_display()
    if (blank && text_lines++)
        print ".PP"
    blank = 0
    print escape($0)
}

END {
    close_display()
    while (more != "" && (getline line < more) > 0)
        print line
    count = split(also, pages, " ")
    if (count)
        print ".SH SEE ALSO"
    for (i = 1; i <= count; i++) {
        sub(/\(1\)$/, "", pages[i])
        printf ".BR %s (1)%s\n", escape(pages[i]), (i < count) ? " ," : ""
    }
}
