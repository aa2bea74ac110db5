#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/record.hpp"
#include "driver/campaign/config.hpp"
#include "driver/campaign/manifest.hpp"

namespace hockney::campaign {

/// The folders of configs, in order of search: the working folder, the folders in $HOCKNEY_CONFIGS
/// (separated by ':'), and share/hockney/configs next to the program's folder.
std::vector<std::string> config_folders();

/// The file of a config, as find_config; nullopt if there is none.
std::optional<std::string> known_config(const std::string& name,
                                        const std::vector<std::string>& folders);

/// The file of a config. `name` itself if it has a '/', ends in ".json" or exists as a file; else
/// the first <folder>/<name>.json. Former names of configs are accepted. InputError with the
/// nearest name if no folder has the config.
std::string find_config(const std::string& name, const std::vector<std::string>& folders);

/// The names of the configs of the folders, sorted.
std::vector<std::string> config_names(const std::vector<std::string>& folders);

/// A config that can be named.
struct NamedConfig {
  std::string name;  ///< of its file
  std::optional<Config> config;
  std::string problem;  ///< why it cannot be read; empty when it can
};

/// The configs of the folders, sorted by name. If two folders have the same name, the first one
/// counts. Skips other documents.
std::vector<NamedConfig> named_configs(const std::vector<std::string>& folders);

/// Length of a campaign as text: its budget or its number of launches; "-" if the results decide.
std::string expected_length(const Config& config);

/// The first clause of the description.
std::string summary_of(const Config& config);

/// "hops|quick": names of the configs that `takes` accepts, for completion. Reads all of them.
std::string config_choice(const std::function<bool(const Config&)>& takes);

/// Settings of a campaign that verifies a selection file, made from the results of another
/// campaign.
struct VerificationPlan {
  std::string base;                 ///< setting of the other campaign: the default
  Setting tuned;                    ///< with the file
  std::vector<std::string> forced;  ///< further settings of the other campaign
  std::vector<std::string> operations;
  std::string sizes;  ///< as --sizes takes them
};

inline constexpr std::string_view default_side = "default";
inline constexpr std::string_view tuned_side = "tuned";
inline constexpr std::string_view forced_side = "forced-";  ///< before the setting's name

/// A config with the program, ranks, environment, launcher and number of launches of the other
/// campaign, and the plan's sizes. InputError if the plan names an unknown setting.
Config verification_config(const Manifest& campaign, const VerificationPlan& plan);

/// A config that repeats the records of one program, such as imported ones: same operations, sizes,
/// ranks, parameters and timing. InputError if the records differ in the number of ranks.
Config config_like(std::span<const Record> records, const std::string& name);

/// A setting of the other campaign. InputError with the nearest name if it does not exist.
const Setting& setting_of(const Config& config, const std::string& name);

/// Arguments of an MPI executable without those that choose operations and sizes.
std::vector<std::string> without_workload(const std::vector<std::string>& arguments);

/// The campaign of `hockney self-test`, built in so that every installation has it.
Config self_test_config();

}  // namespace hockney::campaign
