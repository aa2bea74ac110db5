#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/collectives.hpp"
#include "benchmarks/harness/reductions.hpp"

namespace hockney::benchmarks {

/// Address of an element of a buffer.
inline std::byte* at(void* buffer, std::int64_t elements, std::size_t extent) {
  return static_cast<std::byte*>(buffer) + static_cast<std::size_t>(elements) * extent;
}

/// Common part of mock-ups of a collective: its options, volume and data, so that both sides have
/// the same buffers and checks. auxiliary() allocates further memory outside of the timed region;
/// copies within it are timed.
template <class Data>
class Emulation {
 public:
  static constexpr Descriptor describe(std::string_view name, std::string_view summary) {
    Descriptor made = hockney::benchmarks::describe<Data>(
        {.name = name,
         .summary = summary,
         .counts = "the same bytes as the operation whose work it does",
         .sizes = "the operation whose work it does"});
    made.in_place = InPlace::never;
    return made;
  }
  static Volume volume(const Point& point) { return Data::volume(point); }

  Emulation(const Context& context, const Point& point)
      : context_(context),
        comm_(context.comm),
        rank_(context.rank),
        size_(context.size),
        extent_(message_of(point).type->extent),
        data_(context, point) {}

  void refill(std::uint64_t seed) { data_.refill(seed); }
  [[nodiscard]] bool verify(std::uint64_t seed) const { return data_.verify(seed); }

 protected:
  /// Room for `elements` elements. Call it only in an initialiser of a member.
  [[nodiscard]] Buffer auxiliary(std::int64_t elements) const {
    return context_.buffers.draw({bytes(elements)}).front();
  }
  [[nodiscard]] std::size_t bytes(std::int64_t elements) const {
    return static_cast<std::size_t>(elements) * extent_;
  }
  void copy(const void* from, void* to, std::int64_t elements) const {
    std::memcpy(to, from, bytes(elements));
  }
  /// Copies `elements` elements of a contribution and pads with the first one, for which the
  /// operator is defined.
  void copy_and_pad(const void* from, void* to, int elements, int room) const {
    copy(from, to, elements);
    for (int element = elements; element < room; ++element) copy(from, at(to, element, extent_), 1);
  }
  /// Elements of each rank's part, rounded up.
  [[nodiscard]] int padded_part(int elements) const { return (elements + size_ - 1) / size_; }

  Context context_;
  MPI_Comm comm_;
  int rank_;
  int size_;
  std::size_t extent_;  ///< of an element [B]
  Data data_;
};

/// Counts of all ranks; only that of the root is not zero.
class CountsOfRoot {
 public:
  explicit CountsOfRoot(int ranks) : counts_(static_cast<std::size_t>(ranks)) {}

  const int* of(int root, int count) {
    counts_[static_cast<std::size_t>(last_)] = 0;
    counts_[static_cast<std::size_t>(root)] = count;
    last_ = root;
    return counts_.data();
  }

 private:
  std::vector<int> counts_;
  int last_ = 0;  ///< root of the previous call
};

/// Divides a vector into chunks of four elements: all ranks have equally many, some one more. The
/// rest belongs to the next rank.
inline Division chunks_of_four(int elements, int ranks) {
  constexpr int chunk = 4;
  const int chunks = elements / chunk;
  Division parts;
  int before = 0;
  for (int rank = 0; rank < ranks; ++rank) {
    int count = chunk * (chunks / ranks + (rank < chunks % ranks ? 1 : 0));
    if (rank == chunks % ranks) count += elements % chunk;
    parts.displacements.push_back(before);
    parts.counts.push_back(count);
    before += count;
  }
  return parts;
}

}  // namespace hockney::benchmarks
