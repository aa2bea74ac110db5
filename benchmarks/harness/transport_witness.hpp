#pragma once

#include <mpi.h>
#include <cstdint>

#include "core/transport.hpp"

namespace hockney {

/// Copies from or to the memory of other processes.
struct CopyCalls {
  std::int64_t calls = 0;  ///< of process_vm_readv and process_vm_writev
  std::int64_t bytes = 0;  ///< they copied [B]

  friend bool operator==(const CopyCalls&, const CopyCalls&) = default;
};

/// Those of this process since it began, by whichever library. A program that asks is linked with
/// functions of the same names as libc's, which the dynamic linker finds first for everybody: they
/// count, and pass the call on to the kernel. Libraries that go round libc are not seen.
CopyCalls copy_calls();

/// What this process has sent so far over TCP, repetitions with it, by all sockets that are open
/// now [B]. The kernel counts, whichever library sends.
std::int64_t tcp_bytes_sent();

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
