#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/record.hpp"
#include "models/collectives/collective_fit.hpp"
#include "report/page/page.hpp"
#include "report/screens/answers.hpp"
#include "report/screens/evaluation.hpp"
#include "verdicts/compare.hpp"

namespace hockney::report {

/// Records of one folder or file.
struct NamedRecords {
  std::string name;  ///< as the user wrote it
  std::vector<Record> records;
};

/// Records of one or more folders, and what is computed of them.
class RecordFolders {
 public:
  /// `level` is that of the intervals over launches.
  explicit RecordFolders(std::vector<NamedRecords> folders, double level = default_level);
  RecordFolders(std::string name, std::vector<Record> records, double level = default_level);

  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  /// Of the records of all folders.
  Evaluation& all() { return all_; }
  /// The folders that measured the same points as the first one, each compared with it. Nothing of
  /// one folder, and nothing where any of them holds several settings, which may be the points'
  /// difference.
  const std::vector<verdicts::CompareSet>& comparisons();
  /// Of the same records as all(); of folders that are compared with the names of the folders for
  /// settings, so that they are not pooled.
  Evaluation& shown();

 private:
  [[nodiscard]] std::span<const Record> records_of(std::size_t folder) const;
  [[nodiscard]] std::vector<verdicts::CompareSet> compared() const;
  [[nodiscard]] std::vector<Record> told_apart() const;

  std::vector<std::string> names_;
  std::vector<std::size_t> ends_;  ///< of each folder among the records
  std::vector<Record> records_;
  Evaluation all_;
  std::optional<std::vector<verdicts::CompareSet>> comparisons_;
  std::vector<Record> told_apart_;
  std::optional<Evaluation> apart_;  ///< of these
};

/// The screen of all records; of folders that are compared, which is faster.
Screen screen_of(RecordFolders& folders, const ScreenStyle& style = {});

/// The page of records: their screen, and every picture that they are good for; those of models of
/// collectives where these are fitted. It has no documents but those of comparisons and guidelines.
Page page_of(RecordFolders& folders, const collectives::Fits& fits = {});

}  // namespace hockney::report
