#!/bin/sh
# Does one thing to many photos on several machines that all see them, with GNU parallel over ssh.
#
#   parallel.sh HOSTS FOLDER RUN COMMAND...
#   parallel.sh hosts.txt /photos/harbour ~/harbour-run apply noir --intensity 0.6
#
# HOSTS is a file with one ssh login a line; “:” is this machine. FOLDER has the same path on each,
# and edit is on each one's PATH. RUN is a folder on this machine for the list of photos, the log of
# jobs and the results. The same line again goes on where the last one stopped.
set -eu
hosts=$1 folder=$(cd "$2" && pwd) run=$3
shift 3

mkdir -p "$run"
# The log counts jobs, so the list must stay as it is until the batch is done.
if [ ! -e "$run/photos" ]; then
  find "$folder" -type f \( -iname '*.jpg' -o -iname '*.jpeg' -o -iname '*.png' -o -iname '*.tif' \
    -o -iname '*.tiff' -o -iname '*.webp' -o -iname '*.heic' -o -iname '*.avif' \) -print0 |
    sort -z > "$run/photos.new"
  mv "$run/photos.new" "$run/photos"
fi

# One edit at a time on each machine: it works on all of its cores by itself.
exec parallel --null --arg-file "$run/photos" --max-args "${CHUNK:-100}" --quote \
  --sshloginfile "$hosts" --jobs 1 --retries 3 \
  --joblog "$run/jobs.log" --resume-failed \
  edit "$@" --json -- '{}' >> "$run/results.ndjson"
