#!/bin/sh
# SPDX-License-Identifier: MIT
# Copies to an H100 or H200 take as long as they were measured to take, within a tenth:
# tests/hardware/data, copy_times.jsonl.gz, experiment `sizes` (one copy at a time, by CUDA's
# events), from 2 to 64 MiB.  Larger ones, and those to the host, varied by a factor of two and more
# there.  The rates of the links were read from the copies of 4 and 64 MiB.
#
# PROMISE (program): Copies to an H100 and an H200 take as long as real ones did, within a tenth.
set -eu
: "${top_srcdir:=.}"
gfe=${top_builddir:-.}/gfe
data=$(cd "$top_srcdir" && pwd)/tests/hardware/data
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
command -v python3 >/dev/null || { echo 'python3 is not installed'; exit 77; }

cat >"$scratch/compare.py" <<'END'
import gzip, json, statistics, subprocess, sys

gfe, data, scratch, gpu = sys.argv[1:5]
wrong = 0
with gzip.open("%s/%s/copy_times.jsonl.gz" % (data, gpu), "rt") as file:
    rows = [row for row in map(json.loads, file) if row.get("experiment") == "sizes"]
for row in rows:
    if row["way"] != "to_device" or not 2 << 20 <= row["bytes"] <= 64 << 20:
        continue
    copy = {"bytes": row["bytes"], "direction": row["way"].replace("_", " ")}
    with open(scratch + "/c.json", "w") as file:
        json.dump({"gfe_scenario": 1, "processes": [{"streams": [{"name": "s"}], "tasks": [
            {"name": "t", "calls": [{"copy": copy, "stream": "s"}]}]}]}, file)
    run = subprocess.run([gfe, "run", "--json", "--gpu", gpu, scratch + "/c.json"], check=True, capture_output=True, text=True)
    model = json.loads(run.stdout)["tasks"][0]["end_ps"] / 1e6
    real = statistics.median(row["event_ns"]) / 1000
    good = abs(model / real - 1) <= 0.1
    wrong += not good
    print("%s%s, %d KiB %s: %.1f us, real %.1f us" % ("" if good else "NOT: ", gpu, row["bytes"] >> 10, row["way"], model, real))
sys.exit(wrong > 0)
END
for gpu in h100 h200; do
    python3 "$scratch/compare.py" "$gfe" "$data" "$scratch" "$gpu" || { echo "FAILED: $gpu"; exit 1; }
done
