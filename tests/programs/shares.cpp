/* Computes in functions whose shares of its CPU time are known, and says how long each took by the
   CPU clock of its thread.

     shares SECONDS [CASE]

   half() takes half of the time and quarter() a quarter. The rest is in an inlined function of a
   caller. Cases: threads (a second thread does the same), openmp (a second thread of OpenMP),
   takes-signal (installs a handler for every real-time signal), own-timer (uses SIGPROF itself),
   children (forks, and runs a program), crash (ends by SIGSEGV), paused (computes as long again
   while MPI_Pcontrol has recording off). */

#include <mpi.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <thread>

namespace {

volatile double sink = 0;
volatile int own_signals = 0;

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Shares {
  double half = 0;
  double quarter = 0;
  double inlined = 0;

  void add(const Shares& more) {
    half += more.half;
    quarter += more.quarter;
    inlined += more.inlined;
  }
};

__attribute__((always_inline)) inline double burn(double seconds) {
  const double begin = cpu_seconds();
  double value = sink;
  while (cpu_seconds() - begin < seconds) {
    for (int i = 0; i < 20000; ++i) value = value * 0.999 + 1e-3;
  }
  sink = value;
  return cpu_seconds() - begin;
}

__attribute__((noinline)) double half(double seconds) { return burn(seconds); }

__attribute__((noinline)) double quarter(double seconds) { return burn(seconds); }

__attribute__((always_inline)) inline double inlined_rest(double seconds) { return burn(seconds); }

/// One slice in each function, until the thread has used so much CPU time.
__attribute__((noinline)) Shares compute(double seconds) {
  constexpr double slice = 7.3e-3;  // no multiple of a period of samples
  Shares shares;
  const double end = cpu_seconds() + seconds;
  while (cpu_seconds() < end) {
    shares.half += half(2 * slice);
    shares.quarter += quarter(slice);
    shares.inlined += inlined_rest(slice);
  }
  return shares;
}

void count_signal(int /*signal*/) { own_signals = own_signals + 1; }

void take_signals() {
  for (int number = SIGRTMIN; number <= SIGRTMAX; ++number) signal(number, count_signal);
}

void start_own_timer() {
  signal(SIGPROF, count_signal);
  const itimerval every{{0, 20000}, {0, 20000}};
  setitimer(ITIMER_PROF, &every, nullptr);
}

/// Children compute for a while: a handler or a timer that they inherited would end them.
int failed_children() {
  int failed = 0;
  for (const bool runs_program : {false, true}) {
    const pid_t child = fork();
    if (child == 0) {
      if (runs_program)
        execl("/bin/sh", "sh", "-c", "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done", nullptr);
      quarter(0.05);
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    failed += status != 0 ? 1 : 0;
  }
  return failed;
}

}  // namespace

int main(int argc, char** argv) {
  const double seconds = argc > 1 ? atof(argv[1]) : 1;
  const char* const what = argc > 2 ? argv[2] : "";
  const auto is = [&](const char* name) { return strcmp(what, name) == 0; };
  int level = 0;
  int rank = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (is("own-timer")) start_own_timer();
  Shares other;
  std::thread thread;
  if (is("threads")) thread = std::thread([&] { other = compute(seconds); });
  Shares shares;
#if defined(_OPENMP)
#pragma omp parallel num_threads(is("openmp") ? 2 : 1)
#endif
  {
    const Shares own = compute(seconds);
#if defined(_OPENMP)
#pragma omp critical
#endif
    shares.add(own);
  }
  if (thread.joinable()) thread.join();
  shares.add(other);
  if (is("takes-signal")) {
    take_signals();
    compute(seconds);
  }
  if (is("paused")) {
    MPI_Pcontrol(0);
    compute(seconds);
    MPI_Pcontrol(1);
    shares.add(compute(seconds));
  }
  const int failed = is("children") ? failed_children() : 0;
  MPI_Barrier(MPI_COMM_WORLD);
  printf("rank %d half %.6f quarter %.6f inlined %.6f own %d failed %d\n", rank, shares.half,
         shares.quarter, shares.inlined, own_signals, failed);
  fflush(stdout);
  if (is("crash")) raise(SIGSEGV);
  MPI_Finalize();
  return failed;
}
