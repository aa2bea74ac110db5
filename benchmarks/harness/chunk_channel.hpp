#pragma once

#include <cstddef>
#include <cstdint>

#include "benchmarks/harness/mpi_team.hpp"

namespace hockney {

/// One direction of copying through shared memory, between two ranks: the sender copies a chunk
/// into a slot while the receiver copies the one before out of another slot. Chunks are a quarter
/// of the message, between 1 KiB and 16 KiB; there are eight slots. A slot begins with its handoff,
/// so that a message of up to 56 bytes travels with it in one cache line.
class ChunkChannel {
 public:
  /// In `memory`, zeroed, of so many bytes, which both ranks share; for messages of one size.
  ChunkChannel(std::byte* memory, std::size_t message_bytes);
  static std::size_t bytes_for(std::size_t message_bytes);

  void send(const std::byte* data);
  void receive(std::byte* data);

 private:
  struct Chunk {
    Handoff* filled;
    std::byte* data;
  };

  [[nodiscard]] Chunk chunk(std::uint64_t number) const;

  std::byte* slots_;
  Handoff* drained_;
  std::size_t message_bytes_;
  std::size_t chunk_bytes_;
  std::uint64_t number_ = 0;  ///< of the last chunk, from 1
  std::uint64_t seen_drained_ = 0;
};

}  // namespace hockney
