#!/bin/bash
# SPDX-License-Identifier: MIT
#
# A process that watches itself on every SM, for 90 ms, beside one that goes wrong: measure_faults.sh
# OUT BUILT.  `endless` is ended by SIGKILL 20 ms after its start.
set -u
out=$1 built=$2
watch="watch:264:1024:0:32 watch:264:1024:0:32"
: >"$out/faults.jsonl"
: >"$out/faults.log"
for how in none address trap assert stack endless exit context; do
    start=$(awk '{printf "%d", $1 * 1000}' /proc/uptime)000000
    start=$((start + 4000000000))
    timeout 40 "$built/slice_times" a $start $watch >"$out/a" &
    a=$!
    "$built/fault_times" $start $how >"$out/b" 2>"$out/b.err" &
    b=$!
    if [ $how = endless ]; then
        sleep 3.9
        while [ "$(awk '{printf "%d", $1 * 1000}' /proc/uptime)" -lt $((start / 1000000 + 20)) ]; do sleep 0.005; done
        kill -9 $b
    fi
    wait $a
    echo "$how: watcher $?"
    for _ in $(seq 80); do kill -0 $b 2>/dev/null || break; sleep 0.1; done
    kill -9 $b 2>/dev/null
    wait $b
    echo "$how: status $?"
    sed "s/{\"experiment\":\"slices\"/{\"experiment\":\"fault_$how\"/" "$out/a" >>"$out/faults.jsonl"
    cat "$out/b" >>"$out/faults.jsonl"
    # what the kernel's log says of it, without the bus address (lines without an Xid name the card)
    dmesg 2>/dev/null | grep 'Xid' | sed 's/PCI:[0-9a-f:.]*/PCI:.../' >"$out/log"
    [ ! -f "$out/log.before" ] || diff "$out/log.before" "$out/log" | sed -n 's/^> //p' | sed "s/^/$how: /" >>"$out/faults.log"
    mv "$out/log" "$out/log.before"
done
rm -f "$out/a" "$out/b" "$out/b.err" "$out/log.before"
