#include "verdicts/self_test.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <random>
#include <set>
#include <vector>

#include "core/distributions.hpp"
#include "core/error.hpp"
#include "core/invariants.hpp"
#include "core/json_fields.hpp"
#include "core/json_values.hpp"
#include "core/samples.hpp"
#include "core/statistics.hpp"
#include "core/text.hpp"
#include "verdicts/compare.hpp"

namespace hockney::verdicts {

std::optional<double> Rate::share() const {
  if (trials == 0) return std::nullopt;
  return static_cast<double>(hits) / trials;
}

std::optional<Interval> Rate::interval() const {
  if (trials == 0) return std::nullopt;
  constexpr double tail = 0.025;
  return Interval{binomial_lower_chance(trials, hits, tail),
                  binomial_upper_chance(trials, hits, tail), 1 - 2 * tail};
}

namespace {

/// Judges the bound anew; the record may state another result.
bool is_within(const ClockSelfTest& found) {
  return found.passed && std::abs(found.estimate_seconds) <= found.bound_seconds;
}

/// A failed check within its bound contradicts itself, and does not count as a finding.
bool found_something(const ClockSelfTest& found) {
  return found.passed || std::abs(found.estimate_seconds) > found.bound_seconds;
}

std::string why_none(std::span<const Record> launches) {
  const auto all = [&](auto is_so) { return std::ranges::all_of(launches, is_so); };
  if (all([](const Record& launch) { return !launch.sync; })) {
    return "the records say nothing of clocks";
  }
  if (all([](const Record& launch) { return launch.sync && launch.sync->scheme == "simulated"; })) {
    return "all ranks of a simulator have one clock";
  }
  if (all([](const Record& launch) { return !launch.sync || !launch.sync->self_test; })) {
    return "no two ranks read the same clock, so the truth is not known";
  }
  return "the launches made no --clock-checks";
}

const std::string parameter = "variant";
const std::string reference = "a";
const std::string slow = "slow-";

using Launches = std::vector<Record>;

/// The launches with one variant's series only, under the common name of all variants.
Launches only_variant(const Launches& launches, const std::string& variant) {
  const auto strip = [&](auto& things) {
    std::erase_if(things, [&](const auto& thing) {
      const auto name = thing.point.parameters.find(parameter);
      return name == thing.point.parameters.end() || name->second != variant;
    });
    for (auto& thing : things) thing.point.parameters.erase(parameter);
  };
  Launches chosen = launches;
  for (Record& record : chosen) {
    strip(record.points.own());
    strip(record.series);
  }
  return chosen;
}

std::set<std::string> variants_of(const Launches& launches) {
  std::set<std::string> variants;
  for (const PlannedPoint& planned : launches.front().points) {
    const auto name = planned.point.parameters.find(parameter);
    if (name != planned.point.parameters.end()) variants.insert(name->second);
  }
  return variants;
}

double planted_in(const std::string& variant) {
  constexpr double percent = 0.01;
  if (!variant.starts_with(slow)) return 0;
  return as_number<int>(std::string_view(variant).substr(slow.size())).value_or(0) * percent;
}

/// Groups of `size` launches in their order; the remaining launches are left out.
std::vector<Launches> cut(const Launches& launches, std::size_t size) {
  std::vector<Launches> groups;
  for (std::size_t first = 0; first + size <= launches.size(); first += size) {
    const auto begin = launches.begin() + static_cast<std::ptrdiff_t>(first);
    groups.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(size));
  }
  return groups;
}

VariantVerdicts judge(const std::string& variant, const std::vector<Launches>& groups) {
  VariantVerdicts verdicts{.variant = variant, .planted = planted_in(variant)};
  CompareOptions options{.origin = Origin::one_campaign};
  const auto found = [](const Comparison& comparison) {
    return comparison.verdict != Verdict::no_evidence;
  };
  std::vector<double> ratios;
  for (const Launches& group : groups) {
    const Launches a = only_variant(group, reference);
    const Launches b = only_variant(group, variant);
    options.correction = CompareOptions().correction;
    const CompareSet family = compare(a, b, options);
    verdicts.any.trials += family.comparisons.empty() ? 0 : 1;
    verdicts.any.hits += std::ranges::any_of(family.comparisons, found) ? 1 : 0;
    options.correction = Correction::none;
    const CompareSet each = compare(a, b, options);
    verdicts.different.trials += static_cast<int>(each.comparisons.size());
    verdicts.different.hits += static_cast<int>(std::ranges::count_if(each.comparisons, found));
    for (const Comparison& comparison : each.comparisons) ratios.push_back(comparison.ratio);
  }
  verdicts.ratio = median(ratios);
  return verdicts;
}

std::map<std::string, PointLaunches> launches_by_point(const Launches& launches) {
  std::map<std::string, PointLaunches> points;
  for (const TimedSeries& timed : timed_series(launches).series) {
    const Point& point = timed.series->point;
    points[fmt::format("{} {}", curve_name(point), point.bytes.value)].add(timed.launch,
                                                                           timed.seconds);
  }
  return points;
}

Rate coverage(const Launches& all, const std::vector<Launches>& groups) {
  const auto whole = launches_by_point(only_variant(all, reference));
  Rate covered;
  for (const Launches& group : groups) {
    for (const auto& [point, times] : launches_by_point(only_variant(group, reference))) {
      const auto interval = quantile_interval(times.seconds());
      const auto truth = median(whole.at(point).seconds());
      if (!interval || !truth) continue;
      ++covered.trials;
      if (interval->low <= *truth && *truth <= interval->high) ++covered.hits;
    }
  }
  return covered;
}

MeasuredOn measured_on(const Launches& launches) {
  std::set<std::string> libraries;
  std::set<std::string> hosts;
  std::set<int> ranks;
  for (const Record& record : launches) {
    libraries.insert(record.provenance.mpi.library);
    ranks.insert(static_cast<int>(record.ranks.size()));
    for (const Host& host : record.provenance.hosts) hosts.insert(host.name);
  }
  return {.mpi_libraries = {libraries.begin(), libraries.end()},
          .hosts = {hosts.begin(), hosts.end()},
          .ranks = {ranks.begin(), ranks.end()},
          .first_utc = launches.front().started_utc,
          .last_utc = launches.back().started_utc};
}

Launches complete_launches(std::span<const Record> records) {
  Launches launches;
  std::ranges::copy_if(records, std::back_inserter(launches), [](const Record& record) {
    return record.status == LaunchStatus::complete;
  });
  std::ranges::stable_sort(launches, {}, &Record::started_utc);
  return launches;
}

using Json = nlohmann::json;

constexpr double most_ratio = 1e6;

/// The derived values in the document must follow from the counts.
void check_rate(const JsonNode& node, Rate& rate) {
  if (rate.hits > rate.trials) {
    node.reject("has more hits than trials", "every hit is a trial", "is the file damaged?");
  }
  const auto share = node.find("share");
  const auto bounds = node.find("share_ci");
  constexpr double tolerance = 1e-9;
  const auto counted = rate.share();
  const bool right = share && counted && std::abs(share->number() - *counted) <= tolerance;
  const bool unknown = !share && !counted;
  if ((!right && !unknown) || bounds.has_value() != share.has_value()) {
    node.reject("has a share that is not hits / trials", "one contradicts the other",
                "is the file damaged?");
  }
  if (!bounds) return;
  const std::vector<double> ends = bounds->numbers();
  if (ends.size() != 2 || ends[0] < 0 || ends[0] > ends[1] || ends[1] > 1) {
    bounds->reject("is not [low, high]", "it is an interval of shares", "is the file damaged?");
  }
  if (*counted < ends[0] - tolerance || *counted > ends[1] + tolerance) {
    bounds->reject("does not hold its share", "it is an interval of it", "is the file damaged?");
  }
}

void write_share(const Rate& rate, Json& object) {
  object["share"] = rate.share();
  object["share_ci"] = rate.interval();
}

constexpr std::array<Invariant<SelfTest>, 3> self_test_invariants{
    {{"a clock or the reason for none is reported",
      [](const SelfTest& test) -> std::string {
        return test.clock.truth.has_value() == test.clock.reason.empty() ? "" : "clock";
      }},
     {"the median error is no larger than the largest",
      [](const SelfTest& test) -> std::string {
        const auto& truth = test.clock.truth;
        if (!truth) return {};
        return descending({{"clock.median_error_seconds", truth->median_error_seconds},
                           {"clock.largest_error_seconds", truth->largest_error_seconds}});
      }},
     {"launches of a side are some of all", [](const SelfTest& test) {
        return descending({{"launches_each", test.launches_each}, {"launches", test.launches}});
      }}}};

}  // namespace

ClockTruth judge_clock(std::span<const ClockSelfTest> findings) {
  ClockTruth truth;
  std::vector<double> errors;
  std::vector<double> bounds;
  for (const ClockSelfTest& found : findings) {
    ++truth.within.trials;
    if (is_within(found)) ++truth.within.hits;
    if (!found_something(found)) continue;
    errors.push_back(std::abs(found.estimate_seconds));
    bounds.push_back(found.bound_seconds);
  }
  if (errors.empty()) return truth;
  truth.median_error_seconds = median(errors);
  truth.largest_error_seconds = std::ranges::max(errors);
  truth.median_bound_seconds = median(bounds);
  return truth;
}

ClockVerdict judge_clocks(std::span<const Record> launches) {
  std::vector<ClockSelfTest> findings;
  for (const Record& launch : launches) {
    if (!launch.sync || !launch.sync->checks) continue;
    findings.insert(findings.end(), launch.sync->checks->begin(), launch.sync->checks->end());
  }
  if (findings.empty()) return {.truth = std::nullopt, .reason = why_none(launches)};
  return {.truth = judge_clock(findings), .reason = {}};
}

SelfTest evaluate_self_test(std::span<const Record> records, int launches_each,
                            std::uint64_t seed) {
  Launches launches = complete_launches(records);
  const auto size = static_cast<std::size_t>(launches_each);
  if (launches.size() < 2 * size) {
    throw InputError(
        {fmt::format("{} launches are too few", launches.size()),
         fmt::format("they are cut into sub-campaigns of {}, at least two of them", launches_each),
         "measure more, or give a smaller --each"});
  }
  const std::set<std::string> variants = variants_of(launches);
  if (!variants.contains(reference) || variants.size() < 2) {
    throw InputError({"the records hold no variants of operations",
                      "a self-test compares an operation with itself",
                      "measure with 'hockney self-test'"});
  }
  SelfTest result{.launches = static_cast<int>(launches.size()), .launches_each = launches_each};
  result.clock = judge_clocks(launches);
  result.measured = measured_on(launches);
  result.covered_in_blocks = coverage(launches, cut(launches, size));
  std::mt19937_64 random(seed);
  shuffle(launches, random);
  const std::vector<Launches> groups = cut(launches, size);
  result.covered_at_random = coverage(launches, groups);
  for (const std::string& variant : variants) {
    if (variant != reference) result.variants.push_back(judge(variant, groups));
  }
  std::ranges::stable_sort(result.variants, {}, &VariantVerdicts::planted);
  return result;
}

constexpr auto fields_of(std::type_identity<Rate>) {
  return strict_object(key("hits", &Rate::hits), key("trials", &Rate::trials),
                       by_hand({"share", "share_ci"}, check_rate, write_share));
}

/// Documents of earlier versions lack any_of_family.
constexpr auto fields_of(std::type_identity<VariantVerdicts>) {
  return strict_object(key("variant", &VariantVerdicts::variant),
                       key("planted", &VariantVerdicts::planted).up_to(most_ratio),
                       key("different", &VariantVerdicts::different),
                       key("any_of_family", &VariantVerdicts::any, KeyUse::may_be_missing),
                       key("median_ratio", &VariantVerdicts::ratio, any_number).up_to(most_ratio));
}

constexpr auto fields_of(std::type_identity<ClockTruth>) {
  return strict_object(key("within", &ClockTruth::within),
                       key("median_error_seconds", &ClockTruth::median_error_seconds),
                       key("largest_error_seconds", &ClockTruth::largest_error_seconds),
                       key("median_bound_seconds", &ClockTruth::median_bound_seconds));
}

constexpr auto fields_of(std::type_identity<MeasuredOn>) {
  return strict_object(key("mpi_libraries", &MeasuredOn::mpi_libraries),
                       key("hosts", &MeasuredOn::hosts), key("ranks", &MeasuredOn::ranks),
                       key("first_utc", &MeasuredOn::first_utc, utc_moment),
                       key("last_utc", &MeasuredOn::last_utc, utc_moment));
}

constexpr auto fields_of(std::type_identity<SelfTest>) {
  return strict_object(
      DocumentSchema{self_test_schema, "use the version of hockney that wrote the file"},
      key("launches", &SelfTest::launches), key("launches_each", &SelfTest::launches_each),
      key("variants", &SelfTest::variants), key("covered_at_random", &SelfTest::covered_at_random),
      key("covered_in_blocks", &SelfTest::covered_in_blocks),
      members_of(&SelfTest::clock, key("clock", &ClockVerdict::truth),
                 key("clock_reason", &ClockVerdict::reason, KeyUse::null_if_empty)),
      key("measured", &SelfTest::measured));
}

Json to_json(const SelfTest& test) { return test; }

SelfTest read_self_test(const JsonNode& document) {
  auto test = read_value<SelfTest>(document);
  check_invariants(self_test_invariants, document, test);
  return test;
}

}  // namespace hockney::verdicts
