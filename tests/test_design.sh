#!/bin/sh
# SPDX-License-Identifier: MIT
# docs/design.md and CONTRIBUTING.md name files, functions and tests that are there: each path in
# backticks exists, each `name()` is a function or macro of the sources, each word with three
# underscores or more is a test, and in "`FILE: name()`, `other()`" each function stands in the last
# file named.
#
# PROMISE (program): Files and functions that the developers' documents name exist, and each step of
# the four walks names a function of its file.
set -eu
cd "${top_srcdir:-.}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0

# Lines "DOCUMENT:LINE FILE-OR-DASH WORD" of the documents given.
mentions()
{
    # shellcheck disable=SC2016 # awk's own variables
    awk -v tops='^(emu|devices|firmware-models|traces|tests|bench|docs)/[A-Za-z0-9_./-]*$' '
    FNR == 1 { inside = 0 }
    /^```/ { inside = !inside; next }
    inside { next }
    /^([0-9]+\.|[-*]|$)/ { file = "-" } # a step or a paragraph begins
    {
        count = split($0, part, "`")
        if (count > 0 && count % 2 == 0)
            print FILENAME ":" FNR, "-", "name/in-backticks-on-one-line"
        for (i = 2; i <= count; i += 2) {
            words = split(part[i], word, " ")
            for (w = 1; w <= words; w++) {
                sub(/,$/, "", word[w])
                if (word[w] ~ /:$/ && words > 1) {
                    sub(/:$/, "", word[w])
                    if (word[w] ~ /[.][ch]$/)
                        file = word[w]
                }
                if (word[w] ~ tops)
                    print FILENAME ":" FNR, "-", word[w]
                else if (word[w] ~ /^[a-z_][a-z0-9_]*\(\)$/)
                    print FILENAME ":" FNR, file, substr(word[w], 1, length(word[w]) - 2)
                else if (word[w] ~ /^[a-z0-9]+_[a-z0-9]+_[a-z0-9]+_[a-z0-9_]+$/)
                    print FILENAME ":" FNR, "test", word[w]
            }
        }
    }' "$@"
}

find emu devices firmware-models traces tests bench -name '*.[ch]' -print0 |
    xargs -0 grep -hoE '[A-Za-z_][A-Za-z0-9_]*\(' | sort -u | tr -d '(' >"$work/names"
sed -n 's/^START_TEST(\([a-z0-9_]*\)).*/\1/p' tests/*.c | sort -u >"$work/tests"

check() # DOCUMENT...
{
    mentions "$@" | while read -r place file word; do
        case $word in
        */*)
            [ -e "$word" ] || echo "$place: there is no $word"
            continue
            ;;
        esac
        case $file in
        test) grep -qx "$word" "$work/tests" || echo "$place: there is no test $word" ;;
        *)
            grep -qx "$word" "$work/names" || echo "$place: there is no $word()"
            [ "$file" = - ] || [ ! -e "$file" ] || grep -qE "(^|[^A-Za-z0-9_])${word}[(]" "$file" ||
                echo "$place: $file has no $word()"
            ;;
        esac
    done
}

wrong=$(check docs/design.md CONTRIBUTING.md)
if [ -n "$wrong" ]; then
    echo "$wrong"
    status=1
fi

# What has to be noticed.
# shellcheck disable=SC2016 # backticks of Markdown
printf '%s\n' '1. `emu/engine/machine.c: machine_run()`, `no_such_function()` in `docs/none.md`.' \
    '2. `emu/engine/machine.c: nv_fe_method()`, `no_test_is_called_so`.' >"$work/bad.md"
found=$(check "$work/bad.md" | grep -c .) || true
if [ "$found" -ne 5 ]; then
    echo "5 mistakes are to be found in a page made for that, not $found"
    status=1
fi
mentions docs/design.md | grep -q ' emu/replay/replay.c replay_run$' || {
    echo 'the walks of docs/design.md are not read'
    status=1
}
exit "$status"
