#!/bin/sh
# SPDX-License-Identifier: MIT
# Names of strangers in every command and every format: scenarios, configurations, recordings and
# databases whose names hold what commands a terminal, ends an element of markup, begins a formula of a
# spreadsheet, or pretends to be a line of gfe's own; and files with such names.  Nothing of it comes out.
#
# What commands a terminal is ISO 6429's (C0, DEL, C1), and UAX 9's for the direction of text.  Formulas
# begin as OWASP's "CSV Injection" lists them.
#
# PROMISE (program): A name in a file reaches no terminal as a command, no page as an element, no
# spreadsheet as a formula, and pretends to be no line, in any command and format.
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
    printf 'FAILED: %s\n' "$*" | cat -v
    status=1
}

# A file's name, and the same in JSON.
bad=$(printf '=x<script>\033[31m\233\302\2332J\342\200\256\nFORGED,"\r\t')
json='=x<script>\u001b[31m\u009b2J\u202e\nFORGED,\"\r\t'

# Prints the lines of a file that should not be: those that command, and those that pretend.
commands_in() # FILE
{
    grep -anP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xd8\x9c|\xe2\x80[\x8e\x8f\xa8-\xae]|\xe2\x81[\xa6-\xa9]|^FORGED' "$1"
    iconv -f UTF-8 -t UTF-8 "$1" 2>&1 >/dev/null | sed 's/^/not UTF-8: /'
}
formulas_in() # FILE
{
    grep -anP '(^|,)"?([=+@\t\r]|-[^0-9])' "$1"
}
elements_in() # FILE
{
    grep -aniE '<script|<i>|<img' "$1"
}

# Runs a command of gfe, and looks at what it prints.  The exit status is its own.
calls=0
try() # KIND ARGUMENT...
{
    kind=$1
    shift
    calls=$((calls + 1))
    code=0
    "$gfe" "$@" >out 2>err </dev/null || code=$?
    [ $code -lt 128 ] || fail "gfe $*: status $code"
    case $kind in bytes) : >out ;; esac
    for file in out err; do
        found=$(commands_in $file | head -3)
        [ -z "$found" ] || fail "gfe $*: commands or lines in $file: $found"
    done
    found=
    case $kind in
    csv) found=$(formulas_in out | head -3) ;;
    svg | page) found=$(elements_in out | head -3) ;;
    esac
    [ -z "$found" ] || fail "gfe $*: $kind with $found"
    return $code
}
good() # KIND ARGUMENT...
{
    try "$@" || fail "gfe $*: status $code: $(cat err)"
}

# The checks see what they should.
printf 'a\033[1m\n' >seen && [ -n "$(commands_in seen)" ] || fail 'no ESC was seen'
printf 'a\302\233m\n' >seen && [ -n "$(commands_in seen)" ] || fail 'no CSI was seen'
printf 'a\342\200\256\n' >seen && [ -n "$(commands_in seen)" ] || fail 'no RLO was seen'
printf 'a\377\n' >seen && [ -n "$(commands_in seen)" ] || fail 'no byte was seen'
printf 'a\nFORGED\n' >seen && [ -n "$(commands_in seen)" ] || fail 'no line was seen'
printf 'a,"=1"\n' >seen && [ -n "$(formulas_in seen)" ] || fail 'no formula was seen'
printf 'a,-1,"a=1"\n' >seen && [ -z "$(formulas_in seen)" ] || fail 'a number is a formula'

# --- a scenario ---------------------------------------------------------------------------------

cat >s.json <<END
{"gfe_scenario": 1, "name": "$json", "processes": [
  {"name": "${json}1", "streams": [{"name": "${json}a"}], "tasks": [
    {"name": "${json}t", "calls": [
      {"copy": {"bytes": 4096, "direction": "to device"}},
      {"launch": {"name": "${json}k", "blocks": 16, "threads": 256, "work": 0.005}, "stream": "${json}a"}]}]},
  {"name": "${json}2", "streams": [{"name": "${json}b"}], "tasks": [{"name": "${json}u", "calls": [
      {"launch": {"name": "${json}l", "blocks": 4, "threads": 1024, "work": 0.005}}]}]}]}
END
cp s.json "$bad.json"
good text run --gpu gtx1060 -o s.gfl s.json
good text run --gpu gtx1060 -o "$bad.gfl" "$bad.json"
good text run --gpu gtx1060 --json s.json
good text run --gpu gtx1060 --explore 3 s.json
good text run --gpu gtx1060 --explore 3 --json s.json
# A name that JSON can hold, too.
plain=$(printf '=x<script>\033[31m\302\2332J\342\200\256\nFORGED,"\r\t')
cp s.json "$plain.json"
for log in s.gfl "$bad.gfl"; do
    for as in text svg csv events events-csv vcd summary html perfetto; do
        case $as in
        events-csv) kind=csv ;;
        perfetto) kind=bytes ;;
        *) kind=$as ;;
        esac
        good $kind show --as $as -o - "$log"
        case $as in svg) cp out picture.svg ;; html) cp out page.html ;; esac
    done
    good svg show --as svg --view sm -o - "$log"
    good svg show --as svg --view threads -o - "$log"
    good text explain "$log"
    good text explain --json "$log"
    try text explain "$log" "$bad"
    good text check "$log"
    good text diff "$log" s.gfl
    good text diff --json "$log" s.gfl
    good text hash "$log"
    try text inspect --at 1us "$log" "$bad"
    for view in '' runlists channels pbdma; do
        try text inspect --at 1us --trace s.json "$log" $view
    done
done
[ "$(grep -c '<script' page.html)" -eq 4 ] || fail "the page has other scripts: $(grep -c '<script' page.html)"
grep -q "Content-Security-Policy.*default-src 'none'" page.html || fail 'the page has no policy'
if command -v python3 >/dev/null; then
    python3 -c 'import sys, xml.dom.minidom
picture = xml.dom.minidom.parse(sys.argv[1])
sys.exit(bool(picture.getElementsByTagName("script")))' picture.svg || fail 'the picture is not well-formed'
fi
try text debug --batch -e 'step 30' -e why -e where -e 'info channels' s.json
try text debug --batch -e "$bad" s.json
good text inject --fault 'doorbell drop @#1' s.json
good text inject --json --fault 'doorbell drop @#1' "$bad.json"
try text inject --fault "$bad" s.json

# --- a configuration of AMD's --------------------------------------------------------------------

cat >h.json <<END
{"name": "$json", "plugins": [
    {"filename": "vector_add.so", "label": "${json}p", "log_name": "${json}q.json", "thread_count": 256,
     "block_count": 9, "max_iterations": 2}]}
END
good text run -o h.gfl --cost vector_add=90us h.json
for as in text svg csv events events-csv vcd summary html; do
    case $as in events-csv) kind=csv ;; *) kind=$as ;; esac
    good $kind show --as $as -o - h.gfl
done
good text explain h.gfl
good text check h.gfl
try text run --explore 2 --cost vector_add=90us h.json

# --- a campaign ----------------------------------------------------------------------------------

cat >"$bad.plan" <<END
{"programs": ["$json.json"], "gpu": "gtx1060", "samples": 30,
 "faults": [{"site": "doorbell", "models": ["drop"]}]}
END
good text campaign run --db c.db "$bad.plan"
for as in text html csv json; do
    case $as in html) kind=page ;; *) kind=$as ;; esac
    good $kind campaign report --as $as c.db
done
good page campaign report --as html c.db
grep -q "Content-Security-Policy\" content=\"default-src 'none';" out || fail 'the report has no policy'
try text inject --from c.db --id 3
cp c.db "$bad.db"
good text campaign report "$bad.db"
if command -v sqlite3 >/dev/null; then
    # Words without commands, which only a page or a spreadsheet takes amiss.
    sqlite3 c.db "UPDATE stratum SET site='=1+1<script>alert(1)</script>', model='@x\"', unit='-y<i>';
        UPDATE experiment SET owner='+o<img onerror=x>', detected_by='=d<script>', fault='<script>';
        INSERT INTO victim SELECT id, '=v<script>', 'process' FROM experiment;
        UPDATE campaign SET value='<script>' WHERE key IN ('hash', 'version')" ||
        fail 'the database was not changed'
    for as in text html csv json; do
        case $as in html) kind=page ;; *) kind=$as ;; esac
        good $kind campaign report --as $as c.db
    done
    cp c.db d.db
    sqlite3 d.db "UPDATE stratum SET site=char(27) || '[2J'" || fail 'the database was not changed'
    try text campaign report d.db && fail 'a site with ESC is believed'
fi

# --- files with such names, whole and damaged, in every command -----------------------------------

cp "$source/tests/golden/compute.gft" "$bad.gft"
printf 'no file of gfe %s\n' "$bad" >"$bad"
for name in "$bad.gft" "$bad" "./none/$bad"; do
    for command in run show explain check hash decode inspect debug scrub diff inject; do
        case $command in
        diff) set -- "$name" "$name" ;;
        inject) set -- --fault 'doorbell drop @#1' "$name" ;;
        scrub) set -- -o scrubbed.gft "$name" ;;
        debug) set -- --batch -e step "$name" ;;
        inspect) set -- "$name" channels ;;
        *) set -- "$name" ;;
        esac
        try text $command "$@"
    done
    try text hash --dump "$name"
    try text run --json "$name"
    try text decode --json "$name"
    try text decode --format pm4 "$name"
    try text campaign report "$name"
    try text campaign run --db e.db "$name"
    try text campaign merge --db e.db "$name"
    try text check --result "$name"
    try text discriminate 'wlm.block_order=A' 'wlm.block_order=B' "$name"
    for format in bus nvt raw; do
        try text import $format -o imported.gft "$name"
    done
    try text run --snapshot "$name" "$source/tests/golden/compute.gft"
done

# --- files without an end ---------------------------------------------------------------------------

# Each reader has a bound, and says which option raises it, if one does.
printf '# a comment that goes on for ever %4000d\n' 0 >line
endless() # WORDS ARGUMENT...
{
    words=$1
    shift
    code=0
    timeout 20 "$gfe" "$@" <line >out 2>err || code=$?
    [ $code -eq 1 ] && grep -q -e "$words" err || fail "gfe $* on a file without an end: status $code, $(head -c 300 err)"
}
endless 'line 1: the line has a zero byte' import bus -o imported.gft /dev/zero
endless 'line 1: the line has a zero byte' import raw -o imported.gft /dev/zero
endless 'NVTR' import nvt -o imported.gft /dev/zero
endless 'more than 1000 bytes; --max-input raises that' import raw --max-input 1000 -o imported.gft -
endless 'more than 1000 bytes; --max-input raises that' import bus --max-input 1000 -o imported.gft -
endless 'more than 16 MiB' campaign run --db e.db /dev/zero
endless 'no regular file' campaign report /dev/zero
endless 'more than 1 MiB; --max-input raises that' decode --format amd-pm4 --generation gfx9 --max-input 1M /dev/zero
endless 'line has a zero byte' debug --batch -x /dev/zero s.json
endless 'a line has less than 1000 characters' debug --batch s.json -x line
grep -q 'zero byte' <<END || fail 'xid takes zero bytes'
$(timeout 20 "$gfe" xid - </dev/zero 2>&1)
END
printf '{"scenario_name": "", "label": "", "times": [' >result.json
head -c 2000000 /dev/zero | tr '\0' ' ' >>result.json
endless 'result.json: more than 1 MiB; --max-input raises that' check --max-input 1M result.json
[ ! -e imported.gft ] || fail 'a trace of a file without an end appeared'

# --- words of the command line ---------------------------------------------------------------------

for command in run show explain calibrate check compare diff discriminate live inject campaign inspect debug decode regs rules gpus \
    occupancy xid hash import scrub record "$bad"; do
    try text "$command" "$bad"
    try text "$command" "--$bad"
    try text "$command" --gpu "$bad" x
done
try text xid "NVRM: Xid (PCI:0000:01:00): 31, pid=1, name=$bad, Ch 00000010, intr 10000000. MMU Fault"
try text xid --json "NVRM: Xid (PCI:0000:01:00): 31, pid=1, name=$bad, Ch 00000010"
try text live --gpu gtx1060 --fault 'doorbell drop @#1' -- "./$bad"
try text record --gpu gtx1060 -o r.gft -- "./$bad"

[ $calls -ge 150 ] || fail "only $calls calls were made"
exit $status
