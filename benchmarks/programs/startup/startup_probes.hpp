#pragma once

#include <mpi.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "benchmarks/engine/clock.hpp"
#include "benchmarks/harness/memory_facts.hpp"

namespace hockney::benchmarks::programs {

/// Two round trips of one word between the first rank and another one, to which it had sent nothing
/// before.
struct Contact {
  int peer = 0;
  double first_seconds = 0;
  double second_seconds = 0;
  bool is_good = true;  ///< what came back is the answer to what was sent
};

/// What came of the first messages of a job.
struct Contacts {
  std::vector<Contact> made;            ///< on rank 0, in order of peers
  std::optional<std::string> obstacle;  ///< why none of them tells anything
};

/// Peers at most, evenly spread over the ranks.
inline constexpr int most_contacts = 64;

/// The first messages between rank 0 and others, one after the other; to be called before any other
/// communication. That a peer has come is told to rank 0 by the last rank, which is no peer. Of two
/// ranks there is no third: the first one sleeps a while, and whether the other one was there then
/// is seen when they read one clock. Collective.
Contacts make_first_contacts(MPI_Comm comm, TickClock& clock);

/// What came of MPI_Comm_spawn.
struct Spawned {
  double seconds = 0;                   ///< of the call after a barrier, on the slowest rank
  std::optional<std::string> obstacle;  ///< why there is no time
  bool is_good = true;                  ///< as many processes were started as were asked for
};

/// Starts so many more processes of this program, which end at once, by MPI_Comm_spawn of all
/// ranks. Collective.
Spawned spawn(MPI_Comm comm, int processes, TickClock& clock);

/// Whether this process is one that spawn() started.
bool is_spawned(int argc, const char* const* argv);

/// All that such a process does; its exit code.
int run_spawned(int argc, char** argv);

/// Where the ranks of rank 0's node tell it, without MPI, what MPI_Finalize took them: in memory
/// that outlives MPI.
class FinalizeBoard {
 public:
  /// RunError where the ranks cannot share memory. Collective.
  explicit FinalizeBoard(MPI_Comm comm);

  /// Ranks that tell; none on other nodes.
  [[nodiscard]] int ranks() const { return ranks_; }

  /// This rank's time [s]; nothing on other nodes. Once.
  void tell(double seconds);

  /// The times [s] of the ranks that have told, in order of ranks, when all have or no more time is
  /// left: MPI does not promise that any but rank 0 returns from MPI_Finalize. On rank 0.
  [[nodiscard]] std::vector<double> collect(std::chrono::milliseconds patience) const;

 private:
  /// One rank's line on the board.
  struct Line {
    double seconds;
    Handoff is_told;
  };

  [[nodiscard]] Line* line(int rank) const;

  int ranks_ = 0;
  int rank_ = 0;  ///< among them
  std::optional<SharedMemory> memory_;
};

}  // namespace hockney::benchmarks::programs
