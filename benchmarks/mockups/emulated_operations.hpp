#pragma once

#include "benchmarks/mockups/emulation.hpp"

/// What mock-ups of one operation share: its conventions (tests hold them against the operation's
/// own), its account and its data.
namespace hockney {

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
