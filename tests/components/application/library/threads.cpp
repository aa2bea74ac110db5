// Threads of each rank in MPI at once (MPI_THREAD_MULTIPLE), each with a tag of its own and its own
// ledger of calls.

#include <mpi.h>
#include <array>
#include <string>
#include <thread>
#include <vector>

#include "tests/components/application/library/trap_self.hpp"

namespace hockney::profile {
namespace {

constexpr int threads = 4;
constexpr int times = 500;

/// Messages around the ring, of as many ints as the thread's number and one: a request, and a
/// receive from anybody; both must bring what this thread's neighbour sent.
void exchange(int thread, const Self& self) {
  std::array<int, threads> data{};
  std::array<int, threads> came{};
  for (int i = 0; i < times; ++i) {
    data.fill(thread * times + i);
    MPI_Request request{};
    MPI_Irecv(came.data(), threads, MPI_INT, self.left(), thread, MPI_COMM_WORLD, &request);
    MPI_Send(data.data(), thread + 1, MPI_INT, self.right(), thread, MPI_COMM_WORLD);
    MPI_Status status;
    MPI_Wait(&request, &status);
    int number = 0;
    MPI_Get_count(&status, MPI_INT, &number);
    require(number == thread + 1 && came[0] == data[0], "a thread has another's message");
    MPI_Isend(data.data(), thread + 1, MPI_INT, self.left(), threads + thread, MPI_COMM_WORLD,
              &request);
    MPI_Recv(came.data(), threads, MPI_INT, MPI_ANY_SOURCE, threads + thread, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    require(came[0] == data[0], "a thread has another's message");
  }
}

/// What exchange() does, by its own count.
void note(int thread, Self& self) {
  const int bytes = static_cast<int>(sizeof(int)) * (thread + 1);
  self.ledger.call("Irecv", std::int64_t{times} * bytes, times);
  self.ledger.call("Recv", std::int64_t{times} * bytes, times);
  self.ledger.call("Wait", 0, 2 * times);
  self.ledger.send("Send", self.right(), bytes, times);
  self.ledger.send("Isend", self.left(), bytes, times);
}

void run_threads(Self& self) {
  std::vector<std::jthread> all;
  for (int thread = 0; thread < threads; ++thread) {
    note(thread, self);
    all.emplace_back([thread, &self] { exchange(thread, self); });
  }
}

}  // namespace
}  // namespace hockney::profile

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  hockney::profile::require(provided == MPI_THREAD_MULTIPLE, "no MPI_THREAD_MULTIPLE");
  hockney::profile::Self self;
  MPI_Comm_rank(MPI_COMM_WORLD, &self.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &self.size);
  hockney::profile::run_threads(self);
  self.ledger.save(std::string(argv[1]) + "/ledger." + std::to_string(self.rank));
  MPI_Finalize();
  return 0;
}
