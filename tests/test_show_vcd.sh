#!/bin/sh
# SPDX-License-Identifier: MIT
# gfe show --as vcd of whole programs against --as csv: what each SM and each engine did is the same,
# added up to the picosecond; GTKWave's converter takes the dumps, where it is installed.
#
# PROMISE (views): Blocks and threads of each SM and operations of each engine in a dump add up to
# those of `--as csv`, to the picosecond; the tables of docs/vcd.md and docs/csv.md are complete.
# LIMIT (views): vcd2fst of GTKWave 3.3.118 converted ten dumps by hand; the CI does not have
# GTKWave.
set -u

# shellcheck disable=SC2154 # both are set by make
source=$(cd "$top_srcdir" && pwd)
# shellcheck disable=SC2154
gfe=$(cd "$top_builddir" && pwd)/gfe
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
LC_ALL=C
export LC_ALL
status=0
fail()
{
    echo "FAILED: $*"
    status=1
}

# Time that counts add up to: blocks and threads of SMs, operations of engines.  As text, as 32 bits
# are not enough for a number everywhere.  Threads on a CU are capped (tests/test_show_threads.sh), so
# only its blocks are added up.
integrate='
function number(bits,   n, i) {
    n = 0
    for (i = 2; i <= length(bits); i++)
        n = 2 * n + substr(bits, i, 1)
    return n
}
$1 == "$scope" { path[++depth] = $3 }
$1 == "$upscope" { depth-- }
$1 == "$var" && (path[2] == "sms" && $5 == "threads" || (path[2] == "sms" || path[2] == "cus") && $5 == "blocks") { of[$4] = path[3] " " $5 }
$1 == "$var" && path[2] == "engines" && $5 == "running" { of[$4] = path[3] " " $5 }
/^#/ { now = substr($1, 2) + 0 }
/^b/ && ($2 in of) { sum[$2] += (now - since[$2]) * value[$2]; since[$2] = now; value[$2] = number($1) }
END {
    for (code in of)
        if (sum[code] + (now - since[code]) * value[code] > 0)
            printf "%s %.0f\n", of[code], sum[code] + (now - since[code]) * value[code]
}'
add_up='
NR > 1 && $2 == "block" { blocks[$1] += $5; threads[$1] += $5 * $15 }
NR > 1 && $2 == "running" && $1 !~ /^(channel|queue|HIQ)/ { running[$1] += $5 }
function name(track) { gsub(/[^A-Za-z0-9]/, "_", track); return track }
END {
    for (sm in blocks) {
        printf "%s blocks %.0f\n", name(sm), blocks[sm]
        if (sm ~ /^SM/)
            printf "%s threads %.0f\n", name(sm), threads[sm]
    }
    for (engine in running)
        printf "%s running %.0f\n", name(engine), running[engine]
}'

compare() # NAME: of NAME.gfl
{
    "$gfe" show --as vcd -o "$1.vcd" "$1.gfl" || fail "$1: no dump"
    "$gfe" show --as vcd - <"$1.gfl" | cmp - "$1.vcd" || fail "$1: another dump from a pipe"
    awk "$integrate" "$1.vcd" | sort >"$1.counted"
    "$gfe" show --as csv "$1.gfl" | awk -F, "$add_up" | awk '$3 > 0' | sort >"$1.added"
    [ -s "$1.added" ] || fail "$1: nothing to compare"
    diff "$1.counted" "$1.added" >"$1.diff" || fail "$1: $(head -n 5 "$1.diff")"
    if command -v vcd2fst >/dev/null 2>&1; then
        vcd2fst "$1.vcd" "$1.fst" >"$1.said" 2>&1 || fail "$1: vcd2fst: $(cat "$1.said")"
        [ -s "$1.fst" ] || fail "$1: vcd2fst made nothing"
    fi
}

for name in compute triangle kfd_kernels hip_streams; do
    "$gfe" run -o "$name.gfl" "$source/tests/golden/$name.gft" >said || fail "gfe run $name"
    compare "$name"
done
for name in amert2017-table1:tx2 exec_logger:gtx1060 copy_monitor:gtx1060 exec_logger-copy_monitor:tx2 \
    graphics_uploads:rtx6000ada otterness2022-mm1024-mm256:radeon-vii; do
    "$gfe" run --gpu "${name#*:}" -o "${name%:*}.gfl" "$source/scenarios/${name%:*}.json" >said || fail "gfe run $name"
    compare "${name%:*}"
done
command -v vcd2fst >/dev/null 2>&1 || echo "vcd2fst is not installed: not tried"

# Each signal that the page lists is there, and the other way round.
sed -n 's/^| `\([a-z_]*\)` | `\([a-z_]*\)` .*/\1 \2/p' "$source/docs/vcd.md" | sort >listed
cat ./*.vcd | awk '
    $1 == "$scope" { path[++depth] = $3 }
    $1 == "$upscope" { depth-- }
    $1 == "$var" { print path[2], $5 }' | sed 's/^cus /sms /' | sort -u >found
diff listed found >lists || fail "docs/vcd.md: $(cat lists)"

# So are columns of the CSV in theirs: those of the timeline, in their order.
sed -n '/^## The timeline/,/^### Kinds/s/^| `\([a-z_]*\)` |.*/\1/p' "$source/docs/csv.md" >listed
"$gfe" show --as csv compute.gfl | head -n 1 | tr , '\n' >found
diff listed found >lists || fail "docs/csv.md: $(cat lists)"
for column in $("$gfe" show --as events-csv compute.gfl | head -n 1 | tr , '\n' | sed -n 1,5p); do
    grep -q "^| \`$column\` |" "$source/docs/csv.md" || fail "docs/csv.md has no $column"
done
# No two columns have one name: an argument called kind has another one.
for log in ./*.gfl; do
    twice=$("$gfe" show --as events-csv "$log" | head -n 1 | tr , '\n' | sort | uniq -d)
    [ -z "$twice" ] || fail "$log: two columns called $twice"
done
"$gfe" show --as events-csv amert2017-table1.gfl | head -n 1 | grep -q ',argument_kind,' || fail 'the argument kind has no column'
# Kinds of rows that these logs have.
for log in ./*.gfl; do
    "$gfe" show --as csv "$log" | awk -F, 'NR > 1 { print $2 }'
done | sort -u >kinds
while read -r kind; do
    grep -q "^| \`$kind\` |" "$source/docs/csv.md" || fail "docs/csv.md does not tell of $kind"
done <kinds
exit $status
