#!/bin/sh
# SPDX-License-Identifier: MIT
# gfe gpus --from nvdebug: files in the form of nvdebug's, made of gfe's own GPUs (tests/nvdebug_files.py), give back
# their engines, runlists, copy engines and TPCs; what is wrong in a file is told with its place.
#
# PROMISE (program): A GPU file that is made of nvdebug's files has the engines, runlists, copy engines and TPCs that the files name.
set -eu
: "${top_srcdir:=.}"
gfe=$(cd "${top_builddir:-.}" && pwd)/gfe
top=$(cd "$top_srcdir" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
command -v python3 >/dev/null || { echo 'python3 is not installed'; exit 77; }
cd "$scratch"

fail()
{
    echo "FAILED: $*"
    exit 1
}

refused() # MESSAGE
{
    status=0
    "$gfe" gpus --from nvdebug files >out 2>err || status=$?
    [ "$status" -eq 1 ] || fail "status $status: $*"
    [ ! -s out ] || fail "prints something: $*"
    grep -qF "gfe: $*" err || fail "not '$*': $(cat err)"
}

files() # GPU [FORM]
{
    rm -rf files
    "$gfe" gpus --export "$1" | python3 "$top/tests/nvdebug_files.py" files "${2:-new}"
}

# The same but for what no file says: interrupts and Host's numbers from Ampere on, names, and a fault id where there is none.
cat >same.py <<'END'
import json, sys

made, own = (json.load(open(name)) for name in sys.argv[1:])
for chip in made, own:
    unsaid = ("name", "intr_id", "engine_id") if chip["runlists"][0]["pri_base"] != "0x0" else ("name",)
    chip["engines"] = sorted([{key: value or 0 for key, value in engine.items() if key not in unsaid} for engine in chip["engines"]],
                             key=lambda engine: (engine["kind"], engine["instance"]))
for key in ("engines", "runlists", "pbdma_runlists", "pce_to_lce", "grces", "gpc_count", "tpc_count", "sm_count", "vram_bytes", "classes", "sm"):
    assert made[key] == own[key], key
END

cat >program.json <<'END'
{"gfe_scenario": 1, "processes": [{"streams": [{"name": "a"}], "tasks": [{"calls": [{"copy": {"bytes": 1000000, "direction": "to device"}},
 {"launch": {"blocks": 300, "threads": 64, "work": 0.001}}]}]}]}
END

for gpu in gtx1060 gtx1060-3gb tx2 v100 xavier rtx2080ti rtx2060 a100 orin orin-runlist3 rtx6000ada h100; do
    for form in new old; do
        files $gpu $form
        "$gfe" gpus --from nvdebug files >made.json || fail "$gpu"
        grep -q "\"inherits\": \"$gpu\"" made.json || fail "$gpu, $form: inherits $(grep inherits made.json)"
        "$gfe" gpus --export made.json >whole.json || fail "$gpu, $form"
        "$gfe" gpus --export "$gpu" >own.json
        python3 same.py whole.json own.json || fail "$gpu, $form"
    done
    "$gfe" run --gpu made.json -o f.gfl program.json >/dev/null || fail "$gpu does not run"
    "$gfe" check f.gfl >/dev/null || fail "$gpu: check"
done

# Another card of the chip: a TPC less, a copy engine that shares, and a runlist that the built-in GPU has not.
files rtx2060
sed -i 's/^GRCE0 -> .*/GRCE0 -> LCE02/' files/copy_topology
sed -i 's/3$/7/' files/gpc0_tpc_mask
cat >>files/device_info <<'END'
| Engine Type:      21 (NVJPG: NVIDIA JPEG Decoder)
|           instance 0
| Host's Engine ID: 11
| Runlist ID:       11
+---------------------+
END
"$gfe" gpus --from nvdebug files >made.json
"$gfe" gpus --export made.json >whole.json
python3 - <<'END' || fail 'another card'
import json

chip, own = json.load(open("whole.json")), json.load(open("own.json"))
assert chip["tpc_count"] == 14 and chip["gpc_count"] == 3, (chip["tpc_count"], chip["gpc_count"])
assert chip["sm_count"] == 28
assert chip["grces"][0] == {"shared_lce": 2, "is_shared": True}, chip["grces"]
assert len(chip["runlists"]) == 12 and len(chip["pbdma_runlists"]) == 13
assert chip["engines"][-1]["name"] == "NVJPG0" and chip["engines"][-1]["runlist_id"] == 11
END
"$gfe" run --gpu made.json -o f.gfl program.json >/dev/null || fail 'another card does not run'

# Few files are enough.
files h100
mkdir few
cp files/device_info few
"$gfe" gpus --from nvdebug few >made.json
grep -q '"inherits": "h100"' made.json || fail 'device_info alone'

# What is wrong is told.
rm files/device_info
refused 'files: there is no file device_info'
files gtx1060
sed -i 's/Runlist ID: .*/Runlist ID: many/' files/device_info
refused 'files/device_info:10: there is no number behind the words'
files gtx1060
"$gfe" inspect --gpu gtx1060 device_info >files/device_info
refused "files/device_info:1: not a line of nvdebug's device_info"
files gtx1060
sed -i '$d' files/device_info
refused 'files/device_info:76: the last box does not end'
files gtx1060
echo '| Engine Type:      19 (LCE)' >>files/device_info
sed -i 's/^| Reset ID: .*/| Reset ID: 300/' files/device_info
refused 'files/device_info:12: the number is none, or too large'
files rtx6000ada
sed -i '20,30s/RL Base: .*/Runlist ID: 1/' files/device_info
refused 'files/device_info:22: boxes of two generations'
files gtx1060
echo 'LCE02 is PCE03' >>files/copy_topology
refused "files/copy_topology:5: not a line such as 'LCE02 -> PCE03'"
files gtx1060
echo '0x123456789' >files/gpc_mask
refused 'files/gpc_mask: not a number up to 0xffffffff'
files gtx1060
rm files/gpc1_tpc_mask
refused 'files: there is no file gpc1_tpc_mask, but gpc_mask has GPC 1'
files gtx1060
head -c 100000 /dev/zero | tr '\0' '|' >files/device_info
refused 'files/device_info: '
status=0
"$gfe" gpus --from nvdebug nowhere 2>err || status=$?
[ "$status" -eq 1 ] && grep -q '^gfe: nowhere: there is no file device_info' err || fail "$(cat err)"
echo passed
