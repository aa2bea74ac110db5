#include "components/application/commands/site_names.hpp"

#include <sys/stat.h>

#include <fmt/format.h>
#include <algorithm>
#include <filesystem>
#include <map>
#include <numeric>
#include <sstream>
#include <string_view>

#include "core/quantities.hpp"
#include "core/text.hpp"
#include "driver/campaign/launch_command.hpp"
#include "driver/campaign/subprocess.hpp"

namespace hockney::driver {
namespace {

constexpr Seconds limit_of_naming{120};
constexpr std::string_view unknown = "??";

enum class ModuleState { unchanged, changed, gone };

ModuleState state_of(const std::string& module, const std::string& written_utc) {
  struct stat status {};
  const bool is_there = ::stat(module.c_str(), &status) == 0 && S_ISREG(status.st_mode);
  if (!is_there || !campaign::is_elf(module)) return ModuleState::gone;
  return utc_text(status.st_mtime) > written_utc ? ModuleState::changed : ModuleState::unchanged;
}

/// "poisson.c:52" from "/src/poisson.c:52 (discriminator 3)".
std::string place_of(const std::string& line) {
  const std::string place = line.substr(0, line.find(" ("));
  const std::size_t colon = place.rfind(':');
  if (place.starts_with(unknown) || colon == std::string::npos) return {};
  const std::string file = std::filesystem::path(place.substr(0, colon)).filename().string();
  const auto number = as_number<int>(place.substr(colon + 1));
  return number && *number > 0 ? fmt::format("{}:{}", file, *number) : std::string();
}

/// Parses the output of `addr2line -a -f`. For each address: "exchange" and "poisson.c:52"; empty
/// texts if unknown.
std::vector<report::SiteName> read_addr2line(const std::string& output) {
  std::vector<report::SiteName> names;
  std::istringstream lines(output);
  int after_address = 0;  // lines
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("0x")) {
      names.emplace_back();
      after_address = 0;
      continue;
    }
    const bool is_complaint = line.find("addr2line: ") != std::string::npos;
    if (names.empty() || is_complaint) continue;
    ++after_address;
    if (after_address == 1 && line != unknown) names.back().function = line;
    if (after_address == 2) names.back().place = place_of(line);
  }
  return names;
}

}  // namespace

NamedSites name_sites(const profile::Profile& profile, const std::vector<std::size_t>& sites) {
  NamedSites named;
  named.names.resize(profile.sites.size());
  std::map<std::string, std::vector<std::size_t>> modules;
  for (const std::size_t site : sites) modules[profile.sites[site].module].push_back(site);
  const auto tool = campaign::find_executable("addr2line", campaign::path_folders());
  for (const auto& [module, of_module] : modules) {
    const ModuleState state = state_of(module, profile.written_utc);
    if (state == ModuleState::changed) {
      named.doubts.push_back(fmt::format(
          "'{}' was written after the profile: its call sites are not named", escaped(module)));
    }
    if (!tool || state != ModuleState::unchanged) continue;
    std::vector<std::string> command{*tool, "-a", "-f", "-C", "--exe=" + module};
    for (const std::size_t site : of_module) {
      const std::int64_t inside_the_call = profile.sites[site].offset - 1;
      command.push_back(fmt::format("{:#x}", std::max<std::int64_t>(0, inside_the_call)));
    }
    const auto found = read_addr2line(campaign::capture({command, {}}, limit_of_naming).output);
    if (found.size() != of_module.size()) continue;
    for (std::size_t i = 0; i < of_module.size(); ++i) named.names[of_module[i]] = found[i];
  }
  return named;
}

NamedSites name_sites(const profile::Profile& profile) {
  std::vector<std::size_t> all(profile.sites.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return name_sites(profile, all);
}

}  // namespace hockney::driver
