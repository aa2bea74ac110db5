#pragma once

#include <mpi.h>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "benchmarks/harness/handle.hpp"
#include "benchmarks/harness/payload.hpp"

namespace hockney::benchmarks {

/// A rank's data in a collective: what it sends, and what it receives, of which counts and
/// displacements are told.
template <class Sent = Pattern, class Received = Sent>
class CollectiveData {
 public:
  [[nodiscard]] const void* send() const { return in_place_ ? MPI_IN_PLACE : send_.data(); }
  [[nodiscard]] void* receive() const { return receive_.data(); }
  [[nodiscard]] int send_count() const { return send_.count(); }  ///< [elements] of all blocks
  [[nodiscard]] int receive_count() const { return receive_.count(); }  ///< [elements]
  [[nodiscard]] MPI_Datatype type() const { return send_.type(); }
  [[nodiscard]] const int* counts() const { return receive_.counts(); }
  [[nodiscard]] const int* displacements() const { return receive_.displacements(); }

  void refill(std::uint64_t seed) {
    send_.fill(seed);
    receive_.spoil(seed);
  }
  [[nodiscard]] bool verify(std::uint64_t seed) const { return receive_.holds(seed); }

 protected:
  /// In braces, so that the buffers are drawn in this order.
  CollectiveData(const Context& context, const Point& point, Payload<Sent> send,
                 Payload<Received> receive)
      : rank_(context.rank),
        in_place_(is_in_place(point)),
        send_(std::move(send)),
        receive_(std::move(receive)) {}

  /// In place, what is sent is put where the result will be.
  void put_in_place() {
    if (in_place_) receive_.copy(send_);
  }

  int rank_;
  bool in_place_;
  Payload<Sent> send_;
  Payload<Received> receive_;
};

/// The buffers of an allgather: every rank's block, on all ranks. In place a rank's own block is in
/// its place from the start.
class AllgatherData : public CollectiveData<> {
 public:
  static constexpr Descriptor calls{.blocks = true, .in_place = InPlace::kept};
  /// All blocks, of which every rank receives all but its own.
  static Volume volume(const Point& point);

  AllgatherData(const Context& context, const Point& point);

  void refill(std::uint64_t seed);
};

/// The buffers of an alltoall: another block for every pair of ranks. Irregular counts are those of
/// the receivers: rank r receives counts[r] elements from every rank. In place the blocks to be
/// sent are where the others' will be received, so that ready() must put them there again.
class AlltoallData : public CollectiveData<> {
 public:
  static constexpr Descriptor calls{.blocks = true, .in_place = InPlace::consumed};
  /// The blocks of one rank for all others, all but its own.
  static Volume volume(const Point& point);

  AlltoallData(const Context& context, const Point& point);

  [[nodiscard]] const int* send_counts() const { return send_.counts(); }
  [[nodiscard]] const int* send_displacements() const { return send_.displacements(); }

  void refill(std::uint64_t seed) {
    CollectiveData::refill(seed);
    ready();
  }
  void ready() { put_in_place(); }
};

/// The ranks of a context in a plane as near to a square as MPI_Dims_create makes it, without
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

/// Why neighbourhood collectives cannot be called: a simulator has none. nullopt when they can.
std::optional<std::string> neighbour_obstacle();

/// The buffers of a collective of neighbours: one block from each.
class NeighbourData : public CollectiveData<> {
 public:
  static constexpr Descriptor calls{};
  /// A block for each neighbour of the rank with most of them.
  static Volume volume(const Point& point);
  static std::optional<std::string> obstacle(const Point&) { return neighbour_obstacle(); }

  /// What a rank sends: the same block to all neighbours, or another one to each.
  enum class Sends { same, different };
  NeighbourData(const Context& context, const Point& point, Sends sends)
      : NeighbourData(context, point, sends, Neighbours(context)) {}

  [[nodiscard]] MPI_Comm comm() const { return neighbours_.comm(); }
  [[nodiscard]] const void* send() const { return send_.data(); }
  [[nodiscard]] int count() const { return count_; }  ///< [elements] of a block
  /// Of each neighbour's block, for calls that take them one by one.
  [[nodiscard]] const MPI_Aint* offsets() const { return offsets_.data(); }  ///< [B]
  [[nodiscard]] const MPI_Datatype* types() const { return types_.data(); }

 private:
  NeighbourData(const Context& context, const Point& point, Sends sends, Neighbours neighbours);

  Neighbours neighbours_;
  int count_;
  std::array<MPI_Aint, Neighbours::most> offsets_{};
  std::array<MPI_Datatype, Neighbours::most> types_{};
};

}  // namespace hockney::benchmarks
