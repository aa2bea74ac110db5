#!/bin/bash
# Ten "nights" of real measurements, in the last of which MPI_Send is a tenth slower, judged night by night. The launches of
# all nights are taken in turn, so that whatever drifts in a machine that others share falls on every night alike.
# Usage: nights.sh BUILD [NIGHTS=10 [PERCENT=10 [LAUNCHES=40]]]; exit code 0 when the last night alone is a regression, and
# every output says so.
set -u
build=$(realpath "$1")
nights=${2:-10} percent=${3:-10} launches=${4:-40}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
shim=$(find "$build" -name libslow_send.so)
export HOCKNEY_HISTORY=$folder/history.sqlite

# The shim is there every night, so that nothing but its share changes.
config() {
  cat << END
{"schema": "hockney.campaign/1", "name": "night", "program": "$build/bin/hockney-pingpong",
 "arguments": ["--sizes", "16K,64K,256K,1M", "--operations", "pingpong,floor-memcpy", "--budget", "0.3s"], "ranks": 2, "launches": 1,
 "environment": {"LD_PRELOAD": "$shim", "HOCKNEY_SLOW_SEND_PERCENT": "$1"}}
END
}

first=$(date -u -d 2026-01-01 +%s)
day_of() { date -u -d "@$((first + 86400 * $1))" +%F; }
share_of() { [ "$1" -eq "$nights" ] && echo "$percent" || echo 0; }

for ((launch = 1; launch <= launches; ++launch)); do
  for night in $(shuf -i "1-$nights"); do
    config "$(share_of "$night")" > "$folder/night.json"
    "$build/bin/hockney" run "$folder/night.json" --out "$folder/$(day_of "$night")/$launch" > "$folder/log" 2>&1 ||
      { cat "$folder/log"; exit 3; }
  done
  [ -t 2 ] && printf '\r%d of %d launches of every night' "$launch" "$launches" >&2
done

failures=0
for ((night = 1; night <= nights; ++night)); do
  day=$(day_of "$night")
  "$build/bin/hockney" health ingest "$folder/$day" --day "$day" > /dev/null || exit 3
  "$build/bin/hockney" health check --single-night --series 'pingpong/*seconds' --junit "$folder/junit.xml" \
    --openmetrics "$folder/hockney.prom" > "$folder/check"
  code=$?
  junit=$(grep -c '<failure' "$folder/junit.xml")
  gauge=$(sed -n 's/^hockney_health_regressions //p' "$folder/hockney.prom")
  echo "$day $(share_of "$night") %: exit code $code, JUnit failures $junit, gauge $gauge: $(tail -n 1 "$folder/check")"
  if [ "$night" -lt "$nights" ]; then
    [ "$code" -eq 0 ] && [ "$junit" -eq 0 ] && [ "$gauge" -eq 0 ] || failures=$((failures + 1))
  else
    [ "$code" -eq 1 ] && [ "$junit" -gt 0 ] && [ "$gauge" -gt 0 ] || failures=$((failures + 1))
  fi
done
cat "$folder/check"
exit "$((failures > 0))"
