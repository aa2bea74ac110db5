#!/bin/sh
# Takes the options of Open MPI's mpirun and runs the program once, without MPI. With --mock-fork it
# stays as the program's parent and, like a launcher that is killed, takes nothing with it.
[ "$1" = --version ] && { echo "mpirun (Open MPI) 4.1.4"; exit 0; }
fork=no
while [ $# -gt 0 ]; do
  case "$1" in
    -n|-np|--bind-to|-x) shift 2 ;;
    --mock-fork) fork=yes; shift ;;
    -*) shift ;;
    *) break ;;
  esac
done
[ $fork = no ] && exec "$@"
"$@"
exit $?
