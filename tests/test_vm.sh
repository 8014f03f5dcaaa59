#!/bin/sh
# SPDX-License-Identifier: MIT
# The VM_BIND interface, from a program that speaks it to a replay that copies its bytes: recorded,
# decoded, replayed, explained.  Then NVK's recordings, where they are, and NVK itself, where a user
# has it.
#
# PROMISE (traces): A client that speaks NVK's interface (VM_INIT, VM_BIND, EXEC, syncobjs) is
# recorded, replayed and explained; NVK itself where it is installed.
set -u

# shellcheck disable=SC2154 # both are set by make
root=$top_srcdir
# shellcheck disable=SC2154
gfe=$top_builddir/gfe
client=$top_builddir/tests/clients/vm_client
shared=${GFE_SHARED:-$root/../shared}/traces/nouveau

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failures=0
checks=0

check() # SENTENCE CONDITION...: the condition is a command
{
    sentence=$1
    shift
    checks=$((checks + 1))
    if ! "$@"; then
        echo "FAILED: $sentence"
        failures=$((failures + 1))
    fi
}

has() # FILE PATTERN
{
    grep -q -- "$2" "$1" || { echo "$1 lacks '$2':"; head -20 "$1"; return 1; }
}

count_is() # FILE PATTERN COUNT
{
    found=$(grep -c -- "$2" "$1")
    [ "$found" = "$3" ] || { echo "$1 has $found of '$2', not $3"; return 1; }
}

# Of TRACE: all methods have names, all fences are reached, nothing faults and nothing waits for ever.
replays() # TRACE
{
    "$gfe" decode "$1" >"$work/decoded" || return 1
    if grep -E '^[RM] s[0-7] [0-9a-f]{4} [0-9a-f]{4} [0-9a-f]{8} +(-|\?)' "$work/decoded"; then
        echo 'a method has no name'
        return 1
    fi
    "$gfe" run -o "$work/log.gfl" "$1" >"$work/summary" || return 1
    grep -Eq 'fences +([0-9]+) of \1 reached' "$work/summary" || { cat "$work/summary"; return 1; }
    ! grep -E 'never ended|NV_MMU_FAULT' "$work/summary"
}

# --- a program that speaks the interface ------------------------------------------------------

if [ -x "$client" ]; then
    "$gfe" record -q -o "$work/vm.gft" -- "$client" >"$work/stdout" 2>"$work/stderr"
    check 'the recorded program ends well' [ $? = 0 ]
    check 'and says so' has "$work/stdout" '^done$'
    check 'nothing else is said' [ ! -s "$work/stderr" ]
    check 'its trace replays' replays "$work/vm.gft"
    check 'all copies are made' has "$work/summary" 'copies  *4, 8388684 bytes'
    check 'no-prefetch is seen' count_is "$work/decoded" '^EXEC .* entries=2' 2
    check 'the second channel waits for the first' has "$work/decoded" 'waits=1@1 signals=1@2'
    "$gfe" show --as events "$work/log.gfl" >"$work/events"
    check 'the waits of the program are there' has "$work/summary" 'program waits  *6 recorded'
    check 'the unmap comes last' has "$work/events" 'DRIVER_BIND bind_id=4 .*operation=2'
    # On a GPU whose copies take seconds somebody waits, however slow the recording was.
    "$gfe" run --param core.copy_setup_cycles=2000000000 -o "$work/slow.gfl" "$work/vm.gft" \
        >"$work/summary"
    check 'the program waits for a slower GPU' has "$work/summary" '1 had to wait, [45][.]'
    "$gfe" explain "$work/slow.gfl" submission:2 >"$work/explained"
    check 'explain names the rule and who was in the way' has "$work/explained" \
        'NOUVEAU.SYNC, because of submission:1'
    check 'and knows all of the time' [ "$(grep -ci unattributed "$work/explained")" = 0 ]
else
    echo 'not recorded: the client is not built (DRM headers, Debian package libdrm-dev)'
fi

# --- recordings of NVK ------------------------------------------------------------------------

for chip in 136 166; do
    if [ ! -r "$shared/vkcompute.$chip.nvt" ]; then
        echo "not replayed: $shared/vkcompute.$chip.nvt is not there"
        continue
    fi
    "$gfe" import nvt -o "$work/vk.gft" "$shared/vkcompute.$chip.nvt"
    check "NVK's recording on NV$chip is imported" [ $? = 0 ]
    check "NVK's recording on NV$chip replays" replays "$work/vk.gft"
    check "its dispatch of 5 x 3 x 2 on NV$chip runs" has "$work/summary" '30 blocks of 256 threads'
done

# --- NVK itself -------------------------------------------------------------------------------

# Debian 12 has no NVK; vulkan-tools' vulkaninfo makes a device all the same where a user has one.
nvk=
for library in /usr/lib/*/libvulkan_nouveau.so /usr/lib64/libvulkan_nouveau.so \
    /usr/lib/libvulkan_nouveau.so; do
    [ -r "$library" ] && nvk=$library
done
if [ -z "$nvk" ]; then
    echo 'NVK not recorded: libvulkan_nouveau.so is not installed'
elif ! command -v vulkaninfo >/dev/null; then
    echo 'NVK not recorded: vulkaninfo is not installed (vulkan-tools)'
else
    cat >"$work/nouveau_icd.json" <<EOF
{"file_format_version": "1.0.0", "ICD": {"library_path": "$nvk", "api_version": "1.3.0"}}
EOF
    VK_DRIVER_FILES=$work/nouveau_icd.json VK_ICD_FILENAMES=$work/nouveau_icd.json \
        NVK_I_WANT_A_BROKEN_VULKAN_DRIVER=1 MESA_SHADER_CACHE_DISABLE=1 \
        "$gfe" record -q -o "$work/nvk.gft" -- vulkaninfo --summary >"$work/stdout" 2>"$work/stderr"
    check 'NVK finds a device' has "$work/stdout" 'NVK'
    check "NVK's trace replays" replays "$work/nvk.gft"
fi

echo "$checks checks, $failures failed"
[ $failures = 0 ]
