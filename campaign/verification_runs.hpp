#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "campaign/execution.hpp"
#include "campaign/manifest.hpp"
#include "campaign/outcome.hpp"
#include "campaign/request.hpp"
#include "campaign/subprocess.hpp"
#include "core/algorithm_use.hpp"
#include "core/record.hpp"

namespace hockney::campaign {

/// What is known of the algorithms of one setting.
struct SettingAlgorithms {
  std::string library;
  std::string failure;  ///< why nothing is known; empty when something is
  /// Variables that the verification launches set besides those that count; mostly none.
  std::map<std::string, std::string> changed;
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
  /// Names a variable that the following runs set.
  void change(const std::string& variable, const std::string& value);
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

/// Whether a campaign has verification runs, which find out which algorithms ran: as its config
/// says, or when a setting says how a collective operation is done and the program is
/// hockney-collectives.
bool wants_verification(const Request& request);

/// The first verification run of every setting, as a shell would run it; none where none is wanted.
std::vector<std::string> verification_commands(const Request& request, const Folder& folder);

/// The verification runs of a campaign. Timed launches must not be disturbed, so which algorithm
/// ran is found by launches of their own with the same environment, one or a few for each setting,
/// whose findings are kept in the campaign's folder.
class VerificationRuns {
 public:
  /// Both must outlive it.
  VerificationRuns(const Request& request, const Folder& folder)
      : request_(request), folder_(folder) {}

  /// Makes the launches that are lacking and reads the others back. A signal to end ends it early.
  /// RunError when nothing is known of a setting although the config wants it.
  void run(SignalWatch& signals, const CampaignObserver& observer);

  /// By setting.
  [[nodiscard]] const std::map<std::string, SettingAlgorithms>& known() const { return known_; }

  /// Puts what is known of a setting into a complete record of it, which is the caller's to save.
  /// Where its verification failed, series are flagged.
  void inscribe(const std::string& setting, LaunchRecord& launch) const;

 private:
  /// What is known of the points of a record.
  [[nodiscard]] std::vector<AlgorithmUse> uses_of(const std::string& name,
                                                  const Record& record) const;
  /// nullopt when a signal to end came.
  std::optional<SettingAlgorithms> verify(const Setting& setting, const std::string& program,
                                          SignalWatch& signals) const;

  const Request& request_;
  const Folder& folder_;
  std::map<std::string, SettingAlgorithms> known_;  ///< by setting
};

/// Makes the verification runs of a campaign that are lacking, and nothing else; the campaign can
/// be run later in the same folder, and keeps them. InputError when none are wanted.
std::map<std::string, SettingAlgorithms> run_verification(const Request& request,
                                                          const CampaignObserver& observer);

}  // namespace hockney::campaign
