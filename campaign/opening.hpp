#pragma once

#include "campaign/folder.hpp"
#include "campaign/manifest.hpp"
#include "campaign/request.hpp"

namespace hockney {

/// The manifest a campaign starts from: a fresh one, or that of the folder when it is to be
/// resumed. The folder must be locked. InputError when the folder is used and `resume` is not set,
/// or when the config, the ranks or the seed differ from those of the campaign in the folder. A
/// driver that was killed leaves an attempt `running`; it is closed here and its remains kept.
Manifest open_manifest(const CampaignRequest& request, const CampaignFolder& folder);

}  // namespace hockney
