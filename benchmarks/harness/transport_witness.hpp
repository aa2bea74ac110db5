#pragma once

#include <mpi.h>

#include <cstdint>

#include "benchmarks/harness/copy_calls.hpp"
#include "core/transport.hpp"

namespace hockney {

/// Messages that a pair of ranks exchanges.
struct Exchanged {
  std::int64_t messages = 0;
  std::int64_t message_bytes = 0;
};

/// Watches what carries the messages of a pair of ranks, from its construction to the end. What it
/// does itself with MPI lies outside.
class TransportWitness {
 public:
  TransportWitness();

  /// Of both ranks, on both. Collective over `pair`.
  [[nodiscard]] Transport end(MPI_Comm pair, const Exchanged& exchanged) const;

 private:
  CopyCalls copies_;
  std::int64_t tcp_bytes_;
};

}  // namespace hockney
