#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/record.hpp"
#include "models/collectives/collective_fit.hpp"
#include "report/page/page.hpp"
#include "report/rows.hpp"
#include "report/screens/answers.hpp"
#include "report/screens/curves.hpp"
#include "report/screens/evaluation.hpp"
#include "report/screens/settings.hpp"
#include "verdicts/compare.hpp"
#include "verdicts/tables/guideline_tables.hpp"

namespace hockney::report {

// Pictures of records. No function draws more than most_marks marks or most_series series
// (report/page/plot.hpp). If there are more, it combines or omits some, and the caption says how.

/// Matrices with pictures of their own; a caption counts the others.
inline constexpr std::size_t most_matrices = 6;

/// Where the numbers of a picture come from.
struct PictureSource {
  std::string paths;     ///< of the records, escaped, as on a command line
  std::string launches;  ///< "10 launches of hops"
};

/// Time and bandwidth of each operation against size: medians with intervals, models where they
/// hold, limits of the library, and times of the machine without MPI. Then the errors of the
/// models. `rows` are those of the curves and of floors.
std::vector<Picture> curve_pictures(std::span<const CurveSummary> curves, std::span<const Row> rows,
                                    std::span<const Record> records, const PictureSource& source);

/// The time of each pair at its smallest size, by rank and, if there are several hosts, by host.
/// Empty if fewer than three pairs were measured.
std::vector<Picture> pair_pictures(std::span<const Row> rows, std::span<const Record> records,
                                   const PictureSource& source);

/// Box plots of launches, for a few sizes of some curves.
std::vector<Picture> launch_pictures(std::span<const Row> rows, const PictureSource& source);

/// Ratios of settings to their base by size. With many settings or several numbers of ranks also
/// the best setting of each case.
std::vector<Picture> setting_pictures(std::span<const SettingsMatrix> matrices,
                                      const PictureSource& source, const std::string& command);

/// For a sweep of one campaign over two axes or more: each value of an axis against the base of the
/// axis, the other axes being the same. Empty for other launches.
std::vector<Picture> sweep_pictures(std::span<const Record> records, const PictureSource& source);

/// Algorithms of each operation against ranks with their models, and the errors of the models.
std::vector<Picture> collective_pictures(const collectives::Fits& fits,
                                         const PictureSource& source);

/// Guidelines by size, one picture for each place.
std::vector<Picture> guideline_pictures(const GuidelineReport& report, const PictureSource& source);

/// The largest message that each way of sending hands over. Empty if no launch searched for it.
std::vector<Picture> protocol_pictures(std::span<const Record> records,
                                       const PictureSource& source);

/// The paths of messages, beside the times of the machine without MPI.
std::vector<Picture> path_pictures(std::span<const PathRow> rows, const PictureSource& source);

/// Records of one folder or file.
struct NamedRecords {
  std::string name;  ///< as on the command line
  std::vector<Record> records;
};

/// Records of one or more folders, and results computed from them.
class RecordFolders {
 public:
  /// `level` is the confidence level of intervals over launches.
  explicit RecordFolders(std::vector<NamedRecords> folders, double level = default_level);
  RecordFolders(std::string name, std::vector<Record> records, double level = default_level);

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
  [[nodiscard]] std::vector<Record> told_apart() const;

  std::vector<std::string> names_;
  std::vector<std::size_t> ends_;  ///< where each folder ends in records_
  std::vector<Record> records_;
  Evaluation all_;
  std::optional<std::vector<verdicts::CompareSet>> comparisons_;
  std::vector<Record> told_apart_;
  std::optional<Evaluation> apart_;  ///< results of told_apart_
};

/// The summary of all records; if folders are compared, which is faster.
Screen screen_of(RecordFolders& folders, const ScreenStyle& style = {});

/// The page of records: their summary and pictures, with models of collectives if there are fits.
/// Its documents are those of comparisons and guidelines.
Page page_of(RecordFolders& folders, const collectives::Fits& fits = {});

}  // namespace hockney::report
