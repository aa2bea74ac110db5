{
 "calls": [
  {
   "bytes": 2621440,
   "call": "MPI_Isend",
   "communicator": 0,
   "count": 80,
   "max_bytes": 32768,
   "max_seconds": 9.504186844824657e-06,
   "min_bytes": 32768,
   "min_seconds": 2.40358718381113e-07,
   "ranks": 2,
   "region": null,
   "seconds": 8.550762648092517e-05,
   "site": 1,
   "slowest_rank": 1,
   "slowest_seconds": 4.678984292836754e-05
  },
  {
   "bytes": 2621440,
   "call": "MPI_Irecv",
   "communicator": 0,
   "count": 80,
   "max_bytes": 32768,
   "max_seconds": 3.761613942664419e-05,
   "min_bytes": 32768,
   "min_seconds": 2.2032882518268692e-07,
   "ranks": 2,
   "region": null,
   "seconds": 0.0004984739921611152,
   "site": 0,
   "slowest_rank": 0,
   "slowest_seconds": 0.0002909241837605397
  },
  {
   "bytes": 0,
   "call": "MPI_Waitall",
   "communicator": null,
   "count": 80,
   "max_bytes": 0,
   "max_seconds": 0.00963102362133221,
   "min_bytes": 0,
   "min_seconds": 1.1517188589094999e-05,
   "ranks": 2,
   "region": null,
   "seconds": 0.112414185677436,
   "site": 2,
   "slowest_rank": 1,
   "slowest_seconds": 0.05834030423526624
  },
  {
   "bytes": 640,
   "call": "MPI_Allreduce",
   "communicator": 0,
   "count": 80,
   "max_bytes": 8,
   "max_seconds": 0.009311559310816904,
   "min_bytes": 8,
   "min_seconds": 4.306427037661608e-07,
   "ranks": 2,
   "region": null,
   "seconds": 0.05269170396143562,
   "site": 3,
   "slowest_rank": 0,
   "slowest_seconds": 0.0326094773377122
  }
 ],
 "communicators": [
  {
   "identity": "08328707b4eb6e3a-0",
   "name": "MPI_COMM_WORLD",
   "size": 2
  },
  {
   "identity": "self",
   "name": "MPI_COMM_SELF",
   "size": 1
  }
 ],
 "identity": "d2967abc8c607cc5-36900baca45dd042",
 "log": {
  "events": 320,
  "file": "run.events",
  "not_logged": 0
 },
 "messages": [
  {
   "bytes": 1310720,
   "carrier": "message",
   "communicator": 0,
   "from": 0,
   "max_bytes": 32768,
   "messages": 40,
   "min_bytes": 32768,
   "to": 1
  },
  {
   "bytes": 1310720,
   "carrier": "message",
   "communicator": 0,
   "from": 1,
   "max_bytes": 32768,
   "messages": 40,
   "min_bytes": 32768,
   "to": 0
  }
 ],
 "notes": [],
 "price": {
  "completion_seconds": 4.573153e-06,
  "other_seconds": 4.98502e-07,
  "receive_seconds": 1.1036420000000002e-06,
  "send_seconds": 6.30518e-07
 },
 "provenance": {
  "build": {
   "compiler": "GNU 12.2.0",
   "flags": " -O0 -DNDEBUG",
   "git_revision": "03147534374a-dirty",
   "version": "0.1.0"
  },
  "command_line": [
   "./poisson"
  ],
  "environment": {
   "HOCKNEY_PROFILE_LOG": "1",
   "HOCKNEY_PROFILE_OUT": "/opt/app/run.json",
   "HOCKNEY_PROFILE_RUN": "d2967abc8c607cc5",
   "LD_PRELOAD": "/opt/hockney/lib/libhockney-profile-openmpi.so",
   "OMPI_MCA_hwloc_base_binding_policy": "none",
   "OMPI_MCA_mpi_oversubscribe": "0",
   "OMPI_MCA_mpi_yield_when_idle": "1",
   "PMIX_MCA_psec": "native",
   "PSM2_DEVICES": "self,shm"
  },
  "hosts": [
   {
    "clocksource": "tsc",
    "cpu_model": "AMD EPYC",
    "cpus": 2,
    "governor": "",
    "kernel": "Linux 6.18.44-fc-v657",
    "load_average": 14.779296875,
    "name": "node0",
    "topology_digest": ""
   }
  ],
  "mpi": {
   "asked": [],
   "library": "Open MPI v4.1.4, package: Debian OpenMPI, ident: 4.1.4, repo rev: v4.1.4, May 26, 2022",
   "settings": {},
   "standard": "3.1"
  }
 },
 "ranks": [
  {
   "calls": 160,
   "cpus": [
    0,
    1
   ],
   "end": "finalized",
   "folded_calls": 0,
   "folded_messages": 0,
   "host": "node0",
   "io_bytes": 0,
   "io_seconds": 0.0,
   "mpi_io_seconds": 0.0,
   "mpi_seconds": 0.08701300074719506,
   "rank": 0,
   "seconds": 0.097991245,
   "signal": 0
  },
  {
   "calls": 160,
   "cpus": [
    0,
    1
   ],
   "end": "finalized",
   "folded_calls": 0,
   "folded_messages": 0,
   "host": "node0",
   "io_bytes": 0,
   "io_seconds": 0.0,
   "mpi_io_seconds": 0.0,
   "mpi_seconds": 0.0786768705103186,
   "rank": 1,
   "seconds": 0.098533911,
   "signal": 0
  }
 ],
 "regions": [],
 "schema": "hockney.profile/1",
 "seconds": 0.098533911,
 "sites": [
  {
   "function": "",
   "module": "/opt/app/poisson",
   "offset": 4774
  },
  {
   "function": "",
   "module": "/opt/app/poisson",
   "offset": 4820
  },
  {
   "function": "",
   "module": "/opt/app/poisson",
   "offset": 4918
  },
  {
   "function": "",
   "module": "/opt/app/poisson",
   "offset": 4959
  }
 ],
 "thread_level": "MPI_THREAD_SINGLE",
 "world_ranks": 2,
 "written_utc": "2026-11-27T03:06:27Z"
}
