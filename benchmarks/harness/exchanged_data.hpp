#pragma once

#include <mpi.h>
#include <array>
#include <optional>
#include <string>

#include "benchmarks/harness/block_buffer.hpp"
#include "benchmarks/harness/handle.hpp"

namespace hockney {

/// The ranks of a team in a plane as near to a square as MPI_Dims_create makes it, without
/// reordering. Its edges are open, because on a ring of two both neighbours are one rank, and
/// libraries disagree on which of its two messages is which.
class Neighbours {
 public:
  static constexpr int most = 4;  ///< two in each dimension

  explicit Neighbours(const Context& context);

  [[nodiscard]] MPI_Comm comm() const { return plane_.get(); }
  /// In MPI's order: before and after it in each dimension; nobody where the plane ends.
  [[nodiscard]] const std::array<int, most>& ranks() const { return ranks_; }

 private:
  UniqueComm plane_;
  std::array<int, most> ranks_{};
};

/// Of so many ranks, how many neighbours the one with most of them has.
int most_neighbours(int ranks);

/// Every rank's block for, and from, each neighbour.
Account neighbour_account(const Point& point);

/// Why neighbourhood collectives cannot be called: a simulator has none. nullopt when they can.
std::optional<std::string> neighbour_obstacle();

/// A buffer with a block for each neighbour, with the identity that `identity` gives to the
/// neighbour of a place.
template <class Identity>
BlockBuffer neighbour_blocks(const Context& context, const Point& point,
                             const Neighbours& neighbours, Identity identity) {
  const MessageShape message = message_of(point);
  std::vector<int> identities;
  for (int place = 0; place < Neighbours::most; ++place) {
    const int rank = neighbours.ranks()[static_cast<std::size_t>(place)];
    identities.push_back(rank == MPI_PROC_NULL ? BlockBuffer::nobody : identity(rank, place));
  }
  const Division blocks = divide(std::int64_t{message.count} * Neighbours::most, Neighbours::most);
  return {context, *message.type, blocks, std::move(identities), blocks.total()};
}

/// The buffers of an allgather: every rank's block, on all ranks. In place a rank's own block is in
/// its place from the start.
class AllgatherData {
 public:
  AllgatherData(const Context& context, const Point& point);

  [[nodiscard]] const void* send() const { return in_place_ ? MPI_IN_PLACE : send_.data(); }
  [[nodiscard]] int send_count() const { return send_.count(); }
  [[nodiscard]] void* receive() const { return receive_.data(); }
  [[nodiscard]] const int* counts() const { return receive_.counts(); }
  [[nodiscard]] const int* displacements() const { return receive_.displacements(); }
  [[nodiscard]] MPI_Datatype type() const { return type_; }

  void refill(std::uint64_t seed);
  [[nodiscard]] bool verify(std::uint64_t seed) const { return receive_.holds(seed); }

 private:
  int rank_;
  bool in_place_;
  MPI_Datatype type_;
  BlockBuffer send_;
  BlockBuffer receive_;
};

/// The buffers of an alltoall: another block for every pair of ranks. Irregular counts are those of
/// the receivers: rank r receives counts[r] elements from every rank. In place the blocks to be
/// sent are where the others' will be received, so that ready() must put them there again.
class AlltoallData {
 public:
  AlltoallData(const Context& context, const Point& point);

  [[nodiscard]] const void* send() const { return in_place_ ? MPI_IN_PLACE : send_.data(); }
  [[nodiscard]] const int* send_counts() const { return send_.counts(); }
  [[nodiscard]] const int* send_displacements() const { return send_.displacements(); }
  [[nodiscard]] void* receive() const { return receive_.data(); }
  [[nodiscard]] const int* counts() const { return receive_.counts(); }
  [[nodiscard]] const int* displacements() const { return receive_.displacements(); }
  [[nodiscard]] MPI_Datatype type() const { return type_; }

  void refill(std::uint64_t seed);
  void ready() {
    if (in_place_) receive_.copy(send_);
  }
  [[nodiscard]] bool verify(std::uint64_t seed) const { return receive_.holds(seed); }

 private:
  bool in_place_;
  MPI_Datatype type_;
  BlockBuffer send_;
  BlockBuffer receive_;
};

}  // namespace hockney
