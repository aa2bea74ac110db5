// A program whose threads are not of OpenMP:
//   where_threads COUNT
// Each of them uses a CPU until the program is ended; two minutes at most.

#include <mpi.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <thread>
#include <vector>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int count = argc > 1 ? std::atoi(argv[1]) : 1;
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(2);
  std::atomic<long> turns = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) {
    threads.emplace_back([&] {
      while (std::chrono::steady_clock::now() < end) ++turns;
    });
  }
  for (std::thread& thread : threads) thread.join();
  MPI_Finalize();
  return 0;
}
