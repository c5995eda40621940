#!/usr/bin/env bash
# Makes the README's pictures from the beach with the program given:  make.sh .build/release/edit
# Needs libvips-tools, imagemagick and fonts-dejavu-core.
set -euo pipefail
edit=$(realpath "$1")
here=$(dirname "$(realpath "$0")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$here/../beach.jpg" "$work"
cd "$work"

"$edit" render --quiet beach.jpg -o original.png --longest-side 640
labelled=()
for look in $("$edit" filters | cut -d ' ' -f 1); do
  "$edit" apply "$look" --quiet beach.jpg
  "$edit" render --quiet beach.jpg -o "$look.png" --longest-side 640
  labelled+=(-label "$look" "$look.png")
done
vips arrayjoin "original.png noir.png" pair.png --across 2 --shim 6 --background 255
vips copy pair.png "$here/before-after.jpg[Q=86,strip]"
montage -font DejaVu-Sans -pointsize 15 "${labelled[@]}" -tile 4x -geometry 300x200+4+4 looks.png
vips copy looks.png "$here/looks.jpg[Q=84,strip]"
