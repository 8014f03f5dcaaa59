#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Runs what measure.sh and measure_more.sh leave open, on a machine with an NVIDIA GPU; about four minutes.
#
#     ./measure_open.sh [OUT [BUILT [EXAMINER [TINYGRAD]]]]
#
# Results go to OUT (default: data), gzipped.  Programs come from BUILT where they are built already ("-": they are
# built, with CUDA's compiler).  EXAMINER is a folder with cuda_scheduling_examiner's sources: it is built, and the
# shipped configurations that an H100 can run are run.  TINYGRAD is one with tinygrad's.  "-" leaves either out.
# Each part is bounded in time, and one that fails is named and does not stop the others.
set -u
out=$(mkdir -p "${1:-data}" && cd "${1:-data}" && pwd)
built=
[ "${2:--}" = - ] || built=$(cd "$2" && pwd)
examiner=
[ "${3:--}" = - ] || examiner=$(cd "$3" && pwd)
tinygrad=
[ "${4:--}" = - ] || tinygrad=$(cd "$4" && pwd)
cd "$(dirname "$0")" || exit 1
here=$PWD
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
programs="sm_order launch_times slice_times capture_more"

if [ -z "$built" ]; then
    built=$scratch
    cc -Wall -Wextra -shared -fPIC -O1 -o "$built/capture_cuda.so" capture_cuda.c -ldl || exit 1
    cc -Wall -Wextra -O1 -o "$built/rm_probe" rm_probe.c || exit 1
    for p in $programs; do
        nvcc -arch=native -O1 -o "$built/$p" "$p.cu" -lcuda -ldl || exit 1
    done
fi

# part NAME SECONDS COMMAND...: the command's output is NAME.jsonl.gz; says how it went.
part() {
    local name=$1 seconds=$2 begin=$SECONDS status
    shift 2
    timeout "$seconds" "$@" >"$scratch/$name.jsonl"
    status=$?
    gzip -9n <"$scratch/$name.jsonl" >"$out/$name.jsonl.gz"
    echo "$name: status $status, $((SECONDS - begin)) s, $(wc -l <"$scratch/$name.jsonl") lines, $(wc -c <"$out/$name.jsonl.gz") bytes"
}
# record NAME COMMAND...: the same, recorded; the largest recording is kept.
record() {
    local name=$1 begin=$SECONDS status
    shift
    timeout 90 env GFE_CAPTURE="$scratch/$name" LD_PRELOAD="$built/capture_cuda.so" "$@" >"$scratch/$name.out"
    status=$?
    gzip -9n <"$(ls -S "$scratch/$name".*.jsonl | head -1)" >"$out/$name.jsonl.gz"
    echo "$name: status $status, $((SECONDS - begin)) s, $(wc -c <"$out/$name.jsonl.gz") bytes"
}
# slices NAME ROUNDS...: processes a, b, c ... at once, ROUNDS of each in one argument.
slices() {
    local name=$1 start who=a begin=$SECONDS pids=""
    shift
    start=$(awk '{printf "%d", $1 * 1000}' /proc/uptime)000000
    start=$((start + 5000000000))
    for rounds; do
        timeout 40 "$built/slice_times" $who $start $rounds >"$scratch/slices.$who" &
        pids="$pids $!"
        who=$(echo $who | tr a-y b-z)
    done
    wait $pids
    sed "s/{\"experiment\":\"slices\"/{\"experiment\":\"$name\"/" "$scratch"/slices.? >>"$scratch/slices_open"
    rm "$scratch"/slices.?
    echo "slices $name: $((SECONDS - begin)) s"
}

nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.max.sm,pcie.link.gen.max,pcie.link.width.max --format=csv

# The resource manager: what it answers to right and wrong calls.
part rm 30 "$built/rm_probe"

# Channels, splits: read off what the driver submits.
record capture_turns "$built/capture_more" channels
CUDA_DEVICE_MAX_CONNECTIONS=32 record capture_turns_32 "$built/capture_more" channels
CUDA_DEVICE_MAX_CONNECTIONS=2 record capture_turns_2 "$built/capture_more" channels
record capture_splits "$built/capture_more" splits

# Waits of random length; kernels of two streams by turns.
part acquire_random 60 "$built/launch_times" acquire_random
part alternate 30 "$built/sm_order" alternate

# What a context switch costs: registers and shared memory together, kinds of work, streams' priorities.
grid=
for threads in 32 256 1024; do
    for registers in 32 64 128 200; do
        for kib in 0 32 100 160 227; do
            if [ $((threads * registers)) -le 65536 ]; then
                grid="$grid watch:132:$threads:$((kib * 1024)):$registers"
            fi
        done
    done
done
works=
for work in fma load store atomic shared barrier sleep; do
    for threads in 64 256 1024; do
        works="$works busy:$work:132:$threads busy:$work:264:$threads"
    done
done
slices grid "$grid" "$grid"
slices works "$works" "$works"
slices priorities "$(for p in 0 -1 -2 -3 -4 -5; do echo -n "prio:$p:264:1024 prio:0:264:1024 "; done)" \
    "$(for p in 0 -1 -2 -3 -4 -5; do echo -n "prio:0:264:1024 prio:$p:264:1024 "; done)"
gzip -9n <"$scratch/slices_open" >"$out/slices_open.jsonl.gz"

# Two clients of the Multi-Process Service at once, both recorded.
if command -v nvidia-cuda-mps-control >/dev/null; then
    export CUDA_MPS_PIPE_DIRECTORY=$scratch/mps CUDA_MPS_LOG_DIRECTORY=$scratch/mps
    mkdir -p "$scratch/mps"
    nvidia-cuda-mps-control -d
    record capture_mps_a "$built/capture_more" priorities descriptors &
    record capture_mps_b "$built/capture_more" priorities descriptors &
    wait
    echo quit | nvidia-cuda-mps-control
    unset CUDA_MPS_PIPE_DIRECTORY CUDA_MPS_LOG_DIRECTORY
fi

# cuda_scheduling_examiner: its makefile is for compilers that know older GPUs, so the flags are given.
if [ -n "$examiner" ]; then
    begin=$SECONDS
    (
        cp -r "$examiner" "$scratch/examiner" && cd "$scratch/examiner" && mkdir -p results &&
            make -j8 NVCC="$(command -v nvcc)" NVCCFLAGS='-arch=native -O3 --compiler-options=-fPIC' CFLAGS='-O3 -fPIC' >make.log 2>&1 ||
            tail -5 make.log
        for config in simple scenario_1 scenario_2 scenario_3 sm_plot_1_1 sm_plot_1_2 sm_plot_3 first_kernel_concurrency \
            multikernel_example multikernel_delay_example memset_doesnt_block test_default_stream_blocking \
            test_sync_every_iteration stream_priority_cut_ahead stream_priority_process titan_v_queue_test volta_mps_base \
            ospert_2017_figure_4 ospert_2017_figure_5 ospert_2017_figure_6 ospert_2017_figure_7 ospert_2017_figure_8 \
            ospert_2017_figure_9 rtas2018_plot_1 rtss_2017_fig3_bigexperiment rtss_2017_fig5_null_stream \
            rtss_2017_fig6_stream_priority_starve rtss_2017_fig7_stream_priority_preemption \
            rtss_2017_fig8_stream_priority_lower_priority_cut multiprocess_two_mandelbrot multithread_two_mandelbrot; do
            timeout 20 ./bin/runner "configs/$config.json" >"run.$config.log" 2>&1 ||
                echo "examiner $config: $(tail -1 "run.$config.log")"
        done
        # The results name neither the machine nor its user; that is made sure of.
        for file in results/*.json; do
            sed "s/$(hostname)/host/g; s#$HOME#~#g" "$file" | gzip -9n >"$out/examiner_$(basename "$file").gz"
        done
    )
    echo "examiner: $((SECONDS - begin)) s, $(ls "$out"/examiner_* 2>/dev/null | wc -l) results"
fi

# tinygrad: copies first; its kernels have descriptors of an older version, so they come last of all.
if [ -n "$tinygrad" ]; then
    export PYTHONPATH=$tinygrad
    record capture_tinygrad timeout 60 python3 "$here/tinygrad_work.py"
    cat "$scratch/capture_tinygrad.out"
fi
