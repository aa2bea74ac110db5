#pragma once

#include <string>
#include <vector>

#include "application/profile/profile.hpp"
#include "application/screens/profile_report.hpp"

namespace hockney::apps {

/// Call sites by the debugging information of their modules.
struct NamedSites {
  std::vector<report::SiteName> names;  ///< one for each site of the profile
  std::vector<std::string> doubts;      ///< modules that are not what they were, inert
};

/// Asks addr2line (binutils), once for each module that is still there and was not written after
/// the profile; sites without a name have empty texts. RunError when a signal to end came
/// meanwhile.
NamedSites name_sites(const profile::Profile& profile);

/// What `addr2line -a -f` printed, for each address that it was asked about: "exchange" and
/// "poisson.c:52", empty where it does not know.
std::vector<report::SiteName> read_addr2line(const std::string& output);

}  // namespace hockney::apps
