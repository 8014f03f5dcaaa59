#!/bin/sh
# SPDX-License-Identifier: MIT
# gfe run of bare pushbuffers whose driver has no model: on each of NVIDIA's GPUs that gfe gpus lists, in bare
# channels (firmware-models/bare). What the capture does not say is ASSUMED, and named.
#
# PROMISE (traces): Bare pushbuffers of a driver without a model run on each of NVIDIA's GPUs, in bare
# channels; what the capture does not say is printed as ASSUMED.
set -u

# shellcheck disable=SC2154 # both are set by make
golden=$(cd "$top_srcdir" && pwd)/tests/golden/raw
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

chipset_of() # CHIP: as nouveau has it
{
    case $1 in
        GK104) echo 0xe4 ;;
        GM204) echo 0x124 ;;
        GP102) echo 0x132 ;;
        GP106) echo 0x136 ;;
        GP107) echo 0x137 ;;
        GP10B) echo 0x13b ;;
        GV100) echo 0x140 ;;
        GV11B) echo 0x15b ;;
        TU102) echo 0x162 ;;
        TU106) echo 0x166 ;;
        GA100) echo 0x170 ;;
        GA10B) echo 0x17b ;;
        GH100) echo 0x180 ;;
        AD102) echo 0x192 ;;
    esac
}

release_of() # CHIP: dwords of a release of 7 at 0x108000 by Host, with SEMAPHOREA to D or, from Volta on, SEM_EXECUTE
{
    case $1 in
        GK* | GM* | GP*) echo 20040004 00000000 00108000 00000007 01000002 ;;
        *) echo 20050017 00108000 00000000 00000007 00000000 00000001 ;;
    esac
}

"$gfe" gpus | awk '$0 ~ / G[KMPVAH][0-9]+B? | TU[0-9]+ | AD[0-9]+ / {
    for (i = 2; i <= NF; i++) if ($i ~ /^(G[KMPVAH][0-9]+B?|TU[0-9]+|AD[0-9]+)$/) { print $1, $i; break } }' >gpus
check 'NVIDIA has GPUs' [ -s gpus ]
while read -r gpu chip; do
    release=$(release_of "$chip")
    # shellcheck disable=SC2086 # words
    set -- $release
    cat >$gpu.raw <<EOF
gfe-raw 1
gpu $gpu
chipset $(chipset_of "$chip")
driver somebody
channel 5
memory 0x100000 64k sysmem
words 0x100000
  $release
end
push 0x100000 $(($# * 4))
submit 5
wait 5
expect 5 0x108000 7
EOF
    "$gfe" import raw $gpu.raw -o $gpu.gft 2>errors
    check "$gpu: the stream is imported" [ $? -eq 0 ]
    "$gfe" run $gpu.gft >$gpu.ran 2>errors
    check "$gpu: the stream runs" [ $? -eq 0 ]
    check "$gpu: the release is made" grep -q '^ *fences  *2 of 2 reached' $gpu.ran
    check "$gpu: what is assumed is named" grep -q '(BARE.TSG)' $gpu.ran
    check "$gpu: nothing fails" [ "$(grep -c '^errors' $gpu.ran)" -eq 0 ]
done <gpus

# What CUDA's driver sent to a real H100: all of it is processed.
if "$gfe" gpus h100 >/dev/null 2>&1; then
    "$gfe" import raw "$golden/gh100_cuda.raw" -o cuda.gft
    "$gfe" run -o cuda.gfl cuda.gft >cuda.ran 2>errors
    check 'the H100 stream runs' [ $? -eq 0 ]
    # MIN_ and TARGET_SM_CONFIG_SHARED_MEM_SIZE of its descriptors, 9 and 9, 3 and 9: units of 4 KiB plus one
    # (gh100_cuda.decoded).
    "$gfe" show --as events cuda.gfl >cuda.events
    check 'its first kernel chooses the split of its descriptor' grep -q 'GRID_SPLIT .*least_bytes=32768 chosen_bytes=32768' cuda.events
    check 'and so does its second' grep -q 'GRID_SPLIT .*least_bytes=8192 chosen_bytes=32768' cuda.events
    check 'its launches are made' grep -q '4 grids, 5 blocks' cuda.ran
    check 'its copy is made' grep -q 'copies  *2, 4194304 bytes' cuda.ran
    check 'its channels come to their ends' grep -q '^ *fences  *4 of 4 reached' cuda.ran
    check 'nothing of it fails' [ "$(grep -c '^errors\|never ended' cuda.ran)" -eq 0 ]
fi

# A TU116 has no model. Its stream runs on a GPU with its classes if one is named, and says which.
if "$gfe" gpus rtx2060 >/dev/null 2>&1; then
    "$gfe" import raw "$golden/tu116_compute.raw" -o tu116.gft
    "$gfe" run tu116.gft >ran 2>errors
    check 'no other chip than its own is taken in silence' [ $? -eq 1 ]
    check 'those with its classes are named' grep -q 'these have its classes, for --gpu: .*rtx2060' errors
    "$gfe" run --gpu rtx2060 tu116.gft >ran 2>errors
    check 'it runs on the one that is named' grep -q '1 grid, 1 block' ran
    "$gfe" run --gpu gtx1060 tu116.gft >ran 2>errors
    check 'but on none with other classes' [ $? -eq 1 ]
fi

if [ $failures -ne 0 ]; then
    echo "$failures of test_raw_bare.sh failed"
    exit 1
fi
echo "bare channels ran on $(wc -l <gpus) GPUs"
