#!/bin/sh
# SPDX-License-Identifier: MIT
# In every page (*.md) every relative link names a file that is there, every anchor a heading of its
# page, and every path in backticks that begins with a folder of the tree a file or folder of it.
set -eu
cd "${top_srcdir:-.}"
status=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
LC_ALL=C
export LC_ALL
folders='emu|devices|firmware-models|traces|tests|docs|bench|scenarios|contrib|tools|m4|python|site'

# What PAGEs refer to and what can be referred to, one a line, columns by tabs:
#   link PAGE LINE FILE          path PAGE LINE FILE          a file's name, from the root of the tree
#   anchor PAGE LINE FILE SLUG   heading FILE SLUG
cat >"$work/pages.awk" <<'END'
# A path without . and .. in it, from the root; empty: it leads out of the tree.
function plain(path,    part, count, i, kept, out)
{
    count = split(path, part, "/")
    for (i = 1; i <= count; i++) {
        if (part[i] == "" || part[i] == ".")
            continue
        if (part[i] == "..") {
            if (--kept < 0)
                return ""
        } else
            stack[++kept] = part[i]
    }
    for (i = 1; i <= kept; i++)
        out = out (i > 1 ? "/" : "") stack[i]
    return kept ? out : "."
}

# The name of a heading, as the pages' hosts make it.
function slug(text,    at)
{
    while (match(text, /\]\([^)]*\)/))
        text = substr(text, 1, RSTART - 1) substr(text, RSTART + RLENGTH)
    text = tolower(text)
    gsub(/[^a-z0-9 _\200-\377-]/, "", text)
    gsub(/ /, "-", text)
    return text
}

function heading(text,    name)
{
    name = slug(text)
    if ((FILENAME, name) in seen)
        name = name "-" seen[FILENAME, name]++
    else
        seen[FILENAME, name] = 1
    printf "heading\t%s\t%s\n", FILENAME, name
}

function refer(target,    at, file, anchor)
{
    sub(/ +".*"$/, "", target)
    gsub(/^<|>$/, "", target)
    if (target ~ /^[a-z]+:/ || target == "")
        return
    at = index(target, "#")
    file = at ? substr(target, 1, at - 1) : target
    anchor = at ? substr(target, at + 1) : ""
    file = file == "" ? FILENAME : plain(folder file)
    printf "link\t%s\t%d\t%s\n", FILENAME, FNR, file == "" ? "(out of the tree) " target : file
    if (anchor != "" && file ~ /\.md$/)
        printf "anchor\t%s\t%d\t%s\t%s\n", FILENAME, FNR, file, anchor
}

# a{b,c}d is abd and acd.
function path(text,    at, end, part, count, i)
{
    if (match(text, /\{[^{}]*\}/)) {
        at = RSTART
        end = RSTART + RLENGTH
        count = split(substr(text, at + 1, end - at - 2), part, ",")
        for (i = 1; i <= count; i++)
            path(substr(text, 1, at - 1) part[i] substr(text, end))
        return
    }
    sub(/:[0-9]+$/, "", text)
    sub(/#.*/, "", text)
    sub(/[.,;:]$/, "", text)
    printf "path\t%s\t%d\t%s\n", FILENAME, FNR, text
}

# Takes the code between backticks out of a line, and looks for paths in it.
function code(line,    out, at, span, word, count, i)
{
    while ((at = index(line, "`")) > 0) {
        out = out substr(line, 1, at - 1)
        line = substr(line, at + 1)
        at = index(line, "`")
        if (!at)
            break
        span = substr(line, 1, at - 1)
        line = substr(line, at + 1)
        count = split(span, word, /[ "'=]+/)
        for (i = 1; i <= count; i++)
            if (word[i] ~ "^(" folders ")/")
                path(word[i])
    }
    return out line
}

FNR == 1 {
    folder = FILENAME
    sub(/[^\/]*$/, "", folder)
    fence = ""
    text = 0
}
fence != "" {
    if (index($0, fence) == 1 && $0 ~ /^(```+|~~~+) *$/)
        fence = ""
    next
}
/^(```|~~~)/ {
    fence = substr($0, 1, 3)
    next
}
# An indented line is code unless a paragraph or an item of a list goes on in it.
/^ *$/ { text = 0; next }
/^    / && !text && !list { next }
/^ ? ? ?([-*+]|[0-9]+\.) / { list = 1 }
/^[^ ]/ && !/^([-*+]|[0-9]+\.) / { list = 0 }
/^    /  && list && !text { next }
{ text = 1 }
/^#+ / {
    line = $0
    sub(/^#+ +/, "", line)
    sub(/ +#* *$/, "", line)
    heading(line)
}
{
    line = code($0)
    rest = line
    while (match(rest, /\]\([^)]*\)/)) {
        refer(substr(rest, RSTART + 2, RLENGTH - 3))
        rest = substr(rest, RSTART + RLENGTH)
    }
    if (match(line, /^ ? ? ?\[[^\]]+\]: */))
        refer(substr(line, RSTART + RLENGTH))
    rest = line
    while (match(rest, /(href|src)="[^"]*"/)) {
        target = substr(rest, RSTART, RLENGTH)
        rest = substr(rest, RSTART + RLENGTH)
        gsub(/^[a-z]*="|"$/, "", target)
        refer(target)
    }
    rest = line
    while (match(rest, /(id|name)="[^"]*"/)) {
        target = substr(rest, RSTART, RLENGTH)
        rest = substr(rest, RSTART + RLENGTH)
        gsub(/^[a-z]*="|"$/, "", target)
        printf "heading\t%s\t%s\n", FILENAME, target
    }
}
END

# Whether the tree has it: as it is; as a pattern; as a program or module whose sources are that with
# a suffix; with <name> or a word in capitals in it as a form, whose folder counts.
there() # FILE
{
    case $1 in
    *'<'* | *...*)
        [ -d "${1%/*}" ] || case ${1%/*} in *'<'*) true ;; *) false ;; esac
        ;;
    *'*'*)
        for file in $1; do
            [ -e "$file" ] && return 0
        done
        return 1
        ;;
    *) [ -e "$1" ] || [ -e "$1.c" ] || [ -e "$1.h" ] || [ -e "$1.in" ] ;;
    esac
}

# Prints what is wrong in the pages whose names come through standard input.
complaints()
{
    xargs awk -v folders="$folders" -f "$work/pages.awk" >"$work/all"
    sort -u "$work/all" | while IFS='	' read -r kind page line file _; do
        case $kind in
        link) [ -e "$file" ] || echo "$page:$line: the link names no file: $file" ;;
        path) there "$file" || echo "$page:$line: the tree has no $file" ;;
        esac
    done
    awk -F '\t' '
        $1 == "heading" { there[$2, $3] = 1 }
        $1 == "anchor" { line[++count] = $2 ":" $3; file[count] = $4; slug[count] = $5 }
        END {
            for (i = 1; i <= count; i++)
                if (!((file[i], slug[i]) in there))
                    print line[i] ": " file[i] " has no heading #" slug[i]
        }' "$work/all"
}

pages()
{
    find . -maxdepth 1 -name '*.md' | sed 's,^\./,,'
    for folder in $(echo "$folders" | tr '|' ' '); do
        [ ! -d "$folder" ] || find "$folder" -name '*.md'
    done
}

pages | sort >"$work/pages"
complaints <"$work/pages" >"$work/wrong"
if [ -s "$work/wrong" ]; then
    cat "$work/wrong"
    echo "FAILED: $(wc -l <"$work/wrong") links, anchors or paths in pages name nothing"
    status=1
fi

# The check itself: it found pages and references, and says so of a page with a mistake of each kind.
[ "$(wc -l <"$work/pages")" -ge 20 ] || { echo 'FAILED: hardly a page was found'; status=1; }
for kind in link path anchor heading; do
    count=$(grep -c "^$kind" "$work/all") || true
    [ "$count" -ge 20 ] || { echo "FAILED: only $count of $kind in all pages"; status=1; }
done
cat >"$work/bad.md" <<'END'
# A page, with `code`

[good](#a-page-with-code), [bad](#no-such-heading), [none](no-such-page.md), `tests/test_links.sh`,
`tests/no_such_test.sh`, `emu/{base,no-such-folder}`, ![picture](no-such-picture.svg)

    [not a link](in-code.md), `tests/in_code.sh`

- item `docs/no-such-page.md`
  [more](no-such-item.md)
END
echo "$work/bad.md" | complaints >"$work/wrong"
for word in no-such-heading no-such-page.md no_such_test.sh no-such-folder no-such-picture.svg \
    docs/no-such-page.md no-such-item.md; do
    grep -qF "$word" "$work/wrong" || { echo "FAILED: a page with $word was taken"; status=1; }
done
[ "$(wc -l <"$work/wrong")" -eq 7 ] || { cat "$work/wrong"; echo 'FAILED: there are seven mistakes, not these'; status=1; }
exit "$status"
