#!/bin/sh
# SPDX-License-Identifier: MIT
#
# A fault campaign with GNU parallel, a shard for each job, on this machine or others:
#
#     contrib/campaign-parallel.sh plan.json results 16
#     contrib/campaign-parallel.sh plan.json results 16 --sshlogin one,two --workdir "$PWD"
#
# What follows the number of shards goes to parallel. The shards are joined in results/all.db; those
# that are lost are named, and made when this is run again. GFE names the program, if it is not in
# PATH.
set -eu
[ $# -ge 3 ] || { echo "usage: $0 PLAN.json FOLDER SHARDS [OPTION OF PARALLEL...]" >&2; exit 2; }
plan=$1 folder=$2 shards=$3 gfe=${GFE:-gfe}
shift 3
mkdir -p "$folder"
seq "$shards" | parallel "$@" "'$gfe'" campaign run "'$plan'" --db "'$folder'/shard-{}.db" \
    --shard "{}/$shards" || echo "some shards failed" >&2
"$gfe" campaign merge --db "$folder/all.db" "$folder"/shard-*.db
