#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Builds and runs what is here on a machine with an NVIDIA GPU and CUDA's compiler; the results
# go to the folder given (default: data).  About two minutes.
set -u
out=$(mkdir -p "${1:-data}" && cd "${1:-data}" && pwd)
cd "$(dirname "$0")" || exit 1
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT

cc -Wall -Wextra -shared -fPIC -O1 -o "$build/capture_cuda.so" capture_cuda.c -ldl || exit 1
nvcc -arch=native -O1 -o "$build/capture_work" capture_work.cu -lcuda -ldl || exit 1
nvcc -arch=native -O1 -o "$build/block_times" block_times.cu -lcuda || exit 1
nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.max.sm --format=csv >"$out/gpu.csv"

echo "capture: alone, then recorded"
"$build/capture_work" || exit 1
timeout 120 env GFE_CAPTURE="$build/work" LD_PRELOAD="$build/capture_cuda.so" "$build/capture_work"
echo "rc $?"
for n in 1 32; do # how many channels a context gets
    timeout 60 env CUDA_DEVICE_MAX_CONNECTIONS=$n GFE_CAPTURE="$build/channels_$n" LD_PRELOAD="$build/capture_cuda.so" \
        "$build/block_times" null >/dev/null
    cat "$(ls -S "$build/channels_$n".*.jsonl | head -1)" | grep -E '"(alloc|control)"' | gzip -9n >"$out/capture_channels_$n.jsonl.gz"
done
gzip -9n <"$(ls -S "$build"/work.*.jsonl | head -1)" >"$out/capture_work.jsonl.gz"

echo "blocks"
timeout 60 "$build/block_times" fill leftover priority null many clusters copies green >"$out/blocks.jsonl"
for n in 1 8 32; do
    CUDA_DEVICE_MAX_CONNECTIONS=$n timeout 60 "$build/block_times" streams >"$out/streams_$n.jsonl"
done

# Several processes at once: together NAME PROCESS..., each "KIND WHO ARGUMENTS".
together() {
    name=$1
    start=$(awk '{printf "%d", $1 * 1000}' /proc/uptime)000000
    start=$((start + 3000000000))
    shift
    for part; do
        timeout 60 "$build/block_times" $part "$start" >"$build/part.${part// /_}" &
    done
    wait
    for part; do
        sed "s/{\"experiment\":\"/{\"experiment\":\"$name\",\"kind\":\"/" "$build/part.${part// /_}"
    done >>"$out/$file.jsonl"
}
alone_and_shared() {
    : >"$out/$file.jsonl"
    together two_fill "share a 264 60" "share b 264 60"
    together two_half "share a 264 60" "share b 66 60"
    together three_fill "share a 264 60" "share b 264 60" "share c 264 60"
    together alone "share a 264 60"
    together two_shared "share a 132 60 225280" "share b 132 60 225280"
    together other_waits "share a 264 60" "wait b 60"
    together other_tiny "share a 264 60" "tiny b 10 60"
}
file=processes
alone_and_shared
file=processes_copies
: >"$out/$file.jsonl"
together copies_alone "copy_pieces a 64 16777216"
together copies_two "copy_pieces a 64 16777216" "copy_pieces b 64 16777216"
together copies_two_small "copy_pieces a 64 16777216" "copy_pieces b 1024 65536"
together latency_copy_alone "latency b copy 50"
together latency_copy_beside_blocks "share a 264 60" "latency b copy 50"
together latency_copy_beside_copies "copy_pieces a 200 16777216" "latency b copy 50"
together latency_kernel_alone "latency b kernel 50"
together latency_kernel_beside_blocks "share a 264 60" "latency b kernel 50"

# The same under the Multi-Process Service, where it is installed.
if command -v nvidia-cuda-mps-control >/dev/null; then
    export CUDA_MPS_PIPE_DIRECTORY=$build/mps CUDA_MPS_LOG_DIRECTORY=$build/mps
    mkdir -p "$build/mps"
    nvidia-cuda-mps-control -d
    file=processes_mps
    alone_and_shared
    together latency_kernel_beside_blocks "share a 264 60" "latency b kernel 50"
    CUDA_MPS_ACTIVE_THREAD_PERCENTAGE=50 together half_each "share a 132 60" "share b 132 60"
    CUDA_MPS_ACTIVE_THREAD_PERCENTAGE=10 timeout 60 "$build/block_times" fill >"$out/blocks_mps_10.jsonl"
    timeout 120 env CUDA_MPS_ACTIVE_THREAD_PERCENTAGE=10 GFE_CAPTURE="$build/mpswork" LD_PRELOAD="$build/capture_cuda.so" "$build/capture_work"
    gzip -9n <"$(ls -S "$build"/mpswork.*.jsonl | head -1)" >"$out/capture_mps.jsonl.gz"
    echo quit | nvidia-cuda-mps-control
fi
