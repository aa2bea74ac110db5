#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/record.hpp"
#include "models/collectives/collective_fit.hpp"
#include "report/guideline_table.hpp"
#include "report/page/page.hpp"
#include "report/paired_rows.hpp"
#include "report/rows.hpp"
#include "report/screens/curves.hpp"
#include "report/screens/settings.hpp"

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

}  // namespace hockney::report
