/* A ring exchange in which rank 1 computes three times as long as the others.

     ring [STEPS [UNITS]]

   Work is CPU time, so that it is the same on a machine with other users. At the end each rank
   prints its CPU time over its wall time, and this wall time: an independent reading for hockney's. Valid as C and C++. */

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double seconds_of(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double heavy(double seconds) {
  double value = 1;
  const double end = seconds_of(CLOCK_THREAD_CPUTIME_ID) + seconds;
  while (seconds_of(CLOCK_THREAD_CPUTIME_ID) < end) {
    int i;
    for (i = 0; i < 1000; ++i) value = value * 0.999 + 1e-3;
  }
  return value;
}

static void exchange(int rank, int ranks, double* sent, double* received) {
  MPI_Sendrecv(sent, 100, MPI_DOUBLE, (rank + 1) % ranks, 0, received, 100, MPI_DOUBLE,
               (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
  const int steps = argc > 1 ? atoi(argv[1]) : 100;
  const double unit = 1e-3 * (argc > 2 ? atof(argv[2]) : 4);
  double sent[100] = {0};
  double received[100] = {0};
  double sum = 0;
  double wall, used;
  int rank, ranks, step;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  wall = seconds_of(CLOCK_MONOTONIC);
  used = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
  for (step = 0; step < steps; ++step) {
    sent[0] = heavy(rank == 1 ? 3 * unit : unit);
    exchange(rank, ranks, sent, received);
    MPI_Allreduce(received, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }
  wall = seconds_of(CLOCK_MONOTONIC) - wall;
  used = seconds_of(CLOCK_PROCESS_CPUTIME_ID) - used;
  printf("rank %d: %.6f of a CPU in %.6f s\n", rank, used / wall, wall);
  MPI_Finalize();
  return 0;
}
