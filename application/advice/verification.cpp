#include "application/advice/verification.hpp"

#include <algorithm>
#include <set>

#include "core/settings/prove.hpp"
#include "core/text.hpp"

namespace hockney::advice {
namespace {

/// A launch as comparisons know it.
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
  if (!measured) return Agreement::cannot_tell;
  if (measured->low > expected.high) return Agreement::gains_less;
  return measured->high < expected.low ? Agreement::gains_more : Agreement::as_predicted;
}

}  // namespace

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

InForce placed_as_asked(const std::vector<std::string>& asked,
                        std::span<const profile::Profile> launches) {
  std::size_t as_asked = 0;
  for (const profile::Profile& launch : launches) {
    const bool is_it =
        std::ranges::equal(launch.ranks, asked, {}, &profile::Rank::host, std::identity());
    as_asked += is_it ? 1 : 0;
  }
  return {as_asked == launches.size() ? Proof::proven : Proof::ignored,
          "ranks were where they should be in " + std::to_string(as_asked) + " of " +
              std::to_string(launches.size()) + " launches"};
}

InForce set_as_asked(std::span<const RequestedSetting> settings) {
  InForce found{.proof = Proof::proven, .evidence = {}};
  std::vector<std::string> said;
  for (const RequestedSetting& setting : settings) {
    if (setting.proof == Proof::proven) continue;
    if (found.proof != Proof::ignored) found.proof = setting.proof;
    said.push_back(complaint_of(setting));
  }
  found.evidence = said.empty() ? "the library says that it is in force" : join(said, "; ");
  return found;
}

}  // namespace hockney::advice
