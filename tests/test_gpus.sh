#!/bin/sh
# SPDX-License-Identifier: MIT
# gfe gpus: the list, the tables of a chip, names and aliases, JSON, and what the errors say.
set -eu
gfe=${top_builddir:-.}/gfe
status=0

fail() # MESSAGE
{
    echo "$1"
    status=1
}

expect() # WHAT PATTERN: a line of the text on standard input
{
    grep -qE -- "$2" || fail "$1: no line like '$2'"
}

list=$("$gfe" gpus)
for name in tx2 gtx1060 gtx1060-3gb gtx1080ti titan-v xavier rtx2080ti a100 orin orin-runlist3 \
    rtx6000ada h100 h200; do
    printf '%s\n' "$list" | expect 'the list' "^$name "
done
printf '%s\n' "$list" | expect 'chips of nouveau can be recorded' '^titan-v .* yes *$'
printf '%s\n' "$list" | expect 'the others cannot' '^a100 .* no *$'

# What is listed as recordable is what gfe record takes.
printf '%s\n' "$list" | awk '$NF == "yes" || $NF == "no" { print $1, $NF }' | while read -r name can
do
    taken=yes
    "$gfe" record --gpu "$name" 2>&1 | grep -q "there is no GPU '$name'" && taken=no
    [ "$taken" = "$can" ] || echo "$name: the list says $can, gfe record $taken"
done | grep . && status=1

text=$("$gfe" gpus rtx6000ada)
printf '%s\n' "$text" | expect 'classes' 'Host c56f, compute c9c0, 3D c997, .* copy c7b5'
printf '%s\n' "$text" | expect 'runlist without engine' 'runlist 7 .* no engine'
printf '%s\n' "$text" | expect 'runlist 0' 'runlist 0 .*PBDMA 0 1: GR0, GRCE0/LCE0, GRCE1/LCE1'
printf '%s\n' "$text" | expect 'PCEs' 'PCE 5 +serves LCE3'
printf '%s\n' "$text" | expect 'PCEs' 'PCE 0 +unused'
printf '%s\n' "$text" | expect 'GRCEs' 'GRCE0 +shares the PCEs of LCE3'
printf '%s\n' "$text" | expect 'recording' 'not possible'
printf '%s\n' "$text" | expect 'a basis' 'MEASURED'
"$gfe" gpus gtx1060 | expect 'recording' 'gfe record stands in for it'
"$gfe" gpus tx2 | expect 'an integrated GPU' 'no PCI id'
[ "$("$gfe" gpus titanv)" = "$("$gfe" gpus titan-v)" ] || fail 'titanv is not titan-v'
"$gfe" gpus --json a100 | expect 'JSON' '"fault_id": *null'
"$gfe" gpus --json | expect 'JSON' '"shared_grces"'

if "$gfe" gpus a1000 2>/dev/null; then
    fail 'a card that is not there is described'
fi
exit $status
