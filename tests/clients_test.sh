#!/bin/bash
# SPDX-License-Identifier: MIT
#
# usage: tests/clients_test.sh [-j JOBS] BUILD-DIRECTORY [TEST...]
#
# Programs that nobody wrote for gfe: every third of piglit's tests in tests/clients/piglit.txt (all
# with GFE_LONG=1, or only those named) and eglinfo.  Each is recorded on a GTX 1060, replayed and decoded.  Of each must hold:
# the program runs to its own end, every completion value is reached, nothing waits for ever,
# nothing faults, the stand-in refused and missed nothing, every method has a name, and what the
# replay reports as not modelled stands in tests/golden/clients_unmodelled.txt.
#
# What piglit says of its own results is not looked at: nothing is executed while recording.
#
# glmark2, kmscube and es2_info are started too, and found to want what the stand-in does not have:
# a card with a screen, an X server.  The day one of them opens the GPU, it is checked as the others.
#
# Exit status 77 means skipped: piglit, EGL or the driver are not installed.
#
# PROMISE (traces): Some 330 of piglit's programs and eglinfo are recorded, replayed with all
# fences reached, and decoded with every method named; what is not modelled must be on a list.
set -u

jobs=1
if [ "${1-}" = -j ]; then
    jobs=$2
    shift 2
fi
if [ $# -eq 0 ]; then
    sed -n 's/^# usage: /usage: /p' "$0" >&2
    exit 2
fi
top=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "$1" && pwd) || exit 2
shift

piglit=$(echo /usr/lib/*/piglit)
accepted=${GFE_CLIENTS_ACCEPTED:-$top/tests/golden/clients_unmodelled.txt}
# An index past an array's end that has no name of its own; nouveau calls it CSAA_ENABLE.
guessed='SET_ITERATED_BLEND_CONSTANT_GREEN(19)?'
export LC_ALL=C EGL_PLATFORM=surfaceless PIGLIT_PLATFORM=surfaceless_egl MESA_SHADER_CACHE_DISABLE=1
unset DISPLAY WAYLAND_DISPLAY

skip()
{
    echo "clients_test: skipped: $*"
    exit 77
}

# --- one client -------------------------------------------------------------------------------

# Records, replays and decodes; what is wrong goes to stdout, a line each.
check_client() # NAME END-PATTERN COMMAND...
{
    local name=$1 end=$2 status where
    shift 2
    where=$work/${name//[\/ ]/:}
    timeout -k 5 120 "$build/gfe" record --gpu gtx1060 -o "$where.gft" -- "$@" \
        >"$where.out" 2>"$where.err"
    status=$?
    [ $status -lt 124 ] || echo "$name: exit status $status while recording"
    grep -q -- "$end" "$where.out" || echo "$name: did not run to its end: $(tail -n 1 "$where.err")"
    [ -s "$where.gft" ] || { echo "$name: no trace: $(tail -n 1 "$where.err")"; return; }
    check_trace "$name" "$where"
    [ -n "${GFE_CLIENTS_KEEP-}" ] || rm -rf "$where".*
}

check_trace() # NAME FILE-WITHOUT-SUFFIX
{
    local name=$1 where=$2
    "$build/tests/record_counts" -m "$where.gft" | sed "s,^,$name: the recorder notes: ,"
    local ended=0
    timeout -k 5 120 "$build/gfe" run -o "$where.gfl" "$where.gft" >"$where.sum" 2>"$where.err" ||
        ended=$?
    if [ $ended -ne 0 ] && [ $ended -ne 3 ]; then # 3: work is left; its events say so below
        echo "$name: does not replay: $(cat "$where.err")"
        return
    fi
    awk -v name="$name" '$1 == "fences" { found = 1; if ($2 != $4 || $2 == 0) print name ": " $0 }
        END { if (!found) print name ": no completion values" }' "$where.sum"
    "$build/gfe" show --as events "$where.gfl" >"$where.events" 2>&1 ||
        echo "$name: no events: $(tail -n 1 "$where.events")"
    grep -E ' (WAIT_OPEN|NV_MMU_FAULT|NV_[A-Z]*_ERROR|DRIVER_ERROR) ' "$where.events" |
        sed "s,^,$name: ,"
    sed -n 's/.* UNMODELLED what=\([0-9]*\) address=0x\([0-9a-f]*\) .*/\1 \2/p' "$where.events" |
        sort -u >"$where.unmodelled"
    grep -vxF -f <(sed 's/ *#.*//; /^$/d' "$accepted") "$where.unmodelled" |
        sed "s,^,$name: not modelled and not accepted: ,"
    "$build/gfe" decode "$where.gft" >"$where.txt" 2>"$where.err" ||
        echo "$name: does not decode: $(cat "$where.err")"
    grep -E '^[RM] s[0-7] ' "$where.txt" | awk '{ print $6 }' | grep -E '^UNKNOWN_|[?]$' |
        grep -vxF "$guessed" | sort | uniq -c | sed "s,^,$name: without a name: ,"
}

# A line of the list: a program with its arguments, or the file of a shader test.
check_piglit() # TEST
{
    local words
    read -r -a words <<<"$1"
    case $1 in
    *.shader_test) words=(shader_runner "$piglit/tests/spec/$1") ;;
    esac
    check_client "$1" 'PIGLIT: {"result"' "$piglit/bin/${words[0]}" "${words[@]:1}" -auto -fbo
}

# A program that cannot be recorded yet says so itself.
check_wanting() # NAME WHAT-IT-WANTS COMMAND...
{
    local name=$1 wants=$2
    shift 2
    if ! command -v "$1" >/dev/null; then
        echo "not installed: $name" >>"$work/notes"
    elif timeout -k 5 20 "$build/gfe" record --gpu gtx1060 -o "$work/wanting.gft" -- "$@" 2>&1 |
        grep -q 'never opened the GPU'; then
        echo "not recorded: $name wants $wants" >>"$work/notes"
    else
        check_client "$name" . "$@"
    fi
}

if [ "${1-}" = --one ]; then
    work=$2
    check_piglit "$3" >"$work/wrong/${3//[\/ ]/:}"
    exit 0
fi

# --- all --------------------------------------------------------------------------------------

[ -x "$piglit/bin/shader_runner" ] || skip 'piglit is not installed'
ls /usr/lib/*/dri/nouveau_dri.so >/dev/null 2>&1 || skip 'libgl1-mesa-dri is not installed'
[ -x "$build/tests/record_counts" ] || skip "$build/tests/record_counts is not built"

work=$(mktemp -d) && mkdir "$work/wrong" || exit 1
trap 'rm -rf "$work"' EXIT
[ -z "${GFE_CLIENTS_KEEP-}" ] || trap 'echo "kept: $work"' EXIT
if [ $# -gt 0 ]; then
    printf '%s\n' "$@" >"$work/list"
else
    sed 's/ *#.*//; /^$/d' "$top/tests/clients/piglit.txt" |
        awk -v all="${GFE_LONG-}" 'all != "" || NR % 3 == 1' >"$work/list"
fi
count=$(grep -c . "$work/list")
xargs -P "$jobs" -d '\n' -n 1 "$0" "$build" --one "$work" <"$work/list"
: >"$work/notes"
if [ $# -eq 0 ]; then
    {
        count=$((count + 1))
        check_client eglinfo 'Surfaceless platform' eglinfo
        check_wanting es2_info 'an X server' es2_info
        check_wanting glmark2 'a card with a screen' glmark2-es2-drm --off-screen -b build:duration=0.1
        check_wanting kmscube 'a card with a screen' kmscube --count=3
    } >"$work/wrong/others"
    cat "$work/notes"
fi
# Two faults, to prove that the checks see something.
fault() # WHAT PATTERN VARIABLE=VALUE...
{
    local what=$1 pattern=$2
    shift 2
    env "$@" "$0" "$build" arb_occlusion_query2-render >"$work/fault" 2>&1
    grep -q "$pattern" "$work/fault" || echo "the checks do not notice $what: $(cat "$work/fault")"
}
if [ $# -eq 0 ]; then
    broken=GFE_RECORD_LIBRARY=$build/libgfe-record-broken.so
    fault 'an empty list of what is accepted' 'not accepted: 3 c1971b0c' GFE_CLIENTS_ACCEPTED=/dev/null
    fault 'memory that is not recorded' ' fences ' "$broken" GFE_RECORD_BREAK=pages
fi >"$work/wrong/faults"
cat "$work"/wrong/*
wrong=$(cat "$work"/wrong/* | grep -c .)
echo "clients_test: $count programs, $wrong things wrong"
[ "$wrong" = 0 ]
