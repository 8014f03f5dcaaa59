#!/bin/sh
# SPDX-License-Identifier: MIT
# gfe decode --format: packets and descriptors of AMD GPUs from tests/golden/amd decode to the texts
# beside them, as bytes and as hexadecimal; JSON says the same; wrong input and wrong usage are told.
#
# PROMISE (amd): Texts of AMD's packets and descriptors, and their JSON, are the golden ones; a
# recorded program's packets all have names.
set -u

# shellcheck disable=SC2154 # both are set by make
golden=$(cd "$top_srcdir" && pwd)/tests/golden/amd
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

same_text() # EXPECTED FOUND
{
    [ -z "${GFE_UPDATE_GOLDEN-}" ] || cp "$2" "$1"
    cmp -s "$1" "$2" || { diff "$1" "$2" | head -8; return 1; }
}

# The dwords of a text as bytes.
bytes() # FILE
{
    sed 's/#.*//; s/[0-9a-f]*://g' "$1" | tr -s ' ' '\n' | grep . |
        sed 's/\(..\)\(..\)\(..\)\(..\)/\\\\x\4\\\\x\3\\\\x\2\\\\x\1/' |
        while read -r word; do
            # Octal, which every printf has.
            for byte in $(printf '%s' "$word" | sed 's/\\x/ 0x/g; s/\\//g'); do
                # shellcheck disable=SC2059 # the format is the byte
                printf "\\$(printf '%o' "$byte")"
            done
        done
}

for name in pm4 aql sdma mqd hqd kernel; do
    format=amd-$name
    [ $name = kernel ] && format=amd-kernel-descriptor
    generation='--generation gfx9'
    case $name in
    aql | kernel) generation= ;;
    esac
    # shellcheck disable=SC2086 # the option is two words or none
    "$gfe" decode --format $format $generation --hex "$golden/$name.hex" >$name.decoded 2>errors
    check "$name is decoded" [ $? -eq 0 ]
    check "nothing is said of $name" [ ! -s errors ]
    check "$name has the golden text" same_text "$golden/$name.decoded" $name.decoded
    bytes "$golden/$name.hex" >$name.bin
    "$gfe" decode -f $format $generation $name.bin >$name.binary
    check "$name is the same as bytes" cmp -s $name.decoded $name.binary
    "$gfe" decode -f $format $generation - <$name.bin >$name.piped
    check "$name comes through a pipe too" cmp -s $name.decoded $name.piped
    "$gfe" decode -f $format $generation --json $name.bin >$name.json
    check "$name has JSON" [ $? -eq 0 ]
    printf 'ab' >>$name.bin
    check "$name with a rest" [ "$("$gfe" decode -f $format $generation $name.bin | tail -1)" = \
        '# 2 bytes at the end are no dword' ]
done
check 'JSON is the golden one' same_text "$golden/aql.json" aql.json
if command -v python3 >/dev/null 2>&1; then
    for name in pm4 aql sdma mqd hqd kernel; do
        check "the JSON of $name is JSON" python3 -c \
            "import json, sys; assert json.load(open('$name.json'))['packets']"
    done
fi

: >empty
for format in amd-pm4 amd-sdma amd-mqd amd-hqd amd-sdma-mqd; do
    check "$format of nothing is nothing" [ -z "$("$gfe" decode -f $format --gpu mi50 empty)" ]
done
for format in amd-aql amd-ih amd-kernel-descriptor; do
    check "$format of nothing is nothing" [ -z "$("$gfe" decode -f $format empty)" ]
done
"$gfe" decode -f amd-pm4 --generation gfx10 --json empty >empty.json
check 'JSON of nothing' grep -q '"generation": "gfx10", "packets": \[' empty.json
"$gfe" decode -f amd-kernel-descriptor --gpu mi210 --hex "$golden/kernel.hex" >mi210
check 'MI210 gives out registers by eight' grep -q 'a wave of mi210 takes 16 VGPRs, 16 SGPRs' mi210

refuse() # STATUS MESSAGE ARGUMENT...
{
    wanted=$1
    message=$2
    shift 2
    "$gfe" decode "$@" >out 2>errors
    check "gfe decode $*: exit status" [ $? -eq "$wanted" ]
    check "gfe decode $*: message" grep -q -- "$message" errors
    check "gfe decode $*: one line" [ "$(wc -l <errors)" -eq 1 ]
}
printf '0000: 12345678\n# none\n  1234567890\n' >bad.hex
printf '\177ELFxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx' >bad.elf
printf '\177ELF\2\1\1' >navi.elf
dd if=/dev/zero bs=1 count=41 2>/dev/null >>navi.elf
printf '\066\0\0\0xxxxxxxxxxxx' >>navi.elf
refuse 1 'another generation (EF_AMDGPU_MACH 0x36)' -f amd-kernel-descriptor navi.elf
for format in amd-pm4 amd-sdma; do
    refuse 2 "$format differs between generations: add --generation with gfx9, gfx10, gfx11 or gfx12" \
        -f $format --hex "$golden/sdma.hex"
done
refuse 2 'amd-mqd differs between generations' -f amd-mqd --hex "$golden/mqd.hex"
refuse 2 "of amd-hqd only gfx9's is known, not gfx11's" -f amd-hqd --generation gfx11 --hex "$golden/hqd.hex"
refuse 2 "there is no generation 'gfx8'" -f amd-pm4 --generation gfx8 --hex "$golden/pm4.hex"
refuse 2 'leave out --generation' -f amd-aql --generation gfx9 --hex "$golden/aql.hex"
refuse 2 'need --format' --generation gfx9 bad.hex
refuse 1 "bad.hex: line 3: '1234567890' is no dword" -f amd-pm4 --generation gfx9 --hex bad.hex
refuse 1 'bad.elf: ' -f amd-kernel-descriptor bad.elf
refuse 1 'o such file' -f amd-pm4 --generation gfx9 missing
refuse 2 "no format 'amd'" -f amd bad.hex
refuse 2 "no AMD GPU is called 'gtx1060'" -f amd-kernel-descriptor --gpu gtx1060 bad.hex
refuse 2 'need --format' --hex bad.hex
refuse 2 'not for --format' -f amd-pm4 --raw bad.hex

[ "$failures" -gt 0 ] || echo 'test_decode_amd: passed'
[ "$failures" -eq 0 ]
