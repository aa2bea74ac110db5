#!/bin/bash
# Runs an MPI program on "nodes" that are network namespaces of this machine, joined by a switch:
#   nodes.sh NODES RANKS_PER_NODE PROGRAM [ARGUMENT...]
# Every node has its own host name and daemon of Open MPI, so MPI takes them for different machines, and messages between
# them go over TCP. All nodes read the clock of the one kernel. Needs Open MPI (MPIEXEC, default mpirun), root and iproute2.
# HOCKNEY_SLOW_NODE="node2 200mbit" shapes the cable of one node to that rate in both directions (tc, a token bucket).
# Exit code: the program's; 77 when the rig cannot be built here, with the reason on stderr.
# All of it, mounts and processes included, lives in namespaces that end with this script.
set -uo pipefail

mpiexec=${MPIEXEC:-mpirun}
rig=$(readlink -f "$0")
# shellcheck source=tests/rigs/namespaces.sh
. "$(dirname "$rig")/namespaces.sh"

# The same as ssh would do it for Open MPI: the words are a command line for a shell.
agent() {
  local node=$1
  shift
  on_node "$node" /bin/sh -c "$*"
}

check_machine() {
  [ "$(id -u)" -eq 0 ] || skip "namespaces of the network need root"
  require_commands ip nsenter unshare hostname timeout
  "$mpiexec" --version 2> /dev/null | grep -q 'Open MPI\|OpenRTE' || skip "'$mpiexec' is not of Open MPI"
  unshare --mount --net --pid --fork --mount-proc --uts true 2> /dev/null || skip "this system gives no namespaces"
}

# A switch with a cable to every node; addresses 10.231.0.1 and up.
build() {
  local nodes=$1 i
  begin_network && add_switch switch || return
  for i in $(seq "$nodes"); do add_node "node$i" "$i" switch || return; done
  mount --bind /run/hosts /etc/hosts
}

shape() {
  local node=$1
  # shellcheck disable=SC2046
  tc qdisc add dev "port${node#node}" $(bucket "$2") && ip netns exec "$node" tc qdisc add dev eth0 $(bucket "$2")
}

# In namespaces of its own.
inside() {
  local nodes=$1 each=$2 reason hosts
  shift 2
  reason=$(build "$nodes" 2>&1) || skip "the nodes cannot be made: $reason"
  if [ -n "${HOCKNEY_SLOW_NODE:-}" ]; then
    # shellcheck disable=SC2086
    reason=$(shape $HOCKNEY_SLOW_NODE 2>&1) || skip "the cable cannot be shaped: $reason"
  fi
  hosts=$(for i in $(seq "$nodes"); do printf 'node%s:%s,' "$i" "$each"; done)
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 TMPDIR=/run
  # No exec: the switch lives as long as this shell.
  (on_node node1 "$mpiexec" --host "${hosts%,}" -np $((nodes * each)) --bind-to none \
    --mca plm rsh --mca plm_rsh_agent "$rig --agent" --mca plm_rsh_no_tree_spawn 1 \
    --mca oob_tcp_if_include eth0 --mca btl_tcp_if_include eth0 --mca btl self,vader,tcp \
    --mca pml ob1 --mca mpi_yield_when_idle 1 "$@")
}

case ${1:-} in
  --agent) shift; agent "$@" ;;
  --inside) shift; inside "$@" ;;
  *)
    [ $# -ge 3 ] || { echo "usage: nodes.sh NODES RANKS_PER_NODE PROGRAM [ARGUMENT...]" >&2; exit 2; }
    check_machine
    exec unshare --mount --net --pid --fork --kill-child --mount-proc "$rig" --inside "$@"
    ;;
esac
