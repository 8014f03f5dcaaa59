#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The isolation audit of docs/isolation.md: every single-bit flip in what a channel's PBDMA takes from
# ring, USERD and pushbuffer; does any neighbour suffer? Prints three reports:
#
#     tests/campaigns/isolation.sh FOLDER [PROCESSES]
#
# FOLDER keeps the databases: begun again, it goes on. GFE names the program, if it is not in PATH.
set -eu
[ $# -ge 1 ] || { echo "usage: $0 FOLDER [PROCESSES]" >&2; exit 2; }
plans=$(cd "$(dirname "$0")" && pwd)
gfe=${GFE:-gfe} folder=$1 processes=${2:-1}
mkdir -p "$folder"
[ -e "$folder/channels.gft" ] ||
    "$gfe" import bus -o "$folder/channels.gft" "$plans/../golden/channels.bus"
cp "$plans"/isolation-*.json "$folder"

audit() # PLAN NAME
{
    "$gfe" campaign run "$1" --db "$folder/$2.db" -j "$processes" >&2
    printf '=== %s\n' "$2"
    "$gfe" campaign report "$folder/$2.db"
}

audit "$plans/isolation.json" compute
audit "$folder/isolation-channels.json" channels
audit "$folder/isolation-recovery.json" recovery
