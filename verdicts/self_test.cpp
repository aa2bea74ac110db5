#include "verdicts/self_test.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <set>

#include "core/error.hpp"
#include "core/launch_medians.hpp"
#include "core/shuffle.hpp"
#include "core/text.hpp"
#include "verdicts/compare.hpp"

namespace hockney::verdicts {
namespace {

const std::string parameter = "variant";
const std::string reference = "a";
const std::string slow = "slow-";

using Launches = std::vector<Record>;

/// The launches with the series of one variant only, under the name all variants share.
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

/// Groups of `size` launches in the order given; what is left over belongs to none.
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
    points[curve_name(point) + " " + std::to_string(point.bytes.value)].add(timed.launch,
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

}  // namespace

SelfTest evaluate_self_test(std::span<const Record> records, int launches_each,
                            std::uint64_t seed) {
  Launches launches = complete_launches(records);
  const auto size = static_cast<std::size_t>(launches_each);
  if (launches.size() < 2 * size) {
    throw InputError({std::to_string(launches.size()) + " launches are too few",
                      "they are cut into sub-campaigns of " + std::to_string(launches_each) +
                          ", at least two of them",
                      "measure more, or give a smaller --each"});
  }
  const std::set<std::string> variants = variants_of(launches);
  if (!variants.contains(reference) || variants.size() < 2) {
    throw InputError({"the records hold no variants of operations",
                      "a self-test compares an operation with itself",
                      "measure with 'hockney self-test' or 'hockney run configs/self-test.json'"});
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

}  // namespace hockney::verdicts
