#!/bin/sh
# SPDX-License-Identifier: MIT
# Every chip that gfe record can stand in for, with Mesa's driver: the clients run to their end, gfe
# decode names every method and every descriptor, and gfe run on the chip's model reaches all fences
# with nothing lost but macros, caches, checks of versions and pixels. Skipped when the driver or the
# clients are not there.
#
# PROMISE (traces): Each recordable chip is recorded, decoded and replayed with four programs.
set -u

# shellcheck disable=SC2154 # set by make
gfe=$top_builddir/gfe
clients=$top_builddir/tests/clients

skip() # WHY
{
    echo "skipped: $1"
    exit 77
}

[ -x "$clients/gl_clear" ] || skip 'the clients are not built (EGL and GLESv2 headers)'
found=
for driver in /usr/lib/*/dri/nouveau_dri.so /usr/lib64/dri/nouveau_dri.so /usr/lib/dri/nouveau_dri.so; do
    [ -r "$driver" ] && found=$driver
done
[ -n "$found" ] || skip 'nouveau_dri.so is not installed (libgl1-mesa-dri)'

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0
checks=0

check() # SENTENCE CONDITION...: the condition is a command
{
    sentence=$1
    shift
    checks=$((checks + 1))
    if ! "$@"; then
        echo "FAILED: $gpu, $client: $sentence"
        failures=$((failures + 1))
    fi
}

lacks() # FILE PATTERN
{
    ! grep -E -m 3 -e "$2" "$1"
}

# What stands under "used but not modelled": macros, caches, checks of versions, draws, and how a descriptor
# splits an SM's memory into L1 and shared (open-gpu-doc cla0c0qmd.h, clc3c0qmd.h), which is not modelled.
expected_losses() # FILE
{
    sed -n '/^used but not modelled/,/^[^ ]/s/^      //p' "$1" | tr ',' '\n' |
        sed 's/^ *//; s/ [0-9]*$//; /^$/d' >losses.txt
    ! grep -E -v '^(CALL_MME_MACRO|INVALIDATE_.*|CHECK_.*_VERSION|CLEAR_SURFACE|DRAW_.*|QMD\.L1_CONFIGURATION|QMD\..*SM_CONFIG_SHARED_MEM_SIZE)$' losses.txt
}

has() # FILE PATTERN
{
    grep -q -E -e "$2" "$1"
}

# Classes of the chip: Host, inline, 3D, compute, copy, and the layout of its descriptors.
each() # GPU HOST INLINE THREED COMPUTE COPY LAYOUT
{
    gpu=$1
    for client in clear triangle compute upload; do
        check 'records' "$gfe" record -q --gpu "$gpu" -o r.gft -- "$clients/gl_$client" >/dev/null
        check 'is decoded' "$gfe" decode -o r.txt r.gft
        # 15b4 of the 3D class stands in no header; an array that is run past its end reaches it.
        grep -v '15b4 00000000 .*? ' r.txt >named.txt
        check 'every method has a name' lacks named.txt 'UNKNOWN|no such method|\? |a class without'
        check 'every dword is a method' lacks named.txt '^. -- ---- ---- '
        check 'every descriptor is known' lacks named.txt 'qmd .*(unknown|not in memory)'
        check 'Host methods are the Host class of the chip' has r.txt "^M s. $2 001c .*SEMAPHORED"
        check 'the 3D class is the one of the chip' has r.txt "^R s0 $4 .*"
        check 'inline data are the one of the chip' has r.txt "^R s2 $3 01b4 "
        check 'is replayed' "$gfe" run -o r.gfl r.gft >run.txt
        check 'all fences are reached' has run.txt '^  fences  *([1-9][0-9]*) of \1 reached'
        check 'nothing is lost but what is expected' expected_losses run.txt
        "$gfe" show --as events r.gfl >events.txt
        check 'no error is raised' lacks events.txt \
            'NV_MMU_FAULT|NV_ENGINE_ERROR|NV_CHANNEL_STOP|DRIVER_KILL|WAIT_OPEN|NV_BIND_ERROR|NV_SCHED'
        check 'the only interrupts of a PBDMA are software methods' lacks events.txt \
            'NV_PBDMA_INTR .*\[NV.INTR\]'
        [ "$client" = clear ] ||
            check 'copies are the one of the chip' has r.txt "^R s4 $6 0300 .* LAUNCH_DMA"
        [ "$client" = compute ] || continue
        check 'the launch is what the program asked for' has r.txt \
            "s1 $5  qmd 0x[0-9a-f]+ $7 grid=5x3x2 block=32x4x2 shared=1024 registers=[0-9]+ barriers=1 "
    done
}

each gtx680 a06f a040 a097 a0c0 a0b5 V00_06
each gtx980 b06f a140 b197 b1c0 b0b5 V00_06
each gtx1050 c06f a140 c197 c1c0 c1b5 V02_01
each gtx1050ti c06f a140 c197 c1c0 c1b5 V02_01
each gtx1060 c06f a140 c197 c1c0 c1b5 V02_01
each v100 c36f a140 c397 c3c0 c3b5 V02_02
each titan-v c36f a140 c397 c3c0 c3b5 V02_02
each rtx2060 c46f a140 c597 c5c0 c5b5 V02_02

echo "$checks checks, $failures failed"
[ "$failures" -eq 0 ]
