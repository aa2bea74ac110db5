// Two ranks, whose threads compute in two parallel regions of OpenMP: in `even` all as long, in
// `uneven` thread 1 three times as long as the others. Prints for each what its threads computed
// [s], by their own CPU clocks: the sum, and the sum over executions of the longest.
#include <mpi.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { most_threads = 256 };

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static volatile double sink;

static double compute(double seconds) {
  const double begin = now();
  while (now() - begin < seconds) {
    for (int i = 0; i < 1000; ++i) sink += i;
  }
  return now() - begin;
}

struct Sums {
  double busy;
  double slowest;
};

static void add(struct Sums* sums, const double* computed, int threads) {
  double slowest = 0;
  for (int i = 0; i < threads; ++i) {
    sums->busy += computed[i];
    if (computed[i] > slowest) slowest = computed[i];
  }
  sums->slowest += slowest;
}

__attribute__((noinline)) void even(double seconds, struct Sums* sums) {
  double computed[most_threads] = {0};
#pragma omp parallel
  computed[omp_get_thread_num()] = compute(seconds);
  add(sums, computed, omp_get_max_threads());
}

__attribute__((noinline)) void uneven(double seconds, struct Sums* sums) {
  double computed[most_threads] = {0};
#pragma omp parallel
  computed[omp_get_thread_num()] = compute(omp_get_thread_num() == 1 ? 3 * seconds : seconds);
  add(sums, computed, omp_get_max_threads());
}

int main(int argc, char** argv) {
  const int times = argc > 1 ? atoi(argv[1]) : 20;
  int rank = 0;
  int level = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  struct Sums in_even = {0, 0};
  struct Sums in_uneven = {0, 0};
  for (int i = 0; i < times; ++i) {
    even(0.005, &in_even);
    uneven(0.005, &in_uneven);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  if (rank == 0) {
    printf("even %.6f %.6f\n", in_even.busy, in_even.slowest);
    printf("uneven %.6f %.6f\n", in_uneven.busy, in_uneven.slowest);
  }
  MPI_Finalize();
  return 0;
}
