#include "application/analysis/trace.hpp"

#include <algorithm>

#include "core/atomic_file.hpp"
#include "core/error.hpp"
#include "application/profile/part_facts.hpp"
#include "application/profile/part_places.hpp"

namespace hockney::applications {
namespace {

constexpr double nanosecond = 1e-9;

/// Rows of the part become those of the trace.
void rename(profile::Event& event, const profile::PartPlaces& places) {
  const auto row = [](const std::optional<int>& index) {
    return index ? static_cast<std::uint32_t>(*index) : profile::no_index;
  };
  event.communicator = row(places.communicator(event.communicator));
  event.site = row(places.site(event.site));
  event.region = row(places.region(event.region)) + 1U;
}

RankTrace rank_trace(const profile::Part& part, const profile::Facts& facts,
                     const std::string& file) {
  const profile::PartHeader& header = part.header;
  RankTrace rank{.rank = header.rank,
                 .host = facts.host.name,
                 .begin_seconds = static_cast<double>(header.begin_ns) * nanosecond,
                 .seconds = static_cast<double>(header.end_ns - header.begin_ns) * nanosecond,
                 .begin_ticks = header.begin_ticks,
                 .events = profile::events_of(part, file)};
  const auto ticks = static_cast<double>(header.end_ticks - header.begin_ticks);
  rank.seconds_per_tick = ticks > 0 ? rank.seconds / ticks : 0;
  return rank;
}

/// What differs between a log and the profile beside it; empty where nothing does.
std::string difference(const Trace& trace, const profile::Profile& profile) {
  const auto differs = [](const char* what, auto in_log, auto in_profile) {
    return std::string(what) + " " + std::to_string(in_log) + " in the log and " +
           std::to_string(in_profile) + " in the profile";
  };
  if (trace.world_ranks != profile.world_ranks) {
    return differs("ranks:", trace.world_ranks, profile.world_ranks);
  }
  if (!trace.identity.empty() && !profile.identity.empty() && trace.identity != profile.identity) {
    return "run " + trace.identity + " in the log and " + profile.identity + " in the profile";
  }
  // The profile of a program without a call has no log.
  const profile::EventLog log = profile.log.value_or(profile::EventLog());
  if (trace.logged != log.events) return differs("logged calls:", trace.logged, log.events);
  if (trace.not_logged != log.not_logged) {
    return differs("calls that are not logged:", trace.not_logged, log.not_logged);
  }
  return {};
}

}  // namespace

double Trace::seconds() const {
  double longest = 0;
  for (const RankTrace& rank : ranks) longest = std::max(longest, rank.seconds);
  return longest;
}

std::vector<std::string> Trace::hosts() const {
  std::vector<std::string> hosts;
  hosts.reserve(ranks.size());
  for (const RankTrace& rank : ranks) hosts.push_back(rank.host);
  return hosts;
}

Trace load_trace(const std::string& events_file) {
  const std::string bytes = read_file(events_file);
  const std::vector<profile::Part> parts = profile::read_parts(bytes, events_file);
  Trace trace;
  profile::PartPlaces places(trace.communicators, trace.sites, trace.regions);
  for (const profile::Part& part : parts) {
    const profile::Facts facts = profile::facts_of(part.facts, part.header.rank);
    trace.world_ranks = part.header.world_ranks;
    trace.identity = facts.identity;
    trace.logged = profile::capped_sum(trace.logged, part.header.events);
    trace.not_logged = profile::capped_sum(trace.not_logged, part.header.events_not_logged);
    if (part.lost_its_log()) continue;
    places.add(part);
    trace.ranks.push_back(rank_trace(part, facts, events_file));
    for (profile::Event& event : trace.ranks.back().events) rename(event, places);
  }
  std::ranges::sort(trace.ranks, {}, &RankTrace::rank);
  const auto same = std::ranges::adjacent_find(trace.ranks, {}, &RankTrace::rank);
  if (trace.ranks.empty() || same != trace.ranks.end()) {
    throw InputError({"'" + events_file + "' has no events to go by",
                      trace.ranks.empty() ? "it is empty" : "a rank is in it twice",
                      "record the program again, with --log"});
  }
  return trace;
}

Trace load_trace(const profile::Profile& profile, const std::string& profile_file) {
  const std::string file = profile::events_file(profile_file);
  Trace trace = load_trace(file);
  const std::string why = difference(trace, profile);
  if (why.empty()) return trace;
  throw ForeignLog({"'" + file + "' belongs to another run than '" + profile_file + "'", why,
                    "put the log beside its own profile, or remove it"});
}

}  // namespace hockney::applications
