#!/bin/bash
# Runs a command on the first of four "nodes" with Slurm, network namespaces of this machine:
#   slurm.sh COMMAND [ARGUMENT...]
# HOCKNEY_NODES says how many, an even number from 4 to 16. The first half of them, node1 and node2, is on the switch leaf1, the
# other on leaf2. Between the two are HOCKNEY_SPINES more switches in a row
# (default 16), since a bridge is so fast that one would not be seen, and a cable that carries HOCKNEY_UPLINK (default 100mbit);
# cables of HOCKNEY_CABLE (default 300mbit, which two CPUs can fill) to the nodes; topology.conf says so to Slurm. Every node has
# two CPUs, all of them the same two of this machine. Partitions: all; and low, whose jobs make room for those of all.
# Needs Debian's slurmctld, slurmd, slurm-client and munge, iproute2, and root or a kernel that lets users make namespaces.
# Exit code: the command's; 77 when the rig cannot be built here, with the reason on stderr. Logs are copied to HOCKNEY_RIG_LOGS.
# All of it, mounts and processes included, lives in namespaces that end with this script.
set -uo pipefail
rig=$(readlink -f "$0")
# shellcheck source=tests/rigs/namespaces.sh
. "$(dirname "$rig")/namespaces.sh"
readonly home=/run/slurm

# Slurm's daemons drop groups, which only namespaces with a range of ids of their own let them do (newgidmap, /etc/subgid).
check_machine() {
  [ ${#user[@]} -eq 0 ] || command -v newgidmap > /dev/null || skip "it needs root, or newgidmap and a line for this user in /etc/subgid"
  require_commands ip tc nsenter unshare hostname timeout munged slurmctld slurmd srun
  [ -r /usr/lib/x86_64-linux-gnu/slurm-wlm/topology_tree.so ] || [ -n "$(find /usr/lib -name topology_tree.so 2> /dev/null)" ] ||
    skip "Slurm has no topology/tree"
  unshare "${user[@]}" --mount --net --pid --fork --mount-proc --uts true 2> /dev/null || skip "this system gives no namespaces"
}

shape() {
  local i
  # shellcheck disable=SC2046
  tc qdisc add dev uplink1 $(bucket "$uplink") && tc qdisc add dev uplink2 $(bucket "$uplink") || return
  for i in $(seq "$nodes"); do
    tc qdisc add dev "port$i" $(bucket "$cable") && nsenter --net="/run/netns/node$i" tc qdisc add dev eth0 $(bucket "$cable") || return
  done
}

# Two switches, by a cable with these ends.
connect() {
  ip link add "$3" type veth peer name "$4" && ip link set "$3" master "$1" && ip link set "$4" master "$2" || return
  ip link set "$3" up && ip link set "$4" up
}

build() {
  local i last=leaf1
  begin_network && add_switch leaf1 && add_switch leaf2 || return
  for i in $(seq "$spines"); do
    add_switch "spine$i" && connect "$last" "spine$i" "down$i" "up$i" || return
    last=spine$i
  done
  connect "$last" leaf2 uplink1 uplink2 || return
  for i in $(seq "$nodes"); do add_node "node$i" "$i" "leaf$(((i - 1) / half + 1))" || return; done
  mount --bind /run/hosts /etc/hosts && shape
}

write_configuration() {
  local i
  mkdir -p $home/etc $home/state $home/log || return
  for i in $(seq "$nodes"); do mkdir -p "$home/spool/node$i" "$home/tmp/node$i" || return; done
  (umask 077 && head -c 1024 /dev/urandom > $home/munge.key) || return
  printf 'SwitchName=leaf1 Nodes=node[1-%d]\nSwitchName=leaf2 Nodes=node[%d-%d]\nSwitchName=spine Switches=leaf[1-2]\n' \
    "$half" $((half + 1)) "$nodes" > $home/etc/topology.conf
  cat > $home/etc/slurm.conf << CONFIGURATION
ClusterName=rig
SlurmctldHost=node1(10.231.0.1)
AuthType=auth/munge
AuthInfo=socket=$home/munge.socket
SlurmUser=root
SlurmdUser=root
StateSaveLocation=$home/state
SlurmdSpoolDir=$home/spool/%n
SlurmctldPidFile=$home/slurmctld.pid
SlurmdPidFile=$home/slurmd.%n.pid
SlurmctldLogFile=$home/log/slurmctld.log
SlurmdLogFile=$home/log/slurmd.%n.log
TmpFS=$home/tmp/%n
ProctrackType=proctrack/linuxproc
TaskPlugin=task/affinity
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
TopologyPlugin=topology/tree
SlurmdParameters=config_overrides
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
SlurmctldParameters=preempt_send_user_signal
ReturnToService=2
KillWait=30
SchedulerParameters=sched_interval=2,bf_interval=2
NodeName=node[1-$nodes] NodeAddr=10.231.0.[1-$nodes] Sockets=1 CoresPerSocket=2 ThreadsPerCore=1
PartitionName=all Nodes=node[1-$nodes] Default=YES MaxTime=60 State=UP PriorityTier=2
PartitionName=low Nodes=node[1-$nodes] MaxTime=60 State=UP PriorityTier=1 GraceTime=60
CONFIGURATION
}

start() {
  local i controller
  munged --force --foreground --key-file=$home/munge.key --socket=$home/munge.socket --pid-file=$home/munged.pid \
    --log-file=$home/log/munged.log --seed-file=$home/munge.seed > $home/log/munged.out 2>&1 &
  for i in $(seq 100); do [ -S $home/munge.socket ] && break; sleep 0.1; done
  (on_node node1 slurmctld -D > $home/log/slurmctld.out 2>&1) &
  controller=$!
  for i in $(seq "$nodes"); do (on_node "node$i" slurmd -D -N "node$i" > "$home/log/slurmd.node$i.out" 2>&1) & done
  for i in $(seq 100); do
    kill -0 "$controller" 2> /dev/null || break
    [ "$(on_node node1 timeout 5 sinfo --noheader --partition=all --format='%T %D' 2> /dev/null)" = "idle $nodes" ] && return
    sleep 0.2
  done
  tail -n 3 $home/log/*.out $home/log/*.log >&2
  return 1
}

keep_logs() { [ -z "${HOCKNEY_RIG_LOGS:-}" ] || cp -r $home/log/. "$HOCKNEY_RIG_LOGS"; }

# In namespaces of its own.
inside() {
  local reason code
  reason=$(build 2>&1) || skip "the nodes cannot be made: $reason"
  reason=$(write_configuration 2>&1) || skip "Slurm cannot be configured: $reason"
  export SLURM_CONF=$home/etc/slurm.conf
  start || skip "Slurm does not start"
  # What jobs inherit: MPI takes the cables, and ranks that wait give their CPU away.
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_mpi_yield_when_idle=1
  export OMPI_MCA_oob_tcp_if_include=eth0 OMPI_MCA_btl_tcp_if_include=eth0 OMPI_MCA_btl=self,vader,tcp OMPI_MCA_pml=ob1
  # No exec: the switches live as long as this shell.
  (on_node node1 "$@")
  code=$?
  keep_logs
  return $code
}

nodes=${HOCKNEY_NODES:-4}
half=$((nodes / 2))
uplink=${HOCKNEY_UPLINK:-100mbit}
spines=${HOCKNEY_SPINES:-16}
cable=${HOCKNEY_CABLE:-300mbit}
export HOCKNEY_NODES=$nodes HOCKNEY_UPLINK=$uplink HOCKNEY_CABLE=$cable # checks know them
case $nodes in
  4 | 6 | 8 | 10 | 12 | 14 | 16) ;;
  *) echo "HOCKNEY_NODES=$nodes (there are two switches with as many nodes each, two at least) use an even number from 4 to 16" >&2; exit 2 ;;
esac
user=()
[ "$(id -u)" -eq 0 ] || user=(--user --map-auto --map-root-user)
case ${1:-} in
  --inside) shift; inside "$@" ;;
  '') echo "usage: slurm.sh COMMAND [ARGUMENT...]" >&2; exit 2 ;;
  *)
    check_machine
    exec unshare "${user[@]}" --mount --net --pid --fork --kill-child --mount-proc "$rig" --inside "$@"
    ;;
esac
