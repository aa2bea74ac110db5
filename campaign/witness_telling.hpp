#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "campaign/witnesses.hpp"
#include "core/witness.hpp"

namespace hockney {

/// What the launches of one setting have told so far: each tells of some points, until the library
/// ends it.
class WitnessTelling {
 public:
  /// `launcher_arguments` are of the setting too: a simulator's say what to run.
  explicit WitnessTelling(std::vector<std::string> launcher_arguments)
      : launcher_arguments_(std::move(launcher_arguments)) {}

  /// Adds what a launch that skipped `known()` points wrote and printed.
  void add(const Witness& witness, const std::string& log);
  /// Adds that a launch told nothing.
  void add_nothing(const std::string& log);

  /// Points that need no further launch.
  [[nodiscard]] std::size_t known() const { return told_.algorithms.size(); }
  [[nodiscard]] bool complete() const { return is_complete_; }
  [[nodiscard]] const SettingWitness& told() const { return told_; }

 private:
  void judge(const WitnessedPoint& point, const std::string& log);

  std::vector<std::string> launcher_arguments_;
  Witness witness_;
  SettingWitness told_;
  bool is_complete_ = false;
};

}  // namespace hockney
