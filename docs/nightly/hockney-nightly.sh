#!/bin/bash
# One night: measure, take in, judge. Exit code 0: as usual; 1: something regressed or is missing, or data are void;
# 2 or 3: no verdict; 5: launches died at a point that no earlier night has.
set -u
prefix=$(dirname "$(dirname "$(readlink -f "$0")")") # installed as PREFIX/libexec/hockney-nightly.sh
PATH=$prefix/bin:$PATH                               # that of cron has the system's folders alone
configs=${HOCKNEY_CONFIGS:-$prefix/share/hockney/configs}
state=${HOCKNEY_STATE:-/var/lib/hockney}
metrics=${HOCKNEY_METRICS-/var/lib/prometheus/node-exporter/hockney.prom}
export HOCKNEY_HISTORY=${HOCKNEY_HISTORY:-$state/history.sqlite}
night=$state/nights/$(date -u +%Y-%m-%d)

# A campaign into a folder; one that was cut short goes on where it stopped.
campaign() {
  local config=$configs/$1.json out=$2 resume=()
  shift 2
  [ -e "$out/manifest.json" ] && resume=(--resume)
  # shellcheck disable=SC2086
  hockney run "$config" --out "$out" "${resume[@]}" ${HOCKNEY_RUN_OPTIONS:-} "$@" || {
    local code=$?
    [ "$code" -eq 5 ] || return "$code"
    died=5
  }
}

worst=0
died=0
each=() # on several nodes every one of them measures itself, all at the same time
[ "${SLURM_JOB_NUM_NODES:-1}" -lt 2 ] || each=(--each-node)
campaign nightly "$night/nightly" "${each[@]}" || worst=3
for config in nightly-collectives nightly-protocol; do
  campaign "$config" "$night/$config" || worst=3
done
# Pairs of nodes, other ones every night; those that were slow are measured again, and judged by both.
again=()
if [ "${SLURM_JOB_NUM_NODES:-1}" -ge 4 ]; then
  repetitions=$state/again/$(date -u +%Y-%m-%d)
  sparse=sparse:16:$(($(date +%s) / 86400))
  if campaign nightly-pairs "$night/nightly-pairs" --ranks "$SLURM_NTASKS" -- --pairs "$sparse" &&
    campaign nightly-pairs "$repetitions" --ranks "$SLURM_NTASKS" --suspects "$night/nightly-pairs"; then
    [ -d "$repetitions" ] && again=(--again "$repetitions")
  else
    worst=3
  fi
fi
hockney health ingest "$night"
taken=$? # 1: wrong data, which check says too; 2: a record was refused, and the others are judged
[ "$taken" -le 2 ] || exit "$taken"
[ "$taken" -ne 2 ] || worst=2
hockney health check "${again[@]}" --junit "$state/check.xml" --jsonl "$state/nights.jsonl" -o "$state/check.json"
verdict=$?
# What each node usually measures, for hockney-before-job.sh; with records of several nodes.
[ ${#each[@]} -eq 0 ] || hockney health reference -o "${HOCKNEY_REFERENCE:-$state/reference.json}" || worst=3
# Metrics are for others: a folder that is not there costs no verdict. HOCKNEY_METRICS= for none.
if [ -n "$metrics" ]; then
  hockney health check "${again[@]}" --openmetrics "$metrics" --reason >/dev/null ||
    [ $? -eq 1 ] || echo "no metrics in $metrics: HOCKNEY_METRICS names another file, or none" >&2
fi
[ "$verdict" -ne 0 ] && exit "$verdict"
[ "$worst" -ne 0 ] && exit "$worst"
exit "$died"
