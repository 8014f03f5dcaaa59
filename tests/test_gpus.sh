#!/bin/sh
# SPDX-License-Identifier: MIT
# gfe gpus: the list, the tables of a chip, names and aliases, JSON, and what the errors say.
#
# PROMISE (program): `gfe gpus` lists every chip and prints its figures with basis and source.
set -eu
gfe=${top_builddir:-.}/gfe

# Ends the test, also in a pipeline, whose last part is a process of its own.
fail() # MESSAGE
{
    echo "$1"
    exit 1
}

expect() # WHAT PATTERN: a line of the text on standard input
{
    grep -qE -- "$2" || fail "$1: no line like '$2'"
}

# Each model that is declared is in the list of GPUs.
nvidia=${top_srcdir:-.}/devices/nvidia
models=$(sed -n '/^extern const struct nv_chip/s/.*struct nv_chip //p' "$nvidia/nv_chips.h" | tr -d ',;')
[ -n "$models" ] || fail 'nv_chips.h declares no chip'
for model in $models; do
    grep -qE "&${model}[, }]" "$nvidia/nv_chip.c" ||
        fail "nv_chips.h declares $model, which the list of nv_chip.c has not"
done

list=$("$gfe" gpus)
for name in tx2 gtx1060 gtx1060-3gb gtx1080ti titan-v xavier rtx2080ti a100 orin orin-runlist3 \
    rtx6000ada h100 h200; do
    printf '%s\n' "$list" | expect 'the list' "^$name "
done
printf '%s\n' "$list" | expect 'chips of nouveau can be recorded' '^titan-v .* yes *$'
printf '%s\n' "$list" | expect 'the others cannot' '^a100 .* no *$'

# What is listed as recordable is what gfe record takes.
printf '%s\n' "$list" | awk '$NF == "yes" || $NF == "no" { print $1, $NF }' | while read -r name can
do
    taken=yes
    "$gfe" record --gpu "$name" 2>&1 | grep -q "there is no GPU '$name'" && taken=no
    [ "$taken" = "$can" ] || fail "$name: the list says $can, gfe record $taken"
done

text=$("$gfe" gpus rtx6000ada)
printf '%s\n' "$text" | expect 'classes' 'Host c56f, compute c9c0, 3D c997, .* copy c7b5'
printf '%s\n' "$text" | expect 'runlist without engine' 'runlist 7 .* no engine'
printf '%s\n' "$text" | expect 'runlist 0' 'runlist 0 .*PBDMA 0 1: GR0, GRCE0/LCE0, GRCE1/LCE1'
printf '%s\n' "$text" | expect 'PCEs' 'PCE 5 +serves LCE3'
printf '%s\n' "$text" | expect 'PCEs' 'PCE 0 +unused'
printf '%s\n' "$text" | expect 'GRCEs' 'GRCE0 +shares the PCEs of LCE3'
printf '%s\n' "$text" | expect 'recording' 'not possible'
printf '%s\n' "$text" | expect 'a basis' 'MEASURED'
"$gfe" gpus gtx1060 | expect 'recording' 'gfe record stands in for it'
"$gfe" gpus tx2 | expect 'an integrated GPU' 'no PCI id'
[ "$("$gfe" gpus titanv)" = "$("$gfe" gpus titan-v)" ] || fail 'titanv is not titan-v'
"$gfe" gpus --json a100 | expect 'JSON' '"fault_id": *null'
"$gfe" gpus --json | expect 'JSON' '"shared_grces"'

# AMD's GPUs: figures, and registers of their own; recordings are of ROCm's libraries.
for name in radeon-vii mi50 mi60 mi100 mi210; do
    printf '%s\n' "$list" | expect 'the list' "^$name "
    "$gfe" gpus $name | expect "$name" '^ +SIMDs per CU.* DOCUMENTED'
    "$gfe" gpus --json $name | expect "$name is emulated" '"emulated": *true'
done
text=$("$gfe" gpus radeon-vii)
printf '%s\n' "$text" | expect 'the chip' '^radeon-vii: .*Vega 20 \(gfx906\), PCI id 1002:66af'
printf '%s\n' "$text" | expect 'shader engines' '^ +SE3 +15 of 16 CUs'
printf '%s\n' "$text" | expect 'queues' 'HQD 2 to 7 each for programs, 24 slots'
"$gfe" gpus --json mi210 | expect 'JSON of AMD' '"vgprs_per_simd": *512'
"$gfe" gpus --json | expect 'JSON of all' '"vendor": *"AMD"'
"$gfe" regs --gpu radeon-vii | expect 'registers of AMD' '^amd_hqd +55 registers'
if "$gfe" regs --gpu radeon-vii | grep -q '^nv_'; then
    fail "radeon-vii has NVIDIA's registers"
fi
if "$gfe" regs --gpu gtx1060 | grep -q '^amd_'; then
    fail "gtx1060 has AMD's registers"
fi
"$gfe" regs --generation gfx908 amd_compute SE4 | expect 'of later chips' 'SE4__SH0_CU_EN'
"$gfe" run --gpu radeon-vii "${top_srcdir:-.}/tests/golden/clear.gft" 2>&1 | expect 'gfe run' 'radeon-vii is an AMD GPU, which'

if "$gfe" gpus a1000 2>/dev/null; then
    fail 'a card that is not there is described'
fi
