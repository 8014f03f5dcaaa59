#!/bin/sh
# SPDX-License-Identifier: MIT
# The manual pages say what the program's help says, of every command and every option, and are
# good man(7). GFE_UPDATE_GOLDEN=1 writes them anew.
#
# PROMISE (program): Manual pages are made of the program's help.
set -eu
cd "${top_builddir:-.}"
gfe=$PWD/gfe
cd "$OLDPWD"
cd "${top_srcdir:-.}"
status=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# PAGE SUMMARY SEE-ALSO; the help comes through standard input
page()
{
    awk -v name="$1" -v summary="$2" -v version="$version" -v more="docs/man/$1.man" \
        -v also="$3" -f docs/tools/man_page.awk >"$work/$1.1"
    if [ -n "${GFE_UPDATE_GOLDEN-}" ]; then
        cp "$work/$1.1" "docs/man/$1.1"
    elif ! diff -u "docs/man/$1.1" "$work/$1.1"; then
        echo "docs/man/$1.1 is not what gfe's help says: GFE_UPDATE_GOLDEN=1 tests/test_man.sh"
        status=1
    fi
    if command -v groff >/dev/null 2>&1; then
        groff -man -Tutf8 -ww -z "docs/man/$1.1" 2>"$work/warnings" || status=1
        if [ -s "$work/warnings" ]; then
            cat "$work/warnings"
            status=1
        fi
    fi
}

version=$("$gfe" --version | sed -n "1s/^gfe //p")
commands=$("$gfe" --help | sed -n 's/^  \([a-z]\{2,\}\)   *[a-z].*/\1/p')
all=
for command in $commands; do
    all="$all gfe-$command(1)"
done
"$gfe" --help >"$work/help"
page gfe "$(sed -n '1s/^gfe, //p' "$work/help")" "$all" <"$work/help"
for command in $commands; do
    summary=$(sed -n "s/^  $command  *//p" "$work/help")
    "$gfe" "$command" --help >"$work/help-$command"
    page "gfe-$command" "$summary" 'gfe(1)' <"$work/help-$command"
done

# What is installed is what there is to say, no more and no less.
listed=$(sed -n 's,^\tdocs/man/\(gfe[a-z-]*\)\.1.*,\1,p' docs/local.mk | sort | tr '\n' ' ')
wanted=$({ echo gfe; for command in $commands; do echo "gfe-$command"; done; } | sort | tr '\n' ' ')
if [ "$listed" != "$wanted" ]; then
    printf 'docs/local.mk installs the pages  %s\nbut the commands need          %s\n' "$listed" "$wanted"
    status=1
fi
exit "$status"
