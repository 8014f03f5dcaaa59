#!/bin/sh
# SPDX-License-Identifier: MIT
# gfe run with configurations and scenarios: the log, response times, --explore and its seeds, and
# what is refused, as a user sees them.  What needs python3 is left out where that is not there.

top_builddir=${top_builddir:-.} top_srcdir=${top_srcdir:-.}
gfe=$top_builddir/gfe
scenarios=$top_srcdir/scenarios
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
fail() { echo "FAILED: $*"; failed=1; }
failed=0

# Every scenario runs, and its log obeys the rules.
for file in "$scenarios"/*.json; do
    name=$(basename "$file" .json)
    case $name in
    amert*) gpu=tx2 ;;
    bakita2024-edf*) gpu=xavier ;;
    bakita2024-fig6 | bakita2024-note14) gpu=gtx1060-3gb ;;
    bakita2024-shared-pce | graphics_uploads) gpu=rtx6000ada ;;
    otterness2022*) gpu=radeon-vii ;;
    yang2017-counterexample) gpu=yang17 ;;
    yang2017-counterexample-*) gpu=yang17-${name##*-} ;;
    *) gpu=gtx1060 ;;
    esac
    "$gfe" run --gpu $gpu -o "$dir/$name.gfl" "$file" >"$dir/$name.out" 2>&1 ||
        fail "$name: $(cat "$dir/$name.out")"
    "$gfe" check "$dir/$name.gfl" >"$dir/check" || fail "$name: $(cat "$dir/check")"
    grep -q 'response times' "$dir/$name.out" || fail "$name: no response times"
done
grep -q 'tau3 *20 .*first 1.001 s, last 1.02 s' "$dir/yang2017-counterexample.out" ||
    fail "the poster's response times"
grep -q 'utilisation 7.008000 of m = 10 threads; m - b_max + 1 = 7: .*Y.U' \
    "$dir/yang2017-counterexample.out" || fail "the poster's utilisation"

# The counterexamples of Bakita and Anderson 2024, s. VI.  SCENARIO GPU OPERATION [OPTION...]: the
# response time of an operation of the scenario, and with its first process alone.
responses() {
    scenario=$1 gpu=$2 operation=$3
    shift 3
    python3 - "$scenarios/$scenario.json" "$dir/alone.json" <<'P'
import json, sys
scenario = json.load(open(sys.argv[1]))
scenario["processes"] = scenario["processes"][:1]
json.dump(scenario, open(sys.argv[2], "w"))
P
    "$gfe" run --explore 1 --json --gpu "$gpu" "$@" "$scenarios/$scenario.json" >"$dir/both.out"
    "$gfe" run --explore 1 --json --gpu "$gpu" "$dir/alone.json" >"$dir/alone.out"
    python3 - "$dir/both.out" "$dir/alone.out" "$operation" <<'P'
import json, sys
both, alone = ({o["name"]: o for o in json.load(open(f))["operations"]} for f in sys.argv[1:3])
print(100 * both[sys.argv[3]]["worst_ps"] // alone[sys.argv[3]]["worst_ps"])
P
}
if command -v python3 >/dev/null; then
# EDF by runlist edits: the other process's compute channels are off, its copies go on.
percent=$(responses bakita2024-edf-copies xavier urgent/copy --poke '1us disable_channel 16' \
    --poke '1us disable_channel 17' --poke '1us disable_channel 18' --poke '1us disable_channel 19')
[ "$percent" -ge 180 ] || fail "edf: $percent %"
grep -A2 '"other kernel"' "$dir/both.out" | grep -q '"count": 0' || fail "edf: the other one's kernel ran"
# A lock for each copy engine: uploads of textures share a physical one on Ada, not on Pascal.
percent=$(responses bakita2024-shared-pce rtx6000ada copier/copy)
{ [ "$percent" -ge 190 ] && [ "$percent" -le 210 ]; } || fail "shared PCE: $percent %"
percent=$(responses bakita2024-shared-pce gtx1080ti copier/copy)
[ "$percent" -le 101 ] || fail "PCEs of their own: $percent %"
fi

# What a paper saw on a TX2 (Amert et al. 2017) is carried over to an H100, wherever its basis is printed.
for gpu in tx2 h100; do
    says='PUBLISHED, seen on GP10B (Jetson TX2)' carried=false row='Seen on: GP10B (Jetson TX2)'
    [ $gpu = tx2 ] ||
        { says='PUBLISHED, carried over from GP10B (Jetson TX2)' carried=true row='Carried over from: GP10B (Jetson TX2)'; }
    "$gfe" run --gpu $gpu --json -o "$dir/seen.gfl" "$scenarios/exec_logger.json" >"$dir/seen.json"
    tr -d '\n' <"$dir/seen.json" |
        grep -q "\"rule\": \"T.P1\"[^}]*\"seen_on\": \"GP10B (Jetson TX2)\", *\"carried_over\": $carried" ||
        fail "$gpu: gfe run --json"
    "$gfe" show "$dir/seen.gfl" | tr -s ' \n' ' ' | grep -qF "($says, enforced by hardware" || fail "$gpu: gfe show"
    "$gfe" rules --gpu $gpu T.P1 | grep -qF "$row" || fail "$gpu: gfe rules"
    "$gfe" rules --gpu $gpu --json T.P1 | grep -q "\"carried_over\": $carried" || fail "$gpu: gfe rules --json"
done
"$gfe" rules --gpu no-gpu >"$dir/out" 2>&1 && fail 'gfe rules took a GPU that is not there'

# A process that begins later, as a client of MPS, has no context of its own to make.
"$gfe" run --mps "$scenarios/bakita2024-fig6.json" 2>"$dir/err" && fail 'a client of MPS made a context'
grep -q 'a client of MPS makes no context' "$dir/err" || fail "MPS: $(cat "$dir/err")"

# The same run twice is the same log.
"$gfe" run --gpu tx2 -o "$dir/again.gfl" "$scenarios/amert2017-table1.json" >"$dir/out" || fail again
cmp -s "$dir/again.gfl" "$dir/amert2017-table1.gfl" || fail "the same run, another log"

# Stories: of all, of one, as JSON and from a pipe; those of the GPU are still there; a name that is
# not there gets one line with all that are.
"$gfe" explain "$dir/again.gfl" | grep -q '^  K5 .* T.X1 + .* T.R3' || fail 'explain: the list'
"$gfe" explain "$dir/again.gfl" K5:0 | tail -1 >"$dir/total"
grep -q '^[0-9]* ps service + [0-9]* ps T.X1 + [0-9]* ps T.R3 + [0-9]* ps T.G4 = [0-9]* ps$' "$dir/total" ||
    fail "explain K5:0: $(cat "$dir/total")"
[ "$(($(sed 's/ ps[^+=]*//g; s/=.*//' "$dir/total")))" = "$(sed 's/.*= //; s/ ps//' "$dir/total")" ] ||
    fail "explain K5:0 does not add up: $(cat "$dir/total")"
"$gfe" explain --json - S1/copy#2 <"$dir/again.gfl" | grep -q '"name": "S1/copy#2"' || fail 'explain --json'
"$gfe" explain "$dir/again.gfl" launch:5 | grep -q '^launch:5: ' || fail 'explain launch:5'
status=0
"$gfe" explain "$dir/again.gfl" K5:9 >"$dir/out" 2>"$dir/said" || status=$?
[ $status = 1 ] && [ ! -s "$dir/out" ] && [ "$(wc -l <"$dir/said")" = 1 ] &&
    grep -q "no 'K5:9' in it, but K1, K2, S1/copy#1 to #3," "$dir/said" || fail "K5:9: $(cat "$dir/said")"

# A run that goes on from a snapshot writes the same log.
table1=$scenarios/amert2017-table1.json
for at in 200 1.1s 3s; do
    "$gfe" run --gpu tx2 --snapshot "$dir/s.gfs" --snapshot-at $at "$table1" >"$dir/out" &&
        "$gfe" run --gpu tx2 --restore "$dir/s.gfs" -o "$dir/on.gfl" "$table1" >"$dir/out" ||
        fail "a snapshot at $at"
    cmp -s "$dir/on.gfl" "$dir/amert2017-table1.gfl" || fail "a snapshot at $at: another log"
done
"$gfe" run --gpu tx2 --restore "$dir/s.gfs" "$scenarios/amert2017-table3.json" 2>"$dir/err" &&
    fail "another scenario's snapshot was taken"

# Two files are two processes.
"$gfe" run --gpu tx2 -o "$dir/two.gfl" "$scenarios/amert2017-table3.json" \
    "$scenarios/amert2017-table5.json" >"$dir/out" 2>&1 || fail "two files: $(cat "$dir/out")"
"$gfe" show --as events "$dir/two.gfl" >"$dir/events"
[ "$(grep -c 'CUDA_STREAM .*process_id=1' "$dir/events")" -ge 9 ] || fail "two processes"
"$gfe" check "$dir/two.gfl" >"$dir/check" || fail "two files: $(cat "$dir/check")"

# Ten streams on eight channels: some seeds give the ninth a channel first, some the tenth, and the
# seed that is named for the worst makes it.
ten=$scenarios/bakita2024-ten-streams.json
"$gfe" run --explore 40 --json "$ten" >"$dir/explore.json" || fail explore
"$gfe" run --explore 40 "$ten" >"$dir/explore" || fail "explore as text"
if command -v python3 >/dev/null; then
python3 - "$dir/explore.json" >"$dir/seeds" <<'P' || fail "explore: $(cat "$dir/seeds")"
import json, sys
run = json.load(open(sys.argv[1]))
operations = {o["name"]: o for o in run["operations"]}
ninth, tenth = operations["S9 K1"], operations["S10 K1"]
assert run["runs"] == 40 and ninth["count"] == 40
assert ninth["best_ps"] < ninth["median_worst_ps"] or ninth["median_worst_ps"] < ninth["worst_ps"]
assert ninth["best_seed"] != ninth["worst_seed"]
print(ninth["worst_seed"], ninth["worst_ps"], ninth["best_seed"], ninth["best_ps"], tenth["worst_seed"])
P
read -r worst_seed worst_ps best_seed best_ps tenth_seed <"$dir/seeds"
for pair in "$worst_seed $worst_ps" "$best_seed $best_ps"; do
    "$gfe" run --explore 1 --seed "${pair% *}" --json "$ten" >"$dir/one.json" || fail "one seed"
    grep -A3 '"S9 K1"' "$dir/one.json" | grep -q "\"best_ps\": ${pair#* }" ||
        fail "seed ${pair% *} does not make ${pair#* } ps"
done
[ "$tenth_seed" != "$worst_seed" ] || fail "the same seed is the worst for both"
fi
# First come, first served: no seed gives the tenth a channel before the ninth.
"$gfe" run --explore 20 --policy cuda.channel_next=fifo --json "$ten" >"$dir/fifo.json"
command -v python3 >/dev/null && { python3 - "$dir/fifo.json" <<'P' || fail "first come, first served"; }
import json, sys
operations = {o["name"]: o for o in json.load(open(sys.argv[1]))["operations"]}
assert operations["S9 K1"]["best_ps"] == operations["S9 K1"]["worst_ps"]
P

# All alternatives of the choice points: 5 * 2 * 4 * 2 * 2 runs; the ninth stream waits longest where the
# newest gets the channel, and with partly-dispatched kernels no longer than with fully dispatched ones.
"$gfe" run --explore all --json "$ten" >"$dir/all.json" || fail "explore all"
command -v python3 >/dev/null && { python3 - "$dir/all.json" <<'P' || fail "explore all"; }
import json, sys
run = json.load(open(sys.argv[1]))
operations = {o["name"]: o for o in run["operations"]}
assert run["runs"] == 160
ninth = operations["S9 K1"]
assert "cuda.channel_next=newest" in ninth["worst_choices"] or "random" in ninth["worst_choices"]
assert ninth["best_ps"] < ninth["worst_ps"]
assert "cuda.channel_free=" in ninth["best_choices"] and "core.block_to_sm=" in ninth["best_choices"]
assert operations["S1 K1"]["best_ps"] == operations["S1 K1"]["worst_ps"]
P
"$gfe" run --explore all --policy cuda.channel_next=newest --policy core.block_to_sm=lowest --json "$ten" |
    grep -q '"runs": 8,' || fail "explore all: what is set is not walked"

# Clients of MPS run together, by the option and by the scenario's own word; the readers of logs know.
printf '{"gfe_scenario":1%s,"processes":[%s,%s,%s]}' '' \
    '{"streams":[{"name":"s"}],"tasks":[{"calls":[{"launch":{"name":"A","blocks":40,"threads":1024,"registers":16,"work":0.01}}]}]}' \
    '{"streams":[{"name":"s"}],"tasks":[{"calls":[{"sleep":0.001},{"launch":{"name":"B","blocks":2,"threads":64,"work":0.01}}]}]}' \
    '{"streams":[{"name":"1"},{"name":"2"},{"name":"3"}],"tasks":[{"calls":[{"sleep":0.05},{"launch":{"name":"C","blocks":40,"threads":1024,"registers":16,"work":0.01}},{"launch":{"name":"D","blocks":40,"threads":1024,"registers":16,"work":0.01},"stream":"2"},{"launch":{"name":"E","blocks":1,"threads":64,"work":0.01},"stream":"3"}]}]}' \
    >"$dir/clients.json"
sed 's/"gfe_scenario":1,/"gfe_scenario":1,"mps":true,/' "$dir/clients.json" >"$dir/said.json"
"$gfe" run --gpu xavier --mps -o "$dir/mps.gfl" "$dir/clients.json" >"$dir/out" || fail "--mps"
"$gfe" run --gpu xavier -o "$dir/said.gfl" "$dir/said.json" >"$dir/out" || fail "a scenario with mps"
"$gfe" run --gpu xavier -o "$dir/turns.gfl" "$dir/clients.json" >"$dir/out" || fail "without mps"
for log in mps said turns; do
    "$gfe" check "$dir/$log.gfl" >"$dir/check" || fail "$log: $(cat "$dir/check")"
    "$gfe" show --as events "$dir/$log.gfl" | grep -v '\[CUDA.MPS_CLIENT\]' >"$dir/$log.events"
done
sed 1d "$dir/mps.events" >"$dir/a"
sed 1d "$dir/said.events" | cmp -s - "$dir/a" || fail "mps by option and by word: other events"
grep -q GRID_SUSPEND "$dir/mps.events" && fail "clients of MPS were time-sliced"
grep -q GRID_SUSPEND "$dir/turns.events" || fail "processes were not time-sliced"
"$gfe" explain "$dir/mps.gfl" >"$dir/list" || fail "explain of clients"
grep -q 'process 1 (client of MPS)' "$dir/list" && grep -q '^  B .* T.X1' "$dir/list" &&
    ! grep -q 'T.P1' "$dir/list" || fail "explain: $(cat "$dir/list")"
"$gfe" explain "$dir/mps.gfl" B | grep -q 'A .*at its head\|behind A' || fail "B is behind A: $("$gfe" explain "$dir/mps.gfl" B)"
"$gfe" explain "$dir/mps.gfl" E | tr -s ' \n' ' ' | grep -q 'all 2 were held by stream 2, stream 3;' ||
    fail "channels of a client: $("$gfe" explain "$dir/mps.gfl" E)"
"$gfe" inspect "$dir/mps.gfl" --at 2ms queues >"$dir/queues" || fail "queues of clients"
grep -A2 'clients of MPS, priority 0' "$dir/queues" | tail -2 | tr -s ' \n' ' ' | grep -q '^ A .* B ' ||
    fail "one queue: $(cat "$dir/queues")"
"$gfe" run --gpu gtx1060 --mps -o "$dir/shared.gfl" "$scenarios/amert2017-table3.json" "$ten" >"$dir/out" ||
    fail "clients that share a context"
"$gfe" check "$dir/shared.gfl" >"$dir/check" || fail "shared: $(cat "$dir/check")"
# Shares of the SMs: nobody waits for another's kernel.
sed 's/"gfe_scenario":1,/&"mps":true,/; s/"processes":\[{/&"mps_thread_percentage":50,/' "$dir/clients.json" >"$dir/half.json"
"$gfe" run --gpu xavier -o "$dir/half.gfl" "$dir/half.json" >"$dir/out" || fail "a share: $(cat "$dir/out")"
"$gfe" check "$dir/half.gfl" >"$dir/check" || fail "a share: $(cat "$dir/check")"
"$gfe" explain "$dir/half.gfl" >"$dir/list"
grep -q '^  A .* CORE.CLIENT_SHARE' "$dir/list" && ! grep -q '^  B .* T.X1' "$dir/list" || fail "a share: $(cat "$dir/list")"
"$gfe" explain "$dir/half.gfl" A | tr -s ' \n' ' ' | grep -q "for room on its client's share of the SMs (CORE.CLIENT_SHARE)" ||
    fail "explain A with a share"
# A snapshot of the one is none of the other.
"$gfe" run --gpu xavier --mps --snapshot "$dir/s.gfs" --snapshot-at 3ms "$dir/clients.json" >"$dir/out" &&
    "$gfe" run --gpu xavier --mps --restore "$dir/s.gfs" -o "$dir/on.gfl" "$dir/clients.json" >"$dir/out" &&
    cmp -s "$dir/on.gfl" "$dir/mps.gfl" || fail "a snapshot of clients"
"$gfe" run --gpu xavier --restore "$dir/s.gfs" "$dir/clients.json" >"$dir/out" 2>&1 &&
    fail "a snapshot of clients was taken without --mps"

# What is refused: one line, with the place, and exit 1 or 2.
refuse() {
    status=$1 text=$2
    shift 2
    "$gfe" run "$@" >"$dir/out" 2>"$dir/err"
    [ $? = "$status" ] || fail "$*: another status"
    [ "$(wc -l <"$dir/err")" = 1 ] || fail "$*: not one line"
    grep -q "$text" "$dir/err" || fail "$*: $(cat "$dir/err")"
    [ ! -s "$dir/out" ] || fail "$*: something on stdout"
}
config() {
    printf '{"name":"n","max_iterations":1,"max_time":0,"cuda_device":0,"benchmarks":[%s]}' "$1" \
        >"$dir/c.json"
}
config '{"filename":"timer_spin.so","thread_count":32,"block_count":1,"data_size":0,"colour":1}'
refuse 1 'c.json: benchmarks\[0\].colour: there is no such setting' "$dir/c.json"
config '{"filename":"timer_spin.so","thread_count":32,"block_count":-1,"data_size":0,"additional_info":1}'
refuse 1 'benchmarks\[0\].block_count: -1 is not a number of blocks' "$dir/c.json"
config '{"filename":"timer_spin.so","thread_count":1,"block_count":1,"data_size":0,"additional_info":1},{"filename":"timer_spin.so","thread_count":64,"block_count":1,"data_size":0,"additional_info":1}'
refuse 1 'benchmarks\[1\].thread_count: a block of the GPU has at most 10 threads, not 64' \
    --gpu yang17 "$dir/c.json"
config '{"filename":"raytracer.so","thread_count":32,"block_count":1,"data_size":0}'
refuse 1 "no model of the benchmark 'raytracer'" "$dir/c.json"
config '{"filename":"timer_spin.so","thread_count":32,"block_count":1,"data_size":0,"device_launch":1}'
refuse 1 'c.json: benchmarks\[0\].device_launch: device-side launches are not modelled: ' "$dir/c.json"
printf '{"gfe_scenario":1,"processes":[{"streams":[{"name":"s"}],"tasks":[{"calls":[%s]}]}]}' \
    '{"launch":{"blocks":1,"threads":32,"device_launch":{"blocks":2,"threads":32}}}' >"$dir/own.json"
refuse 1 'own.json: processes\[0\].tasks\[0\].calls\[0\].launch.device_launch: device-side launches' \
    "$dir/own.json"
config '{"filename":"mandelbrot.so","thread_count":32,"block_count":1,"data_size":0}'
"$gfe" run "$dir/c.json" >"$dir/out" || fail "a benchmark without a cost"
tr -s ' \n' ' ' <"$dir/out" | grep -q 'ASSUMED (core.block_\*_cycles) of mandelbrot: --cost or --cost-from' ||
    fail "ASSUMED is not said: $(cat "$dir/out")"
# A result file of the tool (README.md of the examiner, "Output File Format"): the median block takes 2 ms.
cat >"$dir/result.json" <<'END'
{"scenario_name": "n", "benchmark_name": "Mandelbrot Set", "max_resident_threads": 20480, "data_size": 0,
 "release_time": 0.0, "PID": 1, "times": [{}, {"kernel_name": "m", "block_count": 3, "thread_count": 32,
 "shared_memory": 0, "cuda_launch_times": [1.0, 1.0, 1.1], "block_times": [1.0, 1.002, 1.0, 1.001, 1.0, 1.009],
 "block_smids": [0, 1, 2], "cpu_core": 0}]}
END
"$gfe" run --cost-from "$dir/result.json" "$dir/c.json" >"$dir/out" 2>"$dir/err" || fail "a result file"
grep -q 'a block of mandelbrot costs 2 ms, the median of 3' "$dir/err" || fail "a result file: $(cat "$dir/err")"
"$gfe" run --cost mandelbrot=2ms "$dir/c.json" | cmp - "$dir/out" || fail "--cost-from is not as --cost"
sed 's/Mandelbrot Set/Matrix Multiply/' "$dir/result.json" >"$dir/cycles.json"
refuse 1 'benchmark_name: its block_times are SM cycles' --cost-from "$dir/cycles.json" "$dir/c.json"
# Benchmarks of the CPU are left out of a mixed file, with a line each; so is a share that has no effect.
config '{"filename":"cpu_random_walk.so","thread_count":0,"block_count":0,"data_size":4096},{"filename":"timer_spin.so","thread_count":32,"block_count":1,"data_size":0,"additional_info":1000,"mps_thread_percentage":50}'
"$gfe" run "$dir/c.json" >"$dir/out" 2>"$dir/err" || fail "a mixed file"
grep -q 'benchmarks\[0\] (cpu_random_walk) is left out: it uses no GPU' "$dir/err" || fail "cpu: $(cat "$dir/err")"
grep -q 'benchmarks\[1\].mps_thread_percentage is left out' "$dir/err" || fail "a share: $(cat "$dir/err")"
grep -q '^  launches *1 grid' "$dir/out" || fail "the rest of a mixed file: $(cat "$dir/out")"
# Copies of zeroes that nobody has written move no bytes: 1,000 iterations of 256 MiB in and out, as the
# examiner's inorder_isolated_test.json has them, took 42 to 57 s.
printf '{"name":"n","max_iterations":1000,"max_time":0,"cuda_device":0,"benchmarks":[%s]}' \
    '{"filename":"inorder_walk.so","thread_count":32,"block_count":1,"data_size":268435456}' >"$dir/big.json"
timeout 20 "$gfe" run "$dir/big.json" >"$dir/out" || fail "copies move their zeroes: status $?"
grep -q '^  copies *2000, 536870912000 bytes' "$dir/out" || fail "copies of zeroes: $(cat "$dir/out")"
# Ctrl-C ends a run with what there is.
if env --default-signal=INT true 2>"$dir/err"; then
    sed 's/"max_iterations":1000/"max_iterations":1000000/' "$dir/big.json" >"$dir/long.json"
    env --default-signal=INT timeout --preserve-status -s INT 1 "$gfe" run -o "$dir/cut.gfl" "$dir/long.json" \
        >"$dir/out" 2>"$dir/err"
    [ $? = 130 ] || fail "Ctrl-C: not 130"
    grep -q '^gfe run: interrupted at .* of simulated time' "$dir/err" || fail "Ctrl-C: $(cat "$dir/err")"
    grep -q '^  launches  *[1-9][0-9]* grids' "$dir/out" || fail "Ctrl-C: no summary: $(head -5 "$dir/out")"
    "$gfe" show --as csv "$dir/cut.gfl" >"$dir/out" || fail "Ctrl-C: the log is not whole"
    # At a terminal a run of more than a second says how far it has come.
    if command -v script >/dev/null 2>&1; then
        script -qec "env --default-signal=INT timeout --preserve-status -s INT 2 '$gfe' run '$dir/long.json'" \
            /dev/null </dev/null >"$dir/out" 2>&1
        tr '\r' '\n' <"$dir/out" | grep -q 'gfe run: .* simulated, [1-9][0-9]* events; Ctrl-C ends the run here$' ||
            fail "no progress at a terminal: $(head -5 "$dir/out")"
    fi
fi
config '{"filename":"mandelbrot.so","thread_count":32,"block_count":1,"data_size":0}'
"$gfe" run --cost mandelbrot=2ms "$dir/c.json" >"$dir/out" || fail "a benchmark with its cost"
refuse 1 'No such file' "$dir/none.json"
refuse 1 'No such file' "$dir/c.json" --cost mandelbrot=2ms "$dir/none.json"
refuse 2 'needs NAME=TIME' --cost mandelbrot "$dir/c.json"
refuse 2 "no GPU is called 'none'" --gpu none --cost mandelbrot=2ms "$dir/c.json"
refuse 2 'from Pascal on, which gfe gpus lists, not chip 0x124' --gpu gtx980 --cost mandelbrot=2ms "$dir/c.json"
refuse 2 'cuda.channels is at most 32' --param cuda.channels=33 --cost mandelbrot=2ms "$dir/c.json"
refuse 2 'cuda.inline_bytes is at most 262144' --param cuda.inline_bytes=262145 --cost mandelbrot=2ms "$dir/c.json"
refuse 2 "'own' is not legacy or per-thread" --default-stream own "$ten"
refuse 2 'default-stream is for configurations' --default-stream legacy \
    "$top_srcdir/tests/golden/compute.gft"
refuse 2 'mps is for configurations' --mps "$top_srcdir/tests/golden/compute.gft"
refuse 2 'is for configurations' --explore 2 "$top_srcdir/tests/golden/compute.gft"
refuse 1 'No such file' --explore 2 "$dir/none.json"
refuse 2 'no log' --explore 2 -o "$dir/x.gfl" "$ten"
exit $failed
