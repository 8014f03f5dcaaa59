#!/bin/sh
# SPDX-License-Identifier: MIT
# Copies on --gpu h100 go the ways of a real H100's: tests/hardware/data/h100.
#   capture_streams  the runlists of a context's groups: upper halves of the doorbells' tokens
#   capture_copies   the runlist of each copy and memset by kind, size and memory, and the grid of its
#                    kernel, if a descriptor was sent (GRID_WIDTH: word 32 of Hopper's)
#   copy_times       beside_kernel: what waits for a kernel that holds all places of the GPU; sizes: the
#                    time of large copies on the device and memsets, less what the smallest kernel takes
#
# PROMISE (program): A CUDA context on an H100 has its copy channels on the runlists of a real one, and copies go the real ways.
set -eu
: "${top_srcdir:=.}"
gfe=${top_builddir:-.}/gfe
data=$(cd "$top_srcdir" && pwd)/tests/hardware/data/h100
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
command -v python3 >/dev/null || { echo 'python3 is not installed'; exit 77; }

cat >"$scratch/compare.py" <<'END'
import csv, gzip, json, statistics, subprocess, sys

gfe, data, scratch = sys.argv[1:4]
options = sys.argv[4:]
wrong = 0


def finding(holds, text):
    global wrong
    wrong += not holds
    print(("" if holds else "NOT: ") + text)


def rows_of(name):
    with gzip.open("%s/%s.jsonl.gz" % (data, name), "rt") as file:
        return [json.loads(line) for line in file]


def events(calls, streams=("s",), tasks=None):
    """The events of a run of one process."""
    with open(scratch + "/s.json", "w") as file:
        json.dump({"gfe_scenario": 1, "processes": [{"streams": [{"name": name, "kind": "non-blocking"} for name in streams],
                                                     "tasks": tasks or [{"name": "t", "calls": calls}]}]}, file)
    subprocess.run([gfe, "run", *options, "--gpu", "h100", "-o", scratch + "/s.gfl", scratch + "/s.json"], check=True, stdout=subprocess.DEVNULL)
    with open(scratch + "/s.csv", "w+") as table:
        subprocess.run([gfe, "show", "--as", "events-csv", scratch + "/s.gfl"], check=True, stdout=table)
        table.seek(0)
        return list(csv.DictReader(table))


# The groups: compute, then those of copy engines 2, 3 and 4, in the order in which they are made.
runlists, engines = [], {}
for row in rows_of("capture_streams"):
    if row["type"] == "alloc" and row["class"] == "0xa06c":
        engines[row["object"]] = row["engine"]
    elif row["type"] == "alloc" and row["class"] == "0xc86f" and row["parent"] in engines:
        runlists.append((row["object"], engines[row["parent"]]))
bells = {row["channel"]: int(row["token"], 16) >> 16 for row in rows_of("capture_streams") if row["type"] == "doorbell"}
real = {}
for channel, engine in runlists:
    if channel in bells:
        real.setdefault(engine, set()).add(bells[channel])
model = [int(row["runlist_id"]) for row in events([{"copy": {"bytes": 1 << 20, "direction": "to device"}, "stream": "s"}]) if row["kind"] == "RM_TSG"]
finding(sorted(real) == [1, 11, 12, 13] and [real[engine] for engine in sorted(real)] == [{runlist} for runlist in model],
        "groups of a context on runlists %s" % ", ".join(map(str, model)))

# Ways by kind, size and memory.
WAYS = {"to the device": "to device", "to the host": "to host", "on the device": "on device"}
steps, last = [], None
for row in rows_of("capture_copies"):
    if row["type"] == "mark":
        words = row["text"].split(", ")
        last = None
        if words[0] in WAYS or words[0] == "memset":
            size = int(words[1].split()[0])
            call = {"memset": {"bytes": size}} if words[0] == "memset" else \
                {"copy": {"bytes": size, "direction": WAYS[words[0]], **({"memory": words[2]} if len(words) > 2 else {})}}
            last = [call, None, None]
            steps.append(last)
        elif words[0].startswith("two-dimensional"):
            last = [{"copy": {"bytes": 100000, "rows": 100, "direction": WAYS[words[0][16:]]}}, None, None]
            steps.append(last)
    elif row["type"] == "doorbell" and last and last[1] is None:
        last[1] = int(row["token"], 16) >> 16
        pushed = b"".join(bytes.fromhex(segment["hex"]) for segment in row["segments"])
        dwords = [int.from_bytes(pushed[i:i + 4], "little") for i in range(0, len(pushed) - 3, 4)]
        # The last 96 words of inline data before a SEND_SIGNALING_PCAS2_B are a descriptor.
        at = max([i for i in range(len(dwords) - 97) if dwords[i] == 0x6060206d], default=None)
        if at is not None and 0x200120b0 in dwords[at:]:
            last[2] = dwords[at + 1 + 32]
rows = events([{**call, "stream": "s"} for call, _, _ in steps])
sent = [row for row in rows if row["kind"] == "CUDA_SUBMIT"]
grids = {(row["channel_id"], row["gp_sequence"]): int(row["block_count"]) for row in rows if row["kind"] == "GRID_QUEUE"}
model = [(int(row["channel_id"]) >> 16, grids.get((row["channel_id"], row["gp_sequence"]))) for row in sent]
same = [(runlist, blocks) for _, runlist, blocks in steps]
for (call, *real), found in zip(steps, model):
    if tuple(real) != found:
        print("     %s: %s, real %s" % (call, found, real))
finding(len(steps) == 80 and model == same, "ways and grids of %d of %d copies and memsets" % (sum(a == b for a, b in zip(model, same)), len(steps)))
if options:
    sys.exit(wrong > 0)

# Beside a kernel that holds all places.
waits = []
for row in rows_of("copy_times"):
    if row.get("experiment") != "beside_kernel":
        continue
    size, way = row["bytes"], row["way"].replace("_", " ")
    copy = {"memset": {"bytes": size}} if way == "set" else {"copy": {"bytes": size, "direction": way}}
    waits.append((copy, row["event_ns"][1] > row["kernel_end_ns"]))
right = 0
for copy, waited in waits:
    rows = events([{"launch": {"name": "K", "blocks": 264, "threads": 1024, "registers": 16, "spin": 0.002}, "stream": "k"},
                   {"sleep": 0.0002}, {**copy, "stream": "s"}], ("k", "s"))
    ends = {row["stream_id"]: int(row["time_ps"]) for row in rows if row["kind"] == "CUDA_COMPLETE"}
    good = (ends["1"] > ends["0"]) == waited
    right += good
    if not good:
        print("     %s: real %s" % (copy, "waited" if waited else "did not wait"))
finding(len(waits) == 24 and right == 24, "%d of %d kinds and sizes wait for a kernel as they did" % (right, len(waits)))

# Times of large ones.
sizes = {(row["way"], row["bytes"]): statistics.median(row["event_ns"]) for row in rows_of("copy_times") if row.get("experiment") == "sizes"}
for way, least in (("on_device", 8192), ("set", 8192)):
    size = 64 << 20
    rows = events([{**({"memset": {"bytes": size}} if way == "set" else {"copy": {"bytes": size, "direction": "on device"}}), "stream": "s"}])
    times = [int(row["time_ps"]) / 1000 for row in rows if row["kind"] in ("BLOCK_START", "BLOCK_END")]
    model, real = max(times) - min(times), sizes[way, size] - sizes[way, least]
    finding(abs(model / real - 1) <= 0.1, "%s, %d MiB: %.1f us, real %.1f us" % (way, size >> 20, model / 1000, real / 1000))
sys.exit(wrong > 0)
END
python3 "$scratch/compare.py" "$gfe" "$data" "$scratch" || { echo 'FAILED: another way'; exit 1; }

# Copy engines alone are noticed.
if python3 "$scratch/compare.py" "$gfe" "$data" "$scratch" --policy cuda.copy_way=engines >"$scratch/out" 2>/dev/null; then
    echo 'FAILED: copy engines alone pass'
    exit 1
fi
grep '^NOT: ways' "$scratch/out" >/dev/null || { echo 'FAILED: the ways of copy engines pass'; exit 1; }
