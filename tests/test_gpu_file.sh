#!/bin/sh
# SPDX-License-Identifier: MIT
# A GPU in a file, by the program: every exported GPU runs like the built-in one, a log needs no file, what
# takes --gpu takes a file, and what does not says so.
#
# PROMISE (program): A GPU that `gfe gpus --export` wrote gives the same log, byte for byte, as its name, for every GPU.
# PROMISE (program): A log of a GPU from a file is read, checked and made again without the file.
set -eu
cd "${top_builddir:-.}"
gfe=$PWD/gfe
cd "$OLDPWD"
cd "${top_srcdir:-.}"
top=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() # MESSAGE
{
    echo "$1"
    exit 1
}

refused() # STATUS MESSAGE COMMAND...
{
    status=0
    wanted=$1 message=$2
    shift 2
    text=$("$gfe" "$@" 2>&1) || status=$?
    [ "$status" = "$wanted" ] || fail "gfe $*: status $status: $text"
    printf '%s\n' "$text" | grep -qF -- "$message" || fail "gfe $*: $text"
}

cat >cuda.json <<'END'
{"gfe_scenario": 1, "processes": [{"streams": [{"name": "a"}, {"name": "b"}], "tasks": [{"calls": [
 {"copy": {"bytes": 100000, "direction": "to device"}},
 {"launch": {"name": "k", "blocks": 9, "threads": 7, "registers": 8, "work": 0.001}},
 {"launch": {"name": "l", "blocks": 2, "threads": 5, "registers": 8, "work": 0.001}, "stream": "b"}]}]}]}
END
cat >hip.json <<'END'
{"name": "n", "max_iterations": 2, "plugins": [{"filename": "matrix_multiply.so", "thread_count": 256, "block_count": 70}]}
END

# The same log; and under another name, from the description alone, the same events. Two GPUs have no CUDA here.
count=0
for gpu in $("$gfe" gpus | awk '/^[a-z][a-z0-9-]* / { print $1 }'); do
    case $gpu in
    radeon* | mi*) program=hip.json ;;
    gtx680 | gtx980) continue ;;
    *) program=cuda.json ;;
    esac
    "$gfe" gpus --export "$gpu" >x.json
    "$gfe" run --gpu "$gpu" -o name.gfl "$program" >/dev/null
    "$gfe" run --gpu x.json -o file.gfl "$program" >/dev/null
    cmp name.gfl file.gfl || fail "$gpu: the log of its exported file differs"
    sed 's/^  "name": .*/  "name": "other",/; /^  "alias": /d' x.json >y.json
    "$gfe" run --gpu y.json -o other.gfl "$program" >/dev/null
    "$gfe" show --as events name.gfl >name.events
    "$gfe" show --as events other.gfl >other.events
    [ "$(wc -l <name.events)" -gt 40 ] || fail "$gpu: hardly an event"
    cmp name.events other.events || fail "$gpu: described, it does something else"
    count=$((count + 1))
done
[ "$count" -ge 25 ] || fail "only $count GPUs"

# The files in gpus/: each runs, and the check finds nothing wrong. SMs of some, by NVIDIA's white papers of GA102,
# Ada and Turing and the product page of the Orin Nano, as the occupancy says.
files=0
for file in "$top"/gpus/*.json; do
    name=$(basename "$file" .json)
    "$gfe" run --gpu "$file" -o f.gfl cuda.json >/dev/null || fail "$name does not run"
    "$gfe" check f.gfl | grep -q 'obeys the rules: .* 2 kernels, 11 blocks, 1 copies' || fail "$name: check"
    "$gfe" explain f.gfl | grep -q "on $name: " || fail "$name has another name in its file"
    grep -q "gpus/$name.json" "$top/gpus/local.mk" || fail "$name is not installed"
    ! "$gfe" gpus "$name" >/dev/null 2>&1 || fail "$name is built in"
    files=$((files + 1))
done
[ "$files" -ge 12 ] || fail "only $files files in gpus/"
while read -r name sms; do
    "$gfe" occupancy --gpu "$top/gpus/$name.json" | grep -q " GPU's $sms SMs" || fail "$name: not $sms SMs"
done <<'END'
rtx3090 82
rtx4090 128
t4 40
jetson-orin-nano 8
END

# From what CUDA said of two real GPUs. 50 SMs of 8.9 are no built-in GPU's.
for gpu in h100 h200; do
    properties=$top/tests/hardware/data/$gpu/device_properties.json
    "$gfe" gpus --from cuda "$properties" >cuda-gpu.json
    grep -q "\"inherits\": \"h[12]00\"" cuda-gpu.json || fail "$gpu: inherits another chip"
    "$gfe" run --gpu cuda-gpu.json -o f.gfl cuda.json >/dev/null || fail "$gpu from CUDA does not run"
    "$gfe" check f.gfl >/dev/null
    for pair in sm_count:multiProcessorCount sm_hz:clockRate vram_bytes:totalGlobalMem; do
        want=$(sed -n "s/.*\"${pair#*:}\": \([0-9]*\).*/\1/p" "$properties")
        [ "${pair%:*}" = sm_hz ] && want=${want}000
        "$gfe" gpus cuda-gpu.json | grep -q "^  ${pair%:*}  *$want  *MEASURED" || fail "$gpu: ${pair%:*} is not $want"
    done
    "$gfe" occupancy --gpu "$gpu" --threads 96 --registers 40 --shared 9000 | sed 1d >a.txt
    "$gfe" occupancy --gpu cuda-gpu.json --threads 96 --registers 40 --shared 9000 | sed 1d >b.txt
    cmp a.txt b.txt || fail "$gpu: another occupancy"
done
sed 's/"major": 9/"major": 8/; s/"minor": 0/"minor": 9/; s/\("multiProcessorCount": \)[0-9]*/\150/
    s/\("sharedMemPerMultiprocessor": \)[0-9]*/\1102400/; s/\("sharedMemPerBlockOptin": \)[0-9]*/\1101376/' "$properties" >50.json
"$gfe" gpus --from cuda 50.json >cuda-gpu.json
"$gfe" occupancy --gpu cuda-gpu.json | grep -q " GPU's 50 SMs" || fail '50 SMs'

# A log alone: the file is gone. The GPU has 7 SMs, so that the built-in one's limits would not do.
cat >mine.json <<'END'
{"gfe_gpu": 1, "inherits": "gtx1060", "name": "mine", "card": "My card",
 "sm_count": {"value": 7, "basis": "MEASURED", "source": "counted"}, "tpc_count": 7, "gpc_count": 1,
 "parameters": {"cuda.submit_ps": 2000000}, "choices": {"nv.gr.unbound": "chip"}}
END
mkdir elsewhere
cp mine.json elsewhere/other-name.json
"$gfe" run --gpu mine.json -o a.gfl cuda.json >/dev/null
"$gfe" run --gpu elsewhere/other-name.json -o b.gfl cuda.json >/dev/null
cmp a.gfl b.gfl || fail 'a log depends on the path of the GPU file'
"$gfe" gpus mine.json | grep -q '^  sm_count  *7  *MEASURED$' || fail 'gfe gpus FILE'
"$gfe" inspect --gpu mine.json engines >/dev/null
"$gfe" occupancy --gpu mine.json | grep -q " GPU's 7 SMs" || fail 'occupancy'
"$gfe" rules --gpu mine.json T.G3 >/dev/null
"$gfe" regs --gpu mine.json >/dev/null
"$gfe" check --gpu mine.json a.gfl >/dev/null
"$gfe" debug --gpu mine.json --batch -e run cuda.json >/dev/null
"$gfe" inject --gpu mine.json --list >/dev/null
"$gfe" gpus --export mine.json >full.json
"$gfe" run --gpu full.json -o c.gfl cuda.json >/dev/null
cmp a.gfl c.gfl || fail 'the exported description of a file is another GPU'
rm -r mine.json full.json elsewhere
"$gfe" check a.gfl | grep -q 'obeys the rules' || fail 'check without the file'
"$gfe" explain a.gfl | grep -q 'on mine: ' || fail 'explain without the file'
for kind in text svg csv vcd summary html perfetto; do
    "$gfe" show --as $kind -o drawn a.gfl || fail "show --as $kind without the file"
done
"$gfe" inspect a.gfl engines | grep -q '^GR0' || fail 'inspect without the file'
"$gfe" diff a.gfl b.gfl >/dev/null || fail 'diff without the file'
"$gfe" run --gpu gtx1060 -o d.gfl cuda.json >/dev/null
"$gfe" diff a.gfl d.gfl >differences || true
grep -q 'cuda.submit_ps: 2000000 / 1000000' differences || fail 'the file sets no parameter'
grep -q 'nv.gr.unbound: chip / ' differences || fail 'the file sets no choice'
# A recording, and a snapshot, which fits this description alone.
echo '{"gfe_gpu": 1, "inherits": "gtx1060", "name": "mine", "sm_hz": 1000000000}' >snap.json
"$gfe" run --gpu snap.json -o g.gfl "$top/tests/golden/compute.gft" >/dev/null
"$gfe" run --gpu snap.json -o h.gfl --snapshot s.gfs --snapshot-at 10us "$top/tests/golden/compute.gft" >/dev/null
"$gfe" run --gpu snap.json -o i.gfl --restore s.gfs "$top/tests/golden/compute.gft" >/dev/null
cmp g.gfl i.gfl || fail 'a restored run differs'
echo '{"gfe_gpu": 1, "inherits": "radeon-vii", "name": "half", "engine_cus": [8, 8, 7, 7]}' >half.json
"$gfe" run --gpu half.json -o j.gfl "$top/tests/golden/hip_streams.gft" >/dev/null
rm half.json
"$gfe" check j.gfl >/dev/null
"$gfe" inspect j.gfl hqds | grep -q HIQ || fail 'inspect of an AMD GPU without its file'
# Two GPUs of one name: diff says what differs in their descriptions.
echo '{"gfe_gpu": 1, "inherits": "gtx1060", "name": "mine", "sm_hz": 2000000000}' >mine.json
"$gfe" run --gpu mine.json -o f.gfl cuda.json >/dev/null
"$gfe" diff a.gfl f.gfl >differences || true
grep -q 'gpu.sm_hz: 1506000000 / 2000000000' differences || fail 'diff of two descriptions'
refused 1 'it was taken with description of the gpu' run --gpu mine.json --restore s.gfs "$top/tests/golden/compute.gft"
# What the user says counts more than the file.
echo '{"gfe_gpu": 1, "inherits": "gtx1060", "name": "mine", "parameters": {"cuda.submit_ps": 2000000}}' >mine.json
"$gfe" run --gpu mine.json --param cuda.submit_ps=1000000 -o e.gfl cuda.json >/dev/null
"$gfe" diff e.gfl d.gfl >differences || true
! grep -q cuda.submit_ps differences || fail 'the file counts more than --param'

echo '{"gfe_gpu": 1, "inherits": "tx2", "name": "x", "sm_count": 3}' >bad.json
for command in 'run cuda.json' 'debug cuda.json' 'occupancy' 'rules' 'regs' 'xid x' 'inspect engines' 'check a.gfl' \
    'discriminate core.block_to_sm=a core.block_to_sm=b' 'inject --list' 'scrub -o y.gft x.gft' 'decode --format amd-aql x'; do
    # shellcheck disable=SC2086 # words
    refused 1 'bad.json: tpc_count: ' ${command%% *} --gpu bad.json ${command#* }
done
refused 1 'none.json: ' run --gpu none.json cuda.json
refused 2 'has no board that a program could find' record --gpu bad.json true
refused 2 'has no board that a program could find' live --gpu bad.json true
refused 2 'only one of --json, --export, --from and --schema' gpus --json --export gtx1060
refused 2 "--from is cuda or nvdebug, not 'x'" gpus --from x .
refused 1 'bad.json: major: is missing' gpus --from cuda bad.json
echo '{"programs": ["cuda.json"], "gpu": "bad.json", "experiments": 1}' >plan.json
refused 1 'a campaign runs on a built-in GPU, not on one in a file' campaign run plan.json --db x.db
