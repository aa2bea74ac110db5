#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/algorithm_use.hpp"
#include "core/record.hpp"
#include "core/verification_run.hpp"

namespace hockney::campaign {

/// What is known of the algorithms of one setting.
struct SettingAlgorithms {
  std::string library;
  std::string failure;  ///< why nothing is known; empty when something is
  int launches = 0;     ///< it took
  std::vector<AlgorithmUse> algorithms;
};

/// The document `hockney.algorithms/1`.
void save_setting_algorithms(const std::string& setting, const SettingAlgorithms& known,
                             const std::string& file);

/// Strict, as records are.
SettingAlgorithms load_setting_algorithms(const std::string& file);

/// Collects what the verification runs of one setting show: each shows some points, until the
/// library ends it.
class AlgorithmFindings {
 public:
  /// `launcher_arguments` are of the setting too: a simulator's say what to run.
  explicit AlgorithmFindings(std::vector<std::string> launcher_arguments)
      : launcher_arguments_(std::move(launcher_arguments)) {}

  /// Adds what a run that skipped `known()` points wrote and printed.
  void add(const VerificationRun& verification, const std::string& log);
  /// Adds a run that wrote nothing.
  void add_failed(const std::string& log);

  /// Points that need no further run.
  [[nodiscard]] std::size_t known() const { return found_.algorithms.size(); }
  [[nodiscard]] bool complete() const { return is_complete_; }
  [[nodiscard]] const SettingAlgorithms& found() const { return found_; }

 private:
  void judge(const VerificationPoint& point, const std::string& log);

  std::vector<std::string> launcher_arguments_;
  VerificationRun verification_;
  SettingAlgorithms found_;
  bool is_complete_ = false;
};

/// What is known of the algorithms that a simulator was told to run by options of its launcher
/// (--cfg=smpi/bcast:NAME), for the points of a record: what was asked for, and no proof. SMPI runs
/// the algorithm of the name, but some fall back to others, and it does not tell.
std::vector<AlgorithmUse> simulated_uses(const Record& record,
                                         const std::vector<std::string>& launcher_arguments);

}  // namespace hockney::campaign
