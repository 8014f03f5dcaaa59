#!/bin/sh
# SPDX-License-Identifier: MIT
#
# usage: tests/run_page.sh PAGE [HAVE...]
#
# Runs the commands of a page of docs/ in the working directory, and prints the page again with what
# they print now. Commands stand in blocks that begin with ```console, each on a line behind "$ "; a
# backslash at its end joins the next line to it. What follows up to the next command is its output.
#
# A block ```console WORD needs something that a machine may lack; where WORD is not among those that
# are given, the block is printed as it is, and a line on standard error says so.
#
# The exit status is 1 if a command fails or stands in no block, a block has no end, or nothing was
# run.
set -u

page=$1
shift
have=" $* "
where=text # or: commands, left-out
command=   # whose lines are being joined
joining=no
commands=0
status=0

complain() # WORDS
{
    printf '%s: %s\n' "$page" "$*" >&2
    status=1
}

run() # COMMAND
{
    commands=$((commands + 1))
    sh -c "$1" 2>&1 </dev/null || complain "exit status $? of: $1"
}

# A command's line, the first or one that is joined to it.
take() # TEXT
{
    command=$command$1
    case $1 in
    *\\)
        joining=yes
        command="$command
"
        ;;
    *)
        joining=no
        run "$command"
        command=
        ;;
    esac
}

begin() # LINE: of a block
{
    word=${1#'```console'}
    word=${word# }
    where=commands
    case $have in
    *" $word "*) ;;
    *)
        [ -z "$word" ] || where=left-out
        [ -z "$word" ] || echo "$page: left out, as $word is not there: a block of commands" >&2
        ;;
    esac
}

while IFS= read -r line; do
    case $where:$joining:$line in
    text:*:'```console'*) begin "$line" ;;
    *:no:'```') where=text ;;
    commands:yes:*)
        printf '%s\n' "$line"
        take "$line"
        continue
        ;;
    commands:no:'$ '*)
        printf '%s\n' "$line"
        take "${line#??}"
        continue
        ;;
    commands:*) continue ;; # what was printed another time
    text:*:'$ '*) complain "not in a block of commands: $line" ;;
    esac
    printf '%s\n' "$line"
done <"$page"

[ "$where" = text ] || complain 'a block of commands has no end'
[ "$commands" -gt 0 ] || complain 'there are no commands in it'
exit "$status"
