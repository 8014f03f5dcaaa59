#!/bin/sh
# SPDX-License-Identifier: MIT
#
# A fault campaign as a Slurm job array, a shard for each task:
#
#     sbatch --array=1-16 --wait contrib/campaign-slurm.sh plan.json results 16
#     gfe campaign merge --db all.db results/shard-*.db
#     sbatch --array=3,7 --wait contrib/campaign-slurm.sh plan.json results 16     # lost ones again
#
# GFE names the program, if it is not in PATH. Each task has as many processes as CPUs
# (--cpus-per-task). A task that is requeued goes on where it was.
#SBATCH --job-name=gfe-campaign
#SBATCH --requeue
set -eu
[ $# -eq 3 ] || { echo "usage: sbatch --array=1-SHARDS $0 PLAN.json FOLDER SHARDS" >&2; exit 2; }
: "${SLURM_ARRAY_TASK_ID:?this is a script for sbatch --array}"
mkdir -p "$2"
exec "${GFE:-gfe}" campaign run "$1" --db "$2/shard-$SLURM_ARRAY_TASK_ID.db" \
    --shard "$SLURM_ARRAY_TASK_ID/$3" -j "${SLURM_CPUS_PER_TASK:-1}"
