#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/faults.hpp"
#include "core/record.hpp"
#include "core/statistics.hpp"
#include "models/fit_set.hpp"
#include "report/rows.hpp"
#include "report/screens/curves.hpp"
#include "report/screens/settings.hpp"
#include "verdicts/guidelines.hpp"

namespace hockney::report {

/// Records and results computed from them; each result is computed once, on first use.
class Evaluation {
 public:
  /// The records must outlive this object. `level` is that of intervals over launches.
  explicit Evaluation(std::span<const Record> records, double level = default_level)
      : records_(records), level_(level) {}
  Evaluation(const Evaluation&) = delete;
  Evaluation& operator=(const Evaluation&) = delete;
  Evaluation(Evaluation&&) = delete;
  Evaluation& operator=(Evaluation&&) = delete;
  ~Evaluation() = default;

  [[nodiscard]] std::span<const Record> records() const { return records_; }
  [[nodiscard]] double level() const { return level_; }

  const std::vector<FaultFinding>& faults();
  /// campaign_rows of the records.
  const std::vector<Row>& rows();
  /// Rows of hockney's own timing, without floors.
  const std::vector<Row>& own_rows();
  /// own_rows(), or all rows if there are none.
  const std::vector<Row>& told_rows() { return own_rows().empty() ? rows() : own_rows(); }
  /// A fit for each pair, with the names of its breakpoints.
  const models::FitSet& pair_fits();
  /// Curves of told_rows().
  const std::vector<CurveSummary>& curves();
  const std::vector<SettingsMatrix>& matrices();
  /// Without verdicts if no guideline can be judged.
  const verdicts::GuidelineSet& guidelines();

 private:
  std::span<const Record> records_;
  double level_;
  std::optional<std::vector<FaultFinding>> faults_;
  std::optional<std::vector<Row>> rows_;
  std::optional<std::vector<Row>> own_rows_;
  std::optional<models::FitSet> pair_fits_;
  std::optional<std::vector<CurveSummary>> curves_;
  std::optional<std::vector<SettingsMatrix>> matrices_;
  std::optional<verdicts::GuidelineSet> guidelines_;
};

}  // namespace hockney::report
