#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "campaign/config.hpp"
#include "campaign/manifest.hpp"
#include "core/record.hpp"

namespace hockney::campaign {

/// Where configs are looked for by name, in this order: the working folder, those of
/// $HOCKNEY_CONFIGS (joined by ':'), and share/hockney/configs beside the folder of this program.
std::vector<std::string> config_folders();

/// The file of a config: `name` itself where it is the name of a file (it holds a '/', ends in
/// ".json", or is there), else the first <folder>/<name>.json. Names that configs had before are
/// understood, too. InputError naming the nearest config for what is in none of the folders.
std::string find_config(const std::string& name, const std::vector<std::string>& folders);

/// A config that can be named.
struct NamedConfig {
  std::string name;  ///< of its file
  std::string file;
  std::optional<Config> config;
  std::string problem;  ///< why it cannot be read; empty when it can
};

/// The configs of the folders in the order of their names; of one name that of the first folder.
/// Other documents are passed over.
std::vector<NamedConfig> named_configs(const std::vector<std::string>& folders);

/// How long a campaign takes, in words: its budget, or how many launches it makes; "-" where that
/// depends on what is found.
std::string expected_length(const Config& config);

/// The first clause of the description.
std::string summary_of(const Config& config);

/// "hops|quick": names of the configs that `takes` takes, for completion. Reads all of them.
std::string config_choice(const std::function<bool(const Config&)>& takes);

/// What takes turns in a campaign that verifies a selection file made of another campaign.
struct VerificationPlan {
  std::string base;                 ///< setting of the other campaign: the default
  std::vector<Setting> tuned;       ///< with the file; several where a launch takes a part of it
  std::vector<std::string> forced;  ///< further settings of the other campaign
  std::vector<std::string> operations;
  std::string sizes;  ///< as --sizes takes them
};

inline constexpr std::string_view default_side = "default";
inline constexpr std::string_view tuned_side = "tuned";     ///< or "tuned.1", ...
inline constexpr std::string_view forced_side = "forced-";  ///< before the setting's name

/// The same program, ranks, environment and launcher as in the other campaign, with as many
/// launches of each setting, and other sizes. InputError for a setting that it does not have.
Config verification_config(const Manifest& campaign, const VerificationPlan& plan);

/// A campaign of the same operations, sizes, ranks and parameters, timed in the same way, as
/// records of one program, such as imported ones. InputError where they have several numbers of
/// ranks.
Config config_like(std::span<const Record> records, const std::string& name);

/// A setting of the other campaign. InputError naming the nearest when there is none.
const Setting& setting_of(const Config& config, const std::string& name);

/// Arguments of an MPI executable without its choice of operations and sizes.
std::vector<std::string> without_workload(const std::vector<std::string>& arguments);

/// The campaign of `hockney self-test`, built in so that it is there wherever hockney is installed;
/// configs/self-test.json is the same for those who want to change it.
Config self_test_config();

}  // namespace hockney::campaign
