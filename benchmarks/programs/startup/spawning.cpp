#include "benchmarks/programs/startup/spawning.hpp"

#include <array>
#include <filesystem>
#include <string_view>
#include <vector>

#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/mpi_error.hpp"

namespace hockney::benchmarks::programs {
namespace {

constexpr std::string_view spawned_word = "--spawned-by-hockney-startup";

#ifndef SMPI_H
std::string text_of(int code) {
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(code, text.data(), &length);
  return {text.data(), static_cast<std::size_t>(length)};
}

bool has_size(MPI_Comm between, int processes) {
  int found = 0;
  mpi_check(MPI_Comm_remote_size(between, &found));
  return found == processes;
}
#endif

}  // namespace

bool is_spawned(int argc, const char* const* argv) { return argc == 2 && argv[1] == spawned_word; }

#ifdef SMPI_H  // which has no such calls

Spawned spawn(MPI_Comm, int, TickClock&) {
  return {.obstacle = "a simulator starts no processes", .is_good = true};
}

int run_spawned(int, char**) { return 0; }

#else

Spawned spawn(MPI_Comm comm, int processes, TickClock& clock) {
  std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
  std::string name = "startup";  // of the programs in the executable
  std::string word(spawned_word);
  std::array<char*, 3> arguments{name.data(), word.data(), nullptr};
  std::vector<int> codes(static_cast<std::size_t>(processes), MPI_SUCCESS);
  MPI_Comm between = MPI_COMM_NULL;
  mpi_check(MPI_Barrier(comm));
  const std::int64_t begin = clock.now();
  const int code = MPI_Comm_spawn(program.data(), arguments.data(), processes, MPI_INFO_NULL, 0,
                                  comm, &between, codes.data());
  const double own = static_cast<double>(clock.now() - begin) * clock.seconds_per_tick();
  int failed = code == MPI_SUCCESS ? 0 : 1;
  mpi_check(MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, comm));
  if (failed != 0) {
    return {.obstacle = "MPI_Comm_spawn failed: " + (code == MPI_SUCCESS ? "" : text_of(code))};
  }
  Spawned spawned{.seconds = own, .obstacle = std::nullopt};
  mpi_check(MPI_Allreduce(MPI_IN_PLACE, &spawned.seconds, 1, MPI_DOUBLE, MPI_MAX, comm));
  spawned.is_good = has_size(between, processes);
  mpi_check(MPI_Comm_disconnect(&between));
  return spawned;
}

int run_spawned(int argc, char** argv) {
  const MpiEnvironment mpi(argc, argv);
  MPI_Comm parent = MPI_COMM_NULL;
  mpi_check(MPI_Comm_get_parent(&parent));
  if (parent != MPI_COMM_NULL) mpi_check(MPI_Comm_disconnect(&parent));
  return 0;
}

#endif

}  // namespace hockney::benchmarks::programs
