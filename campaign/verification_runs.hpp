#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "campaign/execution.hpp"
#include "campaign/folder.hpp"
#include "campaign/launch_records.hpp"
#include "campaign/request.hpp"
#include "campaign/setting_algorithms.hpp"
#include "campaign/signal_watch.hpp"
#include "core/record.hpp"

namespace hockney::campaign {

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
