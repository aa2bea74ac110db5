#pragma once

#include <map>
#include <string>

#include "campaign/verification_config.hpp"
#include "tune/app/tune_options.hpp"

namespace hockney {

/// The campaign that verifies a selection file.
struct VerifyingPlan {
  CampaignConfig config;
  std::string config_file;  ///< of the campaign that the file was made of
  Target target = Target::openmpi;
  std::string file;                               ///< absolute path
  std::string text;                               ///< of the file
  std::map<std::string, std::string> activation;  ///< puts it into force
  EvidenceOptions options;
  std::vector<TunedPoint> points;  ///< of the campaign
};

/// Reads the one campaign that results names and the file to verify. InputError when either is not
/// what it should be: our own readers are strict, where some libraries ignore what they cannot
/// read.
VerifyingPlan verifying_plan(const TuneCommand& command);

}  // namespace hockney
