#!/bin/bash
# One node before a job: measure it for 5 s and compare it with its nights. Exit code 0: as usual, or not checked, with the
# reason; 1: the node is to be drained. Prints one line. Takes the budget and the start of MPI, about 7 s; a node that looks slow is
# measured once more, and drained if both launches are slow.
# As the prologue of Slurm (slurm.conf; slurmd runs it as root on each node of the job, and drains the node at exit code 1):
#   Prolog=/opt/hockney/libexec/hockney-before-job.sh
#   PrologFlags=Alloc
# HOCKNEY_REFERENCE is the file that hockney-nightly.sh writes after each night, on a file system of all nodes.
set -u
prefix=$(dirname "$(dirname "$(readlink -f "$0")")") # installed as PREFIX/libexec/hockney-before-job.sh
export PATH=$prefix/bin:/usr/bin:/bin${PATH:+:$PATH}      # a prologue has none
config=${HOCKNEY_CONFIGS:-$prefix/share/hockney/configs}/nightly-node.json
reference=${HOCKNEY_REFERENCE:-$prefix/var/reference.json}
budget=${HOCKNEY_BUDGET:-5s}
node=${SLURMD_NODENAME:-}
slurm=${SLURM_CONF:-}
# Launchers of MPI must not take this for a step of the job.
# shellcheck disable=SC2086
unset ${!SLURM@} ${!PMI@} ${!OMPI@}

not_checked() {
  echo "not checked: $*"
  exit 0
}

[ -r "$reference" ] || not_checked "no file '$reference' (HOCKNEY_REFERENCE)"
folder=$(mktemp -d) || not_checked "no room for a folder"
trap 'rm -rf "$folder"' EXIT

measure() {
  timeout --kill-after=5 60 hockney run "$config" --budget "$budget" --no-page --quiet --out "$folder/$1" > "$folder/$1.log" 2>&1
}

check() { verdict=$(hockney health node "$@" --reference "$reference" 2>&1); }

measure first || not_checked "$(tail -n 1 "$folder/first.log")"
check "$folder/first"
code=$?
if [ "$code" -eq 1 ] && measure again; then
  check "$folder/first" "$folder/again"
  code=$?
fi
[ "$code" -le 1 ] || not_checked "$verdict"
echo "$verdict"
[ "$code" -eq 1 ] || exit 0
if [ -n "$node" ] && command -v scontrol > /dev/null; then
  ${slurm:+env SLURM_CONF="$slurm"} scontrol update NodeName="$node" State=DRAIN Reason="hockney: ${verdict#DRAIN }"
fi
exit 1
