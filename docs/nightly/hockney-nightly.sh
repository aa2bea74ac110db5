#!/bin/bash
# One night: measure, take in, judge. Exit code 0: as usual; 1: something regressed; 2 or 3: no verdict.
set -u
configs=${HOCKNEY_CONFIGS:-/usr/local/share/hockney/configs}
state=${HOCKNEY_STATE:-/var/lib/hockney}
metrics=${HOCKNEY_METRICS:-/var/lib/prometheus/node-exporter/hockney.prom}
export HOCKNEY_HISTORY=${HOCKNEY_HISTORY:-$state/history.sqlite}
night=$state/nights/$(date -u +%Y-%m-%d)

worst=0
for config in nightly nightly-collectives nightly-protocol; do
  # A night that was cut short goes on where it stopped.
  resume=()
  [ -e "$night/$config/manifest.json" ] && resume=(--resume)
  hockney run "$configs/$config.json" --out "$night/$config" "${resume[@]}" || worst=3
done
# Pairs of nodes, other ones every night; those that were slow are measured again, and judged by both.
again=()
if [ "${SLURM_JOB_NUM_NODES:-1}" -ge 4 ]; then
  repetitions=$state/again/$(date -u +%Y-%m-%d)
  pairs=("$configs/nightly-pairs.json" --ranks "$SLURM_NTASKS")
  hockney run "${pairs[@]}" --out "$night/nightly-pairs" -- --pairs "sparse:16:$(($(date +%s) / 86400))" || worst=3
  hockney run "${pairs[@]}" --out "$repetitions" --suspects "$night/nightly-pairs" || worst=3
  [ -d "$repetitions" ] && again=(--again "$repetitions")
fi
hockney health ingest "$night" || exit
hockney health check "${again[@]}" --junit "$state/check.xml" --openmetrics "$metrics" --jsonl "$state/nights.jsonl" \
  -o "$state/check.json"
verdict=$?
[ "$verdict" -ne 0 ] && exit "$verdict"
exit "$worst"
