#!/bin/sh
# SPDX-License-Identifier: MIT
# Traces of gfe show --as perfetto, read back by Google's protobuf library with a .proto of its own
# (tests/perfetto.proto, tests/read_perfetto.py): names, tracks, nesting, flows; and how long
# everything took against gfe show --as csv, to the picosecond. GFE_UPDATE_GOLDEN=1 writes the golden
# text anew. Skipped where protoc or python3-protobuf is missing.
#
# PROMISE (views): Google's protobuf library reads the Perfetto traces back, and they agree with
# the CSV.
set -eu
cd "${top_builddir:-.}"
gfe=$PWD/gfe
cd "$OLDPWD"
cd "${top_srcdir:-.}"
src=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

python=
for candidate in python3 /usr/bin/python3; do
    if [ -z "$python" ] && "$candidate" -c 'import google.protobuf.message' 2>/dev/null; then
        python=$candidate
    fi
done
if [ -z "$python" ] || ! command -v protoc >/dev/null 2>&1; then
    echo 'skipped: the reader needs the packages protobuf-compiler and python3-protobuf'
    exit 77
fi
PYTHONDONTWRITEBYTECODE=1
export PYTHONDONTWRITEBYTECODE
protoc --python_out="$work" -Itests tests/perfetto.proto
cd "$work"
failures=0

fail()
{
    echo "FAIL: $*"
    failures=$((failures + 1))
}

read_back() # TRACE [MODE]
{
    "$python" "$src/tests/read_perfetto.py" "$work" "$@"
}

# The timeline's intervals, added up by track and kind; waits by rule.
csv_sums() # LOG
{
    "$gfe" show --as csv "$1" | awk -F, '
        NR == 1 || $2 ~ /^(doorbell|inline_write|acquire|release|interrupt|error)$/ { next }
        { row = $2 == "waiting" ? "waits," $10 : $1 "," $2; count[row]++; ps[row] += $5 }
        END { for (row in count) printf "%s,%d,%.0f\n", row, count[row], ps[row] }' | LC_ALL=C sort
}

same_as_csv() # NAME
{
    read_back "$1.pftrace" sums | LC_ALL=C sort >"$1.sums" || fail "$1: cannot be read back"
    csv_sums "$1.gfl" >"$1.csv"
    [ -s "$1.csv" ] || fail "$1: the CSV has no intervals"
    diff -u "$1.csv" "$1.sums" || fail "$1: other times than in the CSV"
}

number_of() # WORD NAME
{
    read_back "$2.pftrace" | sed -n "s/.* \([0-9]*\) $1.*/\1/p"
}

for name in clear compute gtx680 rtx2060 triangle upload; do
    "$gfe" run -o "$name.gfl" "$src/tests/golden/$name.gft" >/dev/null
    "$gfe" show --as perfetto -o "$name.pftrace" "$name.gfl" || fail "$name: status $?"
    same_as_csv "$name"
    "$gfe" show --as perfetto - <"$name.gfl" | cat >piped
    cmp -s piped "$name.pftrace" || fail "$name: a pipe gets something else than a file"
done

# AMD's queues, slots, CUs. What waits at several shader engines at once is one wait in the picture,
# packets that stand in a ring are a counter here.
for name in kfd_kernels hip_streams; do
    "$gfe" run -o "$name.gfl" "$src/tests/golden/$name.gft" >/dev/null
    "$gfe" show --as perfetto -o "$name.pftrace" "$name.gfl" || fail "$name: status $?"
    read_back "$name.pftrace" dump >"$name.txt" || fail "$name: cannot be read back"
    # A dispatch that is saved and goes on is one here and two pieces there.
    read_back "$name.pftrace" sums | grep -v '^waits,' | LC_ALL=C sort >"$name.sums"
    csv_sums "$name.gfl" | grep -v -e '^waits,' -e ',in_ring,' >"$name.csv"
    if [ "$name" = hip_streams ]; then
        grep -q '^ACE 1.2,restoring,1,' "$name.sums" || fail "$name: nothing is restored in ACE 1.2"
        for file in "$name.csv" "$name.sums"; do
            grep -v '^queue 102[56],running,' "$file" >rest && mv rest "$file"
        done
    fi
    diff -u "$name.csv" "$name.sums" || fail "$name: other times than in the CSV"
    # The waves of each shader engine and CU come and go.
    awk '/^ *SE [0-3]$/ { engines++ } /^ *CU [0-3][.][0-9]+$/ { cus++ } /^ *waves$/ { counters++ }
        END { exit !(engines == 4 && cus > 30 && counters == engines + cus) }' "$name.txt" ||
        fail "$name: no counters of waves for all shader engines and CUs"
    ! grep -q ' -[0-9]*$' "$name.txt" || fail "$name: fewer waves than none"
done
[ "$(grep -c '^ *# [0-9]* ns: ' kfd_kernels.txt)" -gt 300 ] || fail 'kfd_kernels: no counts'

# A program that has to wait: it goes on because of a release.
"$gfe" run --param core.block_base_cycles=90000000 -o slow.gfl "$src/tests/golden/compute.gft" \
    >/dev/null
"$gfe" show --as perfetto -o slow.pftrace slow.gfl
same_as_csv slow
read_back slow.pftrace dump >slow.txt
[ "$(grep -c '@ .* goes on .* |3' slow.txt)" -eq 2 ] ||
    fail 'slow: where the program goes on, the flow of a release ends'

# A batch limit changes nothing, a window leaves out what lies outside.
"$gfe" run --batch-limit 1 -o one.gfl "$src/tests/golden/compute.gft" >/dev/null
"$gfe" show --as perfetto one.gfl | cmp -s - compute.pftrace || fail 'one: not the same trace'
"$gfe" show --as perfetto --from 42.69ms --to 42.71ms -o window.pftrace compute.gfl
read_back window.pftrace >/dev/null || fail 'window: cannot be read back'
[ "$(number_of slices window)" -lt "$(number_of slices compute)" ] || fail 'window: leaves nothing out'
read_back window.pftrace dump >window.txt
grep -q ' C1 operation=copy:1' window.txt || fail 'window: has no C1'
! grep -q ' C2 ' window.txt || fail 'window: has C2'

# Each submission's flow goes through its entries and its fence, each operation's to a release.
read_back compute.pftrace dump >compute.txt
for flow in 100000000000002 100000000000009; do
    [ "$(grep -c ">$flow" compute.txt)" -ge 4 ] || fail "compute: flow $flow does not go far"
done
for flow in 1 2 3 4; do
    [ "$(grep -c ">20000000000000$flow" compute.txt)" -eq 2 ] ||
        fail "compute: flow of operation $flow: from the stream to the engine"
    [ "$(grep -c "NV_RELEASE.* |20000000000000$flow" compute.txt)" -eq 1 ] ||
        fail "compute: flow of operation $flow: to a release"
done

golden=$src/tests/golden/perfetto_compute.txt
if [ -n "${GFE_UPDATE_GOLDEN-}" ]; then
    cp compute.txt "$golden"
fi
diff -u "$golden" compute.txt || fail 'compute: not as expected; GFE_UPDATE_GOLDEN=1 accepts it'
[ "$failures" -eq 0 ]
