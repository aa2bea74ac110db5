# What rigs of namespaces have in common; sourced by them.
readonly cannot=77 # the exit code of a rig that cannot be built here

skip() {
  echo "no rig: $*" >&2
  exit $cannot
}

# Becomes a command on a node, with the node's host name.
on_node() {
  local node=$1
  shift
  exec nsenter --net="/run/netns/$node" unshare --uts /bin/sh -c 'hostname "$1"; shift; exec "$@"' sh "$node" "$@"
}

require_commands() {
  local tool
  for tool in "$@"; do
    command -v "$tool" > /dev/null || skip "there is no command '$tool'"
  done
}

# A bucket of 32 KiB: a larger one refills while the answer is on its way, and hides the rate.
bucket() { echo "root tbf rate $1 burst 32kb latency 50ms"; }

# A node with a cable from a switch to its eth0, address 10.231.0.<number>.
add_node() {
  local node=$1 number=$2 switch=$3
  echo "10.231.0.$number $node" >> /run/hosts
  ip netns add "$node" && ip -n "$node" link set lo up || return
  ip link add "port$number" type veth peer name eth0 netns "$node" || return
  ip link set "port$number" master "$switch" && ip link set "port$number" up || return
  ip -n "$node" addr add "10.231.0.$number/24" dev eth0 && ip -n "$node" link set eth0 up
}

add_switch() { ip link add "$1" type bridge && ip link set "$1" up; }

# The folder for namespaces, and the list of hosts, in a /run of this rig's own.
begin_network() {
  mount --make-rprivate / && mount -t tmpfs rig /run && mkdir /run/netns && ip link set lo up || return
  echo '127.0.0.1 localhost' > /run/hosts
}
