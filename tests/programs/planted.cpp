// Programs with one planted cause each: planted CAUSE [STEPS]
//   none             ranks compute as long as each other, and exchange little
//   imbalance        rank 1 computes three times as long as the others
//   in-turn          in each step another rank computes three times as long
//   late-sender      the sender computes before it sends; the receiver has half of its work to do
//   serialisation    a token goes round: one rank computes at a time
//   transfer         ranks exchange 4 MiB
//   small-messages   ranks exchange 8 B, a thousand times a step
//   eager-limit      64 KiB are sent at once to a rank that computes before it receives
//   slow-collective  sums of 2 MiB
//   io               rank 0 writes 16 MiB, the others wait for it
//   sleep            ranks sleep, outside of MPI: no CPU time, but no other process takes it
//   starved          a process beside each rank, on the same CPU
//
// Work is CPU time, so that it is the same on a machine with other users. At the end each rank
// prints its CPU time over its wall time, this wall time, and the time that it waited for a CPU.

#include <fcntl.h>
#include <mpi.h>
#include <sched.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

namespace {

double seconds_of(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

__attribute__((noinline)) void compute(double milliseconds) {
  const double end = seconds_of(CLOCK_THREAD_CPUTIME_ID) + 1e-3 * milliseconds;
  while (seconds_of(CLOCK_THREAD_CPUTIME_ID) < end) {
  }
}

/// Time for which this thread has waited for a CPU; 0 if this kernel does not count it.
double waited_seconds() {
  long long ran = 0;
  long long waited = 0;
  std::FILE* const file = std::fopen("/proc/thread-self/schedstat", "r");
  if (file == nullptr) return 0;
  if (std::fscanf(file, "%lld %lld", &ran, &waited) != 2) waited = 0;
  std::fclose(file);
  return 1e-9 * static_cast<double>(waited);
}

struct Ranks {
  int rank = 0;
  int size = 1;

  [[nodiscard]] int next() const { return (rank + 1) % size; }
  [[nodiscard]] int before() const { return (rank + size - 1) % size; }
};

using Data = std::vector<char>;

void send(Data& data, int to) {
  MPI_Send(data.data(), static_cast<int>(data.size()), MPI_CHAR, to, 0, MPI_COMM_WORLD);
}

void receive(Data& data, int from) {
  MPI_Recv(data.data(), static_cast<int>(data.size()), MPI_CHAR, from, 0, MPI_COMM_WORLD,
           MPI_STATUS_IGNORE);
}

void exchange(const Ranks& at, Data& data) {
  static Data received;
  received.resize(data.size());
  MPI_Sendrecv(data.data(), static_cast<int>(data.size()), MPI_CHAR, at.next(), 0, received.data(),
               static_cast<int>(data.size()), MPI_CHAR, at.before(), 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
}

void late_sender(const Ranks& at, Data& data) {
  if (at.rank % 2 == 0) {
    compute(4);
    if (at.rank + 1 < at.size) send(data, at.rank + 1);
  } else {
    compute(2);
    receive(data, at.rank - 1);
    compute(2);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

void serialisation(const Ranks& at, Data& data, int step) {
  if (at.rank > 0 || step > 0) receive(data, at.before());
  compute(4);
  send(data, at.next());
}

void eager_limit(const Ranks& at, Data& data) {
  const int with = at.rank ^ 1;
  if (with >= at.size) return compute(4);
  if (at.rank % 2 == 0) {
    send(data, with);
    compute(4);
    receive(data, with);
  } else {
    compute(4);
    receive(data, with);
    send(data, with);
  }
}

void sums(Data& data) {
  static Data result;
  result.resize(data.size());
  MPI_Allreduce(data.data(), result.data(), static_cast<int>(data.size() / sizeof(double)),
                MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

void files(const Ranks& at, Data& data) {
  static const int file = open("/tmp", O_TMPFILE | O_RDWR, 0600);
  compute(1);
  if (at.rank == 0 && pwrite(file, data.data(), data.size(), 0) < 0) std::abort();
  MPI_Barrier(MPI_COMM_WORLD);
}

void step(const std::string& cause, const Ranks& at, Data& data, int number) {
  if (cause == "imbalance") {
    compute(at.rank == 1 ? 6 : 2);
    exchange(at, data);
  } else if (cause == "in-turn") {
    compute(number % at.size == at.rank ? 6 : 2);
    MPI_Barrier(MPI_COMM_WORLD);
  } else if (cause == "late-sender") {
    late_sender(at, data);
  } else if (cause == "serialisation") {
    serialisation(at, data, number);
  } else if (cause == "transfer") {
    compute(0.2);
    exchange(at, data);
  } else if (cause == "small-messages") {
    compute(0.1);
    for (int i = 0; i < 1000; ++i) exchange(at, data);
  } else if (cause == "eager-limit") {
    eager_limit(at, data);
  } else if (cause == "slow-collective") {
    compute(0.2);
    sums(data);
  } else if (cause == "io") {
    files(at, data);
  } else if (cause == "sleep") {
    usleep(5000);
    exchange(at, data);
  } else {
    compute(4);
    exchange(at, data);
  }
}

std::size_t bytes_of(const std::string& cause) {
  constexpr std::size_t kib = 1024;
  if (cause == "transfer") return 4096 * kib;
  if (cause == "eager-limit") return 64 * kib;
  if (cause == "slow-collective") return 2048 * kib;
  if (cause == "io") return 16384 * kib;
  return 8;
}

/// Starts a process that computes on the CPU of this one, and ends with it.
void start_competitor() {
  cpu_set_t own;
  CPU_ZERO(&own);
  CPU_SET(static_cast<std::size_t>(sched_getcpu()), &own);
  sched_setaffinity(0, sizeof own, &own);
  const pid_t parent = getpid();
  if (fork() != 0) return;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  while (getppid() == parent) {
  }
  _exit(0);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string cause = argc > 1 ? argv[1] : "none";
  const int steps = argc > 2 ? std::atoi(argv[2]) : 200;
  Ranks at;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &at.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &at.size);
  if (cause == "starved") start_competitor();
  Data data(bytes_of(cause), 1);
  double wall = seconds_of(CLOCK_MONOTONIC);
  double used = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
  double waited = waited_seconds();
  for (int i = 0; i < steps; ++i) step(cause, at, data, i);
  if (cause == "serialisation" && at.rank == 0) receive(data, at.before());
  wall = seconds_of(CLOCK_MONOTONIC) - wall;
  used = seconds_of(CLOCK_PROCESS_CPUTIME_ID) - used;
  waited = waited_seconds() - waited;
  std::printf("rank %d: %.6f of a CPU in %.6f s, waited %.6f s\n", at.rank, used / wall, wall,
              waited);
  MPI_Finalize();
}
