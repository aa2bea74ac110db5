// A program with one fault that a setting mends, or with none: faulty FAULT [STEPS [BYTES]]
//   late-receiver  every second rank receives late what the one before sends at once
//   allreduce      sums of vectors, the only thing it does
//   far-neighbours ranks exchange with the one half of all ranks away
//   none           computes, and exchanges little

#include <mpi.h>
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

void compute(double seconds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (std::chrono::steady_clock::now() < end) {
  }
}

constexpr double step_seconds = 2e-3;

struct Ranks {
  int rank = 0;
  int size = 1;
};

void hand_over(std::vector<char>& data, int to) {
  MPI_Send(data.data(), static_cast<int>(data.size()), MPI_CHAR, to, 0, MPI_COMM_WORLD);
}

void take(std::vector<char>& data, int from) {
  MPI_Recv(data.data(), static_cast<int>(data.size()), MPI_CHAR, from, 0, MPI_COMM_WORLD,
           MPI_STATUS_IGNORE);
}

void exchange(std::vector<char>& data, int with) {
  std::vector<char> received(data.size());
  MPI_Sendrecv(data.data(), static_cast<int>(data.size()), MPI_CHAR, with, 0, received.data(),
               static_cast<int>(received.size()), MPI_CHAR, with, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
}

/// With one step more on one side, so that a sender that waits holds up both.
void late_receiver(const Ranks& at, std::vector<char>& data) {
  const int with = at.rank ^ 1;
  if (with >= at.size) return compute(step_seconds);
  if (at.rank % 2 == 0) {
    hand_over(data, with);
    compute(step_seconds);
    take(data, with);
  } else {
    compute(step_seconds);
    take(data, with);
    hand_over(data, with);
  }
}

/// Memory for as many bytes, the same at every call.
std::vector<char>& results(std::size_t bytes) {
  static std::vector<char> memory;
  memory.resize(bytes);
  return memory;
}

void step(const std::string& fault, const Ranks& at, std::vector<char>& data) {
  if (fault == "late-receiver") {
    late_receiver(at, data);
  } else if (fault == "allreduce") {
    // Not in place, for which Open MPI's linear algorithm takes new memory at every call.
    std::vector<char>& sums = results(data.size());
    MPI_Allreduce(data.data(), sums.data(), static_cast<int>(data.size() / sizeof(double)),
                  MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  } else if (fault == "far-neighbours") {
    exchange(data, (at.rank + at.size / 2) % at.size);
  } else {
    compute(step_seconds);
    if ((at.rank ^ 1) < at.size) exchange(data, at.rank ^ 1);
  }
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  Ranks at;
  MPI_Comm_rank(MPI_COMM_WORLD, &at.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &at.size);
  const std::string fault = argc > 1 ? argv[1] : "none";
  const int steps = argc > 2 ? std::atoi(argv[2]) : 100;
  const int bytes = argc > 3 ? std::atoi(argv[3]) : 64;
  std::vector<char> data(static_cast<std::size_t>(bytes));
  for (int i = 0; i < steps; ++i) step(fault, at, data);
  MPI_Finalize();
}
