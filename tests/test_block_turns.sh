#!/bin/sh
# SPDX-License-Identifier: MIT
# The SMs on which --gpu h100 starts the blocks of a kernel are those on which an H100 and an H200
# started them: tests/hardware/data, sm_order.jsonl.gz, experiment `order`, 34 kernels of 32 to
# 1,024 threads with 0 to 220 KiB of shared memory, one after another, on each.  The first one, the
# first of its process, has a ninth turn of the singletons two turns early, which is not modelled.
#
# PROMISE (program): The blocks of 33 kernels that a real H100 and H200 ran one after another start on the same SMs.
set -eu
: "${top_srcdir:=.}"
gfe=${top_builddir:-.}/gfe
data=$(cd "$top_srcdir" && pwd)/tests/hardware/data
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
command -v python3 >/dev/null || { echo 'python3 is not installed'; exit 77; }

cat >"$scratch/compare.py" <<'END'
import csv, gzip, json, subprocess, sys

gfe, data, scratch = sys.argv[1:4]
options = sys.argv[4:]
with gzip.open(data, "rt") as file:
    kernels = [row for row in map(json.loads, file) if row.get("experiment") == "order"]

# The program runs them one after another, behind a kernel of one block (warm-up).
calls = [{"launch": {"name": "warm", "blocks": 1, "threads": 32, "spin": 0.000001}, "stream": "s"}, {"synchronize": "device"}]
for kernel in kernels:
    launch = {"name": "k", "blocks": len(kernel["sms"]), "threads": kernel["threads"], "registers": 16, "spin": 0.002}
    if kernel["shared"]:
        launch.update(shared_memory=kernel["shared"], max_dynamic_shared_memory=kernel["shared"])
    calls += [{"launch": launch, "stream": "s"}, {"synchronize": "device"}]
with open(scratch + "/k.json", "w") as file:
    json.dump({"gfe_scenario": 1, "processes": [{"streams": [{"name": "s"}], "tasks": [{"name": "t", "calls": calls}]}]}, file)
subprocess.run([gfe, "run", *options, "--gpu", "h100", "-o", scratch + "/k.gfl", scratch + "/k.json"], check=True,
               stdout=subprocess.DEVNULL)
with open(scratch + "/k.csv", "w+") as table:
    subprocess.run([gfe, "show", "--as", "events-csv", scratch + "/k.gfl"], check=True, stdout=table)
    table.seek(0)
    names, *events = csv.reader(table)
kind, grid, block, sm = (names.index(name) for name in ("kind", "grid_id", "block_index", "sm_index"))
grids = {}
for event in events:
    if event[kind] == "BLOCK_START":
        grids.setdefault(int(event[grid]), {})[int(event[block])] = int(event[sm])
grids = [grids[number] for number in sorted(grids)][1:]
assert len(grids) == len(kernels)


shares = [sum(sm == starts[i] for i, sm in enumerate(kernel["sms"])) / len(kernel["sms"]) for kernel, starts in zip(kernels, grids)]
print("%d kernels: %.1f %% of the blocks of the first and at least %.1f %% of each other one on the SM of the real GPU"
      % (len(kernels), 100 * shares[0], 100 * min(shares[1:])))
sys.exit(shares[0] < 0.95 or min(shares[1:]) < 1)
END
for gpu in h100 h200; do
    python3 "$scratch/compare.py" "$gfe" "$data/$gpu/sm_order.jsonl.gz" "$scratch" || { echo "FAILED: $gpu"; exit 1; }
done

# Another order is noticed.
if python3 "$scratch/compare.py" "$gfe" "$data/h100/sm_order.jsonl.gz" "$scratch" --policy core.block_to_sm=most-free; then
    echo 'FAILED: the lowest numbers first pass'
    exit 1
fi
