#!/bin/sh
# SPDX-License-Identifier: MIT
# README and the tables in docs/ say what the program says: README fits into 8 KiB and lists every
# command, docs/chips.md every GPU with every figure, docs/glossary.md every prefix of a label, and
# docs/not-modelled.md every sentence of a header about what is not modelled, docs/README.md every page,
# docs/quality/README.md every table of quality; and what a page links to is there.
# GFE_UPDATE_GOLDEN=1 writes the tables anew; prefixes need words, which only a person can write.
# shellcheck disable=SC2016 # the backticks are those of the pages
set -eu
cd "${top_builddir:-.}"
gfe=$PWD/gfe
cd "$OLDPWD"
cd "${top_srcdir:-.}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
LC_ALL=C
export LC_ALL

# The tables are compared behind a pipe, in a process of its own: a file tells this one.
fail() # WORDS
{
    echo "FAILED: $*"
    : >"$work/failed"
}

# The table NAME of PAGE stands between two marks, which no reader of the page sees. The wanted one
# comes through standard input.
table() # PAGE NAME
{
    cat >"$work/wanted"
    [ "$(wc -l <"$work/wanted")" -gt 4 ] || fail "$1: what was made for the table $2 has hardly a row"
    if [ "$(grep -c "^<!-- $2:" "$1")" -ne 1 ] || [ "$(grep -c "^<!-- end of $2 -->\$" "$1")" -ne 1 ]; then
        fail "$1: the marks of the table $2 are not there, once each"
        return 0
    fi
    sed -n "/^<!-- $2:/,/^<!-- end of $2 -->/p" "$1" | sed '1d; $d' >"$work/found"
    cmp -s "$work/wanted" "$work/found" && return 0
    if [ -n "${GFE_UPDATE_GOLDEN-}" ]; then
        sed -e "/^<!-- $2:/r $work/wanted" -e "/^<!-- $2:/,/^<!-- end of $2 -->/{/^<!--/!d}" "$1" >"$work/page"
        cat "$work/page" >"$1"
    else
        diff "$work/found" "$work/wanted" | head -n 20
        fail "$1: the table $2 is not what the program says: GFE_UPDATE_GOLDEN=1 tests/test_pages.sh"
    fi
}

# --- README ---------------------------------------------------------------------------------

size=$(wc -c <README.md)
[ "$size" -le 8192 ] || fail "README.md has $size bytes; 8192 are allowed: move something to docs/"
{
    printf '| command | what it does |\n|---|---|\n'
    "$gfe" --help | sed -n 's/^  \([a-z]\{2,\}\)   *\([a-z].*\)/| `gfe \1` | \2 |/p'
} | table README.md commands

# --- the index ------------------------------------------------------------------------------

for page in docs/*.md; do
    case $page in docs/README.md) continue ;; esac
    grep -qF "](${page#docs/})" docs/README.md || fail "docs/README.md does not list $page"
done
for page in docs/quality/*.md; do
    case $page in docs/quality/README.md) continue ;; esac
    grep -qF "](${page##*/})" docs/quality/README.md || fail "docs/quality/README.md does not list $page"
done

# Links to files, of all pages. A page of the web is not asked for.
find README.md CONTRIBUTING.md docs bench tests -name '*.md' -exec grep -oE '\]\([^) ]+\)' /dev/null {} + >"$work/links"
[ "$(wc -l <"$work/links")" -gt 100 ] || fail 'hardly a link was found in the pages'
sed -e 's/)$//' -e 's/#[^#]*$//' -e '/(https*:/d' -e '/($/d' "$work/links" |
    while IFS=: read -r page link; do
        link=${link#](}
        [ -e "$(dirname "$page")/$link" ] || echo "$page: there is no $link"
    done >"$work/dead"
[ ! -s "$work/dead" ] || {
    cat "$work/dead"
    fail 'a page links to a file that is not there'
}

# --- GPUs -----------------------------------------------------------------------------------

"$gfe" gpus >"$work/gpus"
# The lists of the program: a head for each vendor, whose words say where the columns begin.
list_of() # THE-HEAD'S-WORD
{
    awk -v word="$1" '
        /^NAME / {
            inside = index($0, " " word " ") > 0
            card = index($0, "CARD")
            chip = index($0, "CHIP")
            if (inside) {
                line = "| name | card | chip |"
                rule = "|---|---|---|"
                for (i = 4; i <= NF; i++) {
                    line = line " " tolower($i) " |"
                    rule = rule "---|"
                }
                gsub(/ sms /, " SMs ", line)
                gsub(/ cus /, " CUs ", line)
                gsub(/ pbdmas /, " PBDMAs ", line)
                gsub(/ sdmas /, " SDMAs ", line)
                gsub(/ record /, " recorded ", line)
                print line
                print rule
                columns = NF - 3
            }
            next
        }
        NF == 0 { inside = 0 }
        inside {
            rest = substr($0, chip)
            for (i = NF - columns + 1; i <= NF; i++)
                rest = substr(rest, 1, match(rest, / +[^ ]+ *$/) - 1)
            # The columns were taken off from the right, and what is left is the name of the chip.
            name = substr($0, card, chip - card)
            sub(/ +$/, "", name)
            line = "| `" $1 "` | " name " | " rest " |"
            for (i = NF - columns + 1; i <= NF; i++)
                line = line " " $i " |"
            print line
        }' "$work/gpus"
}
list_of SMS | table docs/chips.md nvidia
list_of CUS | table docs/chips.md amd

# Every figure of every GPU of a vendor: equal ones in one row.
figures_of() # THE-HEAD'S-WORD
{
    for gpu in $(list_of "$1" | sed -n 's/^| `\([^`]*\)`.*/\1/p'); do
        "$gfe" gpus "$gpu" | awk -v gpu="$gpu" '
            /^FIGURES/ { inside = 1; next }
            /^$/ { inside = 0 }
            inside && /^  [^ ]/ {
                basis = $NF
                name = substr($0, 3, 32)
                value = substr($0, 36)
                sub(/ +$/, "", name)
                sub(/ *[A-Z]+$/, "", value)
                printf "%s\t%s\t%s\t%s\n", name, value, basis, gpu
            }'
    done | awk -F '\t' '
        !($1 in first) { first[$1] = ++names; name[names] = $1 }
        {
            row = $1 FS $2 FS $3
            if (!(row in gpus)) {
                rows[first[$1]] = rows[first[$1]] SUBSEP row
                gpus[row] = "`" $4 "`"
            } else
                gpus[row] = gpus[row] ", `" $4 "`"
        }
        END {
            print "| figure | value | basis | GPUs |"
            print "|---|---|---|---|"
            for (i = 1; i <= names; i++) {
                count = split(substr(rows[i], 2), list, SUBSEP)
                for (j = 1; j <= count; j++) {
                    split(list[j], part, FS)
                    printf "| %s | %s | %s | %s |\n", j == 1 ? part[1] : "", part[2], part[3], gpus[list[j]]
                }
            }
        }'
}
figures_of SMS | table docs/chips.md nvidia-figures
figures_of CUS | table docs/chips.md amd-figures

# The chips' own page has a row for each chip: what is its own.
list_of SMS | sed -n 's/^| `[^`]*` | [^|]* | \([A-Z0-9]*\) |.*/\1/p' | sort -u >"$work/chips"
sed -n '/^## What each/,/^## /s/^| \([A-Z0-9, ]*\) (.*/\1/p' docs/chips.md | tr -d ' ' | tr ',' '\n' | sort >"$work/rows"
cmp -s "$work/chips" "$work/rows" || {
    diff "$work/rows" "$work/chips" || true
    fail 'docs/chips.md: the table of chips has not the chips of gfe gpus'
}

# --- prefixes of labels and ids -------------------------------------------------------------

"$gfe" rules | sed -n 's/^\([A-Z][A-Z0-9_]*\)\.[A-Za-z0-9_.]*  *[A-Z]*; enforced by .*/\1/p' | sort -u >"$work/labels"
"$gfe" rules | sed -n 's/^\([a-z][a-z0-9_]*\)\.[a-z0-9_.]* .*/\1/p' | sort -u >"$work/ids"
sed -n '/^## Prefixes of rules/,/^## /s/^| `\([A-Z0-9_]*\)\.` | .*/\1/p' docs/glossary.md | sort >"$work/rows"
cmp -s "$work/labels" "$work/rows" || {
    diff "$work/rows" "$work/labels" || true
    fail 'docs/glossary.md: the prefixes of rules are not those that gfe rules prints'
}
sed -n '/^## Prefixes of parameters/,/^## /s/^| `\([a-z0-9_]*\)\.` | .*/\1/p' docs/glossary.md | sort >"$work/rows"
cmp -s "$work/ids" "$work/rows" || {
    diff "$work/rows" "$work/ids" || true
    fail 'docs/glossary.md: the prefixes of parameters and choice points are not those that gfe rules prints'
}
[ "$(wc -l <"$work/labels")" -ge 10 ] || fail 'gfe rules has hardly a label'
[ "$(wc -l <"$work/ids")" -ge 8 ] || fail 'gfe rules has hardly a parameter'

# --- what is not modelled -------------------------------------------------------------------

{
    printf '| file | what it says |\n|---|---|\n'
    find emu devices firmware-models traces -name '*.h' | sort | xargs awk -f docs/tools/not_modelled.awk
} | table docs/not-modelled.md headers
{
    printf '| page | what it says |\n|---|---|\n'
    find docs docs/quality -maxdepth 1 -name '*.md' ! -name not-modelled.md | sort | xargs awk -f docs/tools/not_modelled.awk
} | table docs/not-modelled.md pages

[ ! -e "$work/failed" ]
