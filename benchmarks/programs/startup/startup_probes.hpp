#pragma once

#include <mpi.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "benchmarks/engine/clock.hpp"
#include "benchmarks/harness/memory_facts.hpp"

namespace hockney::benchmarks::programs {

/// Two round trips of one word between the first rank and another one, which had not exchanged
/// messages before.
struct Contact {
  int peer = 0;
  double first_seconds = 0;
  double second_seconds = 0;
  bool is_good = true;  ///< the reply matches the sent word
};

/// The results of the first messages of a job.
struct Contacts {
  std::vector<Contact> made;            ///< on rank 0, in order of peers
  std::optional<std::string> obstacle;  ///< why none of them is usable
};

/// Most peers, evenly spread over the ranks.
inline constexpr int most_contacts = 64;

/// Exchanges the first messages between rank 0 and others, one after the other. Call it before any
/// other communication. The last rank, which is no peer, notifies rank 0 that a peer has arrived.
/// With two ranks there is no such rank: rank 0 sleeps for a while, and a common clock later shows
/// whether the peer had arrived. Collective.
Contacts make_first_contacts(MPI_Comm comm, TickClock& clock);

/// The result of MPI_Comm_spawn.
struct Spawned {
  double seconds = 0;                   ///< of the call after a barrier, on the slowest rank
  std::optional<std::string> obstacle;  ///< why there is no time
  bool is_good = true;                  ///< the requested number of processes was started
};

/// Starts `processes` more processes of this program, which end at once, by MPI_Comm_spawn on all
/// ranks. Collective.
Spawned spawn(MPI_Comm comm, int processes, TickClock& clock);

/// Whether this process is one that spawn() started.
bool is_spawned(int argc, const char* const* argv);

/// The work of such a process; returns its exit code.
int run_spawned(int argc, char** argv);

/// Memory in which the ranks of rank 0's node store the duration of their MPI_Finalize. It does not
/// use MPI, and outlives it.
class FinalizeBoard {
 public:
  /// RunError if the ranks cannot share memory. Collective.
  explicit FinalizeBoard(MPI_Comm comm);

  /// Number of ranks on the board; 0 on other nodes.
  [[nodiscard]] int ranks() const { return ranks_; }

  /// Stores this rank's time [s]; no effect on other nodes. Call it once.
  void publish(double seconds);

  /// The stored times [s], in order of ranks, on rank 0. Waits until all ranks have stored theirs,
  /// at most `patience`: MPI guarantees only for rank 0 that it returns from MPI_Finalize.
  [[nodiscard]] std::vector<double> collect(std::chrono::milliseconds patience) const;

 private:
  /// One rank's line on the board.
  struct Line {
    double seconds;
    Handoff is_reported;
  };

  [[nodiscard]] Line* line(int rank) const;

  int ranks_ = 0;
  int rank_ = 0;  ///< rank among them
  std::optional<SharedMemory> memory_;
};

}  // namespace hockney::benchmarks::programs
