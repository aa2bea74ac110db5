#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <sstream>
#include <utility>
#include <vector>

#include "core/cpu_sharing.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "application/screens/profile_report.hpp"

namespace hockney::report {
namespace {

/// What speaks against holding a program against limits that other launches found.
std::vector<std::string> doubts_about(const profile::Profile& profile,
                                      std::span<const Record> records) {
  const std::string own = library_name(profile.provenance.mpi.library);
  Names others;
  for (const Record& record : records) {
    const std::string library = library_name(record.provenance.mpi.library);
    if (!record.protocols.empty() && library != own) others.add(library);
  }
  if (others.empty()) return {};
  return {"the eager limits are those of " + others.text() + ", the program ran under " +
          inert(own)};
}

std::string hexadecimal(std::int64_t number) {
  std::ostringstream text;
  text << std::hex << number;
  return text.str();
}

}  // namespace

ProfileView view_of(profile::Profile profile, const std::string& file,
                    std::span<const Record> records) {
  ProfileView view;
  view.file = file;
  view.split = applications::time_split(profile);
  view.by_rank = applications::message_matrix(profile);
  view.nodes = applications::nodes_of(profile);
  view.by_node = fused(view.by_rank, view.nodes);
  view.pattern = find_pattern(view.by_rank);
  view.price = applications::recording_price(profile);
  const auto limits = applications::eager_limits(records);
  view.limits = limit_uses(profile, limits);
  if (!limits.empty()) view.doubts = doubts_about(profile, records);
  if (!limits.empty() && view.limits.empty()) {
    view.doubts.emplace_back("no message went as far as the eager limits are known");
  }
  view.profile = std::move(profile);
  return view;
}

std::vector<std::optional<int>> sites_of_trace(const ProfileView& view,
                                               const applications::Trace& trace) {
  std::map<std::pair<std::string, std::int64_t>, int> known;
  for (std::size_t i = 0; i < view.profile.sites.size(); ++i) {
    const profile::Site& site = view.profile.sites[i];
    known[{site.module, site.offset}] = static_cast<int>(i);
  }
  std::vector<std::optional<int>> sites;
  for (const profile::Site& site : trace.sites) {
    const auto found = known.find({site.module, site.offset});
    sites.push_back(found == known.end() ? std::nullopt : std::optional(found->second));
  }
  return sites;
}

void add_replay(ProfileView& view, const applications::TraceAnalysis& run,
                std::span<const Record> records) {
  try {
    view.replay = split_by_replay(run, applications::eager_limits(records),
                                  view.profile.provenance.environment);
  } catch (const Error& error) {
    view.doubts.emplace_back(error.what());
    return;
  }
  const applications::Trace& trace = run.trace();
  const auto sites = sites_of_trace(view, trace);
  const auto rename_region = [&](std::optional<int>& region) {
    if (!region) return;
    const std::string& name = trace.regions[static_cast<std::size_t>(*region)].name;
    const auto found = std::ranges::find(view.profile.regions, name, &profile::Region::name);
    region = static_cast<int>(found - view.profile.regions.begin());
  };
  for (applications::SiteSplit& split : view.replay->sites) {
    if (split.site) split.site = sites[static_cast<std::size_t>(*split.site)];
    rename_region(split.region);
  }
  for (applications::RegionSplit& split : view.replay->regions) rename_region(split.region);
  view.clock_waits = wait_states(trace, run.matching(), run.clocks());
  std::ranges::copy(view.replay->notes, std::back_inserter(view.doubts));
}

applications::Efficiencies efficiencies_of(const ProfileView& view) {
  applications::Efficiencies found = view.split.efficiencies();
  if (!view.replay) return found;
  found.serialisation = view.replay->serialisation();
  found.transfer = view.replay->transfer();
  return found;
}

std::string site_text(const ProfileView& view, const std::optional<int>& site) {
  if (!site) return "-";
  const auto index = static_cast<std::size_t>(*site);
  const profile::Site& found = view.profile.sites.at(index);
  const SiteName name = index < view.site_names.size() ? view.site_names[index] : SiteName{};
  const std::string function = name.function.empty() ? found.function : name.function;
  const std::string module = std::filesystem::path(found.module).filename().string();
  const std::string place =
      name.place.empty() ? module + "+0x" + hexadecimal(found.offset) : name.place;
  return inert(function.empty() ? place : function + " (" + place + ")");
}

std::string oversubscription_text(std::span<const profile::Profile> profiles) {
  std::map<CpuSharing, std::size_t> sharing;
  for (const profile::Profile& profile : profiles) {
    std::vector<RankPlace> places;
    for (const profile::Rank& rank : profile.ranks) {
      places.push_back(
          {.rank = rank.rank, .host = rank.host, .asked_cpu = {}, .actual_cpus = rank.cpus});
    }
    if (const auto found = cpu_sharing(places)) ++sharing[*found];
  }
  return hockney::oversubscription_text(sharing, profiles.size());
}

}  // namespace hockney::report
