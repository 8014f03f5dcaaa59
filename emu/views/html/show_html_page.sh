#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: show_html_page.sh FRAME STYLE SCRIPT...
# Prints the page of gfe show --as html as arrays of C: its frame, its style and its program, which is
# all SCRIPTs one after another.  Fails, after a message, when a file cannot be read or is empty.
set -eu

array() # NAME FILE...
{
    name=$1
    shift
    for file in "$@"; do
        [ -s "$file" ] && [ -r "$file" ] || {
            echo "show_html_page.sh: $file is missing or empty" >&2
            exit 1
        }
    done
    echo "static const char $name[] = {"
    # Each cat has been tried above, so that the pipe's end alone need be trusted.
    cat "$@" | od -An -v -td1 | sed 's/[0-9][0-9]*/&,/g'
    echo '};'
}

[ $# -ge 3 ] || {
    sed -n 's/^# usage: /usage: /p' "$0" >&2
    exit 2
}
frame=$1 style=$2
shift 2
array page_frame "$frame"
array page_style "$style"
array page_script "$@"
