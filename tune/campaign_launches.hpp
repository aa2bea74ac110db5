#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/record.hpp"
#include "tune/evidence.hpp"

namespace hockney::tune {

/// The launches of one campaign by setting.
struct CampaignLaunches {
  std::string name;
  std::string base;  ///< the default setting
  std::map<std::string, std::vector<Record>> settings;
};

/// Sorts complete launches by campaign and setting, and keeps of them the series that may be
/// evidence: timed in hockney's own way, with the parameters asked for, without flags that speak
/// against them, which are counted in `left_out`. Points lose their algorithm, which is what
/// settings differ in. InputError where there is no default setting or nothing at all.
std::vector<CampaignLaunches> campaign_launches(std::vector<Record> records,
                                                const EvidenceOptions& options,
                                                std::vector<LeftOut>& left_out);

}  // namespace hockney::tune
