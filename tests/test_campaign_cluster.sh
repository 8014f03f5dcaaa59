#!/bin/sh
# SPDX-License-Identifier: MIT
#
# contrib/campaign-slurm.sh on a Slurm of its own (controller and node on the loopback, for root
# only) and contrib/campaign-parallel.sh: the joined report is that of one machine. Skipped where
# neither is installed.
#
# PROMISE (faults): A campaign on Slurm and with GNU parallel gives the report of one machine,
# names a lost shard and makes it again.
set -eu
top_builddir=${top_builddir:-.} top_srcdir=${top_srcdir:-.}
GFE=$(cd "$top_builddir" && pwd)/gfe
export GFE
contrib=$(cd "$top_srcdir" && pwd)/contrib
golden=$(cd "$top_srcdir" && pwd)/tests/golden
dir=$(mktemp -d)
daemons=
# shellcheck disable=SC2317 # the trap's
finish()
{
    for pid in $daemons; do
        kill "$pid" 2>/dev/null || :
        wait "$pid" 2>/dev/null || :
    done
    rm -rf "$dir"
}
trap finish EXIT
status=0 done=

fail() # MESSAGE
{
    printf '%s\n' "$1"
    status=1
}

cat >"$dir/plan.json" <<END
{"programs": ["$golden/compute.gft"], "samples": 400,
 "faults": [{"site": "gp_entry", "models": ["flip"]}, {"site": "data", "models": ["flip"]}]}
END
"$GFE" campaign run "$dir/plan.json" --db "$dir/one.db" >/dev/null
"$GFE" campaign report "$dir/one.db" >"$dir/one.txt"

# --- GNU parallel

if command -v parallel >/dev/null 2>&1 && parallel --version 2>/dev/null | grep -q '^GNU'; then
    done="$done parallel"
    PARALLEL_HOME=$dir/parallel "$contrib/campaign-parallel.sh" "$dir/plan.json" "$dir/p" 5 -j 2 \
        >/dev/null 2>"$dir/err" || fail "parallel: $(cat "$dir/err")"
    "$GFE" campaign report "$dir/p/all.db" | cmp -s - "$dir/one.txt" ||
        fail 'parallel: another report'
fi

# --- Slurm

slurm_start()
{
    host=$(hostname -s)
    mkdir -p "$dir/state" "$dir/spool"
    cat >"$dir/slurm.conf" <<END
ClusterName=gfe
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$((20000 + $$ % 20000))
SlurmdPort=$((20001 + $$ % 20000))
SlurmUser=root
SlurmdUser=root
AuthType=auth/none
CredType=cred/none
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool
SlurmctldPidFile=$dir/slurmctld.pid
SlurmdPidFile=$dir/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SlurmdParameters=config_overrides
NodeName=$host NodeAddr=127.0.0.1 CPUs=4 State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
END
    SLURM_CONF=$dir/slurm.conf
    export SLURM_CONF
    slurmctld -D -f "$SLURM_CONF" >"$dir/slurmctld.log" 2>&1 &
    daemons="$daemons $!"
    slurmd -D -f "$SLURM_CONF" -N "$host" >"$dir/slurmd.log" 2>&1 &
    daemons="$daemons $!"
    tries=0
    until sinfo -h -o %T 2>/dev/null | grep -q idle; do
        tries=$((tries + 1))
        [ $tries -lt 150 ] || return 1
        sleep 0.2
    done
}

array() # TASKS
{
    timeout 120 sbatch --quiet --wait --chdir="$dir" -o /dev/null --array="$1" \
        "$contrib/campaign-slurm.sh" "$dir/plan.json" "$dir/s" 6 >/dev/null 2>"$dir/err"
}

if [ "$(id -u)" -eq 0 ] && command -v slurmctld >/dev/null 2>&1 &&
    command -v slurmd >/dev/null 2>&1 && command -v sbatch >/dev/null 2>&1; then
    if slurm_start; then
        done="$done slurm"
        array 1-4,6 || fail "slurm: $(cat "$dir/err")"
        if "$GFE" campaign merge --db "$dir/all.db" "$dir"/s/shard-*.db 2>"$dir/err"; then
            fail 'slurm: a lost shard goes unnoticed'
        fi
        grep -q 'shard 5/6 lacks' "$dir/err" || fail "slurm: $(cat "$dir/err")"
        array 5 || fail "slurm: $(cat "$dir/err")"
        "$GFE" campaign merge --db "$dir/all.db" "$dir"/s/shard-5.db || fail 'slurm: not all'
        "$GFE" campaign report "$dir/all.db" | cmp -s - "$dir/one.txt" ||
            fail 'slurm: another report'
    else
        fail "slurm does not start: $(tail -n 3 "$dir/slurmctld.log" "$dir/slurmd.log")"
    fi
fi
[ -n "$done" ] || exit 77
echo "tried:$done"
exit $status
