#!/bin/bash
# docs/picture.sh BUILD [SCRIPTS]: makes docs/page.png, the picture of the page in README.md, from results/reference/hops.tar.xz.
#   BUILD    a build folder with bin/hockney
#   SCRIPTS  folder of the scripts that draw plots (target page-scripts); else taken from npm (cmake/HockneyPageScripts.cmake)
# Needs chromium. The picture is the top of the page, at the size of a laptop's window.
set -euo pipefail
source=$(cd "$(dirname "$0")/.." && pwd)
hockney=$(cd "${1:?usage: docs/picture.sh BUILD [SCRIPTS]}" && pwd)/bin/hockney
scripts=${2:-}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
if [ -z "$scripts" ]; then
  scripts=$scratch/scripts
  cmake -D TO="$scripts" -P "$source/cmake/HockneyPageScripts.cmake"
fi
scripts=$(cd "$scripts" && pwd)
tar -C "$scratch" -xJf "$source/results/reference/hops.tar.xz"
(cd "$scratch" && "$hockney" report hops -q -o page.html --scripts "$scripts")
chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --window-size=1000,1010 --virtual-time-budget=10000 \
  --screenshot="$source/docs/page.png" "file://$scratch/page.html"
