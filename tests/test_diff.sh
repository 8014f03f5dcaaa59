#!/bin/sh
# SPDX-License-Identifier: MIT
# gfe diff: what parts two runs of the same scenario, as text and as JSON, and what cannot be compared.

top_builddir=${top_builddir:-.} top_srcdir=${top_srcdir:-.}
gfe=$top_builddir/gfe
scenarios=$top_srcdir/scenarios
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
fail() { echo "FAILED: $*"; failed=1; }
failed=0

run() {
    out=$1
    shift
    "$gfe" run -o "$dir/$out.gfl" "$@" >"$dir/out" 2>&1 || fail "run: $(cat "$dir/out")"
}
# A B STATUS: compares, as text and JSON.
compare() {
    "$gfe" diff "$dir/$1.gfl" "$dir/$2.gfl" >"$dir/text" 2>"$dir/err"
    [ $? = "$3" ] || fail "$1 $2: status $?: $(cat "$dir/err")"
    "$gfe" diff --json "$dir/$1.gfl" "$dir/$2.gfl" >"$dir/json" 2>"$dir/err"
    [ $? = "$3" ] || fail "$1 $2: status with --json"
}
# The JSON makes the expression true; d is all of it, o its operations by name.  Needs python3.
holds() {
    command -v python3 >/dev/null || return 0
    python3 - "$dir/json" "$1" <<'P' || fail "$1: $(cat "$dir/json")"
import json, sys
d = json.load(open(sys.argv[1]))
o = {row["operation"]: row for row in d["operations"]}
assert eval(sys.argv[2])
P
}

ten=$scenarios/bakita2024-ten-streams.json
run zero --seed 0 "$ten"
run again --seed 0 "$ten"
run one --seed 1 "$ten"

# The same: nothing differs, and that is status 0.
compare zero again 0
grep -q '^all decisions are the same$' "$dir/text" || fail "the same: $(cat "$dir/text")"
holds 'd["decision"] is None and d["same"] == 40 and not o and not d["settings"]'

# Another seed: another stream gets the first free channel (B.C2), and eight operations follow.
compare zero one 1
grep -q '^first decision that differs: B.C2$' "$dir/text" || fail "B.C2: $(cat "$dir/text")"
grep -q 'seed: 0 / 1' "$dir/text" || fail "the seed is not named"
holds 'd["decision"]["kind"] == "channel" and d["decision"]["rule"] == "B.C2"'
holds 'd["decision"]["a"] == "stream 8 gets a channel" and d["decision"]["b"] == "stream 9 gets a channel"'
holds 'd["decision"]["a_ps"] == d["decision"]["b_ps"]'
holds 'd["same"] == 32 and sorted(o) == sorted(f"S{s} K{k}" for s in (9, 10) for k in (1, 2, 3, 4))'
holds 'o["S9 K1"]["b_ps"] > o["S9 K1"]["a_ps"] and o["S10 K1"]["b_ps"] < o["S10 K1"]["a_ps"]'
[ "$("$gfe" diff --top 2 "$dir/zero.gfl" "$dir/one.gfl" | grep -c '^  S')" = 2 ] || fail "--top"

# A policy: the second block goes to another SM, and nothing takes another time.
run free --gpu tx2 "$scenarios/amert2017-table3.json"
run lowest --gpu tx2 --policy core.block_to_sm=lowest "$scenarios/amert2017-table3.json"
compare free lowest 1
holds 'd["decision"]["kind"] == "place" and d["decision"]["rule"] == "core.block_to_sm"'
holds 'd["decision"]["a"] == "K1:1 starts on SM 1" and d["decision"]["b"] == "K1:1 starts on SM 0"'
holds '{"name": "core.block_to_sm", "a": "most-free", "b": "lowest"} in d["settings"]'
holds 'not o and d["same"] == 3'

# A parameter: with nine channels the ninth stream does not wait.
run nine --param cuda.channels=9 "$scenarios/bakita2024-fig5.json"
run eight "$scenarios/bakita2024-fig5.json"
compare nine eight 1
holds 'd["decision"]["rule"] == "B.R2" and d["decision"]["a"] == "S9 K1 joins its queue"'
holds '{"name": "cuda.channels", "a": "9", "b": "0"} in d["settings"]'
holds 'o["S9 K1"]["b_ps"] - o["S9 K1"]["a_ps"] > 200 * 10**9'

# Another chip.
run xavier --gpu xavier "$scenarios/amert2017-table3.json"
compare free xavier 1
holds '{"name": "gpu", "a": "tx2", "b": "xavier"} in d["settings"] and len(o) == 3'

# What cannot be compared.
refuse() {
    text=$1
    shift
    "$gfe" diff "$@" >"$dir/out" 2>"$dir/err" && fail "$*: no error"
    [ "$(wc -l <"$dir/err")" = 1 ] || fail "$*: not one line: $(cat "$dir/err")"
    grep -q "$text" "$dir/err" || fail "$*: $(cat "$dir/err")"
}
"$gfe" run -o "$dir/trace.gfl" "$top_srcdir/tests/golden/gtx680.gft" >"$dir/out" || fail "a recording"
refuse 'is no log of a scenario' "$dir/zero.gfl" "$dir/trace.gfl"
refuse 'of different programs' "$dir/zero.gfl" "$dir/free.gfl"
refuse 'No such file' "$dir/zero.gfl" "$dir/none.gfl"
refuse 'needs\|usage\|operand' "$dir/zero.gfl"
head -c 3000 "$dir/zero.gfl" >"$dir/cut.gfl"
refuse 'cut.gfl' "$dir/zero.gfl" "$dir/cut.gfl"
exit $failed
