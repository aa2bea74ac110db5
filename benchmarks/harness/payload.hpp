#pragma once

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "benchmarks/harness/buffers.hpp"
#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/message.hpp"
#include "benchmarks/harness/point.hpp"

/// The data of operations. A rank fills what it sends, spoils what it will receive into, and checks
/// after the calls what has arrived. A payload is described by
/// - its blocks: how many elements each has (Division);
/// - their owners: the numbers of those whose data they hold, mostly ranks;
/// - its content: which bytes are right for an owner in the measurement block with a seed.
///
/// A content has fill(data, seed, owner), which writes the right bytes, spoil(data, seed, owner),
/// which makes every byte wrong, and holds(data, seed, owner), whether every significant byte is
/// right.
///
/// The contents: Pattern, of data that arrive as they were sent; ReductionData, of what is sent to
/// a reduction, and ReductionResult, of what combines the contributions of several ranks
/// (reductions.hpp).
///
/// What lies in windows is described by rules (remote_data.hpp), which use the same contents.
namespace hockney::benchmarks {

/// Elements divided into blocks, one after the other and without gaps.
struct Division {
  std::vector<int> counts;         ///< [elements] of each block
  std::vector<int> displacements;  ///< [elements] of all blocks before it

  [[nodiscard]] int total() const {
    return counts.empty() ? 0 : displacements.back() + counts.back();
  }
  [[nodiscard]] int largest() const;
  [[nodiscard]] int smallest() const;
};

/// The weights by which elements are divided.
enum class Distribution {
  equal,
  linear,     ///< 1, 2, ... p
  one_heavy,  ///< 1, and of the last rank 3 (p - 1), which is three quarters of all
  zipf,       ///< 1, 1/2, ... 1/p
  zeros       ///< 1 and 0 in turn
};

constexpr auto words_of(std::type_identity<Distribution>) {
  return std::to_array<std::string_view>({"equal", "linear", "one-heavy", "zipf", "zeros"});
}

inline constexpr Parameter<Distribution> counts_parameter{"counts"};

/// Divides `total` elements by weights. A rank's elements end at the whole part of `total` times
/// the fraction of the weights up to its own, so that every distribution divides exactly `total`.
Division divide(std::int64_t total, int ranks, Distribution distribution = Distribution::equal);

/// The elements of every rank's block: the point's bytes each, or divided by the point's
/// distribution so that they are the point's bytes on average.
Division blocks_of(const Point& point, int ranks);

/// Whether data are received where they are sent from.
inline bool is_in_place(const Point& point) {
  return point.parameters[in_place_parameter] == ReceivePlace::in_place;
}

/// Another pattern for each owner (buffers.hpp), in elements of a datatype.
struct Pattern {
  const Datatype* type;

  void fill(std::span<std::byte> data, std::uint64_t seed, int owner) const;
  void spoil(std::span<std::byte> data, std::uint64_t seed, int owner) const;
  [[nodiscard]] bool holds(std::span<const std::byte> data, std::uint64_t seed, int owner) const;
};

/// A block of `nobody` is left alone.
inline constexpr int nobody = -1;

/// Where a payload's blocks are and whose; the buffer has room for `room` elements, which must be
/// the same on every rank.
struct Blocks {
  Division division;
  std::vector<int> owners;
  int room;
};

/// One block.
inline Blocks one_block(int count, int owner) { return {divide(count, 1), {owner}, count}; }

/// A buffer of blocks whose content can be checked.
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

  // What calls take.
  [[nodiscard]] std::byte* data() const { return memory_.data(); }
  [[nodiscard]] const int* counts() const { return division_.counts.data(); }
  [[nodiscard]] const int* displacements() const { return division_.displacements.data(); }
  [[nodiscard]] int count() const { return count_; }  ///< [elements] of all blocks
  [[nodiscard]] MPI_Datatype type() const { return type_->handle; }

  /// Every block, or one of them, gets the right bytes.
  void fill(std::uint64_t seed) const {
    for (std::size_t i = 0; i < owners_.size(); ++i) fill_block(i, seed);
  }
  void fill_block(std::size_t index, std::uint64_t seed) const {
    if (owners_[index] == nobody) return;
    content_.fill(block(index), seed, owners_[index]);
  }
  /// Makes every byte of every block wrong, unless pages must stay untouched.
  void spoil(std::uint64_t seed) const {
    if (memory_.to_spoil().empty()) return;
    for (std::size_t i = 0; i < owners_.size(); ++i) {
      if (owners_[i] != nobody) content_.spoil(block(i), seed, owners_[i]);
    }
  }
  [[nodiscard]] bool holds(std::uint64_t seed) const {
    for (std::size_t i = 0; i < owners_.size(); ++i) {
      if (owners_[i] != nobody && !content_.holds(block(i), seed, owners_[i])) return false;
    }
    return true;
  }

  /// Takes over all bytes of a payload that is no larger.
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
  int count_;
  const Datatype* type_;
  Division division_;
  std::vector<int> owners_;
  Content content_;
};

/// first, first + step, ..., so many.
std::vector<int> owners_from(int count, int first = 0, int step = 1);

/// The rank's own block; the blocks of all ranks, in order of ranks.
Payload<> own_block(const Context& context, const Point& point);
Payload<> all_blocks(const Context& context, const Point& point);

/// One operation that counts the message once, of which `bus_share` passes the busiest rank.
Volume message_volume(const Point& point, double bus_share);

/// One operation that counts the blocks of all ranks, of which so many elements pass the busiest
/// rank.
Volume blocks_volume(const Point& point, double busiest_elements);

}  // namespace hockney::benchmarks
