#include "driver/screens/evaluation.hpp"

#include <algorithm>
#include <iterator>

#include "report/rows.hpp"

namespace hockney::report {
namespace {

template <class Value, class Make>
const Value& once(std::optional<Value>& kept, Make make) {
  if (!kept) kept = make();
  return *kept;
}

bool is_own(const Row& row) { return !is_of_other_suite(row.point) && !is_floor(row.point); }

}  // namespace

const std::vector<FaultFinding>& Evaluation::faults() {
  return once(faults_, [&] { return find_faults(records_); });
}

const std::vector<Row>& Evaluation::rows() {
  return once(rows_, [&] { return campaign_rows(records_, aims_.level); });
}

const std::vector<Row>& Evaluation::own_rows() {
  return once(own_rows_, [&] {
    std::vector<Row> own;
    std::ranges::copy_if(rows(), std::back_inserter(own), is_own);
    return own;
  });
}

const models::FitSet& Evaluation::pair_fits() {
  return once(pair_fits_, [&] {
    models::FitSet set = fit_curves(collect_curves(records_, models::GroupBy::pair));
    name_breakpoints(set, records_);
    return set;
  });
}

const std::vector<CurveSummary>& Evaluation::curves() {
  return once(curves_, [&] { return curve_summaries(shown_rows(), *this); });
}

const std::vector<SettingsMatrix>& Evaluation::matrices() {
  return once(matrices_, [&] { return settings_matrices(records_); });
}

const verdicts::GuidelineSet& Evaluation::guidelines() {
  const auto states_any = [](const Record& record) { return !record.guidelines.empty(); };
  return once(guidelines_, [&] {
    return std::ranges::any_of(records_, states_any) ? verdicts::judge_guidelines(records_)
                                                     : verdicts::GuidelineSet();
  });
}

}  // namespace hockney::report
