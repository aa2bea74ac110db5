#!/bin/bash
# Every node of a rig measures itself while one of them dies: the others keep their figures, and the dead one is named.
#   killed_node.sh HOCKNEY FOLDER      run it as: nodes.sh --within 4 2 killed_node.sh HOCKNEY FOLDER
set -uo pipefail
hockney=$1 folder=$2
rm -rf "$folder"
"$hockney" run hops --each-node --budget 12s --launches 1 --no-page --out "$folder" > "$folder.txt" 2>&1 &
sleep 5
for process in $(pgrep hockney-pingpon); do # of this rig alone: its processes are in a namespace
  [ "$(nsenter --uts --target "$process" hostname)" = node3 ] && kill -9 "$process" && break
done
wait
cat "$folder.txt"
grep -q '3 nodes measured at the same time' "$folder.txt" && grep -q 'node3 has no figures in 1 of 1 launch' "$folder.txt"
