#!/bin/sh
# SPDX-License-Identifier: MIT
#
# gfe campaign: the report is the same byte for byte however the experiments were made - by one
# process or several, killed and begun again, in shards and joined; each can be made again; and what
# cannot be done is said in one line, without a loss.
#
# PROMISE (faults): Reports are the same byte for byte with one process or three, after kills by
# chance, and joined from shards; a torn file, a full disk, a read-only file and two writers are
# handled.
set -eu
gfe=${top_builddir:-.}/gfe
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
golden=$(cd "${top_srcdir:-.}/tests/golden" && pwd)
status=0
: "${CAMPAIGN_SAMPLES:=900}"

fail() # MESSAGE
{
    printf '%s\n' "$1"
    status=1
}

plan() # SAMPLES FAULTS
{
    printf '{"programs": ["%s/compute.gft"], %s, "faults": [%s]}\n' "$dir" "$1" "$2"
}

# Whoever runs the program below can read it there, also when the source is root's alone.
cp "$golden/compute.gft" "$dir" && chmod 644 "$dir/compute.gft"

faults='{"site": "gp_entry", "models": ["flip", "drop"]}, {"site": "gp_put", "models": ["flip"]},
    {"site": "release", "models": ["drop", "delay"], "delays": ["2us", "50us"]},
    {"site": "interrupt", "models": ["drop", "spurious"]}, {"site": "data", "models": ["flip"]},
    {"site": "gp_entry", "models": ["stuck0"]},
    {"site": "memory", "models": ["flip"], "words": {"from": "vid:0x3c04000", "count": 16}}'
plan "\"samples\": $CAMPAIGN_SAMPLES" "$faults" >"$dir/plan.json"

reports() # DB NAME
{
    for as in text csv json html; do
        "$gfe" campaign report "$1" --as $as >"$dir/$2.$as" || fail "no report of $1 as $as"
    done
}

same() # NAME
{
    for as in text csv json html; do
        cmp -s "$dir/one.$as" "$dir/$1.$as" || fail "the report of $1 as $as is another"
    done
}

# --- one process, and several

"$gfe" campaign run "$dir/plan.json" --db "$dir/one.db" >"$dir/out" || fail 'no campaign was made'
grep -q ": $CAMPAIGN_SAMPLES experiments, $CAMPAIGN_SAMPLES of them made now" "$dir/out" ||
    fail 'not all experiments were made'
reports "$dir/one.db" one
"$gfe" campaign run "$dir/plan.json" --db "$dir/three.db" -j 3 >/dev/null
reports "$dir/three.db" three
same three
"$gfe" campaign run "$dir/plan.json" --db "$dir/one.db" >"$dir/out"
grep -q ' 0 of them made now' "$dir/out" || fail 'what was there was made again'
for class in 'Not activated' Masked SDC-timing Detected SDC-data Hang; do
    grep -q "^$class\|	$class\| $class" "$dir/one.text" || fail "no word of $class"
done

# What belongs to one unit of the hardware is added up: its sites' experiments.
for unit in PBDMA:gp_entry,gp_put,data Host:release interrupts:interrupt; do
    made=$(awk -F, -v unit="\"${unit%%:*}\"" '$1 == "unit" && $2 == unit { print $5; exit }' \
        "$dir/one.csv")
    sum=$(awk -F, -v sites=",${unit#*:}," '{ gsub(/"/, "", $2) }
        $1 == "site" && $3 == "Masked" && index(sites, "," $2 ",") { sum += $5 } END { print sum }' \
        "$dir/one.csv")
    [ "$made" = "$sum" ] || fail "unit ${unit%%:*}: $made experiments, not $sum"
done
for heading in '^by unit ' '^by site ' '^by model '; do
    grep -q "$heading" "$dir/one.text" || fail "no table '$heading'"
done
grep -q '<h2>By unit</h2>' "$dir/one.html" || fail 'no units on the page'
grep -q '"units": \[' "$dir/one.json" || fail 'no units in JSON'

# --- pruned, and made after all: the same tables

grep -q '^pruned  ' "$dir/one.text" || fail 'nothing was pruned'
few='{"site": "memory", "models": ["flip"], "words": {"from": "vid:0x3c04000", "count": 6}, "bits": [0, 31],
      "times": 12}, {"site": "memory", "models": ["flip"], "words": {"from": "sys:0x414000", "count": 3},
      "bits": [7], "times": 30}, {"site": "gp_entry", "models": ["stuck0", "stuck1"], "bits": [0, 1, 7, 40, 63]}'
plan '"exhaustive": true' "$few" >"$dir/pruned.json"
plan '"exhaustive": true, "prune": false' "$few" >"$dir/unpruned.json"
for name in pruned unpruned; do
    "$gfe" campaign run "$dir/$name.json" --db "$dir/$name.db" >/dev/null || fail "$name: no campaign"
    "$gfe" campaign report "$dir/$name.db" >"$dir/$name.whole"
    grep -v '^campaign \|^pruned ' "$dir/$name.whole" >"$dir/$name.text"
done
grep -q '^pruned ' "$dir/pruned.whole" || fail 'nothing of a few faults was pruned'
! grep -q '^pruned ' "$dir/unpruned.whole" || fail '"prune": false prunes'
cmp "$dir/pruned.text" "$dir/unpruned.text" || fail 'what was pruned comes to something else'
if command -v sqlite3 >/dev/null; then
    for name in pruned unpruned; do
        sqlite3 "$dir/$name.db" "SELECT id, fault, acted, first_ps, outcome, classes, detected_by, latency_ps,
            recovered, different, missing, extra, late, latest_ps, memory_words, owner FROM experiment" \
            >"$dir/$name.rows"
    done
    cmp "$dir/pruned.rows" "$dir/unpruned.rows" || fail 'rows of what was pruned are others'
fi

# --- killed at 20 moments by chance (5 without GFE_LONG), and begun again

if [ -n "${GFE_LONG-}" ]; then kills=20 partial_kills=3; else kills=5 partial_kills=1; fi

# So many experiments that each run is killed in the midst of them; what it had written stays (it writes four
# times in a second), and the next makes what is missing. How long that takes depends on the machine: after a
# kill that came before the first experiments were written, the next one waits longer, and less after a run
# that was at its end.
# With sanitizers a third of them takes as long.
many=$((CAMPAIGN_SAMPLES * 40))
[ ! -e "${top_builddir:-.}/tests/gfe_wrapped" ] || many=$((many / 3))
plan "\"samples\": $many" "$faults" >"$dir/many.json"
"$gfe" campaign run "$dir/many.json" --db "$dir/whole.db" -j 2 >/dev/null || fail 'no campaign to be killed'
reports "$dir/whole.db" whole
seed=$(date +%s)
hits=0 partial=0 before=0 percent=100
killed_is_whole()
{
    reports "$dir/killed.db" killed
    for as in text csv json html; do
        cmp -s "$dir/whole.$as" "$dir/killed.$as" || fail "seed $seed: the report as $as is another after kills"
    done
}
for moment in $(awk -v seed="$seed" 'BEGIN { srand(seed); for (i = 0; i < 60; i++) printf "%.3f ", 0.02 + 0.6 * rand() }'); do
    [ $hits -lt $kills ] || [ $partial -lt $partial_kills ] || break
    "$gfe" campaign run "$dir/many.json" --db "$dir/killed.db" -j 2 >/dev/null 2>&1 &
    pid=$!
    sleep "$(awk -v s="$moment" -v percent="$percent" 'BEGIN { printf "%.3f", s * percent / 100 }')"
    if ! kill -9 $pid 2>/dev/null; then # it was at its end before: another one
        wait $pid || fail "seed $seed: it does not go on"
        killed_is_whole
        rm -f "$dir/killed.db"
        before=0 percent=$((percent * 2 / 3 + 1))
        continue
    fi
    hits=$((hits + 1))
    wait $pid 2>/dev/null || :
    there=$("$gfe" campaign report --as json "$dir/killed.db" 2>/dev/null |
        sed -n 's/^  "missing": \([0-9]*\).*/\1/p')
    there=$((many - ${there:-$many}))
    [ $there -ge $before ] || fail "seed $seed: $there experiments are left of $before"
    if [ $there -eq $before ]; then
        percent=$((percent * 3 / 2))
    elif [ $there -lt $many ]; then
        partial=$((partial + 1))
    fi
    before=$there
done
[ $hits -ge $kills ] && [ $partial -ge $partial_kills ] ||
    fail "seed $seed: $hits runs were killed, $partial of them with more experiments than before"
"$gfe" campaign run "$dir/many.json" --db "$dir/killed.db" >"$dir/out" || fail 'it does not go on'
killed_is_whole

# Killed while it writes: what is half written is taken back by whoever opens the file next, also to read it.
"$gfe" campaign run "$dir/many.json" --db "$dir/half.db" >/dev/null 2>&1 &
pid=$!
until [ -e "$dir/torn.db" ]; do
    sleep 0.02
    kill -STOP $pid 2>/dev/null || break
    if [ -s "$dir/half.db-journal" ] && [ "$(wc -c <"$dir/half.db-journal")" -gt 4096 ] &&
        [ "$(wc -c <"$dir/half.db")" -gt 200000 ]; then # not while it begins
        cp "$dir/half.db-journal" "$dir/torn.db-journal"
        cp "$dir/half.db" "$dir/torn.db"
    fi
    kill -CONT $pid
done
kill -9 $pid 2>/dev/null || :
wait $pid 2>/dev/null || :
if [ -e "$dir/torn.db" ]; then
    "$gfe" campaign report "$dir/torn.db" >"$dir/out" 2>"$dir/err" || fail "a torn file: $(cat "$dir/err")"
    grep -q '^missing ' "$dir/out" || fail "a torn file is whole: $(cat "$dir/out")"
else
    fail 'no file was caught while it was written'
fi

# --- shards

for shard in 1 3; do
    "$gfe" campaign run "$dir/plan.json" --db "$dir/s$shard.db" --shard $shard/3 >/dev/null
done
if "$gfe" campaign merge --db "$dir/merged.db" "$dir/s1.db" "$dir/s3.db" 2>"$dir/err"; then
    fail 'a lost shard goes unnoticed'
fi
grep -q 'shard 2/3 lacks 300 experiments: run it again with --shard 2/3' "$dir/err" ||
    [ "$CAMPAIGN_SAMPLES" != 900 ] || fail "which shard is lost: $(cat "$dir/err")"
"$gfe" campaign report "$dir/merged.db" | grep -q '^missing ' || fail 'a report hides what is missing'
"$gfe" campaign run "$dir/plan.json" --db "$dir/s2.db" --shard 2/3 >/dev/null
"$gfe" campaign merge --db "$dir/merged.db" "$dir/s2.db" || fail 'three shards are not all'
reports "$dir/merged.db" merged
same merged

# --- each experiment again

sed -n '/^to repeat one/,$p' "$dir/one.text" | tail -n +2 >"$dir/examples"
[ "$(wc -l <"$dir/examples")" -gt 8 ] || fail 'few examples'
while read -r class id _; do
    "$gfe" inject --from "$dir/one.db" --id "$id" >"$dir/out"
    grep -q "^outcome    $class" "$dir/out" || fail "experiment $id is not $class again"
done <"$dir/examples"

# What says only half of which one is meant is wrong usage, not experiment 0.
for half in "--from $dir/one.db" '--id 3'; do
    code=0
    # shellcheck disable=SC2086 # two words
    "$gfe" inject $half >"$dir/out" 2>"$dir/err" || code=$?
    [ $code -eq 2 ] || fail "inject $half: status $code"
    grep -q -- "needs --" "$dir/err" || fail "inject $half: $(cat "$dir/err")"
done

# --- several faults in an experiment: two of one family, and of two families

plan '"samples": 500' '{"site": "gp_entry", "models": ["flip"], "count": 2}, {"together": [
    {"site": "release", "models": ["drop", "delay"], "delays": ["50us"]}, {"site": "interrupt", "models": ["drop"]}]},
    {"together": [{"site": "memory", "models": ["flip"], "words": {"from": "vid:0x3c04000", "count": 16}, "count": 2},
    {"site": "header", "models": ["stuck1"]}]}' >"$dir/sets.json"
"$gfe" campaign run "$dir/sets.json" --db "$dir/one.sets" >/dev/null || fail 'no sets of faults'
cp "$dir/one.sets" "$dir/sets.db" && reports "$dir/sets.db" one
for moment in 05 10 20; do
    "$gfe" campaign run "$dir/sets.json" --db "$dir/sets-killed.db" -j 3 >/dev/null 2>&1 &
    pid=$!
    sleep "0.$moment"
    kill -9 $pid 2>/dev/null || :
    wait $pid 2>/dev/null || :
done
"$gfe" campaign run "$dir/sets.json" --db "$dir/sets-killed.db" -j 2 >/dev/null || fail 'sets do not go on'
reports "$dir/sets-killed.db" killed
same killed
grep -q '^faults       [0-9]* sets in 4 strata$' "$dir/one.text" || fail 'no word of sets'
grep -q '^together     up to 3 faults in an experiment; in [1-9][0-9]* all of them acted' "$dir/one.text" ||
    fail 'no word of faults that act together'
for stratum in '0 2x gp_entry flip' '1 release + interrupt drop + drop' '2 release + interrupt delay + drop' \
    '3 2x memory + header flip + stuck1'; do
    grep -qF "$stratum  " "$dir/one.text" || fail "no stratum $stratum: $(cat "$dir/one.text")"
done
sed -n '/^to repeat one/,$p' "$dir/one.text" | tail -n +2 >"$dir/examples"
[ "$(wc -l <"$dir/examples")" -gt 8 ] || fail 'few examples of sets'
while read -r class id texts; do
    "$gfe" inject --from "$dir/sets.db" --id "$id" >"$dir/out"
    grep -q "^outcome    $class" "$dir/out" || fail "experiment $id, $texts, is not $class again"
    [ "$(grep -c '^fault  ' "$dir/out")" -eq "$(printf '%s\n' "$texts" | tr ';' '\n' | wc -l)" ] ||
        fail "experiment $id has other faults than $texts: $(cat "$dir/out")"
    "$gfe" inject --fault "$texts" "$dir/compute.gft" | cmp -s - "$dir/out" || fail "$texts: another outcome"
done <"$dir/examples"
reports "$dir/one.db" one

# --- early stop: the report is that of the prefix, whoever made more

plan '"margin": "5%", "early_stop": true' \
    '{"site": "interrupt", "models": ["spurious"]}, {"site": "doorbell", "models": ["drop"]}' >"$dir/early.json"
"$gfe" campaign run "$dir/early.json" --db "$dir/early.db" >/dev/null
"$gfe" campaign report "$dir/early.db" >"$dir/early.text"
grep -q '^experiments  97, drawn by chance, none twice; precise enough before 385' "$dir/early.text" ||
    fail "no early stop: $(cat "$dir/early.text")"
grep -q "^margin .* of 'not masked' in the row 'all'; 5.00 % was asked for" "$dir/early.text" ||
    fail 'no word of the margin'

# --- a margin is that of a simple sample: strata that are drawn alike can have a wider one, which is said

plan '"margin": "5%"' '{"site": "gp_entry", "models": ["flip"]}, {"site": "release", "models": ["flip"]},
    {"site": "header", "models": ["flip", "stuck0", "stuck1"]},
    {"site": "gp_put", "models": ["flip", "stuck0", "stuck1"]}' >"$dir/margin.json"
"$gfe" campaign run "$dir/margin.json" --db "$dir/margin.db" >/dev/null
"$gfe" campaign report "$dir/margin.db" >"$dir/out"
"$gfe" campaign report --as json "$dir/margin.db" >"$dir/margin.out"
# n = N / (1 + e^2 (N - 1) / (t^2 / 4)) with N = 25,952, e = 0.05 and t = 1.96: 379
grep -q '^experiments  379, drawn by chance' "$dir/out" || fail "another size: $(head -n 5 "$dir/out")"
awk '/^margin / { if ($2 <= 5 || $0 !~ /; 5.00 % was asked for$/) exit 1; found = 1 } END { exit !found }' "$dir/out" ||
    fail "a margin that was not reached: $(grep '^margin ' "$dir/out")"
grep -q '"asked_margin_ppm": 50000' "$dir/margin.out" || fail 'JSON has no word of the margin that was asked for'

# --- a plan with one possible fault, or few: each is made once, and nothing is uncertain

plan '"samples": 500' '{"site": "runlist_submit", "models": ["drop"]}' >"$dir/single.json"
"$gfe" campaign run "$dir/single.json" --db "$dir/single.db" | grep -q ': 1 experiments' || fail 'one fault came again'
"$gfe" campaign report "$dir/single.db" >"$dir/out"
grep -q '^experiments  1, each fault once' "$dir/out" || fail "one fault: $(cat "$dir/out")"
sed 's/  */ /g' "$dir/out" | grep -q '^all 1 1 .* 100.00 % 0.00 % 1$' || fail "one fault is uncertain: $(cat "$dir/out")"

# --- rates: strata weigh as the plan says, and all need one, or none

plan '"samples": 60' '{"site": "release", "models": ["drop"], "rate": "2.5"},
    {"site": "interrupt", "models": ["spurious"], "rate": 7}' >"$dir/rates.json"
"$gfe" campaign run "$dir/rates.json" --db "$dir/rates.db" >/dev/null || fail 'no campaign with rates'
"$gfe" campaign report "$dir/rates.db" >"$dir/out"
grep -q "^weights      strata count as the plan's rates say" "$dir/out" || fail 'no word of rates'
# Every lost release is effective, and no spurious interrupt: 2.5 of 9.5.
"$gfe" campaign report --as csv "$dir/rates.db" | grep -q '^all,"all",Masked,48,60,60,736842,' ||
    fail "rates: $("$gfe" campaign report --as csv "$dir/rates.db")"

# --- what cannot be done

refused() # MESSAGE ARGUMENT...
{
    message=$1
    shift
    code=0
    "$gfe" campaign "$@" >"$dir/out" 2>"$dir/err" || code=$?
    [ $code -eq 1 ] || fail "campaign $*: status $code"
    [ "$(wc -l <"$dir/err")" -eq 1 ] || fail "campaign $*: not one line: $(cat "$dir/err")"
    grep -qF -- "$message" "$dir/err" || fail "campaign $*: $(cat "$dir/err"), not $message"
}

bad() # MESSAGE FAULTS
{
    plan '"samples": 10' "$2" >"$dir/bad.json"
    refused "$1" run "$dir/bad.json" --db "$dir/bad.db"
    [ ! -e "$dir/bad.db" ] || fail "a bad plan leaves a database: $1"
}

bad 'faults[0]: no site is called' '{"site": "dorbell", "models": ["drop"]}'
bad 'faults[1]: doorbell cannot have' \
    '{"site": "data", "models": ["flip"]}, {"site": "doorbell", "models": ["unmap"]}'
bad 'faults[0]: nothing passes doorbell:77' \
    '{"site": "doorbell", "models": ["drop"], "subjects": [77]}'
bad 'there are only' '{"site": "doorbell", "models": ["drop"], "triggers": ["@NV_GP_FETCH#4000"]}'
bad 'so many do not pass' '{"site": "doorbell", "models": ["drop"], "triggers": ["@#4000"]}'
bad 'that never holds' \
    '{"site": "data", "models": ["flip"], "triggers": ["@NV_PPBDMA_GP_GET[0]==77"]}'
bad 'the program ends before' '{"site": "doorbell", "models": ["drop"], "triggers": ["@100s"]}'
bad 'has no field' '{"site": "gp_entry", "models": ["flip"], "fields": ["gut"]}'
bad 'is no bit' '{"site": "gp_entry", "models": ["flip"], "bits": [64]}'
bad 'faults[0].together[1]: no site is called' '{"together": [{"site": "data", "models": ["flip"]},
    {"site": "dota", "models": ["flip"]}]}'
bad 'faults[0].together[0]: nothing passes doorbell:77' \
    '{"together": [{"site": "doorbell", "models": ["drop"], "subjects": [77]}, {"site": "data", "models": ["flip"]}]}'
bad 'faults[0]: there are not 2 different faults' '{"site": "runlist_submit", "models": ["drop"], "count": 2}'
bad 'faults[0]: each family has triggers that never come of themselves' '{"together": [
    {"site": "doorbell", "models": ["drop"], "triggers": ["@#4000"]},
    {"site": "data", "models": ["flip"], "triggers": ["@100s"]}]}'
bad '1 of 2 families have a rate' '{"site": "data", "models": ["flip"], "rate": 1}, {"site": "data", "models": ["drop"]}'
bad 'faults[0].rate: a rate such as' '{"site": "data", "models": ["flip"], "rate": "fast"}'
bad 'faults[0].count: 1 to 8 faults' '{"site": "data", "models": ["drop"], "count": 9}'
bad 'faults[0]: more than 2^126 combinations' '{"together": [
    {"site": "memory", "models": ["flip"], "words": {"from": "vid:0x0", "count": 4096}, "count": 2},
    {"site": "memory", "models": ["flip"], "words": {"from": "vid:0x0", "count": 4096}}]}'
printf '' >"$dir/bad.json"
refused 'bad.json:1: ' run "$dir/bad.json" --db "$dir/bad.db"
printf '{"programs": ["none.gft"], "samples": 1, "faults": [{"site": "data", "models": ["flip"]}]}' \
    >"$dir/bad.json"
refused "$dir/none.gft" run "$dir/bad.json" --db "$dir/bad.db"
# An empty trace: a file with nothing in it, and a program that does nothing.
register='{"site": "register", "models": ["flip"], "subjects": ["NV_PMC_INTR_EN[0]"]}'
printf '{"programs": ["empty.gft"], "samples": 5, "faults": [%s]}\n' "$register" >"$dir/bad.json"
: >"$dir/empty.gft"
refused 'the file is empty' run "$dir/bad.json" --db "$dir/bad.db"
printf 'gfe-bus 1\ngpu gtx1060-3gb\n' >"$dir/empty.bus"
"$gfe" import bus -o "$dir/empty.gft" "$dir/empty.bus" >"$dir/out"
refused 'nothing happens in it that a fault could meet' run "$dir/bad.json" --db "$dir/bad.db"
[ ! -e "$dir/bad.db" ] || fail 'an empty trace leaves a database'
plan '"samples": 10' "$faults" >"$dir/other.json"
refused 'holds another campaign' run "$dir/other.json" --db "$dir/one.db"
refused 'of another campaign' merge --db "$dir/merged.db" "$dir/early.db"
printf 'no database at all, but long enough to look like one' >"$dir/text.db"
refused 'not a database of gfe campaign' run "$dir/plan.json" --db "$dir/text.db"
refused 'not a database of gfe campaign' report "$dir/text.db"
refused "$dir/none.db" report "$dir/none.db"
refused "$dir/no/folder.db" run "$dir/plan.json" --db "$dir/no/folder.db"

# A file with the tables of another version: asked, joined, and run into.
if command -v sqlite3 >/dev/null; then
    cp "$dir/early.db" "$dir/old.db"
    sqlite3 "$dir/old.db" "UPDATE campaign SET value='1' WHERE key='format'"
    refused 'in format 1' report "$dir/old.db"
    refused 'in format 1' merge --db "$dir/new.db" "$dir/old.db"
    refused 'its format is 1' run "$dir/early.json" --db "$dir/old.db"
fi

# Programs whose blocks' durations are not known have them from the plan, and again when one is made again.
cat >"$dir/hip.json" <<'END'
{"name": "two", "plugins": [
    {"filename": "vector_add.so", "label": "a", "thread_count": 256, "block_count": 9,
     "max_iterations": 2}]}
END
hip() # COSTS
{
    printf '{"programs": ["hip.json"], %s"samples": 20, "faults": [{"site": "cu", "models": ["drop"]}]}\n' "$1"
}
hip '"costs": {"vector_add": 5}, ' >"$dir/bad.json"
refused 'costs.vector_add: a time such as' run "$dir/bad.json" --db "$dir/bad.db"
hip '"costs": {"vector_add": "90us"}, ' >"$dir/hip-plan.json"
"$gfe" campaign run "$dir/hip-plan.json" --db "$dir/hip.db" >/dev/null || fail 'no campaign with costs'
"$gfe" inject --from "$dir/hip.db" --id 7 >"$dir/out" || fail 'one with costs is not made again'
fault=$(sed -n 's/^fault  *//p' "$dir/out")
"$gfe" inject --fault "$fault" --cost vector_add=90us "$dir/hip.json" >"$dir/again" || fail "no $fault"
cmp -s "$dir/out" "$dir/again" || fail "one with costs comes out otherwise: $(cat "$dir/out")"
"$gfe" inject --fault "$fault" --cost vector_add=91us "$dir/hip.json" | cmp -s - "$dir/out" &&
    fail 'costs are no matter'

# Two writers: the second is kept out, the first ends well.
plan '"samples": 20000' "$faults" >"$dir/long.json"
"$gfe" campaign run "$dir/long.json" --db "$dir/two.db" >/dev/null 2>&1 &
pid=$!
tries=0
until [ -s "$dir/two.db" ] || [ $tries -eq 100 ]; do
    sleep 0.05
    tries=$((tries + 1))
done
sleep 0.3
refused 'another gfe campaign is writing it' run "$dir/long.json" --db "$dir/two.db"
kill -9 $pid 2>/dev/null || :
wait $pid 2>/dev/null || :

# A disk that is full: what was written stays, and the campaign goes on.
code=0
(
    trap '' XFSZ
    ulimit -f 96
    exec "$gfe" campaign run "$dir/plan.json" --db "$dir/full.db"
) >/dev/null 2>"$dir/err" || code=$?
if [ $code -ne 1 ] || [ "$(wc -l <"$dir/err")" -ne 1 ] || ! grep -q 'the disk is full' "$dir/err"
then
    fail "a full disk: status $code, $(cat "$dir/err")"
fi
"$gfe" campaign run "$dir/plan.json" --db "$dir/full.db" >/dev/null
reports "$dir/full.db" full
same full

# A database that cannot be written; root can write everything, so somebody else tries.
chmod 755 "$dir"
chmod 444 "$dir/one.db" "$dir/plan.json"
as_other=
[ "$(id -u)" -ne 0 ] || as_other='setpriv --reuid=65534 --clear-groups'
# shellcheck disable=SC2086 # words
if $as_other "$gfe" --version >/dev/null 2>&1; then
    code=0
    $as_other "$gfe" campaign run "$dir/plan.json" --db "$dir/one.db" >/dev/null 2>"$dir/err" ||
        code=$?
    if [ $code -ne 1 ] || ! grep -q 'cannot be written' "$dir/err"; then
        fail "a read-only database: status $code, $(cat "$dir/err")"
    fi
    # shellcheck disable=SC2086 # words
    $as_other "$gfe" campaign report "$dir/one.db" 2>&1 | cmp -s - "$dir/one.text" ||
        fail 'a read-only database has no report'
fi

# The ready-made ones; the figures are those of their pages in docs/.
ready() # CAMPAIGN ROW...
{
    GFE=$gfe "$golden/../campaigns/run.sh" "$1" "$dir/ready" >"$dir/out" 2>"$dir/err" ||
        fail "$1: $(cat "$dir/err")"
    name=$1
    shift
    for row; do
        sed 's/  */ /g' "$dir/out" | grep -q "^$row" || fail "$name: no '$row' in $(cat "$dir/out")"
    done
}
case $gfe in /*) ;; *) gfe=$(pwd)/$gfe ;; esac
ready semaphores 'all 197 197 0.00 % 32.99 % 17.77 % 0.00 % 0.00 % 0.00 % 0.00 % 49.24 %' \
    '2 release flip 128 128 0.00 % 25.00 % 0.00 % 0.00 % 0.00 % 0.00 % 0.00 % 75.00 %'
ready runlists '8 ramfc_load flip 4096 4096 0.00 % 86.96 % 0.00 % 2.37 % 4.37 % 3.15 % 0.00 % 3.15 %' \
    '8 ramfc_load flip 4096 4096 0.00 % 86.96 % 0.00 % 8.67 % 4.37 % 0.00 % 0.00 % 0.00 %' \
    'channel 1 -> channel 2 129 another process' \
    '2 runlist_entry duplicate 4 4 0.00 % 50.00 % 0.00 % 0.00 % 0.00 % 50.00 % 0.00 %' \
    '0 preempt_done drop 2 2 0.00 % 50.00 % 0.00 % 0.00 % 0.00 % 50.00 % 0.00 %' \
    '3 context_load drop 6 6 0.00 % 0.00 % 0.00 % 16.67 % 0.00 % 83.33 % 0.00 %' \
    '3 context_load drop 6 6 0.00 % 0.00 % 0.00 % 100.00 % 0.00 % 0.00 % 0.00 %' \
    '4 block_end drop 18 18 0.00 % 0.00 % 0.00 % 0.00 % 0.00 % 100.00 % 0.00 %'
ready control-units 'all 2000 1304 6.46 % 3.54 % 0.00 % 3.12 % 17.77 % 69.10 %'
ready field 'all 2000 2000 0.00 % 76.77 % 0.07 % 0.70 % 7.58 % 14.88 %' \
    'all 2000 1154 40.98 % 27.72 % 0.00 % 0.00 % 0.28 % 31.02 %'
# A waiting channel that sits its time slice out makes the other's next grid late, one that switches does not.
for program in semaphore semaphore-stay; do
    "$gfe" inject --fault 'release drop' "$dir/ready/$program.gft" >"$dir/$program"
done
! grep -q '^late' "$dir/semaphore" || fail "a switch: $(cat "$dir/semaphore")"
grep -q '^late  *1 results, the latest by 1.983 ms' "$dir/semaphore-stay" || fail "no switch: $(cat "$dir/semaphore-stay")"
exit $status
