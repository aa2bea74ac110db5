#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "campaign/budget.hpp"
#include "campaign/manifest.hpp"
#include "campaign/witnesses.hpp"
#include "core/record.hpp"
#include "core/witness.hpp"

namespace hockney {

/// The document `hockney.algorithms/1`: what the witness of a setting found.
void save_witness(const std::string& setting, const SettingWitness& witness,
                  const std::string& file);

/// Strict, as records are.
SettingWitness load_witness(const std::string& file);

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

/// What is known of the algorithms that a simulator was told to run by options of its launcher
/// (--cfg=smpi/bcast:NAME), for the points of a record: what was asked for, and no proof. SMPI runs
/// the algorithm of the name, but some fall back to others, and it does not tell.
std::vector<AlgorithmUse> simulated_uses(const Record& record,
                                         const std::vector<std::string>& launcher_arguments);

/// What the attempts of a manifest say about the use of its budget.
BudgetUse budget_use(const Manifest& manifest, Seconds spent, int launches_left);

/// How long the rest of a campaign should take: what is left of the budget; without one, launches
/// to come take as long as those that were. nullopt before there are any.
std::optional<Seconds> expected_remaining(const Manifest& manifest, Seconds spent,
                                          int launches_left);

}  // namespace hockney
