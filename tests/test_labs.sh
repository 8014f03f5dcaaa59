#!/bin/sh
# SPDX-License-Identifier: MIT
# The labs in docs/labs/ print what their commands print (tests/run_page.sh says which lines are
# commands), answers included, and show the pictures that they make; the recordings that come with
# lab 1 are those of its programs.  GFE_UPDATE_GOLDEN=1 renews pages and pictures.
#
# Blocks that record need Mesa's driver or ROCm's libraries, of the versions that the page shows.
#
# PROMISE (program): Every command of the labs prints what the page shows, and each task has an
# answer.
set -u

# shellcheck disable=SC2154 # both are set by make
source=$(cd "$top_srcdir" && pwd)
# shellcheck disable=SC2154
PATH=$(cd "$top_builddir" && pwd):$PATH
labs=$source/docs/labs
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
TMPDIR=$work/tmp
LC_ALL=C.UTF-8
export PATH LC_ALL TMPDIR
mkdir "$TMPDIR"
unset GFE_RECORD_LIBRARY GFE_RECORD_BREAK LIBGL_DRIVERS_PATH GPU_MAX_HW_QUEUES
status=0

wrong() # WORDS
{
    echo "$*"
    status=1
}

# A folder as the labs tell one to make it.
copy_labs() # NAME
{
    mkdir "$work/$1" && cp "$labs"/* "$work/$1" && chmod -R u+w "$work/$1" && cd "$work/$1" || exit 1
}

pictures_of() # PAGE
{
    sed -n 's,^!\[.*](\(.*\.svg\))$,\1,p' "$1"
}

# What a driver was given, without the times of the recording and the trace's name.
commands_of() # TRACE
{
    gfe decode "$1" | sed 's/ time=[0-9.]*[a-z]*//; /^#/d'
}

# --- what this machine can record ----------------------------------------------------------------

copy_labs try
have=
if gcc -o add add.c -lEGL -lGLESv2 2>gcc.log && gfe record -q -o mine.gft -- ./add >add.out 2>&1 &&
    grep -q '^NV136, .*Mesa 22\.3\.6' add.out; then
    have="$have gl"
    gfe scrub -o clean.gft mine.gft >scrub.out || wrong 'mine.gft cannot be scrubbed'
    commands_of add.gft >wanted
    commands_of clean.gft >found
    cmp wanted found || wrong 'add.gft is not what add.c gives: record it, and gfe scrub it'
else
    echo 'without gl: Mesa 22.3.6 with its nouveau driver, headers of EGL and OpenGL ES, or gcc are not there'
fi
if [ "$(uname -m)" = x86_64 ] &&
    gcc -D__HIP_PLATFORM_AMD__ -o add_hip add_hip.c -lamdhip64 2>gcc.log &&
    ldd add_hip | grep -q 'libamdhip64\.so\.5 => /'; then
    have="$have hip"
    gfe record -q --gpu radeon-vii -o mine.gft -- ./add_hip || wrong 'add_hip does not run'
    for trace in add_hip mine; do
        gfe run "$trace.gft" 2>&1 | grep -E 'launches|^ *K|copies  |signals' | sed 's/, [0-9.]* us$//' >"$trace.run"
    done
    cmp add_hip.run mine.run || wrong 'add_hip.gft is not what add_hip.c gives: record it, and gfe scrub it'
else
    echo 'without hip: ROCm 5 with its headers, or gcc, are not there'
fi

# --- the pages -----------------------------------------------------------------------------------

for page in "$labs"/lab*.md; do
    name=$(basename "$page")
    copy_labs "${name%.md}"
    # shellcheck disable=SC2086 # words
    sh "$source/tests/run_page.sh" "$page" $have >now.md || status=1
    if [ "$status" -eq 0 ] && [ "${GFE_UPDATE_GOLDEN:-0}" = 1 ]; then
        cp now.md "$page" || status=1
        for picture in $(pictures_of "$page"); do
            cp "$picture" "$labs/" || status=1
        done
    fi
    diff "$page" now.md || wrong "$name: its commands print something else"
    for picture in $(pictures_of "$page"); do
        cmp "$picture" "$labs/$picture" || wrong "$name: $picture has changed"
    done
    # A task has an answer, an answer has commands.
    [ "$(grep -c '^\*\*Task' "$page")" = "$(grep -c '^<summary>Answer</summary>' "$page")" ] ||
        wrong "$name: a task without an answer"
    awk '/^<details>/ { commands = 0 } /^```console/ { commands++ }
        /^<\/details>/ { if (!commands) { print FILENAME ": line " FNR ": an answer without a command"; bad = 1 } }
        END { exit bad }' "$page" || status=1
done
exit $status
