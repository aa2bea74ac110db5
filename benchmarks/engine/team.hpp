#pragma once

#include <cstdint>
#include <span>

namespace hockney {

/// The ranks that run one operation together. Every member calls the same functions in the same
/// order; rank 0 of the team is its first rank.
class Team {
 public:
  virtual ~Team() = default;

  [[nodiscard]] virtual int rank() const = 0;
  [[nodiscard]] virtual int size() const = 0;
  virtual void barrier() = 0;
  /// An empty message to one rank of the team, and one from another.
  virtual void pass(int to, int from) = 0;
  /// The first rank's value, on every rank.
  virtual std::int64_t from_first(std::int64_t value) = 0;
  /// Element by element the largest value of any rank, on every rank.
  virtual void maximum(std::span<double> values) = 0;
};

}  // namespace hockney
