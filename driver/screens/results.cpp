#include "driver/screens/results.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

namespace hockney::report {
namespace {

using verdicts::CompareSet;

template <class Value, class Make>
const Value& once(std::optional<Value>& kept, Make make) {
  if (!kept) kept = make();
  return *kept;
}

bool is_own(const Row& row) { return !is_of_other_suite(row.point) && !is_floor(row.point); }

std::set<std::string> settings_in(std::span<const Record> records) {
  std::set<std::string> settings;
  for (const Record& record : records) {
    if (record.status != LaunchStatus::complete) continue;
    settings.insert(record.campaign ? record.campaign->setting : std::string());
  }
  return settings;
}

}  // namespace

Results::Results(std::vector<NamedRecords> folders, IntervalAims aims)
    : names_(strings_of(folders, &NamedRecords::name)), aims_(aims) {
  for (NamedRecords& folder : folders) {
    if (records_.empty()) {
      records_ = std::move(folder.records);
    } else {
      std::ranges::move(folder.records, std::back_inserter(records_));
    }
    ends_.push_back(records_.size());
  }
}

Results::Results(std::vector<Record> records, std::string name, IntervalAims aims)
    : names_{std::move(name)}, ends_{records.size()}, records_(std::move(records)), aims_(aims) {}

const std::vector<FaultFinding>& Results::faults() {
  return once(faults_, [&] { return find_faults(records_); });
}

const std::vector<Row>& Results::rows() {
  return once(rows_, [&] { return campaign_rows(records_, aims_.level); });
}

const std::vector<Row>& Results::shown_rows() {
  const std::vector<Row>& own = once(own_rows_, [&] {
    std::vector<Row> some;
    std::ranges::copy_if(rows(), std::back_inserter(some), is_own);
    return some;
  });
  return own.empty() ? rows() : own;
}

const models::FitSet& Results::pair_fits() {
  return once(pair_fits_, [&] {
    models::FitSet set = fit_curves(collect_curves(records_, models::GroupBy::pair));
    name_breakpoints(set, records_);
    return set;
  });
}

const std::vector<CurveSummary>& Results::curves() {
  return once(curves_, [&] { return curve_summaries(*this); });
}

const std::vector<SettingsMatrix>& Results::matrices() {
  return once(matrices_, [&] { return settings_matrices(records_); });
}

const verdicts::GuidelineSet& Results::guidelines() {
  const auto states_any = [](const Record& record) { return !record.guidelines.empty(); };
  return once(guidelines_, [&] {
    return std::ranges::any_of(records_, states_any) ? verdicts::judge_guidelines(records_)
                                                     : verdicts::GuidelineSet();
  });
}

std::span<const Record> Results::records_of(std::size_t folder) const {
  const std::size_t first = folder == 0 ? 0 : ends_[folder - 1];
  return records().subspan(first, ends_[folder] - first);
}

std::vector<CompareSet> Results::compared() const {
  std::vector<CompareSet> sets;
  for (std::size_t folder = 0; folder < names_.size(); ++folder) {
    if (names_.size() < 2 || settings_in(records_of(folder)).size() != 1) return {};
  }
  for (std::size_t folder = 1; folder < names_.size(); ++folder) {
    CompareSet set = verdicts::compare(records_of(0), records_of(folder));
    if (set.comparisons.empty()) continue;
    set.a.source = names_.front();
    set.b.source = names_[folder];
    sets.push_back(std::move(set));
  }
  return sets;
}

const std::vector<CompareSet>& Results::comparisons() {
  return once(comparisons_, [&] { return compared(); });
}

Results& Results::by_folder() {
  if (comparisons().empty()) return *this;
  if (by_folder_) return *by_folder_;
  std::vector<Record> labelled = records_;
  for (std::size_t folder = 0, i = 0; folder < names_.size(); ++folder) {
    for (; i < ends_[folder]; ++i) {
      CampaignPlace place = labelled[i].campaign.value_or(CampaignPlace());
      place.setting = names_[folder];
      labelled[i].campaign = std::move(place);
    }
  }
  by_folder_ = std::make_unique<Results>(std::move(labelled), "", aims_);
  return *by_folder_;
}

}  // namespace hockney::report
