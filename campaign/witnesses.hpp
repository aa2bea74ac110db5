#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "campaign/execution.hpp"
#include "campaign/folder.hpp"
#include "campaign/request.hpp"
#include "campaign/signal_watch.hpp"
#include "core/algorithm_use.hpp"
#include "core/record.hpp"

namespace hockney {

/// Whether witness launches tell which algorithms ran in a campaign: as its config says, or when a
/// setting says how a collective operation is done and the program is hockney-collectives.
bool wants_witness(const CampaignRequest& request);

/// The first witness launch of every setting, as a shell would run it; none where none is wanted.
std::vector<std::string> witness_commands(const CampaignRequest& request,
                                          const CampaignFolder& folder);

/// What is known of the algorithms of one setting.
struct SettingWitness {
  std::string library;
  std::string failure;  ///< why nothing is known; empty when something is
  int launches = 0;     ///< it took
  std::vector<AlgorithmUse> algorithms;
};

/// The witness launches of a campaign. Timed launches must not be disturbed, so which algorithm ran
/// is told by launches of their own with the same environment, one or a few for each setting, whose
/// findings are kept in the campaign's folder.
class Witnesses {
 public:
  /// Both must outlive it.
  Witnesses(const CampaignRequest& request, const CampaignFolder& folder)
      : request_(request), folder_(folder) {}

  /// Makes the launches that are lacking and reads the others back. A signal to end ends it early.
  /// RunError when a setting has no witness although the config wants one.
  void run(SignalWatch& signals, const CampaignObserver& observer);

  /// By setting.
  [[nodiscard]] const std::map<std::string, SettingWitness>& known() const { return known_; }

  /// Puts what is known of a setting into a complete record of it; whatever else is in the file, or
  /// if there is none, is left to others to judge. Where a witness failed, series are flagged.
  void inscribe(const std::string& setting, const std::string& record_file) const;

 private:
  /// What is known of the points of a record.
  [[nodiscard]] std::vector<AlgorithmUse> uses_of(const std::string& name,
                                                  const Record& record) const;
  /// nullopt when a signal to end came.
  std::optional<SettingWitness> witness_of(const Setting& setting, const std::string& program,
                                           SignalWatch& signals) const;

  const CampaignRequest& request_;
  const CampaignFolder& folder_;
  std::map<std::string, SettingWitness> known_;  ///< by setting
};

/// Makes the witness launches of a campaign that are lacking, and nothing else; the campaign can be
/// run later in the same folder, and keeps them. InputError when none are wanted.
std::map<std::string, SettingWitness> run_witnesses(const CampaignRequest& request,
                                                    const CampaignObserver& observer);

}  // namespace hockney
