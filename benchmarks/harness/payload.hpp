#pragma once

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "benchmarks/harness/buffer_memory.hpp"
#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/datatypes.hpp"
#include "benchmarks/harness/mpi_objects.hpp"
#include "benchmarks/harness/point.hpp"

/// The data of operations. Before the calls a rank fills the data it sends and poisons its receive
/// buffers; after the calls it checks the received data. A payload has
/// - blocks: how many elements each has (Division);
/// - owners: one number for each block, mostly the rank whose data it contains;
/// - a content: the right bytes for an owner in the measurement block with a seed.
///
/// A content has three functions. fill(data, seed, owner) writes the right bytes. poison(data,
/// seed, owner) makes every byte wrong. holds(data, seed, owner) returns whether every significant
/// byte is right.
///
/// Contents: Pattern for data that arrive as they were sent; ReductionData for the contributions to
/// a reduction; ReductionResult for their combination (reductions.hpp).
///
/// Data in windows follow rules (remote_data.hpp), which use the same contents.
namespace hockney::benchmarks {

/// Elements divided into consecutive blocks without gaps.
struct Division {
  std::vector<int> counts;         ///< [elements] of each block
  std::vector<int> displacements;  ///< [elements] in all blocks before it

  [[nodiscard]] int total() const {
    return counts.empty() ? 0 : displacements.back() + counts.back();
  }
  [[nodiscard]] int largest() const;
  [[nodiscard]] int smallest() const;
};

/// Weights of the ranks when elements are divided.
enum class Distribution {
  equal,
  linear,     ///< 1, 2, ... p
  one_heavy,  ///< 1, and 3 (p - 1) for the last rank, which is three quarters of all
  zipf,       ///< 1, 1/2, ... 1/p
  zeros       ///< 1 and 0 in turn
};

constexpr auto words_of(std::type_identity<Distribution>) {
  return std::to_array<std::string_view>({"equal", "linear", "one-heavy", "zipf", "zeros"});
}

inline constexpr Parameter<Distribution> counts_parameter{"counts"};

/// Divides `total` elements by weights. A rank's elements end at the integer part of `total` times
/// the cumulative fraction of the weights, so that every distribution divides exactly `total`.
Division divide(std::int64_t total, int ranks, Distribution distribution = Distribution::equal);

/// The elements of every rank's block: the point's bytes each, or divided by the point's
/// distribution with the point's bytes as mean.
Division blocks_of(const Point& point, int ranks);

/// Whether data are received into the send buffer.
inline bool is_in_place(const Point& point) {
  return point.parameters[in_place_parameter] == ReceivePlace::in_place;
}

/// A different pattern for each owner (buffer_memory.hpp), in elements of a datatype.
struct Pattern {
  const Datatype* type;

  void fill(std::span<std::byte> data, std::uint64_t seed, int owner) const;
  void poison(std::span<std::byte> data, std::uint64_t seed, int owner) const;
  [[nodiscard]] bool holds(std::span<const std::byte> data, std::uint64_t seed, int owner) const;
};

/// Owner of a block that is neither filled nor checked.
inline constexpr int no_rank = -1;

/// Division and owners of a payload's blocks. The buffer has room for `room` elements, the same
/// number on every rank.
struct Blocks {
  Division division;
  std::vector<int> owners;
  int room;
};

/// One block.
inline Blocks one_block(int count, int owner) { return {divide(count, 1), {owner}, count}; }

/// A buffer of blocks with a content that can be checked.
template <class Content = Pattern>
class Payload {
 public:
  Payload(const Context& context, const Datatype& type, Blocks blocks, Content content)
      : memory_(
            context.buffers.draw({static_cast<std::size_t>(blocks.room) * type.extent}).front()),
        count_(blocks.division.total()),
        type_(&type),
        division_(std::move(blocks.division)),
        owners_(std::move(blocks.owners)),
        content_(std::move(content)) {}
  Payload(const Context& context, const Datatype& type, Blocks blocks)
      : Payload(context, type, std::move(blocks), Content{&type}) {}

  // Arguments of MPI calls.
  [[nodiscard]] std::byte* data() const { return memory_.data(); }
  [[nodiscard]] const int* counts() const { return division_.counts.data(); }
  [[nodiscard]] const int* displacements() const { return division_.displacements.data(); }
  [[nodiscard]] int count() const { return count_; }  ///< [elements] in all blocks
  [[nodiscard]] MPI_Datatype type() const { return type_->handle; }

  /// Write the right bytes into every block, or into one.
  void fill(std::uint64_t seed) const {
    for (std::size_t i = 0; i < owners_.size(); ++i) fill_block(i, seed);
  }
  void fill_block(std::size_t index, std::uint64_t seed) const {
    if (owners_[index] == no_rank) return;
    content_.fill(block(index), seed, owners_[index]);
  }
  /// Makes every byte of every block wrong, unless the pages must stay untouched.
  void poison(std::uint64_t seed) const {
    if (memory_.to_poison().empty()) return;
    for (std::size_t i = 0; i < owners_.size(); ++i) {
      if (owners_[i] != no_rank) content_.poison(block(i), seed, owners_[i]);
    }
  }
  [[nodiscard]] bool holds(std::uint64_t seed) const {
    for (std::size_t i = 0; i < owners_.size(); ++i) {
      if (owners_[i] != no_rank && !content_.holds(block(i), seed, owners_[i])) return false;
    }
    return true;
  }

  /// Copies all bytes of a payload that is no larger.
  template <class Other>
  void copy(const Payload<Other>& other) const {
    std::ranges::copy(other.memory().bytes(), memory_.bytes().begin());
    memory_.bring_to_device();
  }
  [[nodiscard]] const Buffer& memory() const { return memory_; }

 private:
  [[nodiscard]] std::span<std::byte> block(std::size_t index) const {
    const auto begin = static_cast<std::size_t>(division_.displacements[index]) * type_->extent;
    const auto bytes = static_cast<std::size_t>(division_.counts[index]) * type_->extent;
    return memory_.bytes().subspan(begin, bytes);
  }

  Buffer memory_;
  int count_ = 0;
  const Datatype* type_ = nullptr;
  Division division_;
  std::vector<int> owners_;
  Content content_;
};

/// The rank's own block; and the blocks of all ranks, in order of ranks.
Payload<> own_block(const Context& context, const Point& point);
Payload<> all_blocks(const Context& context, const Point& point);

/// One operation that counts the message once. The busiest rank passes `bus_share` of it.
Volume message_volume(const Point& point, double bus_share);

/// A rank's data in a collective: what it sends and receives, with counts and displacements.
template <class Sent = Pattern, class Received = Sent>
class CollectiveData {
 public:
  [[nodiscard]] const void* send() const { return in_place_ ? MPI_IN_PLACE : send_.data(); }
  [[nodiscard]] void* receive() const { return receive_.data(); }
  [[nodiscard]] int send_count() const { return send_.count(); }  ///< [elements] in all blocks
  [[nodiscard]] int receive_count() const { return receive_.count(); }  ///< [elements]
  [[nodiscard]] MPI_Datatype type() const { return send_.type(); }
  [[nodiscard]] const int* counts() const { return receive_.counts(); }
  [[nodiscard]] const int* displacements() const { return receive_.displacements(); }

  void refill(std::uint64_t seed) {
    send_.fill(seed);
    receive_.poison(seed);
  }
  [[nodiscard]] bool verify(std::uint64_t seed) const { return receive_.holds(seed); }

 protected:
  /// The braces guarantee this order of drawing buffers.
  CollectiveData(const Context& context, const Point& point, Payload<Sent> send,
                 Payload<Received> receive)
      : rank_(context.rank),
        in_place_(is_in_place(point)),
        send_(std::move(send)),
        receive_(std::move(receive)) {}

  /// In place: copies the data to send to the place of the result.
  void put_in_place() {
    if (in_place_) receive_.copy(send_);
  }

  int rank_;
  bool in_place_;
  Payload<Sent> send_;
  Payload<Received> receive_;
};

/// The buffers of an allgather: every rank's block, on all ranks. In place, a rank's own block is
/// at its place from the start.
class AllgatherData : public CollectiveData<> {
 public:
  static constexpr Descriptor calls{.blocks = true, .in_place = InPlace::kept};
  /// Counts all blocks. Every rank receives all except its own.
  static Volume volume(const Point& point);

  AllgatherData(const Context& context, const Point& point);

  void refill(std::uint64_t seed);
};

/// The buffers of an alltoall: a different block for every pair of ranks. With irregular counts,
/// rank r receives counts[r] elements from every rank. In place, received blocks overwrite the sent
/// ones, so that ready() must restore these.
class AlltoallData : public CollectiveData<> {
 public:
  static constexpr Descriptor calls{.blocks = true, .in_place = InPlace::consumed};
  /// Counts the blocks of one rank for all others.
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

/// The ranks of a context in a plane, made by MPI_Dims_create as square as possible, without
/// reordering. The plane is not periodic: on a ring of two both neighbours are the same rank, and
/// MPI libraries disagree on the order of its two messages.
class Neighbours {
 public:
  static constexpr int most = 4;  ///< two in each dimension

  explicit Neighbours(const Context& context);

  [[nodiscard]] MPI_Comm comm() const { return plane_.get(); }
  /// In MPI's order: before and after it in each dimension; `no_rank` at the plane's edges.
  [[nodiscard]] const std::array<int, most>& ranks() const { return ranks_; }

 private:
  UniqueComm plane_;
  std::array<int, most> ranks_{};
};

/// Why neighbourhood collectives cannot be called: the simulator has none. nullopt if they can.
std::optional<std::string> neighbour_obstacle();

/// The buffers of a neighbourhood collective: one block from each neighbour.
class NeighbourData : public CollectiveData<> {
 public:
  static constexpr Descriptor calls{};
  /// Counts a block for each neighbour of the rank with the most neighbours.
  static Volume volume(const Point& point);
  static std::optional<std::string> obstacle(const Point&) { return neighbour_obstacle(); }

  /// Whether a rank sends the same block to all neighbours, or a different one to each.
  enum class Sends { same, different };
  NeighbourData(const Context& context, const Point& point, Sends sends)
      : NeighbourData(context, point, sends, Neighbours(context)) {}

  [[nodiscard]] MPI_Comm comm() const { return neighbours_.comm(); }
  [[nodiscard]] const void* send() const { return send_.data(); }
  [[nodiscard]] int count() const { return count_; }  ///< [elements] of a block
  /// Of each neighbour's block, for calls with separate displacements.
  [[nodiscard]] const MPI_Aint* offsets() const { return offsets_.data(); }  ///< [B]
  [[nodiscard]] const MPI_Datatype* types() const { return types_.data(); }

 private:
  NeighbourData(const Context& context, const Point& point, Sends sends, Neighbours neighbours);

  Neighbours neighbours_;
  int count_;
  std::array<MPI_Aint, Neighbours::most> offsets_{};
  std::array<MPI_Datatype, Neighbours::most> types_{};
};

/// The root of an operation's calls.
struct Root {
  enum class Choice { first, rotating, number };
  Choice choice = Choice::first;
  int rank = 0;  ///< of the first call

  friend bool operator==(const Root&, const Root&) = default;
};

/// "first", "rotating" or the rank's number.
std::string parameter_text(const Root& root);
inline constexpr Parameter<Root> root_parameter{"root"};

/// InputError if `name` is none of these.
Root parse_root(const std::string& name);

/// The root of the first call.
inline int root_of(const Point& point) { return point.parameters[root_parameter].rank; }

/// Whether every call has the next rank as its root.
inline bool root_rotates(const Point& point) {
  return point.parameters[root_parameter].choice == Root::Choice::rotating;
}

/// The roots of one rank's consecutive calls; the same sequence on every rank.
class Roots {
 public:
  Roots(const Context& context, const Point& point)
      : rank_(context.rank),
        size_(context.size),
        step_(root_rotates(point) ? 1 : 0),
        coming_(root_of(point)),
        last_(coming_) {}

  /// Returns the root of the next call, and advances by one call.
  int next() {
    last_ = coming_;
    coming_ += step_;
    if (coming_ == size_) coming_ = 0;
    return last_;
  }
  /// Whether this rank is the root of the next call, was that of the last call, is one of any call.
  [[nodiscard]] bool is_next() const { return coming_ == rank_; }
  [[nodiscard]] bool was_last() const { return last_ == rank_; }
  [[nodiscard]] bool may_be() const { return step_ != 0 || coming_ == rank_; }

 private:
  int rank_;
  int size_;
  int step_;
  int coming_;
  int last_;
};

/// The buffers of a gather: every rank sends its block, and the root receives all blocks. In place,
/// the root's own block is at its place from the start.
class GatherData : public AllgatherData {
 public:
  static constexpr Descriptor calls{.blocks = true, .rooted = true, .in_place = InPlace::kept};
  /// Counts all blocks. The root receives all except its own.
  static Volume volume(const Point& point);

  GatherData(const Context& context, const Point& point)
      : AllgatherData(context, point), roots_(context, point) {}

  /// Returns the root of the next call, and advances by one call.
  int next_root() { return roots_.next(); }
  [[nodiscard]] const void* send(int root) const {
    return in_place_ && root == rank_ ? MPI_IN_PLACE : send_.data();
  }

  void refill(std::uint64_t seed);
  [[nodiscard]] bool verify(std::uint64_t seed) const {
    return !roots_.was_last() || AllgatherData::verify(seed);
  }

 private:
  Roots roots_;
};

/// The buffers of a scatter: the root sends every rank its block, which is the same for every root.
/// In place, the root's own block stays at its place.
class ScatterData : public CollectiveData<> {
 public:
  static constexpr Descriptor calls = GatherData::calls;
  static Volume volume(const Point& point) { return GatherData::volume(point); }

  ScatterData(const Context& context, const Point& point);

  /// Returns the root of the next call, and advances by one call.
  int next_root() { return roots_.next(); }
  [[nodiscard]] const void* send() const { return send_.data(); }
  [[nodiscard]] const int* counts() const { return send_.counts(); }
  [[nodiscard]] const int* displacements() const { return send_.displacements(); }
  [[nodiscard]] void* receive(int root) const {
    return in_place_ && root == rank_ ? MPI_IN_PLACE : receive_.data();
  }

  void refill(std::uint64_t seed);
  [[nodiscard]] bool verify(std::uint64_t seed) const {
    return (in_place_ && roots_.was_last()) || receive_.holds(seed);
  }

 private:
  Roots roots_;
};

/// The buffer of a broadcast. All roots send the same message, which every rank has after the first
/// call.
class BcastData {
 public:
  static constexpr Descriptor calls{.rooted = true};
  /// Counts the message once.
  static Volume volume(const Point& point) {
    return message_volume(point, point.ranks > 1 ? 1 : 0);
  }

  BcastData(const Context& context, const Point& point)
      : roots_(context, point),
        message_(context, *message_of(point).type, one_block(message_of(point).count, sender)) {}

  /// Returns the root of the next call, and advances by one call.
  int next_root() { return roots_.next(); }
  [[nodiscard]] void* message() const { return message_.data(); }
  [[nodiscard]] int count() const { return message_.count(); }  ///< [elements]
  [[nodiscard]] MPI_Datatype type() const { return message_.type(); }

  void refill(std::uint64_t seed) {
    roots_.is_next() ? message_.fill(seed) : message_.poison(seed);
  }
  [[nodiscard]] bool verify(std::uint64_t seed) const { return message_.holds(seed); }

 private:
  static constexpr int sender = 0;  ///< owner of the message for every root

  Roots roots_;
  Payload<> message_;
};

}  // namespace hockney::benchmarks
