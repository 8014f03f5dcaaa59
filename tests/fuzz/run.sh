#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs the fuzz targets of a build (configure --enable-fuzzing CC=clang, make fuzz):
#
#     tests/fuzz/run.sh [--seconds N] [--runs N] [--seed N] [--keep DIRECTORY] [--jobs N] [--record FILE] BUILD [TARGET...]
#     tests/fuzz/run.sh --merge DIRECTORY BUILD TARGET
#     tests/fuzz/run.sh --stamp BUILD
#
# Each target replays its corpus, or, with --seconds or --runs, fuzzes on a copy of it, which begins
# with a replay of all of it; --seconds counts from the start of the target. Targets that read
# recordings also begin with the whole recordings of tests/golden and docs/labs.
# Findings are left in BUILD/fuzz-findings, and the exit status is 1. --seed is that of libFuzzer's
# random numbers: without it, or with 0, it takes one, which its log names. --keep leaves the copy,
# with all that was added to it, in DIRECTORY/TARGET. --record adds what was executed to the table in
# FILE (docs/quality/fuzzing.md), with the commit that make fuzz built the targets of (--stamp), which it
# notes in BUILD; a build with changes that are not committed is refused. --merge adds to the corpus
# what DIRECTORY's inputs reach beyond it, and drops what is not needed.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
seconds=0 runs=0 seed=0 jobs=1 keep="" merge="" record="" stamp=""

while :; do
    case ${1-} in
    --seconds) seconds=$2; shift 2 ;;
    --runs) runs=$2; shift 2 ;;
    --seed) seed=$2; shift 2 ;;
    --keep) keep=$2; shift 2 ;;
    --jobs) jobs=$2; shift 2 ;;
    --record) record=$2; shift 2 ;;
    --merge) merge=$2; shift 2 ;;
    --stamp) stamp=yes; shift ;;
    *) break ;;
    esac
done
[ $# -ge 1 ] || { sed -n '3,19s/^# \{0,1\}//p' "$0" >&2; exit 2; }
build=$(cd "$1" && pwd)
shift
built=$build/tests/fuzz/built-of

# Writes the commit that the sources are of. Documents and corpora are not built.
commit_of_sources()
{
    git -C "$here" rev-parse --short=12 HEAD 2>/dev/null || { echo 'no commit'; return; }
    git -C "$here/../.." diff --quiet HEAD -- . ':(exclude)docs' ':(exclude)tests/fuzz/corpus' ||
        echo 'and changes that are not committed'
}
if [ -n "$stamp" ]; then
    commit_of_sources >"$built"
    exit 0
fi

# Without a commit the table cannot say what was run.
built_must_be_known() # TARGET...
{
    why=
    if [ ! -e "$built" ]; then
        why='make fuzz has not said of which commit it is'
    elif [ "$(wc -w <"$built")" -ne 1 ]; then
        why="its targets are of $(tr '\n' ' ' <"$built" | sed 's/ $//')"
    fi
    for target; do
        [ -n "$why" ] || [ ! "$build/tests/fuzz/fuzz_$target" -nt "$built" ] ||
            why="fuzz_$target is newer than the last make fuzz"
    done
    [ -z "$why" ] || { echo "run.sh: --record: $build: $why; commit, run make fuzz there, and try again" >&2; exit 2; }
}
# shellcheck disable=SC2046 # names are words
[ $# -ge 1 ] || set -- $(find "$here/corpus" -mindepth 1 -maxdepth 1 -type d | sed 's,.*/,,' | sort)
findings=$build/fuzz-findings
mkdir -p "$findings"

# Longest input that is tried, in bytes, and the dictionary.
settings() # TARGET
{
    case $1 in
    amd_mec | amd_mqd | amd_object | amd_packets | amd_sdma) echo 4096 - ;;
    bus | inject | poke | raw) echo 4096 - ;;
    campaign_db) echo 32768 - ;;
    debug) echo 2048 - ;;
    draw) echo 16384 names ;;
    examiner | plan | result | snapshot) echo 8192 - ;;
    explain) echo 2048 - ;;
    hip_config) echo 4096 - ;;
    gpfifo) echo 4096 methods ;;
    gpu_file) echo 8192 - ;;
    hws | registers | runlist) echo 2048 - ;;
    inspect) echo 16384 names ;;
    kfd_replay | replay | scrub) echo 262144 records ;;
    live) echo 4096 names ;;
    log) echo 8192 names ;;
    log_head) echo 65536 names ;;
    measured) echo 8192 - ;;
    names) echo 1024 - ;;
    nv_decode) echo 2048 methods ;;
    nvdebug) echo 8192 - ;;
    nvt) echo 8192 records ;;
    pbdma) echo 2048 - ;;
    record_kfd) echo 2048 - ;;
    recover) echo 32768 records ;;
    scenario) echo 6000 - ;;
    trace) echo 65536 records ;;
    *) echo "run.sh: there is no target $1" >&2; exit 2 ;;
    esac
}

# Writes the whole recordings of the repository, uncompressed, to DIRECTORY, as far as they are of the
# layer that the target replays.
recordings() # TARGET DIRECTORY
{
    case $1 in
    replay | scrub | trace) layer=replay ;;
    kfd_replay) layer=kfd_replay ;;
    *) return 0 ;;
    esac
    made=$(mktemp -d)
    for trace in "$here"/../golden/*.gft "$here"/../../docs/labs/*.gft; do
        mkdir -p "$made/gpfifo" "$made/replay" "$made/kfd_replay"
        # Plain of its own: libFuzzer's options do not concern it.
        "$build/tests/fuzz/fuzz_seeds" --whole "$trace" "$(basename "$trace" .gft)" "$made" || return 1
    done
    cp "$made/$layer"/* "$2"
    rm -rf "$made"
}

# Targets that need a file with a name make it there.
[ ! -w /dev/shm ] || { TMPDIR=/dev/shm; export TMPDIR; }

# What the sanitizers keep of each allocation costs as much as small inputs do.
ASAN_OPTIONS=malloc_context_size=4:quarantine_size_mb=16${ASAN_OPTIONS:+:$ASAN_OPTIONS}
export ASAN_OPTIONS

# Runs the command and writes the seconds of processor time that it took to FILE.
timed() # FILE COMMAND...
{
    file=$1
    shift
    (
        ended=0
        "$@" || ended=$?
        times >"$file.times" # not in a pipe, which is another process
        tail -n 1 "$file.times" | tr 'ms' '  ' | awk '{ printf "%.1f\n", $1 * 60 + $2 + $3 * 60 + $4 }' >"$file"
        exit "$ended"
    )
}

fuzz() # TARGET
{
    name=$1
    also=
    [ "$name" != scrub ] || also=$here/corpus/replay # traces too
    # shellcheck disable=SC2046 # two words
    set -- $(settings "$name")
    # The limit counts the time on the wall, and the machine may be busy: inputs take milliseconds.
    # How rare an edge is costs more to count (entropic) than a run does.
    options="-max_len=$1 -timeout=120 -rss_limit_mb=2048 -print_final_stats=1 -entropic=0"
    # Nobody reads the names of new functions, and nobody else adds to the corpus.
    options="$options -print_funcs=0 -reload=0"
    [ "$2" = - ] || options="$options -dict=$build/tests/fuzz/$2.dict"
    log=$findings/$name.log
    if [ "$seconds" -eq 0 ] && [ "$runs" -eq 0 ]; then
        # shellcheck disable=SC2086 # options are words
        timed "$findings/$name.time" "$build/tests/fuzz/fuzz_$name" $options -artifact_prefix="$findings/$name-" \
            -runs=0 "$here/corpus/$name" ${also:+"$also"} >"$log" 2>&1 ||
            { report "$name" "$log"; return 1; }
    else
        copy=${keep:+$keep/$name}
        [ -n "$copy" ] || copy=$(mktemp -d)
        mkdir -p "$copy"
        cp "$here/corpus/$name"/* ${also:+"$also"/*} "$copy"
        recordings "$name" "$copy" || { echo "fuzz: $name: no recordings"; return 1; }
        [ "$runs" -gt 0 ] || runs=-1
        status=0
        # shellcheck disable=SC2086
        timed "$findings/$name.time" "$build/tests/fuzz/fuzz_$name" $options -artifact_prefix="$findings/$name-" \
            -max_total_time="$seconds" -runs="$runs" -seed="$seed" "$copy" >"$log" 2>&1 || status=$?
        [ -n "$keep" ] || rm -rf "$copy"
        [ "$status" -eq 0 ] || { report "$name" "$log"; return 1; }
    fi
    # libFuzzer says so when it has run each file of the corpus.
    grep -q INITED "$log" || { report "$name" "$log"; return 1; }
    awk -v name="$name" -v cpu="$(cat "$findings/$name.time")" '
        { for (i = 1; i < NF; i++) if ($i == "cov:") edges = $(i + 1) }
        /stat::number_of_executed_units/ { executed = $2 }
        END { printf "fuzz: %-11s %8d executions, %6d a second of a processor, %5d edges\n",
                     name, executed, executed / (cpu > 0.1 ? cpu : 0.1), edges }' "$log"
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

# Adds the line of a run to the table: executions add up, edges are the most that were reached, rate
# and commit are the last ones.
record_add() # FILE WORDS
{
    awk -v commit="$(cat "$built")" '
        FNR == NR && /^fuzz: [a-z_]+ +[0-9]+ executions/ { count[$2] = $3; rate[$2] = $5; edges[$2] = $11; next }
        FNR == NR { next }
        /^\| `[a-z_]+` \|/ {
            name = $2
            gsub(/`/, "", name)
            if (name in count) {
                total = $4
                most = $8
                gsub(/,/, "", total)
                line(name, total + count[name], rate[name], edges[name] > most + 0 ? edges[name] : most)
                delete count[name]
                next
            }
        }
        /^$/ && table { for (name in count) { line(name, count[name], rate[name], edges[name]); delete count[name] } }
        /^\| target / { table = 1 }
        { print }
        function line(name, executions, speed, most) {
            printf "| `%s` | %d | %d | %d | %s |\n", name, executions, speed, most, commit
        }' "$2" "$1" >"$1.new" && mv "$1.new" "$1"
}

[ -z "$record" ] || built_must_be_known "$@"

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
        [ -z "$record" ] || record_add "$record" "$findings/${job%%:*}.words"
    done
done
exit "$status"
