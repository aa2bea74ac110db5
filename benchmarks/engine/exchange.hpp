#pragma once

#include <cstdint>
#include <optional>

#include "benchmarks/engine/offset.hpp"

namespace hockney {

/// How one participant of a synchronisation talks to the others, who are named by their numbers in
/// the tree. Times in ticks.
class Exchange {
 public:
  virtual ~Exchange() = default;

  /// The own clock.
  virtual std::int64_t now() = 0;
  /// Asks the parent for the global time; its answer was read between the call and its return.
  virtual std::int64_t ask(int parent) = 0;
  /// Ends the lesson. How far the parent's answers can be from the global time at most; nullopt
  /// when the parent does not know the time itself.
  virtual std::optional<std::int64_t> finish(int parent) = 0;
  /// Answers a child until it ends the lesson; `known` is the own offset from the global clock.
  virtual void teach(int child, const std::optional<Offset>& known) = 0;
};

}  // namespace hockney
