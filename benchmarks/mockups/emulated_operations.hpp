#pragma once

#include <string_view>

#include "benchmarks/mockups/emulation.hpp"

/// What mock-ups of one operation share: its conventions (tests hold them against the operation's
/// own), its account and its data.
namespace hockney {

/// Of all ranks, timed to the last one.
constexpr Descriptor emulating(std::string_view name, std::string_view summary) {
  return {.name = name,
          .summary = summary,
          .counts = "the same bytes as the operation whose work it does",
          .shape = TeamShape::everybody,
          .timing = Timing::last_rank,
          .single = true,
          .sizes = "the operation whose work it does"};
}

class AllgatherEmulation : public Emulation<AllgatherData> {
 public:
  static constexpr Descriptor describe(std::string_view name, std::string_view summary) {
    Descriptor made = emulating(name, summary);
    made.blocks = true;
    return made;
  }
  static Account account(const Point& point) { return allgather_account(point); }
  using Emulation::Emulation;
};

class AllreduceEmulation : public Emulation<Reduction> {
 public:
  static constexpr Descriptor describe(std::string_view name, std::string_view summary) {
    Descriptor made = emulating(name, summary);
    made.reduces = true;
    return made;
  }
  static Account account(const Point& point) {
    return message_account(point, 2.0 * (point.ranks - 1) / point.ranks);
  }
  using Emulation::Emulation;
};

class BcastEmulation : public Emulation<BcastData> {
 public:
  static constexpr Descriptor describe(std::string_view name, std::string_view summary) {
    Descriptor made = emulating(name, summary);
    made.rooted = true;
    return made;
  }
  static Account account(const Point& point) {
    return message_account(point, point.ranks > 1 ? 1 : 0);
  }
  using Emulation::Emulation;
};

class ReduceEmulation : public Emulation<RootedReduction> {
 public:
  static constexpr Descriptor describe(std::string_view name, std::string_view summary) {
    Descriptor made = emulating(name, summary);
    made.reduces = true;
    made.rooted = true;
    return made;
  }
  static Account account(const Point& point) {
    return message_account(point, point.ranks > 1 ? 1 : 0);
  }
  using Emulation::Emulation;
};

/// Gather and scatter: blocks with a root.
template <class Data>
class RootedEmulation : public Emulation<Data> {
 public:
  static constexpr Descriptor describe(std::string_view name, std::string_view summary) {
    Descriptor made = emulating(name, summary);
    made.blocks = true;
    made.rooted = true;
    return made;
  }
  static Account account(const Point& point) { return rooted_account(point); }
  using Emulation<Data>::Emulation;
};

/// Every rank contributes a block for each rank, and receives its own.
class BlockReduction : public Reduction {
 public:
  BlockReduction(const Context& context, const Point& point)
      : Reduction(context, point, block_reduction(context, point)) {}
};

class ReduceScatterBlockEmulation : public Emulation<BlockReduction> {
 public:
  static constexpr Descriptor describe(std::string_view name, std::string_view summary) {
    Descriptor made = emulating(name, summary);
    made.reduces = true;
    made.blocks = true;
    return made;
  }
  static Account account(const Point& point) { return allgather_account(point); }
  using Emulation::Emulation;
};

class ReduceScatterEmulation : public Emulation<ScatteredReduction> {
 public:
  static constexpr Descriptor describe(std::string_view name, std::string_view summary) {
    Descriptor made = emulating(name, summary);
    made.reduces = true;
    made.divides = true;
    return made;
  }
  static Account account(const Point& point) { return reduce_scatter_account(point); }
  using Emulation::Emulation;
};

class ScanReduction : public Reduction {
 public:
  ScanReduction(const Context& context, const Point& point)
      : Reduction(context, point, scan_reduction(context, point)) {}
};

}  // namespace hockney
