#!/bin/sh
# SPDX-License-Identifier: MIT
# Processes that share an H100 run and stand by turns as long as real ones did, within 5 %:
# tests/hardware/data/h100, slices.jsonl.gz (`state`: 23 kernels of two processes alike, from which the
# costs of a switch were read) and processes.jsonl.gz (`two_fill`, `two_half`, `three_fill`,
# `two_shared`: a prediction).
#
# PROMISE (program): Two and three processes that share a GPU run and stand as long as on a real H100, within 5 %.
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


def rows(name):
    with gzip.open("%s/%s.jsonl.gz" % (data, name), "rt") as file:
        return [json.loads(line) for line in file]


def turns(spans):
    """Medians of how long something runs and stands, in us; `spans` are lists of its (end, begin) of a stand, in ns."""
    runs, stands = [], []
    for gaps in spans:
        gaps = gaps[1:-1]  # the first and the last one are not between two whole slices
        stands += [end - start for start, end in gaps]
        runs += [after[0] - before[1] for before, after in zip(gaps, gaps[1:])]
    return statistics.median(runs) / 1e3, statistics.median(stands) / 1e3


def emulated(kernels, ms):
    """The same of the kernel of the first process; a kernel is (blocks, threads, shared, registers)."""
    processes = []
    for i, (blocks, threads, shared, registers) in enumerate(kernels):
        launch = {"name": "k%d" % i, "blocks": blocks, "threads": threads, "registers": registers, "shared_memory": shared,
                  "max_dynamic_shared_memory": 227 << 10, "spin": ms / 1e3}
        processes.append({"streams": [{"name": "s%d" % i}],
                          "tasks": [{"name": "t%d" % i, "calls": [{"launch": launch, "stream": "s%d" % i}]}]})
    with open(scratch + "/p.json", "w") as file:
        json.dump({"gfe_scenario": 1, "processes": processes}, file)
    subprocess.run([gfe, "run", *options, "--gpu", "h100", "-o", scratch + "/p.gfl", scratch + "/p.json"], check=True, stdout=subprocess.DEVNULL)
    text = subprocess.run([gfe, "show", "--as", "events-csv", scratch + "/p.gfl"], check=True, capture_output=True, text=True).stdout
    names, *events = csv.reader(text.splitlines())
    time, kind, grid = (names.index(name) for name in ("time_ps", "kind", "grid_id"))
    events = [e for e in events if e[kind] in ("GRID_START", "GRID_SUSPEND", "GRID_RESUME")]
    first = events[0][grid]
    away = [(int(e[time]) / 1e3, e[kind]) for e in events if e[grid] == first]
    gaps = [[a[0], b[0]] for a, b in zip(away, away[1:]) if a[1] == "GRID_SUSPEND" and b[1] == "GRID_RESUME"]
    return turns([gaps])


def compare(name, real, model):
    good = all(abs(m / r - 1) <= 0.05 for r, m in zip(real, model))
    print("%s%s: runs %.0f us, real %.0f; stands %.0f us, real %.0f" % ("" if good else "NOT: ", name, model[0], real[0], model[1], real[1]))
    return good


def states():
    """`state` of slices: what was fitted."""
    for row in rows("slices"):
        if row["experiment"] == "state" and row["process"] == "a" and row["of"].startswith("watch"):
            blocks, threads, shared = (int(n) for n in row["of"].split(":")[1:4])
            yield row["of"], turns([w["gaps"] for w in row["watched"]]), [(blocks, threads, shared, row["registers"])] * 2


def processes():
    """`processes`: of each block of `watch` in block_times.cu all warps but the first end at once."""
    by = {}
    for row in rows("processes"):
        if row["kind"] == "share" and row["experiment"] in ("two_fill", "two_half", "three_fill", "two_shared"):
            by.setdefault(row["experiment"], []).append(row)
    for name, of in by.items():
        yield name, turns([w["gaps"] for w in of[0]["watched"]]), [(row["blocks"], 32, row["shared"], 32) for row in of]


good = count = 0
for name, real, kernels in list(states()) + list(processes()):
    good += compare(name, real, emulated(kernels, 40))
    count += 1
print("%d of %d" % (good, count))
sys.exit(count != 28 or good != count)
END
python3 "$scratch/compare.py" "$gfe" "$data" "$scratch" || { echo 'FAILED'; exit 1; }

# Other costs are noticed: those of the tables, which other GPUs have.
if python3 "$scratch/compare.py" "$gfe" "$data" "$scratch" --param nv.gr.context_save_cycles=0 --param nv.gr.save_ps_per_kib=5333 \
    --param nv.gr.load_ps_per_kib=5333 >/dev/null; then
    echo 'FAILED: the costs of a GTX 1060 pass'
    exit 1
fi
