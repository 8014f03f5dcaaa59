#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The ready-made campaigns but for the audit of isolation.sh: plans, and the pages that say what was found.
#
#     tests/campaigns/run.sh CAMPAIGN FOLDER [PROCESSES]
#
#     doorbells        docs/campaign-doorbells.md
#     runlists         docs/campaign-runlists.md
#     oversubscribed   docs/campaign-mqds.md
#     semaphores       docs/campaign-semaphores.md
#     control-units    docs/fault-models.md
#     field            docs/fault-models.md
#
# FOLDER keeps the databases: begun again, it goes on. GFE names the program, if it is not in PATH.
set -eu
usage() { echo "usage: $0 doorbells | runlists | oversubscribed | semaphores | control-units | field FOLDER [PROCESSES]" >&2; exit 2; }
[ $# -ge 2 ] || usage
plans=$(cd "$(dirname "$0")" && pwd)
gfe=${GFE:-gfe} name=$1 folder=$2 processes=${3:-1}
mkdir -p "$folder"

program() # NAME BUS-FILE
{
    [ -e "$folder/$1.gft" ] || "$gfe" import bus -o "$folder/$1.gft" "$2"
}

campaign() # PLAN
{
    "$gfe" campaign run "$1" --db "$folder/$(basename "$1" .json).db" -j "$processes" >&2
    printf '=== %s\n' "$(basename "$1" .json)"
    "$gfe" campaign report "$folder/$(basename "$1" .json).db"
}

case $name in
doorbells | oversubscribed | control-units)
    campaign "$plans/$name.json"
    ;;
field)
    campaign "$plans/field-llama3.json"
    campaign "$plans/field-delta.json"
    ;;
runlists)
    program two_tasks "$plans/../golden/two_tasks.bus"
    # The same, with the runlist preempted while the first task's grid runs.
    { cat "$plans/../golden/two_tasks.bus" && printf '116us\nNV_PFIFO_RUNLIST_PREEMPT = 1\n'; } \
        >"$folder/preempted.bus"
    program preempted "$folder/preempted.bus"
    cp "$plans"/runlists*.json "$plans"/preempted*.json "$folder"
    for plan in runlists runlists-recovery preempted preempted-recovery; do
        campaign "$folder/$plan.json"
    done
    ;;
semaphores)
    # The same without ACQUIRE_SWITCH: bit 12 of SEMAPHORED.
    sed 's/ 01001001$/ 01000001/' "$plans/semaphore.bus" >"$folder/semaphore-stay.bus"
    program semaphore "$plans/semaphore.bus"
    program semaphore-stay "$folder/semaphore-stay.bus"
    cp "$plans"/semaphores*.json "$folder"
    campaign "$folder/semaphores.json"
    campaign "$folder/semaphores-stay.json"
    ;;
*)
    usage
    ;;
esac
