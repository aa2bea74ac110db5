#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "application/analysis/communication.hpp"
#include "application/analysis/time_split.hpp"
#include "application/screens/comparison_report.hpp"
#include "application/screens/profile_report.hpp"
#include "application/screens/projection_report.hpp"
#include "application/screens/scaling_report.hpp"
#include "report/page/page.hpp"

namespace hockney::report {

// Pictures of programs. No picture has more than most_marks marks (report/page/plot.hpp). If there
// are more, some are combined, and the caption says how.

/// The source of a picture's numbers, and the command that prints them; both escaped.
struct ProgramSource {
  std::string launches;  ///< "one launch of ./poisson 3600"
  std::string command;
};

/// Causes of the time, worst first; none if there is none.
std::vector<Picture> cause_pictures(const ProfileView& view, const ProgramSource& source);

/// Parts of the time of each rank; by a replay, if there is one.
std::vector<Picture> time_pictures(const ProfileView& view, const ProgramSource& source);

/// Iterations, ranks by what they do against time, and each rank against time. Empty without a log.
std::vector<Picture> time_line_pictures(const ProfileView& view, const ProgramSource& source);

/// Bytes and messages between ranks and, if there are several, between nodes. Empty without
/// messages.
std::vector<Picture> matrix_pictures(const ProfileView& view, const ProgramSource& source);

/// Calls by time and by bytes, their sizes, and the places in the code that take most time.
std::vector<Picture> call_pictures(const ProfileView& view, const ProgramSource& source);

/// Calls and bytes by the size of a call. Empty if no call carries data.
std::vector<Picture> size_pictures(const ProfileView& view, const ProgramSource& source);

/// Functions by computing time, and the calls from the outermost function on (a flame graph). Empty
/// without samples.
std::vector<Picture> function_pictures(const ProfileView& view, const ProgramSource& source);

/// Efficiencies of each run: load balance, communication, computing and their products.
std::vector<Picture> efficiency_pictures(const applications::Comparison& comparison,
                                         const ProgramSource& source);

/// Speed-up of runs, against ranks if all runs differ in them; and efficiencies.
std::vector<Picture> scaling_pictures(const applications::Comparison& comparison,
                                      const ProgramSource& source);

/// Where the time of each run goes, and in which calls.
std::vector<Picture> growth_pictures(const applications::Comparison& comparison,
                                     const ProgramSource& source);

/// Times and efficiencies: measured ones, and those by the law.
std::vector<Picture> law_pictures(const ScalingView& view, const ProgramSource& source);

/// The time of the run under each change that was asked for.
std::vector<Picture> answer_pictures(const ProjectionView& view, const ProgramSource& source);

/// Bytes between nodes by mapping, and node by node before and after. Empty on one node.
std::vector<Picture> mapping_pictures(const MappingView& view, const ProgramSource& source);

/// A matrix of messages as it is drawn.
struct PicturedMatrix {
  std::string id;
  std::string title;
  std::string side;                ///< the kind of its rows: "rank", "node"
  std::vector<std::string> names;  ///< of its rows, not escaped
  const applications::MessageMatrix* matrix = nullptr;
  std::optional<double> seconds;                        ///< of the run, for rates
  std::vector<int> nodes;                               ///< the node of each row; may be empty
  const applications::MessageMatrix* beside = nullptr;  ///< drawn elsewhere with the same colours
};

/// One cell for each pair with messages, coloured by its bytes; by its messages if all are empty.
/// Empty without messages.
std::vector<Picture> matrix_picture(const PicturedMatrix& pictured, const ProgramSource& source);

// Bars, for plots over rows.

/// The column that a bar is as long as, and the title of its axis.
struct BarLength {
  std::string key;
  std::string title;
};

/// A horizontal bar for each row, with its number behind it: charts/bars.json. The column `name`
/// names the bars; `quantity` is "share" or "amount"; a row of `bound`, if any, is a dashed line.
void draw_bars(Picture& picture, const std::string& name, const BarLength& length,
               const std::string& quantity, const nlohmann::json& bound = nlohmann::json::array());

/// A horizontal bar for each text of the column `name`: charts/stacked_bars.json. A bar is made of
/// shares in the order of `parts`, the texts of the column "part".
void draw_stacked_bars(Picture& picture, const BarLength& length, const std::string& name,
                       const std::vector<std::string>& parts);

/// Width of the lines between so many stacked bars.
double gap_between(std::size_t bars);

/// Sets "order" of each row: the position of its part among all parts.
void number_parts(nlohmann::json& values, const std::vector<std::string>& parts);

/// A figure of a run.
struct RunFigure {
  const applications::Run* run = nullptr;  ///< never null
  std::string label;                       ///< of the run
  applications::Figure figure;
  std::string name{};  ///< of the figure
};

/// The run and its ranks, the column `own`, and the figure: "value" with its interval "value_ci".
View view_of_figures(const std::vector<RunFigure>& figures, const Column<RunFigure>& own,
                     const std::string& title);

/// A sentence of a caption: where the intervals are, or why there are none.
std::string interval_caption(const nlohmann::json& values, const std::string& where);

/// Height of a plot with so many horizontal bars.
int height_of_bars(std::size_t bars);

// Pages of commands on programs: the summary and pictures. `command` prints the same, is escaped
// and has no options of output: "hockney profile show p.json". The page has the document of its
// --json. If the document is larger than most_document_bytes, the page names the command instead.

inline constexpr std::size_t most_document_bytes = std::size_t{1} << 20U;

/// Time by rank, messages by rank and node, calls by time, bytes, size and call site.
Page page_of(const ProfileView& view, const std::string& command);

/// Speed-up, efficiencies, where the time goes and in which calls, run by run.
Page page_of(const applications::Comparison& comparison, const std::string& command);

/// Time and efficiency against ranks with the law through them; then the same as of runs compared.
Page page_of(const ScalingView& view, const std::string& command);

/// Each question with the range of its answer.
Page page_of(const ProjectionView& view, const std::string& command);

/// Bytes between nodes as measured and with every mapping that was tried; node by node before and
/// after. The view has its command.
Page page_of(const MappingView& view);

}  // namespace hockney::report
