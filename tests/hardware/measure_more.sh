#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Runs the experiments that measure.sh leaves open, on a machine with an NVIDIA GPU; about three
# minutes.  Results go to the folder given (default: data), programs come from the second one where
# they are built already (default: they are built, with CUDA's compiler).
set -u
out=$(mkdir -p "${1:-data}" && cd "${1:-data}" && pwd)
built=${2:+$(cd "$2" && pwd)}
cd "$(dirname "$0")" || exit 1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
programs="sm_order launch_times copy_times slice_times capture_more capture_library device_properties block_times"

if [ -z "$built" ]; then
    built=$scratch
    cc -Wall -Wextra -shared -fPIC -O1 -o "$built/capture_cuda.so" capture_cuda.c -ldl || exit 1
    for p in $programs; do
        libraries="-lcuda -ldl"
        [ "$p" != capture_library ] || libraries="-lcublas $libraries"
        nvcc -arch=native -O1 -o "$built/$p" "$p.cu" $libraries || exit 1
    done
fi

# part FILE SECONDS COMMAND...: the command's output is FILE; says how it went.
part() {
    local file=$1 seconds=$2 begin=$SECONDS
    shift 2
    timeout "$seconds" "$@" >"$out/$file"
    echo "$file: status $?, $((SECONDS - begin)) s, $(wc -l <"$out/$file") lines, $(wc -c <"$out/$file") bytes"
}
# record NAME COMMAND...: the same, recorded.
record() {
    local name=$1 begin=$SECONDS
    shift
    timeout 90 env GFE_CAPTURE="$scratch/$name" LD_PRELOAD="$built/capture_cuda.so" "$@" >"$scratch/$name.out"
    echo "$name: status $?, $((SECONDS - begin)) s"
    cp "$(ls -S "$scratch/$name".*.jsonl | head -1)" "$out/$name.jsonl"
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
    sed "s/{\"experiment\":\"slices\"/{\"experiment\":\"$name\"/" "$scratch"/slices.? >>"$out/slices.jsonl"
    rm "$scratch"/slices.?
    echo "slices $name: $((SECONDS - begin)) s"
}
times() { # WORD COUNT: the word as often
    for _ in $(seq "$2"); do echo -n "$1 "; done
}

nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.max.sm,pcie.link.gen.max,pcie.link.width.max --format=csv
part device_properties.json 20 "$built/device_properties"
part sm_order.jsonl 40 "$built/sm_order"
part launch_times.jsonl 60 "$built/launch_times" period period_ready arguments graph dependent events fork_join round_trip
part overhead.jsonl 20 "$built/launch_times" overhead

full=watch:264:1024:0:32
state="$full watch:132:1024:0:32 watch:132:1024:0:64 watch:264:256:0:128 watch:132:256:0:200 watch:2112:128:0:32
 watch:132:32:0:32 watch:66:1024:0:32 watch:1:32:0:32 $(for k in 8 16 32 64 100 132 164 196 224 227; do
    echo -n "watch:132:32:$((k * 1024)):32 "; done)
 watch:132:1024:229376:64 watch:132:1024:102400:64 watch:264:1024:102400:32 watch:66:32:229376:32 $full"
beside="watch:1:32:0:32 watch:132:32:229376:32 watch:132:1024:0:64 tiny:3000:4000 tiny:100000:300 tiny:1000000:30
 sparse:5000:0 sparse:5000:10 sparse:5000:30 sparse:5000:100 sparse:5000:300 sparse:5000:1000 sparse:5000:3000
 sparse:500000:100 sparse:2500000:100 copy:4096 copy:65536 copy:1048576 copy:16777216 acquire idle"
: >"$out/slices.jsonl"
slices state "$state" "$state"
slices again "$(times $full 12)" "$(for us in 1500 1800 2000 2200 2500 3500 4000 4500 6000; do echo -n "sparse:5000:$us "; done)
 sparse:100000:2200 sparse:1000000:2200 sparse:2000000:50"
slices two_sparse "$(times $full 3)" "sparse:5000:100 sparse:5000:2500 tiny:3000:3000" "sparse:5000:100 sparse:5000:2500 sparse:5000:100"
m=1048576
slices pieces "pieces:d:$((16 * m)) pieces:d:$((16 * m)) pieces:d:$m pieces:d:$((16 * m)) pieces:d:$((64 * m)) pieces:h:$((16 * m))
 pieces:d:$((16 * m)) pieces:d:$((16 * m)) pieces:h:$((16 * m)) pieces:d:65536" "idle pieces:d:$((16 * m)) pieces:d:$m pieces:d:65536
 pieces:d:65536 pieces:h:$((16 * m)) pieces:h:$((16 * m)) $full $full pieces:d:65536"
slices beside_full "$(times $full 21)" "$beside"
slices beside_shared "$(times watch:132:32:229376:32 21)" "$beside"
slices three "$(times $full 6)" "$(times $full 6)" "$full watch:1:32:0:32 tiny:3000:3000 sparse:5000:100 acquire idle"
slices four "$(times $full 3)" "$(times $full 3)" "$full watch:1:32:0:32 idle" "$full watch:1:32:0:32 idle"

part copy_times.jsonl 60 "$built/copy_times"
record capture_streams "$built/capture_more" streams
record capture_copies "$built/capture_more" copies
record capture_descriptors "$built/capture_more" descriptors
record capture_priorities "$built/capture_more" priorities
CUDA_DEVICE_MAX_CONNECTIONS=32 record capture_streams_32 "$built/capture_more" streams
GFE_CAPTURE=$scratch/cost LD_PRELOAD=$built/capture_cuda.so part overhead_recorded.jsonl 30 "$built/launch_times" overhead
part acquire.jsonl 60 "$built/launch_times" acquire
record capture_library "$built/capture_library"

if command -v nvidia-cuda-mps-control >/dev/null; then
    export CUDA_MPS_PIPE_DIRECTORY=$scratch/mps CUDA_MPS_LOG_DIRECTORY=$scratch/mps
    mkdir -p "$scratch/mps"
    nvidia-cuda-mps-control -d
    for percent in 5 20 25 50 75 100; do
        export CUDA_MPS_ACTIVE_THREAD_PERCENTAGE=$percent
        part mps_$percent.jsonl 30 "$built/sm_order" partial
    done
    unset CUDA_MPS_ACTIVE_THREAD_PERCENTAGE
    echo quit | nvidia-cuda-mps-control
fi
