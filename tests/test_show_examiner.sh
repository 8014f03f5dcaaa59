#!/bin/sh
# SPDX-License-Identifier: MIT
# Result files of emulated runs: gfe check accepts them, plotting scripts find in them what they look
# for, warm-up is not in them, and no name leaves the folder.
#
# PROMISE (views): `gfe check` accepts the result files that gfe writes.
set -u

# shellcheck disable=SC2154 # set by make
gfe=$(cd "$top_builddir" && pwd)/gfe
# shellcheck disable=SC2154
scenarios=$(cd "$top_srcdir" && pwd)/scenarios
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0

fail()
{
    echo "FAILED: $1"
    failures=$((failures + 1))
}

# --- the experiments of a paper -------------------------------------------------------------------
for table in 1 2 3 4 5; do
    config=$scenarios/amert2017-table$table.json
    "$gfe" run --gpu tx2 --cost mandelbrot=5ms -o log.gfl "$config" >summary || fail "run $table"
    "$gfe" show --as examiner -o "results$table" log.gfl 2>err || fail "table $table: $(cat err)"
    [ -s err ] && fail "table $table: something is left out: $(cat err)"
    for options in '' "--config $config"; do
        # shellcheck disable=SC2086 # none or two words
        "$gfe" check --gpu tx2 $options results$table/*.json >out 2>&1 ||
            fail "check of table $table $options: $(cat out)"
    done
    grep -q 'obeys the rules' out || fail "table $table: $(cat out)"
done
[ "$(cat results1/*.json | grep -c '"kernel_name": "K[1-6]"')" -eq 6 ] || fail 'six kernels'

# --- what view_blocksbysm.py of the tool reads, on each kernel -------------------------------------
if command -v python3 >/dev/null 2>&1; then
    cat >reader.py <<'EOF'
import json, sys
for path in sys.argv[1:]:
    result = json.load(open(path))
    assert isinstance(result["scenario_name"], str)
    assert isinstance(result["release_time"], float)
    assert result["max_resident_threads"] == 4096
    assert result["times"][0] == {}
    kernels = [time for time in result["times"][1:] if "cpu_times" not in time]
    assert kernels
    for kernel in kernels:
        assert len(kernel["cuda_launch_times"]) == 3
        assert len(kernel["block_times"]) == 2 * kernel["block_count"]
        assert len(kernel["block_smids"]) == kernel["block_count"]
        assert kernel["kernel_name"] and kernel["thread_count"] > 0
        assert kernel["shared_memory"] >= 0
        assert all(0 <= sm < 2 for sm in kernel["block_smids"])
        for start, end in zip(kernel["block_times"][::2], kernel["block_times"][1::2]):
            assert kernel["cuda_launch_times"][0] < start < end
EOF
    python3 reader.py results[1-5]/*.json || fail 'what a plotting script reads'
fi

# --- warm-up, several iterations, names ------------------------------------------------------------
cat >warm.json <<'EOF'
{"name": "warm", "max_iterations": 3, "max_time": 0, "cuda_device": 0, "do_warmup": true,
 "benchmarks": [
  {"filename": "./bin/timer_spin.so", "log_name": "../../out.json", "thread_count": 32,
   "block_count": 2, "data_size": 0, "additional_info": 1000000},
  {"filename": "./bin/timer_spin.so", "thread_count": 32, "block_count": 2, "data_size": 0,
   "additional_info": 1000000}]}
EOF
"$gfe" run --gpu tx2 -o warm.gfl warm.json >summary || fail 'a run with warm-up'
mkdir -p in/in
"$gfe" show --as examiner -o in/in/results warm.gfl 2>err || fail "warm: $(cat err)"
[ "$(find . -name '*out.json')" = ./in/in/results/_.-.._out.json ] ||
    [ "$(find . -name '*out.json' | wc -l)" -eq 1 ] || fail 'a name that leaves the folder'
[ "$(find in -type f | grep -vc in/in/results/)" -eq 0 ] || fail 'a file beside the folder'
for file in in/in/results/*.json; do
    [ "$(grep -c cpu_times "$file")" -eq 3 ] || fail "three iterations in $file"
done
"$gfe" check --gpu tx2 in/in/results/*.json >out 2>&1 || fail "check of warm: $(cat out)"

# --- what is wrong --------------------------------------------------------------------------------
"$gfe" show --as examiner warm.gfl >/dev/null 2>err
[ $? -eq 2 ] || fail 'without a folder'
"$gfe" show --as examiner -o results --from 1ms warm.gfl 2>err
[ $? -eq 2 ] || fail 'a window means nothing'
touch file
"$gfe" show --as examiner -o file/results warm.gfl 2>err
[ $? -eq 1 ] || fail "a folder in a file: $(cat err)"
[ "$failures" -eq 0 ]
