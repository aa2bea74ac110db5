#!/bin/bash
# Runs an MPI program on "nodes" that are network namespaces of this machine, joined by a switch:
#   nodes.sh NODES RANKS_PER_NODE PROGRAM [ARGUMENT...]
#   nodes.sh --within NODES RANKS_PER_NODE COMMAND [WORD...]      any command on the first node, for which mpirun knows all nodes
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

# What Open MPI is to be told of the nodes: options of mpirun, or with their names in capitals variables.
settings() {
  cat << 'END'
plm rsh
plm_rsh_no_tree_spawn 1
oob_tcp_if_include eth0
btl_tcp_if_include eth0
btl self,vader,tcp
pml ob1
mpi_yield_when_idle 1
hwloc_base_binding_policy none
END
  echo "plm_rsh_agent $rig --agent"
}

# A command on the first node.
within() {
  local each=$1 nodes=$2 name value i
  shift 2
  for i in $(seq "$nodes"); do echo "node$i slots=$each"; done > /run/nodes
  while read -r name value; do export "OMPI_MCA_$name=$value"; done < <(settings)
  export OMPI_MCA_orte_default_hostfile=/run/nodes
  (on_node node1 "$@")
}

# In namespaces of its own.
inside() {
  local how=$1 nodes=$2 each=$3 reason hosts name value options=()
  shift 3
  reason=$(build "$nodes" 2>&1) || skip "the nodes cannot be made: $reason"
  if [ -n "${HOCKNEY_SLOW_NODE:-}" ]; then
    # shellcheck disable=SC2086
    reason=$(shape $HOCKNEY_SLOW_NODE 2>&1) || skip "the cable cannot be shaped: $reason"
  fi
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 TMPDIR=/run
  if [ "$how" = within ]; then
    within "$each" "$nodes" "$@"
    return
  fi
  hosts=$(for i in $(seq "$nodes"); do printf 'node%s:%s,' "$i" "$each"; done)
  while read -r name value; do options+=(--mca "$name" "$value"); done < <(settings)
  # No exec: the switch lives as long as this shell.
  (on_node node1 "$mpiexec" --host "${hosts%,}" -np $((nodes * each)) "${options[@]}" "$@")
}

case ${1:-} in
  --agent) shift; agent "$@" ;;
  --inside) shift; inside "$@" ;;
  *)
    how=launch
    [ "${1:-}" != --within ] || { how=within; shift; }
    [ $# -ge 3 ] || { echo "usage: nodes.sh [--within] NODES RANKS_PER_NODE PROGRAM [ARGUMENT...]" >&2; exit 2; }
    check_machine
    exec unshare --mount --net --pid --fork --kill-child --mount-proc "$rig" --inside "$how" "$@"
    ;;
esac
