#!/bin/sh
# SPDX-License-Identifier: MIT
# The SMs on which --gpu h100 starts the blocks of a kernel are those on which an H100 and an H200
# started them: tests/hardware/data, sm_order.jsonl.gz, experiment `order`, 31 kernels of 32 to
# 1,024 threads with 0 to 220 KiB of shared memory on each.
#
# PROMISE (program): The blocks of 31 kernels that a real H100 and H200 ran alone start on the same SMs.
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
    rows = [row for row in map(json.loads, file) if row.get("experiment") == "order"][1:]  # the first one is slow
kernels = {(row["threads"], row["shared"]): row["sms"] for row in rows}


def emulated(threads, shared, blocks):
    """The SMs of the blocks of one kernel, by their numbers."""
    launch = {"name": "k", "blocks": blocks, "threads": threads, "registers": 16, "spin": 0.002}
    if shared:
        launch.update(shared_memory=shared, max_dynamic_shared_memory=shared)
    with open(scratch + "/k.json", "w") as file:
        json.dump({"gfe_scenario": 1, "processes": [{"streams": [{"name": "s"}], "tasks": [{"name": "t", "calls": [{"launch": launch, "stream": "s"}]}]}]}, file)
    subprocess.run([gfe, "run", *options, "--gpu", "h100", "-o", scratch + "/k.gfl", scratch + "/k.json"], check=True,
                   stdout=subprocess.DEVNULL)
    with open(scratch + "/k.csv", "w+") as table:
        subprocess.run([gfe, "show", "--as", "events-csv", scratch + "/k.gfl"], check=True, stdout=table)
        table.seek(0)
        names, *events = csv.reader(table)
    kind, block, sm = (names.index(name) for name in ("kind", "block_index", "sm_index"))
    starts = {int(event[block]): int(event[sm]) for event in events if event[kind] == "BLOCK_START"}
    return [starts[i] for i in range(len(starts))]


def like(real, model):
    """Blocks on the same SM.  124 to 127 and 128 to 131 come first by turns, from kernel to kernel."""
    other = [sm + (4 if sm < 128 else -4) if sm >= 124 else sm for sm in model]
    return max(sum(a == b for a, b in zip(real, with_)) for with_ in (model, other))


share = 1.0
for (threads, shared), real in sorted(kernels.items()):
    model = emulated(threads, shared, len(real))
    assert len(model) == len(real), (threads, shared, len(model))
    share = min(share, like(real, model) / len(real))
print("%d kernels: at least %.1f %% of the blocks of each on the SM of the real GPU" % (len(kernels), 100 * share))
sys.exit(share < 1)
END
for gpu in h100 h200; do
    python3 "$scratch/compare.py" "$gfe" "$data/$gpu/sm_order.jsonl.gz" "$scratch" || { echo "FAILED: $gpu"; exit 1; }
done

# Another order is noticed.
if python3 "$scratch/compare.py" "$gfe" "$data/h100/sm_order.jsonl.gz" "$scratch" --policy core.block_to_sm=most-free; then
    echo 'FAILED: the lowest numbers first pass'
    exit 1
fi
