#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "application/projection/projection.hpp"
#include "application/screens/comparison_report.hpp"
#include "campaign/config.hpp"

namespace hockney::apps {

/// A kernel that is to be measured at several numbers of ranks.
struct KernelRequest {
  std::string config;  ///< its name or file; of hockney-halo or hockney-cannon
  std::vector<int> ranks;
  int launches = 0;                    ///< at each number of ranks
  std::string folder;                  ///< of the campaign, new
  std::optional<std::string> problem;  ///< "64x64"; nullopt: the largest that is measured
};

struct KernelScaling {
  std::string name;                             ///< "halo points=64x64"
  std::vector<projection::ScalingTime> times;   ///< of an iteration, by the fastest way
  std::map<int, report::ScalingShares> shares;  ///< by ranks
  std::vector<std::string> doubts;
  std::string oversubscribed{};  ///< launches whose ranks share CPUs; empty: none
};

/// Runs the config as a campaign with an axis of ranks. At each number of ranks the way counts that
/// is the fastest in the median over launches, of computing after its messages and meanwhile.
/// InputError for a config of another program, and for a problem that is not measured.
KernelScaling scale_kernel(const KernelRequest& request);

/// Whether the config is of a program that scale_kernel runs.
bool is_of_kernel(const campaign::Config& config);

/// What records of such a campaign say.
KernelScaling kernel_scaling(const std::vector<Record>& records,
                             const std::optional<std::string>& problem);

}  // namespace hockney::apps
