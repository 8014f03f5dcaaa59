#!/bin/sh
# SPDX-License-Identifier: MIT
# PROMISE (analysis): No reader of logs names a kind of event that the model of a log folds.
#
# Outside emu/analysis/model, check and selftest (second opinions) and what writes logs, such a name is one
# more place that a new kind of event would have to be added to.
set -u
sources=$(cd "${top_srcdir:?}" && pwd) || exit 1
list=$sources/emu/analysis/model/model_list.h
failed=0

names=$(sed -n 's/^ *EVENT("\([A-Z0-9_]*\)".*/\1/p' "$list")
count=$(echo "$names" | wc -l)
if [ "$count" -lt 100 ]; then
    echo "FAILED: $list has $count kinds of events, which cannot be all"
    exit 1
fi
# Names as strings; EVENT_... numbers are for those who write a log or hear a machine.
pattern=$(echo "$names" | tr '\n' '|' | sed 's/|$//')
found=$(cd "$sources" && grep -rnE "\"($pattern)\"" emu --include='*.c' --include='*.h' |
    grep -v '^emu/analysis/model/\|^emu/analysis/check/\|^emu/selftest/\|^emu/sim/event_lines\.c')
if [ -n "$found" ]; then
    echo "FAILED: these name a kind of event; they should take the record of emu/analysis/model:"
    echo "$found"
    failed=1
fi
blocks=$(cd "$sources" && grep -rn 'BLOCK_START' emu --include='*.c' --include='*.h' |
    grep -v '^emu/analysis/model/\|^emu/analysis/check/\|^emu/selftest/\|^emu/log/')
if [ -n "$blocks" ]; then
    echo "FAILED: $blocks"
    failed=1
fi
exit $failed
