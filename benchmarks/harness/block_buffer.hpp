#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/message.hpp"
#include "core/point.hpp"

namespace hockney::benchmarks {

/// Elements divided among ranks, in order of ranks and without gaps.
struct Division {
  std::vector<int> counts;         ///< [elements] of each rank
  std::vector<int> displacements;  ///< [elements] of all ranks before it

  [[nodiscard]] int total() const {
    return counts.empty() ? 0 : displacements.back() + counts.back();
  }
  [[nodiscard]] int largest() const;
  [[nodiscard]] int smallest() const;
};

/// "equal", "linear", "one-heavy", "zipf", "zeros".
const std::vector<std::string>& distribution_names();

/// InputError naming the nearest distribution when there is none called `name`.
void check_distribution(const std::string& name);

/// Divides `total` elements by weights: equal 1; linear 1, 2, ... p; one-heavy 1, and of the last
/// rank 3 (p - 1), which is three quarters of all; zipf 1, 1/2, ... 1/p; zeros 1 and 0 in turn. A
/// rank's elements end at the whole part of `total` times the fraction of the weights up to its
/// own, so that every distribution divides exactly `total`.
Division divide(std::int64_t total, int ranks, const std::string& distribution = "equal");

/// The point's parameter "counts"; "equal" without one.
std::string distribution_of(const Point& point);

/// Whether the point's parameter "in-place" is "yes".
bool is_in_place(const Point& point);

/// A buffer of blocks, one after the other, each with data of its own: the block with identity i
/// holds the pattern of pattern_seed(seed, i). Blocks of nobody are left alone.
class BlockBuffer {
 public:
  static constexpr int nobody = -1;

  /// Draws room for `room` elements, which must be the same on every rank.
  BlockBuffer(const Context& context, const Datatype& type, Division blocks,
              std::vector<int> identities, int room);

  [[nodiscard]] std::byte* data() const { return memory_.data(); }
  [[nodiscard]] const int* counts() const { return blocks_.counts.data(); }
  [[nodiscard]] const int* displacements() const { return blocks_.displacements.data(); }
  [[nodiscard]] int count() const { return blocks_.total(); }  ///< [elements] of all blocks
  [[nodiscard]] MPI_Datatype type() const { return type_->handle; }

  void fill(std::uint64_t seed);
  void fill_block(std::size_t index, std::uint64_t seed);
  /// Makes every byte wrong, unless its pages must stay untouched.
  void spoil(std::uint64_t seed);
  [[nodiscard]] bool holds(std::uint64_t seed) const;
  /// Takes over all bytes of a buffer that is as large.
  void copy(const BlockBuffer& other);

 private:
  [[nodiscard]] std::span<std::byte> block(std::size_t index) const;

  const Datatype* type_;
  Division blocks_;
  std::vector<int> identities_;
  Buffer memory_;
};

/// The elements of every rank's block: the point's bytes each, or divided by the point's
/// distribution so that they are the point's bytes on average.
Division blocks_of(const Point& point, int ranks);

/// first, first + step, ..., so many.
std::vector<int> identities(int count, int first = 0, int step = 1);

/// The rank's own block, whose identity is the rank.
BlockBuffer own_block(const Context& context, const Point& point);

/// The blocks of all ranks, in order of ranks.
BlockBuffer all_blocks(const Context& context, const Point& point);

/// One operation that counts the message once, of which `bus_share` passes the busiest rank.
Volume message_volume(const Point& point, double bus_share);

/// One operation that counts the blocks of all ranks, of which so many elements pass the busiest
/// rank.
Volume blocks_volume(const Point& point, double busiest_elements);

}  // namespace hockney::benchmarks
