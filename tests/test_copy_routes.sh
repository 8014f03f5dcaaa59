#!/bin/sh
# SPDX-License-Identifier: MIT
# The runlists of a CUDA context on --gpu h100 are those of a recorded one: tests/hardware/data/h100,
# capture_streams (the upper half of the doorbells' tokens, in the order of the context's groups).
#
# PROMISE (program): A CUDA context on an H100 has its copy channels on the runlists of a real one.
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
sys.exit(wrong > 0)
END
python3 "$scratch/compare.py" "$gfe" "$data" "$scratch" || { echo 'FAILED: another way'; exit 1; }
