#include "application/advice/advice.hpp"

#include <algorithm>
#include <map>

#include "core/text.hpp"

namespace hockney::advice {
namespace {

bool is_worth(const projection::Projection& found, double measured) {
  return found.why_not.empty() && found.effect == projection::Effect::faster &&
         found.range.high_seconds <= (1 - least_gain) * measured;
}

/// Of changes of one thing, in the order in which they are preferred where they gain alike, the one
/// to advise goes to `worth`.
void sort_in(const Run& run, const std::vector<Change>& changes, Findings& findings) {
  std::vector<Advice> found;
  double least = findings.seconds;
  for (const Change& change : changes) {
    found.push_back({change, run.projector.project(change.words, change.what_if)});
    projection::Projection& told = found.back().projection;
    if (!findings.placing.empty() && told.why_not.empty()) {
      told.effect = projection::Effect::cannot_tell;
      told.why_not = "ranks take turns on processors, which models do not know";
    }
    if (is_worth(told, findings.seconds)) least = std::min(least, told.seconds);
  }
  constexpr double nearly = 0.1;
  const double enough = least + nearly * (findings.seconds - least);
  bool is_advised = false;
  for (Advice& one : found) {
    const bool is_it = !is_advised && is_worth(one.projection, findings.seconds) &&
                       one.projection.seconds <= enough;
    is_advised |= is_it;
    (is_it ? findings.worth : findings.tried).push_back(std::move(one));
  }
}

}  // namespace

Findings find_advice(const Run& run) {
  Findings findings{.seconds = run.projector.measured_seconds(),
                    .worth = {},
                    .tried = {},
                    .placing = placing_faults(run.profile)};
  for (const auto& changes : eager_changes(run)) sort_in(run, changes, findings);
  for (const auto& changes : algorithm_changes(run)) sort_in(run, changes, findings);
  sort_in(run, mapping_changes(run), findings);
  std::ranges::stable_sort(findings.worth, {},
                           [](const Advice& one) { return one.projection.seconds; });
  return findings;
}

std::vector<std::string> placing_faults(const profile::Profile& profile) {
  std::map<std::pair<std::string, int>, std::vector<int>> alone;  // ranks with one processor
  for (const profile::Rank& rank : profile.ranks) {
    if (rank.cpus.size() == 1) alone[{rank.host, rank.cpus.front()}].push_back(rank.rank);
  }
  std::vector<std::string> faults;
  for (const auto& [place, ranks] : alone) {
    if (ranks.size() < 2) continue;
    faults.push_back("ranks " + join_numbers(ranks, ", ") + " share processor " +
                     std::to_string(place.second) + " of " + inert(place.first) +
                     ", and no other may run them: bind each to one of its own");
  }
  for (const Host& host : profile.provenance.hosts) {
    const auto ranks = std::ranges::count(profile.ranks, host.name, &profile::Rank::host);
    if (host.cpus == 0 || ranks <= host.cpus) continue;
    faults.push_back(std::to_string(ranks) + " ranks on the " + std::to_string(host.cpus) +
                     " processors of " + inert(host.name) +
                     ": they take turns, which models do not know");
  }
  return faults;
}

}  // namespace hockney::advice
