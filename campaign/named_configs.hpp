#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "campaign/config.hpp"

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

}  // namespace hockney::campaign
