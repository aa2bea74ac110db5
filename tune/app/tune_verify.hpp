#pragma once

#include <vector>

#include "campaign/manifest.hpp"
#include "tune/app/verifying_plan.hpp"
#include "tune/verification.hpp"

namespace hockney {

/// What is known of the file having been in force in the launches of `tuned`: control variables
/// read back, the traffic of a probe of Open MPI, MPICH's own summary in the logs, the options of
/// simulated launches.
Effect proof_of_effect(const VerifyingPlan& plan, const CampaignRequest& request,
                       const Manifest& manifest, const std::vector<Record>& tuned);

}  // namespace hockney
