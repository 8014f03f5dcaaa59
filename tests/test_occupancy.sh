#!/bin/sh
# SPDX-License-Identifier: MIT
# gfe occupancy: blocks on an SM by NVIDIA's calculator, what binds, JSON, AMD's CUs, what is refused.
#
# PROMISE (program): `gfe occupancy` says as many blocks an SM as NVIDIA's occupancy calculator.
set -eu
gfe=${top_builddir:-.}/gfe

fail() # MESSAGE
{
    echo "$1"
    exit 1
}

# By cuda_occupancy.h of CUDA 13.0, for a kernel that may have as much shared memory as there is.
while read -r gpu threads registers shared blocks bound; do
    said=$("$gfe" occupancy --gpu "$gpu" --threads "$threads" --registers "$registers" --shared "$shared" --json |
        tr -d '\n' | sed -E 's/.*"blocks": ([0-9]+).*"bound_by": "([a-z_]+)".*/\1 \2/')
    [ "$said" = "$blocks $bound" ] ||
        fail "$gpu, $threads threads, $registers registers, $shared bytes: $said, not $blocks $bound"
done <<'END'
a100 32 32 0 32 block_slots
a100 64 128 0 8 registers
a100 96 40 0 16 registers
a100 160 64 0 6 registers
a100 32 32 83968 1 shared_memory
h100 32 32 116736 1 shared_memory
rtx6000ada 32 32 51200 1 shared_memory
gtx1060 1024 32 0 2 threads
gtx1060 65 8 0 21 warp_slots
tx2 96 40 0 16 registers
END

# Without the driver two blocks of 82 KiB fit; half an SM of a GTX 1060 holds one block of 13 warps.
"$gfe" occupancy --gpu a100 --threads 32 --shared 83968 --bare | grep -q '^2 blocks on each SM' || fail '--bare'
"$gfe" occupancy --gpu a100 --threads 32 --shared 83968 | grep -q '; shared memory binds (T.R3)$' || fail 'grammar'
"$gfe" occupancy --threads 416 --registers 40 | grep -q '^3 blocks on each SM.*(T.REG)$' || fail 'a whole SM'
"$gfe" occupancy --threads 416 --registers 40 --half-sm | grep -q '^2 blocks on each SM' || fail '--half-sm'

# A CU of a Radeon VII has 4 SIMDs with 10 wave slots and 256 vector registers of each lane (the
# vendor's Vega ISA document): 2 blocks of 16 waves, and of 1 with 128 registers 8 waves.
"$gfe" occupancy --gpu radeon-vii --threads 1024 --registers 16 | grep -q '^2 blocks on each CU: 32 of 40 waves' ||
    fail 'a CU by its wave slots'
"$gfe" occupancy --gpu radeon-vii --threads 64 --registers 128 | grep -q '^8 blocks on each CU.*vector registers bind' ||
    fail 'a CU by its registers'

refused() # STATUS MESSAGE OPTION...
{
    status=0
    wanted=$1 message=$2
    shift 2
    text=$("$gfe" occupancy "$@" 2>&1) || status=$?
    [ "$status" = "$wanted" ] || fail "$*: status $status"
    printf '%s\n' "$text" | grep -qF -- "$message" || fail "$*: $text"
}
refused 1 'no SM of a100 can hold such a block (T.REG)' --gpu a100 --threads 897 --registers 72
refused 1 'no SM of h100 can hold such a block (T.R3)' --gpu h100 --shared 232449
refused 1 'no CU of radeon-vii can hold such a block' --gpu radeon-vii --threads 1025
refused 2 "no GPU is called 'rtx1'" --gpu rtx1
refused 2 'threads' --threads 0
echo "gfe occupancy: ok"
