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
#include "report/page/page.hpp"

namespace hockney::report {

// What may be seen of programs. As of records (report/page/records_page.hpp) no picture has more
// than most_marks marks; what is more is put together, and the caption says how.

/// Where the numbers of a picture come from, and the command that prints them; both inert.
struct ProgramSource {
  std::string launches;  ///< "one launch of ./poisson 3600"
  std::string command;
};

/// Where the time of each rank went: by a replay, where there is one.
std::vector<Picture> time_pictures(const ProfileView& view, const ProgramSource& source);

/// Who sends how much to whom, rank by rank and, of several nodes, node by node; nothing where
/// there are no messages.
std::vector<Picture> matrix_pictures(const ProfileView& view, const ProgramSource& source);

/// Calls by time and by bytes, their sizes, and the places in the code that take most time.
std::vector<Picture> call_pictures(const ProfileView& view, const ProgramSource& source);

/// How many calls and bytes are of which size; nothing where no call carries data.
std::vector<Picture> size_pictures(const ProfileView& view, const ProgramSource& source);

/// Of runs how good they are in everything that their time depends on.
std::vector<Picture> efficiency_pictures(const applications::Comparison& comparison,
                                         const ProgramSource& source);

/// Speed-up of runs, against ranks where each has its own number of them; and efficiencies.
std::vector<Picture> scaling_pictures(const applications::Comparison& comparison,
                                      const ProgramSource& source);

/// Where the time of each run goes, and in which calls.
std::vector<Picture> growth_pictures(const applications::Comparison& comparison,
                                     const ProgramSource& source);

/// Times and efficiencies that were measured, and those that the law says.
std::vector<Picture> law_pictures(const ScalingView& view, const ProgramSource& source);

/// What would be otherwise, in how much time.
std::vector<Picture> answer_pictures(const ProjectionView& view, const ProgramSource& source);

/// Bytes between nodes by mapping, and node by node before and after; nothing on one node.
std::vector<Picture> mapping_pictures(const MappingView& view, const ProgramSource& source);

/// A matrix of messages as it is drawn.
struct PicturedMatrix {
  std::string id;
  std::string title;
  std::string side;                ///< what its rows are: "rank", "node"
  std::vector<std::string> names;  ///< of its rows, not inert
  const applications::MessageMatrix* matrix = nullptr;
  std::optional<double> seconds;  ///< of the run, for rates
  std::vector<int> nodes;         ///< of its rows, where each lies in one; may be empty
  const applications::MessageMatrix* beside = nullptr;  ///< whose amounts have the same colours
};

/// One cell for each pair with messages, coloured by its bytes, or by its messages where none has
/// bytes. Nothing where there are none.
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

/// A horizontal bar for each text of the column `name`, made of shares one after the other in the
/// order of `parts`, which the column "part" has: charts/stacked_bars.json.
void draw_stacked_bars(Picture& picture, const BarLength& length, const std::string& name,
                       const std::vector<std::string>& parts);

/// Width of the lines between so many stacked bars.
double gap_between(std::size_t bars);

/// Gives each row the place of its part among all parts.
void number_parts(nlohmann::json& values, const std::vector<std::string>& parts);

/// Adds a row with the columns of `head` and "value", "low" and "high" of a figure, if there is
/// one.
void add_figure(View& table, std::vector<Value> head,
                const std::optional<applications::Figure>& figure);

/// A sentence: where the intervals of such rows are, or why there are none.
std::string interval_caption(const nlohmann::json& values, const std::string& where);

/// That so many bars from the left need.
int height_of_bars(std::size_t bars);

// What commands on programs say first, with pictures. `command` is the one that prints the same,
// inert and without options of output: "hockney profile show p.json". The document of its --json is
// in the page, but where that is larger than most_document_bytes, which the page says.

inline constexpr std::size_t most_document_bytes = std::size_t{1} << 20U;

/// Time by rank, messages by rank and node, calls by time, bytes, size and call site.
Page page_of(const ProfileView& view, const std::string& command);

/// Speed-up, efficiencies, where the time goes and in which calls, run by run.
Page page_of(const applications::Comparison& comparison, const std::string& command);

/// Time and efficiency against ranks with the law through them; then the same as of runs compared.
Page page_of(const ScalingView& view, const std::string& command);

/// Each question with the range of its answer.
Page page_of(const ProjectionView& view, const std::string& command);

/// What goes between nodes as it was, and with every mapping that was tried; node by node before
/// and after. The view knows its command.
Page page_of(const MappingView& view);

}  // namespace hockney::report
