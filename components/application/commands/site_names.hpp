#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "components/application/profile/profile.hpp"
#include "components/application/screens/profile_report.hpp"

namespace hockney::driver {

/// Names of call sites from the debugging information of their modules.
struct NamedSites {
  std::vector<report::SiteName> names;  ///< one for each site of the profile
  std::vector<std::string> doubts;      ///< modules that have changed, escaped
};

/// Names call sites with addr2line (binutils), once per module. Skips modules that are missing, or
/// newer than the profile; sites without a name have empty texts. RunError if a signal to end
/// arrives.
NamedSites name_sites(const profile::Profile& profile);

/// The same for some sites: indices into the profile's sites.
NamedSites name_sites(const profile::Profile& profile, const std::vector<std::size_t>& sites);

}  // namespace hockney::driver
