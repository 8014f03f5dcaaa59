#!/bin/sh
# SPDX-License-Identifier: MIT
# The page of gfe show --as html is put together from files; when one is missing or empty there is
# no page, and make stops.
#
# PROMISE (program): Building the page fails when one of its inputs is missing.
set -eu
script=$(cd "$top_srcdir" && pwd)/emu/views/html/show_html_page.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail()
{
    echo "test_page_rule: $*"
    exit 1
}

printf '<main>' >frame
printf 'b{}' >style
printf 'let a;' >one.js
printf 'let b;' >two.js

sh "$script" frame style one.js two.js >page || fail 'it fails with all its files'
# The bytes of both scripts, one after the other.
tr -d ' \n' <page | grep -qF 'page_script[]={108,101,116,32,97,59,108,101,116,32,98,59,};' ||
    fail 'the program is not its files one after another'

for missing in frame style one.js two.js; do
    mv "$missing" kept
    if sh "$script" frame style one.js two.js >page 2>message; then
        fail "it ends well without $missing"
    fi
    grep -qF "$missing is missing or empty" message || fail "it does not name $missing"
    : >"$missing"
    if sh "$script" frame style one.js two.js >page 2>message; then
        fail "it ends well with an empty $missing"
    fi
    mv kept "$missing"
done
if sh "$script" frame style 2>message; then
    fail 'it ends well without a program'
fi

# make's rule hands the failure on: no object is made of half a page.
if [ -w "$top_builddir/Makefile" ]; then
    if make -s -C "$top_builddir" html_files='emu/views/html/none.html emu/views/html/none.css a.js' \
        -W emu/views/html/show_html_page.sh emu/views/html/show_html_page.inc >message 2>&1; then
        fail 'make ends well without the page'
    fi
fi
