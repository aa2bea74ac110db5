#pragma once

#include <mpi.h>

#include <optional>
#include <string>
#include <vector>

#include "benchmarks/engine/clock.hpp"

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

}  // namespace hockney::benchmarks::programs
