#pragma once

#include <span>
#include <string>
#include <vector>

#include "campaign/config.hpp"
#include "campaign/manifest.hpp"
#include "core/record.hpp"

namespace hockney::campaign {

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
