#!/bin/bash
# Times ./bootstrap on a bare Debian 12: the base system of debootstrap, this commit, and nothing else.
#   tests/benchmarks/fresh_machine.sh FOLDER [WORD...=measure]
# FOLDER is made, or used again as it is if it exists (its packages are then there already). WORDs are those of ./bootstrap.
# Needs root and debootstrap. MIRROR: where Debian comes from.
set -euo pipefail

folder=${1:?usage: tests/benchmarks/fresh_machine.sh FOLDER [WORD...]}
shift
[ $# -gt 0 ] || set -- measure
root=$(cd "$(dirname "$0")/../.." && pwd)
if [ "$(id -u)" -ne 0 ] || ! command -v debootstrap > /dev/null; then
  echo "cannot make a bare system (it takes root and debootstrap) run as root: apt-get install -y debootstrap" >&2
  exit 3
fi

if [ ! -e "$folder/etc/debian_version" ]; then
  debootstrap --variant=minbase bookworm "$folder" "${MIRROR:-http://deb.debian.org/debian}" > "$folder.log" 2>&1 ||
    { echo "debootstrap failed (see $folder.log) give another MIRROR" >&2; exit 3; }
  cp /etc/apt/apt.conf.d/* "$folder/etc/apt/apt.conf.d/" # this machine's proxies
fi
cp /etc/resolv.conf "$folder/etc/"
rm -rf "$folder/srv/hockney"
git clone -q "$root" "$folder/srv/hockney"

# Mounts of their own, which go when it ends. Quoted for the inner shell, whose arguments they are.
# shellcheck disable=SC2016
unshare --mount bash -c '
  folder=$1
  shift
  mount -t proc proc "$folder/proc" && mount -t sysfs sys "$folder/sys" && mount --rbind /dev "$folder/dev" || exit 3
  exec chroot "$folder" /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin \
    bash -c "cd /srv/hockney && time ./bootstrap \"\$@\"" bootstrap "$@"' mounts "$folder" "$@"
