#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/faults.hpp"
#include "core/record.hpp"
#include "core/statistics.hpp"
#include "driver/screens/curves.hpp"
#include "driver/screens/reliability.hpp"
#include "driver/screens/settings.hpp"
#include "models/fit_set.hpp"
#include "report/rows.hpp"
#include "verdicts/guidelines.hpp"

namespace hockney::report {

/// What intervals over launches are to be.
struct IntervalAims {
  double level = default_level;
  double precision = default_precision;  ///< half-width that is good, as a share of the median
};

/// Records and results computed from them; each result is computed once, on first use.
class Evaluation {
 public:
  /// The records must outlive this object.
  explicit Evaluation(std::span<const Record> records, IntervalAims aims = {})
      : records_(records), aims_(aims) {}
  Evaluation(const Evaluation&) = delete;
  Evaluation& operator=(const Evaluation&) = delete;
  Evaluation(Evaluation&&) = delete;
  Evaluation& operator=(Evaluation&&) = delete;
  ~Evaluation() = default;

  [[nodiscard]] std::span<const Record> records() const { return records_; }
  [[nodiscard]] double level() const { return aims_.level; }
  [[nodiscard]] const IntervalAims& aims() const { return aims_; }

  const std::vector<FaultFinding>& faults();
  /// campaign_rows of the records.
  const std::vector<Row>& rows();
  /// Rows of hockney's own timing, without floors.
  const std::vector<Row>& own_rows();
  /// own_rows(), or all rows if there are none.
  const std::vector<Row>& shown_rows() { return own_rows().empty() ? rows() : own_rows(); }
  /// A fit for each pair, with the names of its breakpoints.
  const models::FitSet& pair_fits();
  /// Curves of shown_rows().
  const std::vector<CurveSummary>& curves();
  const std::vector<SettingsMatrix>& matrices();
  /// Without verdicts if no guideline can be judged.
  const verdicts::GuidelineSet& guidelines();

 private:
  std::span<const Record> records_;
  IntervalAims aims_;
  std::optional<std::vector<FaultFinding>> faults_;
  std::optional<std::vector<Row>> rows_;
  std::optional<std::vector<Row>> own_rows_;
  std::optional<models::FitSet> pair_fits_;
  std::optional<std::vector<CurveSummary>> curves_;
  std::optional<std::vector<SettingsMatrix>> matrices_;
  std::optional<verdicts::GuidelineSet> guidelines_;
};

}  // namespace hockney::report
