#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "components/application/projection/projection.hpp"
#include "components/application/screens/scaling_report.hpp"
#include "driver/campaign/config.hpp"

namespace hockney::driver {

/// A kernel to measure at several numbers of ranks.
struct KernelRequest {
  std::string config;  ///< name or file of a config for hockney-halo or hockney-cannon
  std::vector<int> ranks;
  int launches = 0;                    ///< at each number of ranks
  std::string folder;                  ///< new folder of the campaign
  std::optional<std::string> problem;  ///< "64x64"; nullopt: the largest measured one
};

struct KernelScaling {
  std::string name;                             ///< "halo points=64x64"
  std::vector<projection::ScalingTime> times;   ///< of an iteration, with the fastest variant
  std::map<int, report::ScalingShares> shares;  ///< by number of ranks
  std::vector<std::string> doubts;
  std::string oversubscribed{};  ///< launches whose ranks share CPUs; empty: none
};

/// Whether the config runs one of the kernel programs.
bool is_of_kernel(const campaign::Config& config);

/// Results from the records of such a campaign.
KernelScaling kernel_scaling(const std::vector<Record>& records,
                             const std::optional<std::string>& problem);

/// Runs the config as a campaign over numbers of ranks. At each number the fastest variant counts,
/// by the median over launches, with computing after or during its messages. InputError if the
/// config runs another program, or lacks the problem.
KernelScaling scale_kernel(const KernelRequest& request);

}  // namespace hockney::driver
