#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs the fuzz targets of a build (configure --enable-fuzzing CC=clang, make fuzz):
#
#     tests/fuzz/run.sh [--seconds N] [--runs N] [--seed N] [--keep DIRECTORY] [--jobs N] BUILD [TARGET...]
#     tests/fuzz/run.sh --merge DIRECTORY BUILD TARGET
#
# Each target replays its corpus, or, with --seconds or --runs, fuzzes on a copy of it, which begins
# with a replay of all of it; --seconds counts from the start of the target.
# Findings are left in BUILD/fuzz-findings, and the exit status is 1. --seed is that of libFuzzer's
# random numbers: without it, or with 0, it takes one, which its log names. --keep leaves the copy,
# with all that was added to it, in DIRECTORY/TARGET. --merge adds to the corpus what DIRECTORY's
# inputs reach beyond it, and drops what is not needed.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
seconds=0 runs=0 seed=0 jobs=1 keep="" merge=""

while :; do
    case ${1-} in
    --seconds) seconds=$2; shift 2 ;;
    --runs) runs=$2; shift 2 ;;
    --seed) seed=$2; shift 2 ;;
    --keep) keep=$2; shift 2 ;;
    --jobs) jobs=$2; shift 2 ;;
    --merge) merge=$2; shift 2 ;;
    *) break ;;
    esac
done
[ $# -ge 1 ] || { sed -n '3,13s/^# \{0,1\}//p' "$0" >&2; exit 2; }
build=$(cd "$1" && pwd)
shift
# shellcheck disable=SC2046 # names are words
[ $# -ge 1 ] || set -- $(find "$here/corpus" -mindepth 1 -maxdepth 1 -type d | sed 's,.*/,,' | sort)
findings=$build/fuzz-findings
mkdir -p "$findings"

# Longest input that is tried, in bytes, and the dictionary.
settings() # TARGET
{
    case $1 in
    amd_mec | amd_mqd | amd_object | amd_packets | amd_sdma) echo 4096 - ;;
    examiner) echo 8192 - ;;
    scenario) echo 6000 - ;;
    explain) echo 4096 - ;;
    gpfifo) echo 4096 methods ;;
    kfd_replay) echo 32768 records ;;
    log) echo 8192 names ;;
    nv_decode) echo 2048 methods ;;
    nvt) echo 8192 records ;;
    pbdma) echo 2048 - ;;
    bus | inject | poke | raw) echo 4096 - ;;
    hip_config) echo 4096 - ;;
    hws | registers | runlist) echo 2048 - ;;
    record_kfd) echo 2048 - ;;
    replay | scrub) echo 8192 records ;;
    result) echo 8192 - ;;
    snapshot) echo 8192 - ;;
    trace) echo 4096 records ;;
    *) echo "run.sh: there is no target $1" >&2; exit 2 ;;
    esac
}

fuzz() # TARGET
{
    name=$1
    also=
    [ "$name" != scrub ] || also=$here/corpus/replay # traces too
    # shellcheck disable=SC2046 # two words
    set -- $(settings "$name")
    # The limit counts the time on the wall, and the machine may be busy: inputs take milliseconds.
    options="-max_len=$1 -timeout=120 -rss_limit_mb=2048 -print_final_stats=1"
    [ "$2" = - ] || options="$options -dict=$build/tests/fuzz/$2.dict"
    log=$findings/$name.log
    if [ "$seconds" -eq 0 ] && [ "$runs" -eq 0 ]; then
        # shellcheck disable=SC2086 # options are words
        "$build/tests/fuzz/fuzz_$name" $options -artifact_prefix="$findings/$name-" \
            -runs=0 "$here/corpus/$name" ${also:+"$also"} >"$log" 2>&1 ||
            { report "$name" "$log"; return 1; }
    else
        copy=${keep:+$keep/$name}
        [ -n "$copy" ] || copy=$(mktemp -d)
        mkdir -p "$copy"
        cp "$here/corpus/$name"/* ${also:+"$also"/*} "$copy"
        [ "$runs" -gt 0 ] || runs=-1
        status=0
        # shellcheck disable=SC2086
        "$build/tests/fuzz/fuzz_$name" $options -artifact_prefix="$findings/$name-" \
            -max_total_time="$seconds" -runs="$runs" -seed="$seed" "$copy" >"$log" 2>&1 || status=$?
        [ -n "$keep" ] || rm -rf "$copy"
        [ "$status" -eq 0 ] || { report "$name" "$log"; return 1; }
    fi
    # libFuzzer says so when it has run each file of the corpus.
    grep -q INITED "$log" || { report "$name" "$log"; return 1; }
    awk -v name="$name" '
        { for (i = 1; i < NF; i++) if ($i == "cov:") edges = $(i + 1) }
        /stat::number_of_executed_units/ { executed = $2 }
        /stat::average_exec_per_sec/ { speed = $2 }
        END { printf "fuzz: %-10s %8d executions, %6d exec/s, %5d edges\n",
                     name, executed, speed, edges }' "$log"
}

report() # TARGET LOG
{
    echo "fuzz: $1: FAILED; the input and the log are in $findings"
    tail -n 40 "$2"
}

if [ -n "$merge" ]; then
    new=$(mktemp -d)
    # shellcheck disable=SC2046
    set -- "$1" $(settings "$1")
    "$build/tests/fuzz/fuzz_$1" -merge=1 -use_counters=0 -max_len=65536 "$new" "$here/corpus/$1" "$merge"
    rm -f "$here/corpus/$1"/*
    for file in "$new"/*; do # named by their hash
        name=$(basename "$file")
        cp "$file" "$here/corpus/$1/$(printf %.12s "$name")"
    done
    rm -rf "$new"
    exit 0
fi

# So many at a time; each one's words come out together.
status=0
while [ $# -gt 0 ]; do
    running=
    count=0
    while [ $# -gt 0 ] && [ "$count" -lt "$jobs" ]; do
        (fuzz "$1") >"$findings/$1.words" 2>&1 &
        running="$running $1:$!"
        shift
        count=$((count + 1))
    done
    for job in $running; do
        wait "${job#*:}" || status=1
        cat "$findings/${job%%:*}.words"
    done
done
exit "$status"
