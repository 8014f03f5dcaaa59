#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/hardware/findings.py works out what data/README.md says of waits, splits of shared memory,
# the order of SMs, descriptors and context switches.  The right values come from the GPUs: the data that tests/hardware's programs brought.
set -eu
: "${top_srcdir:=.}"
data=$(cd "$top_srcdir" && pwd)/tests/hardware/data
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
command -v python3 >/dev/null || { echo 'python3 is not installed'; exit 77; }

for gpu in h100 h200; do
    python3 "$data/../findings.py" "$data/$gpu" || { echo "FAILED: $gpu"; exit 1; }
done

# Changed data are noticed: a wait that looks at another interval, a second kernel that starts too
# early, a block on another SM, a descriptor that leads elsewhere, two kernels' slices exchanged.
mkdir "$scratch/changed"
cat >"$scratch/change.py" <<'END'
import gzip, json, sys
for name, change in (
    ("acquire", lambda r: r.update(start_after_release_ns=[int(t + r["waited_ns"] * 0.01) for t in r["start_after_release_ns"]])
        if "waited_ns" in r else None),
    ("sm_order", lambda r: r["blocks_that_start_beside_it"].__setitem__(20, 132) if r.get("experiment") == "carve_out"
        else r["sms"].insert(20, r["sms"].pop(60)) if r.get("experiment") == "order"
        else r["first_sms"].__setitem__(-1, 0) if r.get("experiment") == "partial" else None),
    ("slices", lambda r: r.update(of=r["of"].replace("32:229376:32", "X").replace("1024:229376:64", "32:229376:32").replace(
        "X", "1024:229376:64"))),
    ("copy_times", lambda r: [c["event_ns"].__setitem__(0, c["event_ns"][0] + 90000) for c in r.get("copies", ())]),
    ("capture_descriptors", lambda r: r.update(hex=r["hex"][:116] + "f" + r["hex"][117:]) if r["type"] == "memory" else None),
):
    with gzip.open(f"{sys.argv[1]}/{name}.jsonl.gz", "rt") as old, gzip.open(f"{sys.argv[2]}/{name}.jsonl.gz", "wt", 1) as new:
        for line in old:
            row = json.loads(line)
            change(row)
            new.write(json.dumps(row) + "\n")
END
python3 "$scratch/change.py" "$data/h100" "$scratch/changed"
if python3 "$data/../findings.py" "$scratch/changed" >"$scratch/out"; then
    echo 'FAILED: changed data pass'
    exit 1
fi
for finding in 'looked at every' 'one split explains' 'in the order of turns' 'shared out evenly' 'the place of the next kernel' 'less in each slice' 'events in front of copies'; do
    grep "^NOT: .*$finding" "$scratch/out" >/dev/null || { echo "FAILED: not noticed: $finding"; exit 1; }
done
