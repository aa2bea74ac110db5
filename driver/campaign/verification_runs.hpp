#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/algorithm_use.hpp"
#include "core/record.hpp"
#include "driver/campaign/execution.hpp"
#include "driver/campaign/manifest.hpp"
#include "driver/campaign/outcome.hpp"
#include "driver/campaign/request.hpp"
#include "driver/campaign/subprocess.hpp"

namespace hockney::campaign {

/// The algorithms of one setting, as far as known.
struct SettingAlgorithms {
  std::string library;
  std::string failure;  ///< why nothing is known; empty when something is
  /// Variables that the verification launches set besides those that count; mostly none.
  std::map<std::string, std::string> changed;
  int launches = 0;  ///< it took
  std::vector<AlgorithmUse> algorithms;
};

/// Strict, as records are.
SettingAlgorithms load_setting_algorithms(const std::string& file);

/// Whether a campaign has verification runs, which determine the algorithms. The config decides; by
/// default, if a setting chooses a collective's algorithm and the program is hockney-collectives.
bool wants_verification(const Request& request);

/// The first verification run of every setting, as shell commands; empty without verification.
std::vector<std::string> verification_commands(const Request& request, const Folder& folder);

/// The verification runs of a campaign. Timed launches must not be disturbed. So separate launches
/// with the same environment determine the algorithms, one or a few for each setting. Their
/// findings are kept in the campaign's folder.
class VerificationRuns {
 public:
  /// Both arguments must outlive the object.
  VerificationRuns(const Request& request, const Folder& folder)
      : request_(request), folder_(folder) {}

  /// Makes the missing launches and reads the results of the others. A signal to end ends it early.
  /// RunError if a setting's algorithms stay unknown although the config requires verification.
  void run(SignalWatch& signals, const CampaignObserver& observer);

  /// By setting.
  [[nodiscard]] const std::map<std::string, SettingAlgorithms>& known() const { return known_; }

  /// Writes a setting's algorithms into a complete record, which the caller saves. Flags the series
  /// if the verification failed.
  void add_algorithm_use(const std::string& setting, LaunchRecord& launch) const;

 private:
  /// The known algorithms of the points of a record.
  [[nodiscard]] std::vector<AlgorithmUse> uses_of(const std::string& name,
                                                  const Record& record) const;
  /// nullopt after a signal to end.
  std::optional<SettingAlgorithms> verify(const Setting& setting, const std::string& program,
                                          SignalWatch& signals) const;

  const Request& request_;
  const Folder& folder_;
  std::map<std::string, SettingAlgorithms> known_;  ///< by setting
};

/// Makes only the missing verification runs of a campaign. A later run of the campaign in the same
/// folder keeps them. InputError if the campaign has no verification.
std::map<std::string, SettingAlgorithms> run_verification(const Request& request,
                                                          const CampaignObserver& observer);

}  // namespace hockney::campaign
