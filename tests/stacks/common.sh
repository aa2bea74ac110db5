# What the scripts of this folder share; to be sourced.
# shellcheck shell=bash

stacks_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
stacks_data=$stacks_root/tests/stacks/packages
readonly stacks_root stacks_data
# shellcheck disable=SC2034
readonly not_tested=77 # as CTest's SKIP_RETURN_CODE has it

say() { printf '%s\n' "$*" >&2; }

stack_names() { sed -n 's/^\([a-z0-9]*\) |.*/\1/p' "$stacks_data"; }

# stack_field NAME NUMBER: a column of the data file.
stack_field() { awk -F ' [|] ' -v name="$1" -v n="$2" '$1 == name { print $n }' "$stacks_data"; }

check_name() {
  stack_names | grep -qx -- "$1" && return
  say "unknown stack '$1' (it is not in tests/stacks/packages) use one of $(stack_names | paste -sd ' ')"
  exit 2
}

# Everything of a stack lies here: venv, build, records, logs.
stack_folder() { echo "$stacks_root/build/stacks/$1"; }

# The MPI compiler of a stack.
stack_compiler() {
  case $1 in
    openmpi4) echo /usr/bin/mpicxx.openmpi ;;
    mpich4) echo /usr/bin/mpicxx.mpich ;;
    smpi) echo /usr/bin/smpicxx ;;
    *) echo "$(stack_folder "$1")/venv/bin/mpicxx" ;;
  esac
}
