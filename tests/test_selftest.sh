#!/bin/sh
# SPDX-License-Identifier: MIT
# gfe selftest as a user has it: 300 random worlds, in which everything holds, and files of worlds,
# which gfe run takes. That each invariant notices what breaks it: test_selftest.c. GFE_LONG=1 tries 10,000 worlds.
#
# PROMISE (program): In 300 random worlds of both vendors runs end, waits are named, work is done
# once, slices and lives add up, SMs hold what they can, and batches and snapshots change nothing.

top_builddir=${top_builddir:-.}
top_builddir_path=$(cd "$top_builddir" && pwd)
gfe=$top_builddir_path/gfe
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
fail() { echo "FAILED: $*"; failed=1; }
failed=0

seeds=300
[ ! -e "$top_builddir_path/tests/gfe_wrapped" ] || seeds=60 # sanitizers
[ -z "${GFE_LONG-}" ] || seeds=10000
"$gfe" selftest --seeds $seeds >said 2>err || fail "status $?: $(cat said err)"
grep -q "^$seeds worlds, 0 failed$" said || fail "$(cat said)"
grep -Eq '^on (1[5-9]|2[0-9]) GPUs: [1-9][0-9]* of CUDA, [1-9][0-9]* of HIP, [1-9][0-9]* of registers' said ||
    fail "not of all kinds: $(cat said)"

# A world of each kind, as a file: the same each time, tried again, and run by its own command line.
tried=
for seed in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    "$gfe" selftest --first $seed --write world || fail "seed $seed is not written"
    if grep -q '^gfe-bus' world; then kind=bus; else kind=$(sed -n 's/^    "kind": "\(.*\)".*/\1/p' world); fi
    case $tried in *$kind*) continue ;; esac
    # An event by a number beyond the run's end is lost in no world, and gfe run refuses the number.
    ! grep -q -- --lose-event world || continue
    tried="$tried $kind"
    file=$seed.json
    [ $kind != bus ] || file=$seed.bus
    "$gfe" selftest --first $seed --write "$file"
    "$gfe" selftest "$file" >said 2>&1 || fail "$file: $(cat said)"
    case $kind in
    bus) line=$(sed -n '1s/^# //p' "$file") ;;
    *) line=$(sed -n 's/^  "comment": "\(.*\)",$/\1/p' "$file") ;;
    esac
    (
        gfe() { "$gfe" "$@"; }
        eval "$line"
    ) >said 2>&1
    status=$?
    [ $status = 0 ] || [ $status = 3 ] || fail "$file: '$line' gives $status: $(cat said)"
done
[ "$(echo "$tried" | wc -w)" = 3 ] || fail "only worlds of $tried"

# The table.
"$gfe" selftest --seeds 5 --table >said 2>&1 || fail "$(cat said)"
grep -q '^| GPU | CUDA | HIP | registers |' said || fail "no table: $(cat said)"
[ "$(grep -c '^| `' said)" = 11 ] || fail "not a row for each invariant: $(cat said)"

# Worlds that failed once: a load that began in an earlier turn counted as time of the next one, the
# doorbells of a GV100 named no channel, and gfe check held that a kernel whose clusters find no place
# holds up the others.
cat >turn.bus <<'END'
# gfe import bus -o world.gft 943540.bus && gfe run --gpu gtx1050 --param 'core.block_base_cycles=45500' world.gft
# world {"kind":"bus","gpu":"gtx1050","parameters":["core.block_base_cycles=45500"],"program":{"tsgs":[{"timeout":1},{"timeout":1}],"channels":[{},{},{"tsg":1}],"steps":[{"kick":2,"items":[{"release":true}]},{"after":222,"kick":1,"items":[{"launch":{"grid":1,"threads":1,"shared_bytes":2305}}]},{"after":11170},{"after":5421},{"kick":2,"items":[{"draw":true}]},{"after":15010},{"after":3261,"list":2}]}}
gfe-bus 1
END
cat >behind.json <<'END'
{"comment_world": {"kind": "cuda", "gpu": "h200"}, "gfe_scenario": 1, "processes": [{"streams": [{"name": "s2"}, {"name": "s3"}], "tasks": [{"calls": [{"launch": {"blocks": 1, "threads": 1}}]}, {"calls": [{"launch": {"blocks": 8, "threads": 1, "cluster": 8, "sm_mask": "~6668"}}], "stream": "s3"}]}]}
END
cat >above.json <<'END'
{"comment_world": {"kind": "cuda", "gpu": "h100"}, "gfe_scenario": 1, "processes": [{"streams": [{"name": "s0", "priority": 1}, {"name": "s1"}], "tasks": [{"calls": [{"launch": {"blocks": 6, "threads": 1, "cluster": 6, "sm_mask": "~a615"}}]}, {"calls": [{"launch": {"blocks": 1, "threads": 1}}], "stream": "s1"}]}]}
END
cat >doorbell.bus <<'END'
# gfe import bus -o world.gft 954502.bus && gfe run --gpu v100 --poke '261902ns disable_channel 1' world.gft
# world {"kind":"bus","gpu":"v100","program":{"tsgs":[{"runlist":1,"timeout":1}],"channels":[{}],"steps":[{"kick":0,"items":[{"copy":1}]}]},"pokes":["261902ns disable_channel 1"]}
gfe-bus 1
END
"$gfe" selftest turn.bus doorbell.bus behind.json above.json >said 2>&1 || fail "worlds that were mended: $(cat said)"
grep -q '^4 worlds, 0 failed' said || fail "not four worlds: $(cat said)"

# What is no world.
echo '{"gfe_scenario": 1}' >none.json
"$gfe" selftest none.json >said 2>err
[ $? = 1 ] && grep -q 'none.json: holds no world' err || fail "a file without a world: $(cat said err)"
"$gfe" selftest missing.json >said 2>err
[ $? = 1 ] && grep -q 'missing.json: No such file' err || fail "a missing file: $(cat said err)"
"$gfe" selftest --seeds 0 >said 2>err
[ $? = 2 ] || fail "no seeds: $(cat said err)"
exit $failed
