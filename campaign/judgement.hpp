#pragma once

#include "campaign/config.hpp"
#include "campaign/folder.hpp"
#include "campaign/manifest.hpp"
#include "campaign/remains.hpp"

namespace hockney {

/// How the record of an attempt stands, the proof of its settings included. Settings that were
/// ignored are in `attempt.ignored_settings`; by default they make the launch a failed one, whose
/// record goes to where those of interrupted attempts are (in attempt.remains), or else are flagged
/// in the record.
RecordCheck judge_record(const CampaignFolder& folder, IgnoredSettings policy, Attempt& attempt);

}  // namespace hockney
