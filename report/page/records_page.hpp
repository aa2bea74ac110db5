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
#include "report/guideline_tables.hpp"
#include "verdicts/compare.hpp"

namespace hockney::report {

// What may be seen of records. No function draws more than most_marks marks or most_series series
// (report/page/plot.hpp): what is more is put together, and the caption says how.

/// That have pictures of their own; a caption counts the others.
inline constexpr std::size_t most_matrices = 6;

/// Where the numbers of a picture come from.
struct PictureSource {
  std::string paths;     ///< of the records, inert, as a command line has them
  std::string launches;  ///< "10 launches of hops"
};

/// Of each operation time and bandwidth against size: medians with intervals, models where they
/// hold, limits of the library, and what the machine does without MPI; then how far the models are
/// off. `rows` are those of the curves, floors among them.
std::vector<Picture> curve_pictures(std::span<const CurveSummary> curves, std::span<const Row> rows,
                                    std::span<const Record> records, const PictureSource& source);

/// Rank by rank and, of several hosts, host by host: the time of each pair at its smallest size.
/// Nothing where fewer than three pairs were measured.
std::vector<Picture> pair_pictures(std::span<const Row> rows, std::span<const Record> records,
                                   const PictureSource& source);

/// Launches as box plots, of a few sizes of each of some curves.
std::vector<Picture> launch_pictures(std::span<const Row> rows, const PictureSource& source);

/// Settings against their base by size; of many settings, or numbers of ranks, also which is best
/// where.
std::vector<Picture> setting_pictures(std::span<const SettingsMatrix> matrices,
                                      const PictureSource& source, const std::string& command);

/// Of a sweep of one campaign over two axes or more the values of each axis against its base, all
/// other axes being the same; nothing of other launches.
std::vector<Picture> sweep_pictures(std::span<const Record> records, const PictureSource& source);

/// Algorithms of each operation against ranks with their models, and how far the models are off.
std::vector<Picture> collective_pictures(const collectives::Fits& fits,
                                         const PictureSource& source);

/// Guidelines by sizes, one picture for each place.
std::vector<Picture> guideline_pictures(const GuidelineReport& report, const PictureSource& source);

/// Up to which size each way of sending hands messages over; nothing where nobody searched.
std::vector<Picture> protocol_pictures(std::span<const Record> records,
                                       const PictureSource& source);

/// Which way messages go, beside what the machine can do.
std::vector<Picture> path_pictures(std::span<const PathRow> rows, const PictureSource& source);

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
