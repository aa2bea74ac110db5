#pragma once

#include "campaign/config.hpp"

namespace hockney {

/// The campaign of `hockney self-test`, built in so that it is there wherever hockney is installed;
/// configs/self-test.json is the same for those who want to change it.
CampaignConfig self_test_config();

}  // namespace hockney
