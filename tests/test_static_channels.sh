#!/bin/sh
# SPDX-License-Identifier: MIT
# Kernels of 40 streams begin in the order in which they began on an H100 with 1, 8 and 32
# connections: tests/hardware/data/h100, streams_1, streams_8 and streams_32.  The host calls at the
# measured times.  Compared are all pairs of kernels whose real starts are further apart than two
# launches were there (12 us).  The channels that the driver gave to streams are compared, too
# (capture_streams, capture_priorities: the tokens of the doorbells).
#
# PROMISE (program): Kernels of 40 streams on 1, 8 and 32 channels begin in a real H100's order (98 % of all pairs).
set -eu
: "${top_srcdir:=.}"
gfe=${top_builddir:-.}/gfe
data=$(cd "$top_srcdir" && pwd)/tests/hardware/data/h100
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
command -v python3 >/dev/null || { echo 'python3 is not installed'; exit 77; }

cat >"$scratch/compare.py" <<'END'
import csv, gzip, json, subprocess, sys

gfe, data, scratch = sys.argv[1:4]
options = sys.argv[4:]
LAUNCH_NS = 12000  # two launches of streams_8


def events(channels, processes, *more):
    with open(scratch + "/s.json", "w") as file:
        json.dump({"gfe_scenario": 1, "processes": processes}, file)
    subprocess.run([gfe, "run", *options, *more, "--gpu", "h100", "--param", "cuda.channels=%d" % channels, "--param", "cuda.call_ps=0",
                    "-o", scratch + "/s.gfl", scratch + "/s.json"], check=True, stdout=subprocess.DEVNULL)
    with open(scratch + "/s.csv", "w+") as table:
        subprocess.run([gfe, "show", "--as", "events-csv", scratch + "/s.gfl"], check=True, stdout=table)
        table.seek(0)
        return list(csv.DictReader(table))


def process(kernels):
    """The streams of the experiment, and its calls with sleeps in between."""
    calls, now = [], 0
    for kernel in kernels:
        if kernel["host_ns"] > now:
            calls.append({"sleep": (kernel["host_ns"] - now) / 1e9})
            now = kernel["host_ns"]
        calls.append({"launch": {"name": kernel["name"], "blocks": 1, "threads": kernel["threads"], "registers": 16,
                                 "spin": kernel["spin_ns"] / 1e9}, "stream": kernel["stream"]})
    streams = sorted({kernel["stream"] for kernel in kernels}, key=lambda name: int(name[1:]))
    return [{"streams": [{"name": name, "kind": "non-blocking"} for name in streams], "tasks": [{"name": "t", "calls": calls}]}]


def starts(kernels, channels):
    rows = events(channels, process(kernels))
    operations = [row["operation_id"] for row in rows if row["kind"] == "CUDA_OPERATION"]
    of = {(row["channel_id"], row["gp_sequence"]): row["operation_id"] for row in rows if row["kind"] == "CUDA_SUBMIT"}
    grids = {row["grid_id"]: of[row["channel_id"], row["gp_sequence"]] for row in rows if row["kind"] == "GRID_QUEUE"}
    begun = {grids[row["grid_id"]]: int(row["time_ps"]) for row in rows if row["kind"] == "BLOCK_START"}
    return [begun[operation] for operation in operations]


wrong = 0
for channels in (1, 8, 32):
    with gzip.open("%s/streams_%d.jsonl.gz" % (data, channels), "rt") as file:
        rows = [row for row in map(json.loads, file) if "kernels" in row]
    for row in rows:
        kernels = row["kernels"]
        real, model = [kernel["blocks"][0][0] for kernel in kernels], starts(kernels, channels)
        pairs = [(i, j) for i in range(len(real)) for j in range(i) if abs(real[i] - real[j]) > LAUNCH_NS]
        right = sum((real[i] > real[j]) == (model[i] > model[j]) for i, j in pairs) / len(pairs)
        wrong += right < 0.98
        print("%s%d channels, %s: %.1f %% of %d pairs" % ("" if right >= 0.98 else "NOT: ", channels, row["experiment"], 100 * right, len(pairs)))


def tokens(name, phrase):
    """The doorbells of kernels on new streams, up to the first copy."""
    found, kernel = [], False
    with gzip.open("%s/%s.jsonl.gz" % (data, name), "rt") as file:
        for row in map(json.loads, file):
            if row["type"] == "mark":
                if row["text"].startswith("copy of"):
                    break
                kernel = phrase in row["text"]
            elif row["type"] == "doorbell" and kernel:
                found.append(int(row["token"], 16))
                kernel = False
    return found


for name, phrase, channels in (("capture_streams", "kernel on", 8), ("capture_streams_32", "kernel on", 32), ("capture_priorities", "kernel on", 8)):
    real = tokens(name, phrase)
    calls = [{"launch": {"name": "k", "blocks": 1, "threads": 32, "spin": 1e-6}, "stream": "s%d" % i} for i in range(len(real))]
    streams = [{"name": "s%d" % i, "kind": "non-blocking"} for i in range(len(real))]
    rows = events(channels, [{"streams": streams, "tasks": [{"name": "t", "calls": calls}]}])
    model = [int(row["channel_id"]) for row in rows if row["kind"] == "CUDA_SUBMIT"]
    first = real[0] - 1  # the NULL stream's: the process had ten channels before
    good = len(real) > 10 and [token - first for token in real] == [channel & 0xffff for channel in model]
    wrong += not good
    print("%s%s: the channels of %d streams" % ("" if good else "NOT: ", name, len(real)))
sys.exit(wrong > 0)
END
python3 "$scratch/compare.py" "$gfe" "$data" "$scratch" || { echo 'FAILED: another order'; exit 1; }

# A pool of channels is noticed, and gfe check accepts the log of either.
"$gfe" check "$scratch/s.gfl" >/dev/null
if python3 "$scratch/compare.py" "$gfe" "$data" "$scratch" --policy cuda.channel_next=random >"$scratch/out"; then
    echo 'FAILED: a pool of channels passes'
    exit 1
fi
grep 'NOT: 8 channels, streams_deep' "$scratch/out" >/dev/null || { cat "$scratch/out"; echo 'FAILED: not noticed in streams_deep'; exit 1; }
