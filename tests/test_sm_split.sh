#!/bin/sh
# SPDX-License-Identifier: MIT
# Kernels start beside others, or wait for their ends, as on a real H100: tests/hardware/data/h100,
# `carve_out` of sm_order.jsonl.gz (170 first kernels with a block on each SM, of 256 or 1,024
# threads, 17 sizes of shared memory and 5 preferred carve-outs, each with 35 second kernels), and
# `leftover_shared` of blocks.jsonl.gz (three kernels of three streams).
# All 5,950 pairs with GFE_LONG=1 (make check-long), of every seventh first kernel without.
# The kernel `spin` has 8 bytes of shared memory beside what it asks for (tests/hardware/spin.cuh).
#
# PROMISE (program): Kernels start beside others on an SM, or wait for its split of L1 and shared memory, as 5,950 pairs of kernels did on a real H100.
set -eu
: "${top_srcdir:=.}"
gfe=${top_builddir:-.}/gfe
data=$(cd "$top_srcdir" && pwd)/tests/hardware/data/h100
scratch=$(mktemp -d)
pairs=some
[ "${GFE_LONG:-0}" = 0 ] || pairs=all
trap 'rm -rf "$scratch"' EXIT
command -v python3 >/dev/null || { echo 'python3 is not installed'; exit 77; }

cat >"$scratch/compare.py" <<'END'
import gzip, json, subprocess, sys

gfe, data, scratch, what = sys.argv[1:5]
options = sys.argv[5:]


def rows(name, experiment):
    with gzip.open("%s/%s.jsonl.gz" % (data, name), "rt") as file:
        return [row for row in map(json.loads, file) if row.get("experiment") == experiment]


def kernel(name, stream, blocks, threads, shared, seconds, percent=-1):
    launch = {"name": name, "blocks": blocks, "threads": threads, "registers": 16, "shared_memory": shared + 8,
              "max_dynamic_shared_memory": 226 << 10, "spin": seconds}
    if percent >= 0:
        launch["shared_memory_carveout_percent"] = percent
    return {"launch": launch, "stream": stream}


def with_log(calls):
    """Runs one task, whose calls these are."""
    with open(scratch + "/k.json", "w") as file:
        json.dump({"gfe_scenario": 1, "processes": [{"streams": [{"name": s} for s in "abc"], "tasks": [
            {"name": "t", "calls": calls}]}]}, file)
    subprocess.run([gfe, "run", *options, "--gpu", "h100", "-o", scratch + "/k.gfl", scratch + "/k.json"], check=True,
                   stdout=subprocess.DEVNULL)


def times(calls):
    """Runs one task; returns how long each kernel takes from its call to its end, by name, in us."""
    with_log(calls)
    story = subprocess.run([gfe, "explain", scratch + "/k.gfl"], check=True, capture_output=True, text=True).stdout
    units = {"us": 1, "ms": 1000}
    return {line[0]: float(line[1]) * units[line[2]] for line in map(str.split, story.splitlines()) if line[2:3] and line[2] in units}


def series(row):
    """How many of the second kernels start beside the first one or not as they really did."""
    calls, second = [], row["second_shared_kib"]
    for i, kib in enumerate(second):
        calls += [kernel("first", "a", 132, row["first_threads"], row["first_shared"], 0.0005, row["first_preferred_percent"]),
                  {"sleep": 0.00005}, kernel("%d" % i, "b", 132, 256, kib << 10, 0.00005), {"synchronize": "device"}]
    took = times(calls)  # 50 us alone
    return sum((took["%d" % i] < 200) == (n == 132) for i, n in enumerate(row["blocks_that_start_beside_it"]))


def leftover():
    row, = rows("blocks", "leftover_shared")
    of = row["kernels"]
    starts = [[block[0] for block in kernel["blocks"]] for kernel in of]
    ends = [[block[1] for block in kernel["blocks"]] for kernel in of]
    assert min(starts[1]) > max(ends[0]) > 0 and min(starts[2]) > max(starts[1])  # so it was
    calls, before = [], 0
    for i, k in enumerate(of):  # as far apart as they were called
        calls += [{"sleep": (k["host_ns"] - before) / 1e9},
                  kernel(k["name"], "abc"[i], len(k["blocks"]), k["threads"], k["shared"], k["spin_ns"] / 1e9)]
        before = k["host_ns"]
    with_log(calls)
    text = subprocess.run([gfe, "run", "--json", *options, "--gpu", "h100", scratch + "/k.json"], check=True, capture_output=True, text=True)
    waited = [launch["queued_ps"] / 1e6 for launch in json.loads(text.stdout)["launches"]]
    # They are submitted within 30 us: what waits for the first one's end, at 1,000 us, waits for more than 900.
    print("leftover_shared: the second and the third wait for %.0f and %.0f us" % tuple(waited[1:]))
    return waited[1] > 900 and waited[2] > 900


if what == "leftover":
    sys.exit(not leftover())
all_rows = rows("sm_order", "carve_out")
assert len(all_rows) == 170 and all(len(row["second_shared_kib"]) == 35 for row in all_rows)
some = all_rows if what == "all" else all_rows[::7]
good = sum(map(series, some))
print("%d of %d second kernels start beside the first one, or do not, as they did" % (good, 35 * len(some)))
sys.exit(good != 35 * len(some))
END
python3 "$scratch/compare.py" "$gfe" "$data" "$scratch" leftover || { echo 'FAILED: the order of kernels'; exit 1; }
python3 "$scratch/compare.py" "$gfe" "$data" "$scratch" "$pairs" || { echo 'FAILED: pairs of kernels'; exit 1; }

# Without the rule the shared memory of an SM is one pool, and both notice that.
if python3 "$scratch/compare.py" "$gfe" "$data" "$scratch" leftover --policy nv.sm_split=free; then
    echo 'FAILED: no rule of splits passes'
    exit 1
fi
