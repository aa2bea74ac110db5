#pragma once

#include <mpi.h>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/exchanged_data.hpp"
#include "benchmarks/harness/guidelines.hpp"
#include "benchmarks/harness/reductions.hpp"
#include "benchmarks/harness/rooted_data.hpp"

/// What mock-ups of one operation share: its conventions (tests hold them against the operation's
/// own), its account and its data.

namespace hockney {

/// Where an element of a buffer is.
inline std::byte* at(void* buffer, std::int64_t elements, std::size_t extent) {
  return static_cast<std::byte*>(buffer) + static_cast<std::size_t>(elements) * extent;
}

/// What an operation's calls need to know beside the size.
struct Conventions {
  bool reduces = false;
  bool blocks = false;   ///< sizes are those of blocks
  bool divides = false;  ///< a size is divided among the ranks
  bool rooted = false;
};

/// What mock-ups share: the data of the operation whose work they do, so that both sides have the
/// same buffers and are checked alike. Memory of their own comes from auxiliary(), outside of the
/// timed region; what they copy in it is inside.
template <class Data, Conventions conventions = Conventions{}>
class Emulation {
 public:
  /// Of all ranks, timed to the last one, by the conventions of the operation whose work it does.
  static constexpr Descriptor describe(std::string_view name, std::string_view summary) {
    return {.name = name,
            .summary = summary,
            .counts = "the same bytes as the operation whose work it does",
            .shape = TeamShape::everybody,
            .timing = Timing::last_rank,
            .single = true,
            .reduces = conventions.reduces,
            .sizes = "the operation whose work it does",
            .blocks = conventions.blocks,
            .divides = conventions.divides,
            .rooted = conventions.rooted};
  }

  Emulation(const Context& context, const Point& point)
      : comm_(context.comm),
        rank_(context.rank),
        size_(context.size),
        extent_(message_of(point).type->extent),
        data_(context, point) {}

  void refill(std::uint64_t seed) { data_.refill(seed); }
  [[nodiscard]] bool verify(std::uint64_t seed) const { return data_.verify(seed); }

 protected:
  [[nodiscard]] static Buffer auxiliary(const Context& context, std::size_t bytes) {
    return context.buffers.draw({bytes}).front();
  }
  [[nodiscard]] std::size_t bytes(std::int64_t elements) const {
    return static_cast<std::size_t>(elements) * extent_;
  }
  void copy(const void* from, void* to, std::int64_t elements) const {
    std::memcpy(to, from, bytes(elements));
  }
  /// Elements of each rank's share of so many, rounded up.
  [[nodiscard]] int share(int elements) const { return (elements + size_ - 1) / size_; }

  MPI_Comm comm_;
  int rank_;
  int size_;
  std::size_t extent_;  ///< of an element [B]
  Data data_;
};

/// The parts of a vector in whole chunks of four elements: each rank as many as the others or one
/// more, and what is left over goes to the next rank.
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

class AllgatherEmulation : public Emulation<AllgatherData, Conventions{.blocks = true}> {
 public:
  static Account account(const Point& point) { return allgather_account(point); }
  using Emulation::Emulation;
};

class AllreduceEmulation : public Emulation<Reduction, Conventions{.reduces = true}> {
 public:
  static Account account(const Point& point) {
    return message_account(point, 2.0 * (point.ranks - 1) / point.ranks);
  }
  using Emulation::Emulation;
};

class BcastEmulation : public Emulation<BcastData, Conventions{.rooted = true}> {
 public:
  static Account account(const Point& point) {
    return message_account(point, point.ranks > 1 ? 1 : 0);
  }
  using Emulation::Emulation;
};

class ReduceEmulation
    : public Emulation<RootedReduction, Conventions{.reduces = true, .rooted = true}> {
 public:
  static Account account(const Point& point) {
    return message_account(point, point.ranks > 1 ? 1 : 0);
  }
  using Emulation::Emulation;
};

/// Gather and scatter: blocks with a root.
template <class Data>
class RootedEmulation : public Emulation<Data, Conventions{.blocks = true, .rooted = true}> {
 public:
  static Account account(const Point& point) { return rooted_account(point); }
  using Emulation<Data, Conventions{.blocks = true, .rooted = true}>::Emulation;
};

/// Every rank contributes a block for each rank, and receives its own.
class BlockReduction : public Reduction {
 public:
  BlockReduction(const Context& context, const Point& point)
      : Reduction(context, point, block_reduction(context, point)) {}
};

class ReduceScatterBlockEmulation
    : public Emulation<BlockReduction, Conventions{.reduces = true, .blocks = true}> {
 public:
  static Account account(const Point& point) { return allgather_account(point); }
  using Emulation::Emulation;
};

class ReduceScatterEmulation
    : public Emulation<ScatteredReduction, Conventions{.reduces = true, .divides = true}> {
 public:
  static Account account(const Point& point) { return reduce_scatter_account(point); }
  using Emulation::Emulation;
};

class ScanReduction : public Reduction {
 public:
  ScanReduction(const Context& context, const Point& point)
      : Reduction(context, point, scan_reduction(context, point)) {}
};

}  // namespace hockney
