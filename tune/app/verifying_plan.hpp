#pragma once

#include <map>
#include <string>

#include "campaign/derived_config.hpp"
#include "campaign/request.hpp"
#include "tune/app/tune_options.hpp"
#include "tune/verification.hpp"

namespace hockney::tune {

/// The campaign that verifies a selection file.
struct VerifyingPlan {
  campaign::Config config;
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
VerifyingPlan verifying_plan(const Command& command);

/// Whether Open MPI decides by the file: one short launch each by the file, with the algorithm that
/// the file names forced, and by default, of the largest message that the file chooses an algorithm
/// for, with the bytes between ranks counted by pml_monitoring. The file is proven when its launch
/// moves bytes as the forced one does and not as the default does; Open MPI takes a file wholly or
/// not at all. `request` is that of the verification; logs are in its folder, under `probe`.
Effect probe_traffic(const VerifyingPlan& plan, const campaign::Request& request);

}  // namespace hockney::tune
