#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/record.hpp"
#include "driver/page/rows_document.hpp"
#include "driver/screens/answers.hpp"
#include "driver/screens/evaluation.hpp"
#include "driver/screens/settings.hpp"
#include "report/page/page.hpp"
#include "verdicts/compare.hpp"
#include "verdicts/tables/guideline_tables.hpp"

namespace hockney::report {

/// Records of one folder or file.
struct NamedRecords {
  std::string name;  ///< as on the command line
  std::vector<Record> records;
};

/// Records of one or more folders, and results computed from them.
class RecordFolders {
 public:
  explicit RecordFolders(std::vector<NamedRecords> folders, IntervalAims aims = {});
  RecordFolders(std::string name, std::vector<Record> records, IntervalAims aims = {});

  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  /// Results of the records of all folders.
  Evaluation& all() { return all_; }
  /// Compares the first folder with each folder that measured the same points. Empty for one
  /// folder. Empty if a folder has several settings, which may explain differences.
  const std::vector<verdicts::CompareSet>& comparisons();
  /// Results of the same records as all(). If folders are compared, their names replace the
  /// settings, so that launches of two folders are not pooled.
  Evaluation& shown();

 private:
  [[nodiscard]] std::span<const Record> records_of(std::size_t folder) const;
  [[nodiscard]] std::vector<verdicts::CompareSet> compared() const;
  [[nodiscard]] std::vector<Record> labelled_by_folder() const;

  std::vector<std::string> names_;
  std::vector<std::size_t> ends_;  ///< where each folder ends in records_
  std::vector<Record> records_;
  Evaluation all_;
  std::optional<std::vector<verdicts::CompareSet>> comparisons_;
  std::vector<Record> labelled_by_folder_;
  std::optional<Evaluation> apart_;  ///< results of labelled_by_folder_
};

/// The summary of all records; if folders are compared, which is faster.
Screen screen_of(RecordFolders& folders, const ScreenStyle& style = {});

/// The page with this document first, in place of those of its kind.
Page led_by(PageDocument first, Page page);

/// The page of records. Its documents are the rows, comparisons of the folders, and guidelines.
Page page_of(RecordFolders& folders);

}  // namespace hockney::report
