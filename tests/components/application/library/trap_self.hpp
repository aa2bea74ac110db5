#pragma once

#include <cstdio>
#include <cstdlib>

#include "tests/components/application/library/ledger.hpp"

namespace hockney::profile {

/// Ends the program with 1 when MPI shows it what it should not.
inline void require(bool right, const char* what) {
  if (right) return;
  std::fprintf(stderr, "traps: %s\n", what);
  std::exit(1);
}

/// One rank, its neighbours in a ring, and its ledger.
struct Self {
  int rank = 0;
  int size = 0;
  Ledger ledger;

  [[nodiscard]] int right() const { return (rank + 1) % size; }
  [[nodiscard]] int left() const { return (rank + size - 1) % size; }
};

/// Messages: blocking, requests completed by every function there is, persistent, cancelled,
/// probed.
void trap_messages(Self& self);
/// Collectives on several communicators, neighbourhoods, one-sided communication.
void trap_collectives(Self& self);

}  // namespace hockney::profile
