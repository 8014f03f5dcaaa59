#!/bin/sh
# SPDX-License-Identifier: MIT
# docs/scoreboard.md is what gfe compare says today (tests/scoreboard.py), and what gfe makes of the
# figures that others have published (tests/published.py).
#
# PROMISE (program): The scoreboard says what gfe compare says of each file of measurements, and what
# gfe makes of each figure in tests/hardware/data/*/figures.jsonl, or why it makes none.
set -eu
: "${top_srcdir:=.}"
gfe=$(cd "${top_builddir:-.}" && pwd)/gfe
command -v python3 >/dev/null || { echo 'python3 is not installed'; exit 77; }
cd "$top_srcdir"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

python3 tests/scoreboard.py "$gfe" >"$scratch/page"
if [ -n "${GFE_UPDATE_GOLDEN:-}" ]; then
    cp "$scratch/page" docs/scoreboard.md
fi
diff docs/scoreboard.md "$scratch/page" || {
    echo 'FAILED: docs/scoreboard.md is stale; GFE_UPDATE_GOLDEN=1 writes it anew'
    exit 1
}
[ "$(grep -c '^| `' docs/scoreboard.md)" -ge 8 ] || { echo 'FAILED: files are missing'; exit 1; }
for gpu in tx2 gtx1060-3gb gtx1080ti rtx6000ada a100 v100 orin xavier radeon-vii mi300x; do
    grep -qF "## \`$gpu\`" docs/scoreboard.md || { echo "FAILED: $gpu is missing"; exit 1; }
done
# A line says what is measured and where that stands, and how gfe makes it or why it does not; a number is missing
# only there.
python3 - tests/hardware/data/*/figures.jsonl <<'END'
import json
import sys

for name in sys.argv[1:]:
    for number, line in enumerate(open(name, encoding="utf-8"), 1):
        row = json.loads(line)
        good = all(row.get(key) for key in ("family", "figure", "unit", "source")) and row["is"] in ("fitted", "predicted") and \
            ("why" in row) != ("run" in row) and ("take" in row) == ("run" in row) and ("why" in row or row["value"] is not None)
        if not good:
            sys.exit("FAILED: %s:%d" % (name, number))
END
# Another number is noticed, and so is another run.
mkdir -p "$scratch/tests/hardware/data/tx2"
cp tests/published.py "$scratch/tests"
for change in 's/"value": 1049/"value": 1349/' 's/"--gpu", "tx2"/"--gpu", "gtx1060"/'; do
    grep -F 'a copy runs beside a kernel' tests/hardware/data/tx2/figures.jsonl | sed "$change" >"$scratch/tests/hardware/data/tx2/figures.jsonl"
    if python3 "$scratch/tests/published.py" "$gfe" tx2 2>/dev/null | grep -qE ' [0-9]\.[0-9] % off'; then
        echo "FAILED: $change changes nothing"
        exit 1
    fi
done
