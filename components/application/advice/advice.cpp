#include "components/application/advice/advice.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <bit>
#include <map>
#include <ranges>
#include <set>
#include <string_view>

#include "components/application/analysis/mapping.hpp"
#include "components/tune/open_mpi_algorithms.hpp"
#include "core/collectives.hpp"
#include "core/error.hpp"
#include "core/settings.hpp"
#include "core/text.hpp"

namespace hockney::advice {
namespace {

/// Sentences about settings and places.
namespace words {

constexpr std::string_view ranks_take_turns =
    "ranks take turns on processors, which models do not know";
constexpr std::string_view same_processor =
    "ranks {} share processor {} of {}, and no other may run them: bind each to one of its own";
constexpr std::string_view too_many_ranks =
    "more ranks than processors on {}, {} on {}: they take turns, which models do not know";
constexpr std::string_view placed_as_requested =
    "launches with ranks where they should be: {} of {}";
constexpr std::string_view effective = "the library reports it as effective";

}  // namespace words

using applications::EagerLimits;

/// Powers of two for a variable that make messages of these sizes eager [B].
std::set<std::int64_t> values_for(const std::vector<std::int64_t>& sizes, std::int64_t limit,
                                  std::int64_t header) {
  constexpr std::int64_t most = std::int64_t{4}
                                << 20;  // beyond it, copies cost more than they save
  std::set<std::int64_t> values;
  for (const std::int64_t bytes : sizes) {
    if (bytes <= limit || bytes + header > most) continue;
    values.insert(
        static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(bytes + header))));
  }
  return values;
}

/// Of several variables that state the limit, the general one has the shortest name.
std::pair<std::string, std::int64_t> stating_variable(const EagerLimits& limits) {
  return *std::ranges::min_element(limits.header_bytes, {},
                                   [](const auto& one) { return one.first.size(); });
}

std::vector<Change> changes_of(const Run& run, const EagerLimits& limits) {
  const std::int64_t in_force = run.machine.limits().of(limits.reach).eager;
  const bool is_stated = !limits.header_bytes.empty();
  const auto [variable, header] =
      is_stated ? stating_variable(limits) : std::pair<std::string, std::int64_t>{"", 0};
  std::vector<Change> changes;
  for (const std::int64_t value :
       values_for(run.projector.message_sizes(limits.reach), in_force, header)) {
    Change change{.words = fmt::format("eager limit {} B {}", value - header, word(limits.reach)),
                  .variables = {},
                  .what_if = {.eager_limit_bytes = value - header, .eager_reach = limits.reach}};
    if (is_stated) {
      change.variables[environment_name({.name = variable})] = std::to_string(value);
    }
    changes.push_back(std::move(change));
  }
  return changes;
}

/// Higher eager limits for messages above the current one, for each reach, ascending. Values of the
/// library's variable are powers of two: message plus header, rounded up.
std::vector<std::vector<Change>> eager_changes(const Run& run) {
  std::vector<std::vector<Change>> changes;
  for (const EagerLimits& limits : run.machine.found_limits()) {
    changes.push_back(changes_of(run, limits));
  }
  return changes;
}

/// The mapping with the least bytes between nodes; empty if the run has it already.
std::vector<Change> mapping_changes(const Run& run) {
  const applications::Nodes nodes = applications::nodes_of(run.profile);
  if (nodes.size() < 2 || nodes.known < nodes.size()) return {};
  const applications::MappingAdvice found =
      applications::find_mapping(applications::message_matrix(run.profile), nodes);
  if (!found.is_change()) return {};
  Change change{.words = "ranks on nodes: " + found.best.how, .variables = {}, .what_if = {}};
  for (const int node : found.best.of_rank) {
    change.what_if.hosts.push_back(nodes.names[static_cast<std::size_t>(node)]);
  }
  return {change};
}

bool is_open_mpi(const profile::Profile& profile) {
  return profile.provenance.mpi.library.starts_with("Open MPI");
}

/// The models' name of a variable's value. nullopt if they have none, or if the value leaves the
/// choice to the library.
std::optional<std::string> named_algorithm(const std::string& operation, const std::string& value,
                                           bool is_open) {
  const auto number = as_number<int>(value);
  if (number && (*number == 0 || !is_open)) return std::nullopt;
  const std::string name = number ? tune::open_mpi_name(operation, *number) : value;
  const std::string canonical = schedules::canonical_algorithm(operation, name);
  return schedules::has_algorithm(operation, canonical) ? std::optional(canonical) : std::nullopt;
}

/// Variables that force an algorithm; empty if the library has none.
std::map<std::string, std::string> variables_for(const Run& run, const std::string& operation,
                                                 const std::string& algorithm) {
  if (!is_open_mpi(run.profile)) return {};
  const auto names = tune::open_mpi_algorithms(operation);
  const auto found = std::ranges::find_if(names, [&](std::string_view name) {
    return schedules::canonical_algorithm(operation, std::string(name)) == algorithm;
  });
  if (found == names.end()) return {};
  return {{"OMPI_MCA_coll_tuned_use_dynamic_rules", "1"},
          {algorithm_variable(Library::open_mpi, operation),
           std::to_string(found - names.begin() + 1)}};
}

/// Algorithms with measured times; empty without times of the library's own choice.
std::set<std::string> measured_algorithms(const collectives::Fits& fits,
                                          const std::string& operation) {
  std::set<std::string> measured;
  bool is_own_measured = false;
  for (const collectives::Fit& fit : fits.fits) {
    const collectives::Curve& curve = fit.curve;
    if (curve.operation != operation) continue;
    if (curve.requested.value_or("default") == "default") {
      is_own_measured = true;
    } else {
      measured.insert(*curve.requested);
    }
  }
  return is_own_measured ? measured : std::set<std::string>{};
}

/// Algorithms for each collective of the program, if the library has variables to force them.
/// Includes those with measured times, if the library's own choice was measured, too. If the
/// environment forces one, includes all others.
std::vector<std::vector<Change>> algorithm_changes(const Run& run) {
  const projection::ForcedAlgorithms forced = algorithms_in_force(run.profile);
  std::vector<std::vector<Change>> all;
  for (const std::string& operation : run.projector.operations()) {
    const auto in_force = forced.find(operation);
    std::set<std::string> names = measured_algorithms(run.machine.collectives(), operation);
    if (in_force != forced.end()) {
      const auto known = schedules::algorithms_of(operation);
      names.insert(known.begin(), known.end());
      names.erase(in_force->second);
    }
    std::vector<Change> changes;
    for (const std::string& name : names) {
      Change change{.words = fmt::format("{} by {}", operation, name),
                    .variables = variables_for(run, operation, name),
                    .what_if = {.algorithms = {{operation, name}}}};
      if (!change.variables.empty()) changes.push_back(std::move(change));
    }
    all.push_back(std::move(changes));
  }
  return all;
}

bool is_worth(const projection::Projection& found, double measured) {
  return found.why_not.empty() && found.effect == projection::Effect::faster &&
         found.range.high_seconds <= (1 - least_gain) * measured;
}

/// `changes`: values for one setting, the preferred ones first. Appends the best one to `worth`,
/// the others to `tried`.
void sort_in(const Run& run, const std::vector<Change>& changes, Findings& findings) {
  std::vector<Advice> found;
  double least = findings.seconds;
  for (const Change& change : changes) {
    found.push_back({change, run.projector.project(change.words, change.what_if)});
    projection::Projection& reported = found.back().projection;
    if (!findings.placing.empty() && reported.why_not.empty()) {
      reported.effect = projection::Effect::no_prediction;
      reported.why_not = words::ranks_take_turns;
    }
    if (is_worth(reported, findings.seconds)) least = std::min(least, reported.seconds);
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

/// Record of a launch, for comparisons.
Record record_of(const TrialLaunch& launch) {
  const Point point{.operation = "program"};
  Record record;
  record.campaign = CampaignPlace{.name = "advice", .setting = {}, .launch = launch.block};
  record.points.own().push_back({.point = point});
  Series series{.point = point, .samples_seconds = {launch.seconds}, .blocks = {1}};
  series.summary = summarise(series);
  record.series.push_back(std::move(series));
  return record;
}

std::vector<Record> records_of(std::span<const TrialLaunch> launches,
                               const std::optional<std::size_t>& advice) {
  std::vector<Record> records;
  for (const TrialLaunch& launch : launches) {
    if (launch.advice == advice) records.push_back(record_of(launch));
  }
  return records;
}

Agreement agreement_of(const std::optional<Interval>& measured, const Interval& expected) {
  if (!measured) return Agreement::no_prediction;
  if (measured->low > expected.high) return Agreement::gains_less;
  return measured->high < expected.low ? Agreement::gains_more : Agreement::as_predicted;
}

}  // namespace

projection::ForcedAlgorithms algorithms_in_force(const profile::Profile& profile) {
  projection::ForcedAlgorithms forced;
  for (const auto& [variable, value] : profile.provenance.environment) {
    const auto meaning = collective_variable(variable);
    if (!meaning || meaning->role != CollectiveRole::algorithm) continue;
    const std::string operation(meaning->operation);
    if (const auto name = named_algorithm(operation, value, is_open_mpi(profile))) {
      forced[operation] = *name;
    }
  }
  return forced;
}

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
    faults.push_back(fmt::format(words::same_processor, join_numbers(ranks), place.second,
                                 escaped(place.first)));
  }
  for (const Host& host : profile.provenance.hosts) {
    const auto ranks = std::ranges::count(profile.ranks, host.name, &profile::Rank::host);
    if (host.cpus == 0 || ranks <= host.cpus) continue;
    faults.push_back(fmt::format(words::too_many_ranks, escaped(host.name), ranks, host.cpus));
  }
  return faults;
}

std::string rank_file(const std::vector<std::string>& hosts, const profile::Profile& run) {
  std::map<std::string, std::vector<std::vector<int>>> free;
  for (const profile::Rank& rank : run.ranks | std::views::reverse) {
    free[rank.host].push_back(rank.cpus);
  }
  std::string text;
  for (std::size_t rank = 0; rank < hosts.size(); ++rank) {
    auto& places = free[hosts[rank]];
    if (places.empty()) {
      throw InputError({fmt::format("no place for rank {} on '{}'", rank, hosts[rank]),
                        "fewer ranks were there in the run", "map as many ranks to each node"});
    }
    text +=
        fmt::format("rank {}={} slot={}\n", rank, hosts[rank], join_numbers(places.back(), ","));
    places.pop_back();
  }
  return text;
}

std::string host_list(const std::vector<std::string>& hosts) { return join(hosts, "\n") + "\n"; }

std::vector<std::optional<Verified>> verify(std::span<const Advice> advice, double measured,
                                            std::span<const TrialLaunch> launches) {
  const std::vector<Record> base = records_of(launches, std::nullopt);
  std::vector<std::vector<Record>> changed;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < advice.size(); ++i) {
    std::vector<Record> records = records_of(launches, i);
    if (records.empty()) continue;
    changed.push_back(std::move(records));
    places.push_back(i);
  }
  std::vector<verdicts::SideRecords> sides;
  sides.reserve(changed.size());
  for (const auto& records : changed) sides.push_back({base, records});
  const std::vector<verdicts::CompareSet> sets =
      verdicts::compare_family(sides, {.origin = verdicts::Origin::one_campaign});
  std::vector<std::optional<Verified>> verified(advice.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    const projection::Range& range = advice[places[i]].projection.range;
    const Interval expected{range.low_seconds / measured, range.high_seconds / measured, 0};
    const verdicts::Comparison& found = sets[i].comparisons.front();
    verified[places[i]] = {found, expected, agreement_of(found.ratio_interval, expected)};
  }
  return verified;
}

InForce placed_as_requested(const std::vector<std::string>& requested,
                            std::span<const profile::Profile> launches) {
  std::size_t as_requested = 0;
  for (const profile::Profile& launch : launches) {
    const bool is_it =
        std::ranges::equal(launch.ranks, requested, {}, &profile::Rank::host, std::identity());
    as_requested += is_it ? 1 : 0;
  }
  return {as_requested == launches.size() ? Proof::proven : Proof::ignored,
          fmt::format(words::placed_as_requested, as_requested, launches.size())};
}

InForce set_as_requested(std::span<const RequestedSetting> settings) {
  InForce found{.proof = Proof::proven, .evidence = {}};
  std::vector<std::string> said;
  for (const RequestedSetting& setting : settings) {
    if (setting.proof == Proof::proven) continue;
    if (found.proof != Proof::ignored) found.proof = setting.proof;
    said.push_back(complaint_of(setting));
  }
  found.evidence = said.empty() ? std::string(words::effective) : join(said, "; ");
  return found;
}

}  // namespace hockney::advice
