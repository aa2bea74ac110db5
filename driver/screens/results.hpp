#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/faults.hpp"
#include "core/record.hpp"
#include "core/statistics.hpp"
#include "driver/screens/curves.hpp"
#include "driver/screens/settings.hpp"
#include "models/fit_set.hpp"
#include "report/rows.hpp"
#include "verdicts/compare.hpp"
#include "verdicts/guidelines.hpp"

namespace hockney::report {

/// What intervals over launches are to be.
struct IntervalAims {
  double level = default_level;
  double precision = default_precision;  ///< half-width that is good, as a share of the median
};

/// Records of one folder or file.
struct NamedRecords {
  std::string name;  ///< as on the command line
  std::vector<Record> records;
};

/// Records of one or more folders, and what follows from them; each result is computed once, on
/// first use.
class Results {
 public:
  explicit Results(std::vector<NamedRecords> folders, IntervalAims aims = {});
  explicit Results(std::vector<Record> records, std::string name = {}, IntervalAims aims = {});
  Results(const Results&) = delete;
  Results& operator=(const Results&) = delete;
  Results(Results&&) = delete;
  Results& operator=(Results&&) = delete;
  ~Results() = default;

  /// Of the folders.
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  /// Of all folders.
  [[nodiscard]] std::span<const Record> records() const { return records_; }
  [[nodiscard]] const IntervalAims& aims() const { return aims_; }

  const std::vector<FaultFinding>& faults();
  /// campaign_rows of the records.
  const std::vector<Row>& rows();
  /// Rows of hockney's own timing without floors; all rows if there are none.
  const std::vector<Row>& shown_rows();
  /// A fit for each pair, with the names of its breakpoints.
  const models::FitSet& pair_fits();
  /// Curves of shown_rows().
  const std::vector<CurveSummary>& curves();
  const std::vector<SettingsMatrix>& matrices();
  /// Without verdicts if no guideline can be judged.
  const verdicts::GuidelineSet& guidelines();
  /// Compares the first folder with each folder that measured the same points. Empty for one
  /// folder. Empty if a folder has several settings, which may explain differences.
  const std::vector<verdicts::CompareSet>& comparisons();
  /// These results. If folders are compared, results of the same records with names of folders in
  /// place of settings, so that launches of two folders are not pooled.
  Results& by_folder();

 private:
  [[nodiscard]] std::span<const Record> records_of(std::size_t folder) const;
  [[nodiscard]] std::vector<verdicts::CompareSet> compared() const;

  std::vector<std::string> names_;
  std::vector<std::size_t> ends_;  ///< where each folder ends in records_
  std::vector<Record> records_;
  IntervalAims aims_;
  std::optional<std::vector<FaultFinding>> faults_;
  std::optional<std::vector<Row>> rows_;
  std::optional<std::vector<Row>> own_rows_;
  std::optional<models::FitSet> pair_fits_;
  std::optional<std::vector<CurveSummary>> curves_;
  std::optional<std::vector<SettingsMatrix>> matrices_;
  std::optional<verdicts::GuidelineSet> guidelines_;
  std::optional<std::vector<verdicts::CompareSet>> comparisons_;
  std::unique_ptr<Results> by_folder_;
};

}  // namespace hockney::report
