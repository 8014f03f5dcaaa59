#!/bin/sh
# SPDX-License-Identifier: MIT
# Register-level programs from a text to the log, and gfe inspect on it: views at times, from a
# snapshot, without the trace, of a log that does not fit; on a recording with a driver, too.
set -u

# shellcheck disable=SC2154 # both are set by make
source=$(cd "$top_srcdir" && pwd)
# shellcheck disable=SC2154
gfe=$(cd "$top_builddir" && pwd)/gfe
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0

check() # SENTENCE CONDITION...: the condition is a command
{
    sentence=$1
    shift
    if ! "$@"; then
        echo "FAILED: $sentence"
        failures=$((failures + 1))
    fi
}

says() # FILE TEXT
{
    grep -qF -- "$2" "$1" || { cat "$1"; return 1; }
}

works() # COMMAND...
{
    "$@" >out 2>err || { cat err; return 1; }
}

fails() # STATUS COMMAND...
{
    wanted=$1
    shift
    "$@" >out 2>err
    [ $? -eq "$wanted" ]
}

# --- a program with two compute tasks -----------------------------------------------------------
"$gfe" import bus "$source/tests/golden/two_tasks.bus" -o tasks.gft || exit 1
"$gfe" run -o tasks.gfl --param core.block_base_cycles=30000000 \
    --poke '9ms disable_channel 2' --poke '9ms preempt_tsg 9' tasks.gft >summary || [ $? -eq 3 ] || exit 1 # a disabled channel has work left
check 'the summary has both grids' says summary '2 grids'
check 'no error is in it' [ "$(grep -c '^errors' summary)" -eq 0 ]
"$gfe" show --as events tasks.gfl >events

"$gfe" inspect tasks.gfl --at 0 channels >view
check 'both channels are set up then' [ "$(wc -l <view)" -eq 3 ]
check 'and have done nothing' [ "$(grep -c IDLE view)" -eq 2 ]
"$gfe" inspect tasks.gfl --at 1us tsgs >view
check 'both TSGs stand in the list' [ "$(grep -c 2048000000 view)" -eq 2 ]
"$gfe" inspect tasks.gfl --at 5ms runlist0 >view
check 'the listing begins with its TSG' says view '+---- TSG Entry 8  ---+'
check 'channel 1 is enabled' says view '| Enabled:           1|'
"$gfe" inspect tasks.gfl --at 9ms channels >view
check 'a poke at that time has been made' \
    [ "$(awk '$1 == 2 { print $4 }' view)" = 0 ]
"$gfe" inspect tasks.gfl --at 8999us channels >view
check 'and just before not' [ "$(awk '$1 == 2 { print $4 }' view)" = 1 ]
"$gfe" inspect --json tasks.gfl --at event:1 channels >view
check 'JSON says when' says view '"time_ps": 0'
check 'the last event is there' works "$gfe" inspect tasks.gfl --at "event:$(wc -l <events)" tsgs
check 'there is no event behind it' \
    fails 1 "$gfe" inspect tasks.gfl --at "event:$(($(wc -l <events) + 1))" tsgs
check 'and that is said' says err "its log has $(wc -l <events) events"

# --- queues, of a recording and of a scenario ------------------------------------------------------
"$gfe" inspect tasks.gfl --at 3ms queues >view
check 'a recording has no streams' [ "$(grep -c Streams view)" -eq 0 ]
check 'its kernels have numbers' grep -q 'grid [0-9]*, block' view
"$gfe" run --gpu tx2 -o table1.gfl "$source/scenarios/amert2017-table1.json" >/dev/null || exit 1
check 'a scenario needs no trace' works "$gfe" inspect table1.gfl --at 900ms queues
check 'nothing is said of one' [ ! -s err ]
check 'kernels have their names' says out 'K1         dispatched, 4 of 6 blocks assigned'
"$gfe" inspect --json table1.gfl --at 900ms queues >view
check 'JSON has the queue of kernels' says view '"ee_queues"'
check 'a trace would mean nothing' fails 2 "$gfe" inspect table1.gfl --trace tasks.gft queues
check 'a GPU alone has no queues' fails 2 "$gfe" inspect --gpu tx2 queues

# --- from a snapshot -----------------------------------------------------------------------------
"$gfe" run --param core.block_base_cycles=30000000 --poke '9ms disable_channel 2' \
    --poke '9ms preempt_tsg 9' --snapshot early.gfs --snapshot-at 4ms tasks.gft >/dev/null
for view in channels tsgs runlist0 pbdma0 engines 'regs nv_pfifo'; do
    # shellcheck disable=SC2086 # two words
    "$gfe" inspect tasks.gfl --at 10ms $view >whole
    # shellcheck disable=SC2086
    "$gfe" inspect tasks.gfl --at 10ms --snapshot early.gfs $view >from
    check "$view is the same from a snapshot" cmp whole from
done
check 'a snapshot after the time is refused' \
    fails 1 "$gfe" inspect tasks.gfl --at 50us --snapshot early.gfs tsgs
check 'and that is said' says err 'after the time that is asked for'

# --- which trace, which version -----------------------------------------------------------------
mkdir elsewhere
cp tasks.gfl elsewhere
cd elsewhere || exit 1
"$gfe" inspect tasks.gfl --at 5ms channels >out 2>err
check 'without the trace the log alone is shown' says out "from the log's events alone"
check 'and that is said' says err 'shown is only what the log says'
check 'not every view can be told so' fails 1 "$gfe" inspect tasks.gfl device_info
check 'and that is said' says err 'a log alone does not tell device_info'
check 'the trace can be named' works "$gfe" inspect tasks.gfl --trace ../tasks.gft device_info
cp ../tasks.gft .
check 'or lie beside the log' works "$gfe" inspect tasks.gfl device_info
cd ..
check 'and so from elsewhere' works "$gfe" inspect elsewhere/tasks.gfl device_info
printf 'gfe-bus 1\ngpu gtx1060-3gb\n' >other.bus
"$gfe" import bus other.bus -o other.gft
check 'another trace is refused' \
    fails 1 "$gfe" inspect tasks.gfl --trace other.gft device_info
check 'by its hash' says err 'is not the trace of tasks.gfl'

# --- usage --------------------------------------------------------------------------------------
check 'a wrong view lists those there are' fails 2 "$gfe" inspect tasks.gfl registers
check 'with their names' says err 'device_info, runlistN, pce_map, lce_for_pceN'
check 'a runlist that is not there' fails 2 "$gfe" inspect tasks.gfl runlist44
check 'a wrong time' fails 2 "$gfe" inspect tasks.gfl --at soon tsgs
check 'event 0' fails 2 "$gfe" inspect tasks.gfl --at event:0 tsgs
check 'a GPU alone' works "$gfe" inspect --gpu gtx1060-3gb device_info
check 'no such GPU' fails 2 "$gfe" inspect --gpu voodoo device_info
check 'no log' fails 1 "$gfe" inspect nothing.gfl tsgs

# --- a recording with its driver ----------------------------------------------------------------
cp "$source/tests/golden/compute.gft" .
"$gfe" run -o compute.gfl --seed 5 --policy core.block_to_sm=round-robin compute.gft >/dev/null
"$gfe" inspect compute.gfl --at 40ms channels >view
check 'the recording has its channel' [ "$(wc -l <view)" -ge 2 ]
check 'the end, too' works "$gfe" inspect compute.gfl regs nv_pfifo
"$gfe" hash compute.gfl | cut -d' ' -f1 >one
mkdir again
cp compute.gft again/renamed.gft
"$gfe" run -o again.gfl --seed 5 --policy core.block_to_sm=round-robin again/renamed.gft >/dev/null
"$gfe" hash again.gfl | cut -d' ' -f1 >two
check "where the trace was is not part of the log's identity" cmp one two

# --- a recording of ROCm's libraries: KFD's debugfs ----------------------------------------------
cp "$source/tests/golden/kfd_kernels.gft" .
"$gfe" run -o kfd.gfl --param amd.block_ps=20000000 kfd_kernels.gft >/dev/null
"$gfe" inspect kfd.gfl --at 2ms hqds >view
check 'the first line is the node, as the kernel names it' says view 'Node 1, gpu_id 8707:'
check 'then the HIQ' says view '   Inst 0, HIQ on MEC 2 Pipe 0 Queue 0'
check '24 slots of 32 follow' [ "$(grep -c '^ Inst 0,  CP Pipe [0-3], Queue [2-7]$' view)" -eq 24 ]
check 'and 16 queues of SDMA' [ "$(grep -c '^  SDMA Engine [01], RLC [0-7]$' view)" -eq 16 ]
check 'each line else is an address and up to eight words' \
    [ "$(grep -vcE '^(Node|   Inst| Inst|  SDMA|    [0-9a-f]{8}:( [0-9a-f]{8}){1,8}$)' view)" -eq 0 ]
# ACTIVE is the third word of a block's first line.
awk '/^ Inst/ { slot = $5 + 0 "." $7 } /^    0000c914:/ && slot && $4 == "00000001" { print slot }
     /^  SDMA/ { slot = "" }' view >active
printf '1.2\n2.2\n' >wanted
check 'two queues are in slots, of one pipe and the next' cmp active wanted
"$gfe" inspect kfd.gfl --at 2ms mqds >view
check 'a process has its PASID' says view 'Process 1 PASID 0x8000:'
check 'its two queues' [ "$(grep -c '^  Compute queue on device 8707$' view)" -eq 2 ]
check 'of 64 lines each' [ "$(grep -cE '^    [0-9a-f]{8}:( [0-9a-f]{8}){8}$' view)" -eq 128 ]
"$gfe" inspect kfd.gfl --at 2ms rls >view
check 'the list begins with its process' says view '  00000000: c00ea100 '
check 'and has two queues' [ "$(grep -o c005a200 view | wc -l)" -eq 2 ]
check 'before them there is no list' works "$gfe" inspect kfd.gfl --at 0 rls
check 'as the kernel says it' says out '  No active runlist'
printf '%s' '{"name": "two", "max_iterations": 3, "plugins": [
  {"filename": "matrix_multiply.so", "thread_count": 64, "block_count": 600, "compute_unit_mask": "1111"},
  {"filename": "other.so", "thread_count": 64, "block_count": 400}]}' >hip.json
"$gfe" run --cost other=300us -o hip.gfl hip.json >/dev/null
check 'a configuration of hip_plugin_framework is run again, too' works "$gfe" inspect hip.gfl --at 1ms hqds
check 'and has queues in slots' [ "$(awk '/^ Inst/ { slot = 1 } /^  SDMA/ { slot = 0 }
    /^    0000c914:/ && slot && $4 == "00000001"' out | wc -l)" -ge 2 ]
check 'with descriptors' works "$gfe" inspect hip.gfl --at 1ms mqds
check 'of a process' says out 'Process 1 PASID 0x8000:'
check 'also at its end' works "$gfe" inspect hip.gfl rls
echo ' ' >>hip.json
check 'but not one that was changed since' fails 1 "$gfe" inspect hip.gfl hqds
check 'registers of a unit' works "$gfe" inspect kfd.gfl regs amd_hqd
check 'with their fields' says out 'PRELOAD_REQ='
check 'JSON has names' works "$gfe" inspect --json kfd.gfl hqds
check 'of registers' says out '"CP_HQD_PQ_DOORBELL_CONTROL"'
check 'a view of the other vendor is refused' fails 2 "$gfe" inspect kfd.gfl channels
check 'and that is said' says err 'channels is a view of NVIDIA GPUs, and radeon-vii is none'
check 'the other way round, too' fails 2 "$gfe" inspect compute.gfl hqds
check 'a GPU alone' works "$gfe" inspect --gpu mi100 hqds
check 'with 64 queues of SDMA' [ "$(grep -c '^  SDMA Engine [0-7], RLC [0-7]$' out)" -eq 64 ]
check 'the last engine'"'"'s where Arcturus has it' says out '    0007d4c0: 00040000'
check 'shows reset values' says out '    0000c914: 00000000 00000000 00000000 00000000 0be05301'
mkdir alone
cp kfd.gfl alone
mv kfd_kernels.gft away.gft
cp "$source/scenarios/exec_logger.json" programs.json
# A scenario's run is made again: from one file, from several with options that change the program.
"$gfe" run --gpu rtx6000ada -o programs.gfl programs.json >/dev/null || exit 1
check 'the run of a scenario is made again' works "$gfe" inspect programs.gfl --at 1ms tsgs
check 'and nothing is missing' [ ! -s err ]
check 'with the slice of the context that computes' says out '2048000000'
# Listing 1 of Bakita and Anderson 2024 has the driver's default slice: 128 << 3.
check 'a runlist of copies is there' works "$gfe" inspect programs.gfl --at 1ms runlist1
check 'with the scale of Listing 1' says out '| Scale: 3            |'
check 'and its timeout' says out '| Timeout: 128        |'
check 'registers of PBDMAs are there' works "$gfe" inspect programs.gfl --at 1ms pbdma0
check 'with a channel' says out 'NV_PPBDMA_SIGNATURE                  0x0000face'
check 'and of copy engines' works "$gfe" inspect programs.gfl --at 1ms lce_for_pce4
check 'as GA102 has them' says out 0x2
cp "$source/scenarios/copy_monitor.json" second.json
cat >costly.json <<'END'
{ "name": "costly", "max_iterations": 1, "max_time": 0, "cuda_device": 0,
  "benchmarks": [{ "filename": "./bin/mandelbrot.so", "log_name": "m.json", "thread_count": 128,
    "block_count": 4, "data_size": 16, "additional_info": { "max_iterations": 3 } }] }
END
"$gfe" run --gpu tx2 --default-stream per-thread --mps --cost mandelbrot=5ms --seed 3 \
    --poke '2ms disable_channel 1' -o several.gfl costly.json second.json >/dev/null
[ -s several.gfl ] || exit 1 # the status is 3 if the channel has work left
check 'several files are found by the note' works "$gfe" inspect several.gfl --at 3ms channels
check 'and nothing is missing' [ ! -s err ]
check 'the poke has been made' [ "$(awk '$1 == 1 { print $4 }' out)" = 0 ]
mkdir moved
cp several.gfl costly.json moved
mv second.json moved
mv costly.json other.json
check 'or in the folder of the log' works "$gfe" inspect moved/several.gfl --at 3ms runlist0
check 'and nothing is missing' [ ! -s err ]
check 'without one of them the log is asked' works "$gfe" inspect several.gfl --at 3ms tsgs
check 'and that is said' says err 'costly.json: No such file or directory; shown is only what'
mv programs.json renamed.json
check 'a file can be named' works "$gfe" inspect programs.gfl --trace renamed.json runlist1
check 'another is refused' \
    fails 1 "$gfe" inspect programs.gfl --trace moved/second.json runlist1
check 'and that is said' says err 'is not the scenario of programs.gfl'
check 'without the trace nothing is known of slots' fails 1 "$gfe" inspect alone/kfd.gfl hqds
check 'and that is said' says err 'a log alone does not tell hqds'
check 'the trace can be named' works "$gfe" inspect alone/kfd.gfl --trace away.gft --at 2ms hqds

[ "$failures" -eq 0 ]
