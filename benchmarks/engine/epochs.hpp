#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hockney {

/// The indices 0 .. count-1 in the random order of one epoch; the same on every rank that gives the
/// same seed.
std::vector<std::size_t> epoch_order(std::size_t count, std::uint64_t seed, int epoch);

/// Decides after every epoch whether another one is due.
class EpochRule {
 public:
  /// Ends after `epochs` epochs if given; otherwise when the next epoch would overrun
  /// `budget_seconds`, but not before `fewest` epochs.
  EpochRule(std::optional<int> epochs, double budget_seconds, int fewest = 3);

  /// `elapsed_seconds` since measuring began, `done` epochs finished. nullopt: go on; otherwise why
  /// it ends.
  [[nodiscard]] std::optional<std::string> finished(double elapsed_seconds, int done) const;

 private:
  std::optional<int> epochs_;
  double budget_seconds_;
  int fewest_;
};

/// Whether a launch should look, after so many epochs, how well it knows its medians: after 8, and
/// then each time it has half as many more, since looking takes time itself.
bool is_time_to_look(int epochs);

}  // namespace hockney
