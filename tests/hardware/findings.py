#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Works out from the measured data what data/README.md says of it, and fails where the data disagree.

    findings.py FOLDER            FOLDER holds the data of one GPU: data/h100 or data/h200

Reads `acquire`, `slices`, `sm_order` and `copy_times` (every GPU), and capture_descriptors where they are there.
Prints one line per finding; the exit status is 1 if a finding does not hold.
"""
import cmath
import gzip
import json
import math
import os
import statistics
import struct
import sys

import block_order

SPLITS_KIB = (0, 8, 16, 32, 64, 100, 132, 164, 196, 228)  # CUDA C++ Programming Guide, "Compute Capability 9.0"
SM_THREADS, SM_BLOCKS, SM_SHARED_KIB = 2048, 32, 228  # the same, "Technical Specifications per Compute Capability"

failures = 0


def finding(holds, text):
    """Prints a finding; counts it as a failure unless `holds`."""
    global failures
    print(("  " if holds else "NOT: ") + text)
    failures += not holds


def lines(folder, name):
    path = os.path.join(folder, name + ".jsonl.gz")
    if not os.path.exists(path):
        return []
    with gzip.open(path, "rt") as file:
        return [json.loads(line) for line in file]


# --- the interval at which a waiting channel looks at its semaphore ----------------------------------


def agreement(times_ns, period_ns):
    """How well times agree modulo a period: 1 if they are all equal, near 0 if they are spread evenly."""
    return abs(sum(cmath.exp(2j * math.pi * t / period_ns) for t in times_ns)) / len(times_ns)


def polling(folder):
    """The time from the wait's begin to going on, over many lengths of wait, is a multiple of one interval."""
    expected = {("device", 0): 8192, ("device", 1): 8192, ("host", 0): 9216, ("host", 1): 11264, ("device", 5): 11264}
    series = {}
    for row in lines(folder, "acquire"):
        if row.get("experiment") == "acquire" and row["waited_ns"] <= 2e6:
            times = series.setdefault((row["memory"], row["others_that_wait"]), [])
            times += [row["waited_ns"] + after for after in row["start_after_release_ns"]]
    for key, period in expected.items():
        best = max(range(7000, 12000, 2), key=lambda p, times=series[key]: agreement(times, p))
        finding(abs(best - period) <= 8, "a value in the %s's memory, %d others wait: looked at every %d ns (%d * 1,024)"
                % (key[0], key[1], best, round(best / 1024)))
    alone = [after for row in lines(folder, "acquire") if row.get("memory") == "device" and row["others_that_wait"] < 2
             for after in row["start_after_release_ns"]]
    finding(max(alone) - min(alone) <= 8192 + 200, "the stream goes on %.1f to %.1f us after the value: one interval apart"
            % (min(alone) / 1e3, max(alone) / 1e3))


# --- which split of L1 and shared memory a kernel needs ----------------------------------------------


def block_kib(dynamic_kib):
    """Shared memory of a block of `spin`: its 8 bytes, in steps of 128 bytes, and 1 KiB of the system's."""
    return (-(-(dynamic_kib * 1024 + 8) // 128) * 128 + 1024) / 1024


def least_split(threads, dynamic_kib):
    """The smallest split that has room for as many blocks as fit on an SM."""
    block = block_kib(dynamic_kib)
    blocks = min(SM_BLOCKS, SM_THREADS // threads, int(SM_SHARED_KIB // block))
    return min(s for s in SPLITS_KIB if s >= blocks * block)


def asked_split(percent, dynamic_kib):
    """The split of a kernel whose preferred carve-out is `percent`."""
    block, asked = block_kib(dynamic_kib), percent * SM_SHARED_KIB / 100
    blocks = max(1, int(asked / (block - 1)))  # the kernel's own bytes are what is shared out
    need = min(SM_SHARED_KIB, max(asked, blocks * block))
    return min(s for s in SPLITS_KIB if s >= need)


def carve_out(folder):
    """A kernel starts beside another one if the SM's split is no less than the least one it needs, and has room."""
    rows = [row for row in lines(folder, "sm_order") if row.get("experiment") == "carve_out"]
    if not rows:
        return
    explained, asked, unasked = 0, [0, 0], [0, 0]
    for row in rows:
        first = row["first_shared"] >> 10
        started = [n == 132 for n in row["blocks_that_start_beside_it"]]
        splits = [s for s in SPLITS_KIB if s >= block_kib(first) and started ==
                  [least_split(256, second) <= s and block_kib(first) + block_kib(second) <= s for second in row["second_shared_kib"]]]
        explained += len(splits) == 1
        if row["first_preferred_percent"] >= 0:
            asked[0] += splits == [asked_split(row["first_preferred_percent"], first)]
            asked[1] += 1
        elif row["first_threads"] == 1024:
            unasked[0] += splits == [least_split(1024, first)]
            unasked[1] += 1
    finding(explained == len(rows), "one split explains all %d second kernels beside %d of %d first ones"
            % (len(rows[0]["second_shared_kib"]), explained, len(rows)))
    finding(asked[0] == asked[1], "the split of a kernel that asks for one: %d of %d as asked_split() says" % tuple(asked))
    finding(unasked[0] == unasked[1], "the split of blocks of 1,024 threads: %d of %d the least that is needed" % tuple(unasked))


# --- the descriptors of launches ---------------------------------------------------------------------

# Words of a descriptor of version 4 (open-gpu-doc, clcbc0qmd.h): DEPENDENCE_COUNTER and QMD_TYPE, the counter of
# the hardware, DEPENDENT_QMD_ENABLE and _ACTION, DEPENDENT_QMD0_POINTER.
GRID_NULL, SCHEDULE, DECREMENT = 1, 1, 4


def descriptor(hex_text):
    words = struct.unpack("<64I", bytes.fromhex(hex_text)[:256])
    return {"type": words[0] >> 23 & 7, "counter": words[0] & 0xffff, "left": words[9] & 0xffff,
            "action": words[11] >> 17 & 7 if words[11] >> 16 & 1 else None, "next": words[14] << 8}


def dependents(folder):
    """Where the chain from a kernel's descriptor to the next one's leads."""
    pairs, read, note = [], {}, ""
    for row in lines(folder, "capture_descriptors"):
        if row["type"] == "mark":
            note = row["text"]
        elif row["type"] == "doorbell" and "graph" not in note and not note.startswith("reading"):
            pairs += [[int(q["va"], 16) for q in segment["qmds"]] for segment in row["segments"] if segment.get("qmds")]
        elif row["type"] == "memory" and pairs and int(row["va"], 16) in pairs[-1] + sum(pairs[-4:], []):
            read.setdefault(int(row["va"], 16), []).append(descriptor(row["hex"]))
    pairs = [p for p in pairs if p and p[0] in read]
    if not pairs:
        return
    empties, kernels = sorted({p[0] for p in pairs}), sorted({p[1] for p in pairs})
    finding(all(d["type"] == GRID_NULL and d["counter"] == 2 and d["action"] == SCHEDULE for e in empties for d in read[e]),
            "before each kernel an empty descriptor: it waits for 2, then schedules its dependent")
    finding(all(read[k][0]["action"] == DECREMENT and read[k][0]["next"] == e for e, k in zip(empties, kernels)),
            "the end of a kernel lowers the counter of its own empty descriptor")
    step = kernels[1] - kernels[0]
    ring = len(kernels) * step
    finding(all(d["next"] == kernels[0] + (k - kernels[0] + step) % ring for e, k in zip(empties, kernels) for d in read[e]),
            "the dependent of an empty descriptor is the place of the next kernel's own, in a ring of %d" % len(kernels))
    programmatic = [p for p in pairs if len(p) == 3]
    finding(len(programmatic) == 3 and all(read[p[2]][-1]["left"] == 2 for p in programmatic),
            "a programmatic dependent launch lowers the empty descriptor of the kernel before: it ran, and stands at 2 again")
    lowered = {p[2] for p in programmatic}
    finding(all(d["left"] == 1 for e in empties for d in read[e] if e not in lowered),
            "after other launches it stands at 1: nothing lowers it a second time, and it schedules nothing")


# --- what a context switch costs ---------------------------------------------------------------------

SLICE_US = 2048  # what the driver sets (a06c0103 in capture_work)


def shares(folder):
    """Of each kernel of `state`, beside one like it: how long it runs and stands by turns, in us."""
    result = {}
    for row in lines(folder, "slices"):
        if row["experiment"] == "state" and row["process"] == "a" and row["of"].startswith("watch"):
            runs, stands = [], []
            for watched in row["watched"]:
                gaps = watched["gaps"][1:-1]  # the first and the last one are not between two whole slices
                stands += [end - start for start, end in gaps]
                runs += [after[0] - before[1] for before, after in zip(gaps, gaps[1:])]
            result[row["of"]] = statistics.median(runs) / 1e3, statistics.median(stands) / 1e3
    return result


def switches(folder):
    """What is saved costs a process its own time; how much depends on how many warps save it."""
    by_kernel = shares(folder)

    def run(kernel):
        return by_kernel["watch:" + kernel][0]

    def switch(kernel):
        return (sum(by_kernel["watch:" + kernel]) - 2 * SLICE_US) / 2

    finding(190 <= switch("1:32:0:32") <= 200, "a round of two processes with one warp each is two slices and twice %.1f us"
            % switch("1:32:0:32"))
    finding(switch("132:32:232448:32") - switch("132:32:0:32") < 25,
            "227 KiB of shared memory on each SM make a round's switches %.1f us longer each ..."
            % (switch("132:32:232448:32") - switch("132:32:0:32")))
    alone, many = run("132:32:0:32") - run("132:32:229376:32"), run("132:1024:0:64") - run("132:1024:229376:64")
    finding(alone > 4 * many, "... and with 224 KiB a block of one warp runs %.0f us less in each slice, one of 32 warps %.0f us"
            % (alone, many))
    finding(switch("264:1024:0:32") - switch("1:32:0:32") > 30 and
            abs(switch("264:1024:0:32") - switch("2112:128:0:32")) < 3,
            "2,048 threads on each SM make a switch %.1f us longer, in two blocks or in sixteen"
            % (switch("264:1024:0:32") - switch("1:32:0:32")))


def order_of_sms(folder):
    """Which SM each block of a kernel gets, when all SMs are alike."""
    rows, tpcs = lines(folder, "sm_order"), block_order.groups()
    turns, good = block_order.whole_turns([row for row in rows if row.get("experiment") == "order"], tpcs)
    finding(good == turns, "in %d of %d turns each SM of a virtual GPC gets a block, in the order of turns" % (good, turns))
    finding(block_order.first_kernel(next(row for row in rows if row.get("experiment") == "order"), tpcs),
            "in the first kernel of the process the single TPCs come after %s turns of the others" % ", ".join(map(str, block_order.S_AT_FIRST[1:])))
    kernels, good = block_order.parts([row for row in rows if row.get("experiment") == "partial"], tpcs)
    beside = [row for row in lines(folder, "sm_order") if row.get("experiment") == "partial" and row["first_threads"] == 1024
              and len(row["first_sms"]) < 131]
    finding(beside and not any(set(row["first_sms"]) & set(row["sms"]) for row in beside),
            "a kernel of 256 threads starts on no SM that holds blocks of 1,024")
    finding(good == kernels, "%d of %d kernels that do not fill all SMs are shared out evenly among the virtual GPCs"
            % (good, kernels))


# --- copies in opposite directions -------------------------------------------------------------------


def events_in_front_of_copies(folder):
    """The event in front of a copy is late only where the stream's work before it was a copy the same way."""
    new, late, explained = [], 0, 0
    for row in lines(folder, "copy_times"):
        if row.get("experiment") != "together":
            continue
        for copy in row["copies"]:
            begin = copy["event_ns"][0]
            new += [begin] if row["run"] == 0 else []
            ends = [other["event_ns"][1] for other in row["copies"] if other is not copy and other["way"] == copy["way"]]
            if row["run"] > 0 and begin > 100000:
                late += 1
                explained += bool(ends) and min(abs(begin - end) for end in ends) < 9000
    if new:
        finding(max(new) < 60000 and explained == late > 0,
                "events in front of copies: %d in new streams at once; %d of %d late ones when a copy the same way has ended"
                % (len(new), explained, late))


def main():
    if len(sys.argv) != 2 or not os.path.isdir(sys.argv[1]):
        sys.exit("usage: findings.py FOLDER     a folder with measured data, such as data/h100")
    print(os.path.basename(sys.argv[1].rstrip("/")))
    polling(sys.argv[1])
    carve_out(sys.argv[1])
    order_of_sms(sys.argv[1])
    dependents(sys.argv[1])
    switches(sys.argv[1])
    events_in_front_of_copies(sys.argv[1])
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
