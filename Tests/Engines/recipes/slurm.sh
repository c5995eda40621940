#!/bin/sh
# Does one thing to many photos as a Slurm job array: each task does the share of its number.
#
#   find /photos/harbour -type f -iname '*.jpg' -print0 > harbour.list
#   sbatch slurm.sh harbour.list apply noir --intensity 0.6
#
# The list and the photos have the same paths on all nodes. The same line again does what is missing.
#SBATCH --job-name=edit
#SBATCH --array=1-16
#SBATCH --cpus-per-task=4
#SBATCH --mem=8G
#SBATCH --time=8:00:00
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=edit-%A_%a.out

list=$1
shift
# In the place of the shell, so that Slurm's signals reach edit: it rolls back what it is at.
exec edit "$@" --files-from "$list" --null --json --jobs "$SLURM_CPUS_PER_TASK" \
  --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT"
