#!/bin/sh
# SPDX-License-Identifier: MIT
# docs/scoreboard.md is what gfe compare says today (tests/scoreboard.py).
#
# PROMISE (program): The scoreboard says what gfe compare says of each file of measurements.
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
