#pragma once

#include "campaign/request.hpp"
#include "tune/app/verifying_plan.hpp"
#include "tune/verification.hpp"

namespace hockney {

/// Whether Open MPI decides by the file: one short launch each by the file, with the algorithm that
/// the file names forced, and by default, of the largest message that the file chooses an algorithm
/// for, with the bytes between ranks counted by pml_monitoring. The file is proven when its launch
/// moves bytes as the forced one does and not as the default does; Open MPI takes a file wholly or
/// not at all. `request` is that of the verification; logs are in its folder, under `probe`.
Effect probe_traffic(const VerifyingPlan& plan, const CampaignRequest& request);

}  // namespace hockney
