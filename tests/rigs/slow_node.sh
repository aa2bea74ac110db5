#!/bin/bash
# Nights on four nodes of tests/rigs/nodes.sh, each a history of its own: in the first the cable of node2 is shaped to 200 mbit,
# in the second it has healed.
#   slow_node.sh BIN_FOLDER [TIMES=1]
# Exit code 0 when every first night names node2 and nothing else and every second names nothing; 77 where there is no rig.
set -u
bin=$(realpath "$1")
times=${2:-1}
rig=$(dirname "$(readlink -f "$0")")/nodes.sh
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# The slow nodes of one night, or nothing.
night() {
  local name=$1 day=$2
  mkdir -p "$folder/$name/$day"
  for launch in 1 2 3 4 5; do
    "$rig" 4 1 "$bin/hockney-pingpong" --operations pingpong --sizes 1M --pairs all --bind none --budget 1s \
      -o "$folder/$name/$day/$launch.json" > "$folder/log" 2>&1
    code=$?
    [ "$code" -eq 0 ] || { tail -n 3 "$folder/log" >&2; exit "$code"; }
  done
  "$bin/hockney" health ingest "$folder/$name/$day" --day "$day" --history "$folder/$name/h" > /dev/null || exit 3
  "$bin/hockney" health check --day "$day" --history "$folder/$name/h" > "$folder/check"
  code=$?
  [ "$day" = 2026-01-01 ] && [ "$code" -ne 1 ] && cat "$folder/check" >&2
  echo "$day exit code $code: $(grep '^slow\|^nodes' "$folder/check" | tr '\n' ';')"
}

right=0
for ((i = 1; i <= times; ++i)); do
  export HOCKNEY_SLOW_NODE="node2 200mbit"
  slow=$(night "$i" 2026-01-01) || exit
  unset HOCKNEY_SLOW_NODE
  healed=$(night "$i" 2026-01-02) || exit
  echo "$slow"
  echo "$healed"
  [[ $slow == *"exit code 1: slow node node2 "* && $slow != *"slow node node"[134]* && $slow != *"slow link"* &&
    $healed == *"exit code 0: " ]] && right=$((right + 1))
done
echo "$right of $times: node2 alone was named, and nothing once it had healed"
[ "$right" -eq "$times" ]
