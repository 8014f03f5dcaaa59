#!/bin/sh
# SPDX-License-Identifier: MIT
# gfe discriminate as a user has it: the files that it writes, results that are judged, what is
# refused.  For which choice points it finds something: test_discriminate.c.
#
# LIMIT (explore): No results of a real GPU were judged but one timeline of a Radeon VII (amd.baton).

top_builddir=${top_builddir:-.} top_srcdir=${top_srcdir:-.}
top_builddir_path=$(cd "$top_builddir" && pwd)
gfe=$top_builddir_path/gfe
golden=$(cd "$top_srcdir/tests/golden" && pwd)
sanitized=no
[ ! -e "$top_builddir_path/tests/gfe_wrapped" ] || sanitized=yes
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
fail() { echo "FAILED: $*"; failed=1; }
failed=0

# ARGUMENT...: runs it into `said` and `err`; its status is $status.
ask() {
    "$gfe" discriminate "$@" >said 2>err
    status=$?
}
# A B GPU KERNELS BLOCKS: asks for core.block_to_sm, runs what is found under both with gfe run and
# has the results of both judged.
round() {
    a=core.block_to_sm=$1 b=core.block_to_sm=$2 gpu=$3
    rm -rf files
    ask --gpu "$gpu" -o files "$a" "$b"
    [ $status = 0 ] && [ ! -s err ] || fail "$1 $2: status $status: $(cat err)"
    grep -q "^smallest scenario: $4 kernels*, 1 stream, $5 blocks*$" said || fail "$1 $2: $(cat said)"
    grep -q '^first decision that differs: core.block_to_sm$' said || fail "$1 $2: no decision"
    for side in A B; do
        [ $side = A ] && policy=$a || policy=$b
        "$gfe" run --gpu "$gpu" --policy "$policy" -o run.gfl files/scenario.json >out 2>&1 ||
            fail "$policy: $(cat out)"
        rm -rf results
        "$gfe" show --as examiner -o results run.gfl 2>out || fail "$policy: $(cat out)"
        ask --gpu "$gpu" "$a" "$b" results/*.json
        [ $status = 0 ] && grep -q "^verdict: $policy ($side)$" said || fail "$policy: $(cat said err)"
        # What is written as expected is just that.
        for file in results/*; do
            cmp -s "$file" files/$side-"${policy#*=}"/"${file#*/}" || fail "$policy: $file"
        done
    done
}
round most-free lowest gtx1060 1 2
round lowest most-free h100 1 2
round most-free round-robin gtx1060 2 2
# 33 seeds on each side; with sanitizers the one below is enough.
[ "$sanitized" = yes ] || round random lowest tx2 1 6

# The files: a configuration that gfe check takes, too, and source that stands for itself.
rm -rf files
ask --gpu tx2 -o files core.block_to_sm=most-free core.block_to_sm=lowest
[ "$(echo files/*)" = 'files/A-most-free files/B-lowest files/scenario.cu files/scenario.json' ] ||
    fail "files: $(echo files/*)"
"$gfe" check --gpu tx2 --config files/scenario.json files/A-most-free/K1.json >out || fail "check: $(cat out)"
for word in globaltimer smid 'int main' cudaStreamSynchronize '"gfe discriminate core.block_to_sm most-free lowest, tx2, seed 0"'; do
    grep -q "$word" files/scenario.cu || fail "scenario.cu: no $word"
done
command -v python3 >/dev/null && { python3 - <<'P' || fail 'braces of scenario.cu'; }
text = open("files/scenario.cu").read()
assert all(text.count(a) == text.count(b) for a, b in ("{}", "()", "[]"))
assert "static const struct" in text and "{0, 2, 32, 0, 0, 400000000}," in text
P
if command -v nvcc >/dev/null; then
    nvcc -Werror all-warnings -o program files/scenario.cu >out 2>&1 || fail "nvcc: $(cat out)"
fi

# On standard output: both texts, the same each time; as JSON, too.
ask --gpu tx2 core.block_to_sm=most-free core.block_to_sm=lowest
grep -q '"filename": "./bin/timer_spin.so"' said && grep -q '^int main()$' said || fail 'the texts'
mv said first
ask --gpu tx2 core.block_to_sm=most-free core.block_to_sm=lowest
cmp -s said first || fail 'another text each time'
ask --gpu tx2 --json core.block_to_sm=most-free core.block_to_sm=lowest files/B-lowest/K1.json
[ $status = 0 ] || fail "--json: $(cat err)"
for text in '"found": true' '"kernels": 1' '"verdict": "B"' '"is": "as B"' '"rule": "core.block_to_sm"'; do
    grep -q "$text" said || fail "--json: no $text"
done
mv said first
ask --gpu tx2 --json core.block_to_sm=most-free core.block_to_sm=lowest files/B-lowest/K1.json
cmp -s said first || fail 'another JSON each time'

# Where the seed has a say, and the two the other way round.
ask --gpu tx2 --seed 7 -o seven core.block_to_sm=random core.block_to_sm=lowest
[ $status = 0 ] && grep -q 'A depends on the seed: shown is seed 7;' said || fail "random: $(cat said err)"
sed 's/gfe discriminate core.block_to_sm most-free lowest/gfe discriminate core.block_to_sm lowest most-free/' \
    files/A-most-free/K1.json >swapped.json
ask --gpu tx2 core.block_to_sm=lowest core.block_to_sm=most-free swapped.json
[ $status = 0 ] && grep -q '^verdict: core.block_to_sm=most-free (B)$' said || fail "swapped: $(cat said err)"

# Neither: the last block of K1 starts when no alternative has it, and all the rest as A has it. A search
# of seven seconds, too slow with sanitizers unless GFE_LONG=1 asks for it; the golden results were made
# from what another such search had written.
if [ -n "${GFE_LONG-}" ] || [ "$sanitized" = no ]; then
    free='--gpu xavier cuda.channel_free=fully-dispatched cuda.channel_free=partly-dispatched'
    results=$golden/discriminate_free
    # shellcheck disable=SC2086 # words are words
    ask $free "$results/K1.json" "$results/K2.json" "$results/K3.json"
    [ $status = 1 ] && [ ! -s err ] && grep -q '^verdict: neither' said &&
        grep -q '^smallest scenario: 3 kernels, 3 streams, 34 blocks$' said &&
        grep -q 'K1:31 *starts  *400 ms  *800 ms  *600 ms, as neither$' said || fail "neither: $status $(cat said err)"
fi
if [ -n "${GFE_LONG-}" ]; then
    # shellcheck disable=SC2086 # words are words
    ask -o free $free
    [ $status = 0 ] || fail "free: $(cat said err)"
    sed -i 's/0.400[0-9]*,0.800[0-9]*\], "block_smids"/0.600018000,1.000018000], "block_smids"/' \
        free/A-fully-dispatched/K1.json
    diff -r free/A-fully-dispatched "$results" >out || fail "free: $(cat out)"
fi

# Times elsewhere are other than both have them: the verdict stands, and a note says so.
sed 's/\[0\.00001[0-9]*,0\.40001[0-9]*,/[0.000016427,0.600016427,/' files/A-most-free/K1.json >slow.json
cmp -s slow.json files/A-most-free/K1.json && fail 'slow.json is no other'
ask --gpu tx2 core.block_to_sm=most-free core.block_to_sm=lowest slow.json
[ $status = 0 ] && grep -q '^note: 1 figure that A and B have alike is other on this GPU' said ||
    fail "slow: $(cat said err)"

# Nothing: that is status 1, and said on standard output.
ask --max-kernels 1 core.block_to_sm=most-free core.block_to_sm=round-robin
[ $status = 1 ] && [ ! -s err ] && grep -q '^no scenario was found .* up to 1 kernel were tried' said ||
    fail "nothing: $status $(cat said err)"
ask amd.baton=staged amd.baton=placed
[ $status = 1 ] && grep -q 'do not meet this choice point' said || fail "amd: $status $(cat said err)"

# What is refused: one line, nothing on standard output.
refuse() {
    wanted=$1 text=$2
    shift 2
    ask "$@"
    [ $status = "$wanted" ] && [ ! -s said ] && [ "$(wc -l <err)" = 1 ] && grep -q -- "$text" err ||
        fail "$*: $status $(cat said err)"
}
refuse 2 "no choice point is called 'core.sm', but core.block_to_sm, " core.sm=a core.sm=b
refuse 2 "has no alternative 'best', but most-free, round-robin, lowest, random, turns (see" \
    core.block_to_sm=lowest core.block_to_sm=best
refuse 2 'lowest is the same twice' core.block_to_sm=lowest core.block_to_sm=lowest
refuse 2 'are two choice points' core.block_to_sm=lowest cuda.channel_next=fifo
refuse 2 "'lowest' is not NAME=ALTERNATIVE" core.block_to_sm=lowest lowest
refuse 2 'see gfe discriminate --help' core.block_to_sm=lowest
refuse 2 "no GPU is called 'gtx1'" --gpu gtx1 core.block_to_sm=lowest core.block_to_sm=random
refuse 2 'mi50 is an AMD GPU, which' --gpu mi50 core.block_to_sm=lowest core.block_to_sm=random
refuse 2 'from Pascal on, which gfe gpus lists, not chip 0x124' --gpu gtx980 core.block_to_sm=lowest core.block_to_sm=random
refuse 2 '1 to 16' --max-kernels 17 core.block_to_sm=lowest core.block_to_sm=random
refuse 2 'not together with what was measured' -o files core.block_to_sm=most-free \
    core.block_to_sm=lowest files/A-most-free/K1.json

# amd.baton of an AMD GPU: judged by the timeline of a kernel that ran alone.  What is printed is the
# table of docs/block-order.md, which has the counts of both methods.
timeline=$(cd "$top_srcdir" && pwd)/tests/hardware/data/radeon-vii/mm1024_isolated_timeline.json
page=$(cd "$top_srcdir" && pwd)/docs/block-order.md
baton='amd.baton=staged amd.baton=placed'
# shellcheck disable=SC2086 # words are words
{
    ask --gpu radeon-vii $baton "$timeline"
    [ $status = 0 ] && [ ! -s err ] && grep -q '^verdict: amd.baton=placed (B)$' said ||
        fail "baton: $status $(cat said err)"
    grep -q '^1024 blocks of 1024 threads, 2 on a CU$' said && grep -q '^23 clocks, ' said || fail 'baton: the file'
    sed -n '/^## The result/,$s/^|.*| *`*\(measured\|placed\|staged\)`* | \(.*\) |$/\1 \2/p' "$page" | tr -d '|' |
        tr -s ' ' >wanted
    sed -n 's/^ *\(measured\|placed\|staged\)  *\([0-9 ]*\)$/\1 \2/p' said | tr -s ' ' >found
    [ "$(wc -l <wanted)" = 9 ] || fail "baton: the page's table: $(cat wanted)"
    for name in measured placed staged; do
        [ "$(grep $name wanted)" = "$(grep $name found)" ] ||
            fail "baton: $name: $(grep $name found), on the page $(grep $name wanted)"
    done
    ask --gpu radeon-vii amd.baton=placed amd.baton=staged "$timeline"
    [ $status = 0 ] && grep -q '^verdict: amd.baton=placed (A)$' said || fail "baton, swapped: $status $(cat said err)"
    ask --gpu radeon-vii --json $baton "$timeline"
    [ $status = 0 ] || fail "baton, --json: $status $(cat err)"
    tr -d ' \n' <said >json
    grep -q '"a":"staged","b":"placed"' json && grep -q '"verdict":"placed"' json &&
        grep -q "\"measured\":\[\[$(sed -n '/measured/{s/measured //;s/ $//;s/ /,/g;p;q;}' wanted)\]" json &&
        grep -q '"staged":{[^}]*"fits":false}' json && grep -q '"placed":{[^}]*"fits":true}' json ||
        fail "baton, --json: $(cat json)"

    # A kernel of blocks that all take as long, made in order: both fit.
    awk 'BEGIN {
        printf "{\"times\": [{\"block_count\": 300, \"thread_count\": 1024, \"block_times\": ["
        for (n = 0; n < 300; n++) {
            at = int(n / 120) * 600000 + int(n % 120 / 4) * 20
            printf "%s%.6f,%.6f", n ? "," : "", at / 1e6, (at + 590000) / 1e6
        }
        print "]}]}" }' >even.json
    ask --gpu radeon-vii $baton even.json
    [ $status = 1 ] && grep -q '^verdict: both fit: ' said || fail "baton, even: $status $(cat said err)"

    refuse 2 'is judged by one result file of hip_plugin_framework' --gpu radeon-vii $baton
    refuse 2 'is judged by one result file of hip_plugin_framework' --gpu radeon-vii $baton "$timeline" "$timeline"
    refuse 2 '--seed is for a search; amd.baton of radeon-vii is judged without one' --gpu radeon-vii --seed 1 $baton "$timeline"
    refuse 2 '--max-kernels is for a search' --gpu radeon-vii --max-kernels 2 $baton "$timeline"
    refuse 2 '--output is for a search' --gpu radeon-vii -o files $baton "$timeline"
    refuse 2 'radeon-vii is an AMD GPU' --gpu radeon-vii amd.release=wave amd.release=block "$timeline"
    refuse 1 'none.json: No such file' --gpu radeon-vii $baton none.json
    head -c 300 "$timeline" >cut.json
    refuse 1 'cut.json: ' --gpu radeon-vii $baton cut.json
    sed 's/"block_count": *1024/"block_count": 1023/' "$timeline" >count.json
    refuse 1 'count.json: times\[[0-9]*\].block_times: not start and end of 1023 blocks' --gpu radeon-vii $baton count.json
    awk 'BEGIN { printf "{\"times\": [{\"block_count\": 2, \"thread_count\": 64, \"block_times\": [1,2,1,2]}]}" }' >few.json
    refuse 1 'few.json: 2 blocks: all start at once' --gpu radeon-vii $baton few.json
    "$gfe" discriminate --help | grep -q 'amd.baton of an AMD GPU is judged without a search' || fail 'the help'
}
pair='--gpu tx2 core.block_to_sm=most-free core.block_to_sm=lowest'
# shellcheck disable=SC2086 # words are words
{
    head -c 300 files/A-most-free/K1.json >cut.json
    refuse 1 'cut.json: ' $pair cut.json
    sed 's/block_smids": \[/&-1/' files/A-most-free/K1.json >minus.json
    refuse 1 'minus.json: times\[2\].block_smids\[0\]' $pair minus.json
    refuse 1 'none.json: No such file' $pair none.json
    refuse 1 'swapped.json: is of scenario' $pair swapped.json
    sed 's/"K1"/"K7"/' files/A-most-free/K1.json >label.json
    refuse 1 "label.json: no benchmark of the scenario has the label 'K7'" $pair label.json
    refuse 1 'is of K1, of which there is one already' $pair files/A-most-free/K1.json files/B-lowest/K1.json
    printf 'not JSON' >text.json
    refuse 1 'text.json: ' $pair text.json
}
exit $failed
