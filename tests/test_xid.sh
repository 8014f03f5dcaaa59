#!/bin/sh
# SPDX-License-Identifier: MIT
# gfe xid: text, JSON, standard input, lines that are not known; every line that gfe prints, and every
# one of a real H100, is taken apart.
#
# PROMISE (program): `gfe xid` takes every Xid of an H100's log apart, and names the SM that the log names.
set -eu
gfe=$(cd "${top_builddir:-.}" && pwd)/gfe
top=$(cd "${top_srcdir:-.}" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

fail() # MESSAGE
{
    echo "$1"
    exit 1
}

# 0x1c016 is 22, SWITCH, 1, AWAITING_ACK by the bits of CTXSW_TIMEOUT_INFO (open-gpu-doc
# tu104/dev_fifo.ref.txt); nouveau's tu102.c blames the TSG before while the state is not LOAD.
"$gfe" xid --gpu rtx6000ada 'Xid 109 … Info 0x1c016' >out
for line in '^Xid 109 .ROBUST_CHANNEL_CTXSW_TIMEOUT_ERROR.: ' '^  prev_tsgid   22 ' '^  ctxsw_state  SWITCH ' \
    '^  next_tsgid   1 ' '^  status       AWAITING_ACK ' '^  blamed_tsg   22 '; do
    grep -q "$line" out || fail "no line like $line"
done
"$gfe" xid --json 'Xid 109 Info 0x58005' | tr -d '\n ' >out
grep -q '"xid":109,.*"gpu":"h100",.*"name":"ctxsw_state","value":"SAVE","number":2,' out || fail 'json'

# The log of a real H100: of 397 lines none is unknown. Lines of SM exceptions name the SM; the line of
# registers behind them gives its addresses, and has to come to the same SM.
gzip -dc "$top/tests/hardware/data/h100/faults.log.gz" >faults
"$gfe" xid - <faults >out 2>errors || fail "$(cat errors)"
[ "$(grep -c '^Xid ' out)" -eq "$(grep -c Xid faults)" ] || fail 'not every line'
grep -o 'Global Exception on (GPC [0-9]*, TPC [0-9]*, SM [0-9]*)' faults | sed 's/.*(//; s/)//' >named
sed -n 's/^  sm *\(.*SM [0-9]*\)  by the registers.*/\1/p' out >addressed
cmp named addressed || fail 'SMs'
[ "$(wc -l <named)" -eq 132 ] || fail 'an H100 has 132 SMs'
[ "$(grep -c 'HWW_WARP_ESR: address out of range' out)" -eq 132 ] || fail 'Out Of Range Address'

# What gfe prints itself: a fault in a pushbuffer under NVIDIA's driver, and a method that is not there.
"$gfe" import bus -o nv_intr.gft "$top/tests/rules/nv_intr.bus"
"$gfe" run --policy rm.recovery=on nv_intr.gft | grep Xid >lines || fail 'no Xid'
"$gfe" xid --gpu gtx1060 - <lines >out || fail 'own lines'
[ "$(grep -c '^Xid ' out)" -eq "$(wc -l <lines)" ] || fail 'own lines are not known'

# nouveau's line of a Fermi (a public report), whose bit 23 is EMPTY_SUBC, and the ones that gfe prints.
printf 'noise\n[ 1.0] nouveau 0000:01:00.0: fifo: PBDMA0: 00800000 [EMPTY_SUBC] ch 6 [003fa78000 rstudio[7618]] subc 7 mthd 1a58 data 80000708\n' |
    "$gfe" xid - >out || fail 'a line of nouveau'
grep -q '^PBDMA: an error of a PBDMA' out || fail 'no PBDMA'
grep -q '^  intr_0 .* of a Fermi: no object is bound to the subchannel$' out || fail "$(cat out)"
"$gfe" xid --json 'PBDMA0: 00800000 [DEVICE] ch 6 [0 x] subc 7 mthd 1a58 data 1' | tr -d '\n ' | grep -q '"xid":null,"name":"PBDMA"' ||
    fail 'json of nouveau'
"$gfe" import raw "$top/tests/cases/software-subchannel-empty/a.raw" -o empty.gft
"$gfe" run --policy nouveau.recovery=on empty.gft | grep ' mthd ' >lines || fail 'no line of nouveau'
"$gfe" xid --gpu gtx1060 - <lines >out || fail 'own lines of nouveau'
[ "$(grep -c '^PBDMA: ' out)" -eq "$(wc -l <lines)" ] || fail 'own lines of nouveau are not known'

# Lines that are not known: the others are still taken apart.
printf 'Xid 999, x\nno such line\nXid 43, Ch 00000020\n' >lines
"$gfe" xid - <lines >out 2>errors && fail 'Xid 999 is known'
grep -q '^Xid 43 ' out || fail 'no Xid 43'
[ "$(wc -l <errors)" -eq 1 ] || fail 'one line for each'
grep -q '^gfe: the form of Xid 999 is not known: 13, 31, 32, 43, 45, 69, 80 and 109 are$' errors || fail "$(cat errors)"
status=0
"$gfe" xid 'Xid 109, Info' >out 2>errors || status=$?
[ "$status" -eq 1 ] && [ ! -s out ] || fail "a message of no known form: status $status"
for wrong in '' '--gpu radeon-vii x' '--gpu nothing x'; do
    status=0
    # shellcheck disable=SC2086
    "$gfe" xid $wrong >out 2>errors || status=$?
    [ "$status" -eq 2 ] || fail "'$wrong': status $status"
done
