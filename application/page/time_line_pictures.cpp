#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "application/page/profile_page.hpp"
#include "application/screens/time_line_views.hpp"
#include "core/text.hpp"
#include "report/page/plot.hpp"
#include "report/table.hpp"

// Iterations, what the ranks do against time, and the event time line.
namespace hockney::report {
namespace {

using applications::ActivityLine;
using applications::Doing;
using applications::EventLine;
using applications::Iterations;
using applications::LineBar;
using applications::LineMessage;
using applications::LineWindow;
using Json = nlohmann::json;

/// Sentences of this page.
namespace words {

constexpr std::string_view found_by_calls =
    " Found by the pattern of calls: {} of a rank in an iteration. Times are means over ranks; "
    "half of the iterations take {} to {}.";
constexpr std::string_view slowest_of_group = " Each dot is the slowest of {} iterations in a row.";
constexpr std::string_view compute_together = "{} of {} compute at the same time, on average";
constexpr std::string_view parts_of_run =
    "Ranks that compute, and ranks in each MPI function, in {} parts of the run, {} each.";
constexpr std::string_view without_cpu =
    " Time without a CPU is known of each rank as a whole: it is an even part of what the rank "
    "does.";
constexpr std::string_view whole_run = "the whole run: {}";
constexpr std::string_view part_of_run = "part of the run: {}, from {} on";
constexpr std::string_view iteration = "iteration {} of {}{}{}: {}, from {} on";
constexpr std::string_view some_ranks =
    " Rows are {} of {} ranks, at even distances, and the rank that explains the slowest "
    "iteration; messages of other ranks are left out.";
constexpr std::string_view too_many_calls =
    " Where there are too many calls, each slot of a row shows what takes most of it.";
constexpr std::string_view too_many_messages = " Windows with too many messages show none.";
constexpr std::string_view marks =
    "Bars: what a rank does; lines: messages, from the start of the send to the end of the "
    "receive. Waiting is by the clocks: until the other rank sends, receives or enters.";
constexpr std::string_view first_in_median =
    "Each rank against time, first in the median iteration, number {}";
constexpr std::string_view first_in_middle =
    "Each rank against time, first in the middle of the run";
constexpr std::string_view opens_on_median =
    " The window opens on the median iteration; it can be moved to others, and, at the left, to "
    "the whole run.";
constexpr std::string_view opens_on_middle =
    " The window opens on the middle of the run, as no iterations were found ({}); at the left is "
    "the whole run.";
constexpr std::string_view first_in_table = " The table has the window that is shown first.";
constexpr std::string_view slowest_and_median =
    "The slowest iteration takes {}, the median one {}{}";
constexpr std::string_view same_scale =
    "the median iteration and the slowest on the same scale of time";

}  // namespace words

/// A channel that gives each name its colour.
Json colored(const std::string& key, const std::vector<std::string>& names,
             const std::vector<std::string>& colors) {
  return {{"field", key},
          {"type", "nominal"},
          {"scale", {{"domain", names}, {"range", colors}}},
          {"legend", {{"title", nullptr}, {"symbolType", "square"}}}};
}

constexpr const char* computing_color = "var(--heat-2)";
constexpr const char* waiting_color = "var(--bad)";
constexpr const char* other_color = "var(--open)";
constexpr double nanosecond = 1e-9;

/// The slowest iteration of each group.
std::vector<std::size_t> slowest_of_groups(const Iterations& found, std::size_t group) {
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < found.count(); ++i) {
    if (i % group == 0) numbers.push_back(i);
    if (found.all[i].seconds > found.all[numbers.back()].seconds) numbers.back() = i;
  }
  return numbers;
}

Picture iterations_picture(const Iterations& found, const ProgramSource& source) {
  const std::size_t group = (found.count() + most_marks - 1) / most_marks;
  Picture picture{.id = "iterations",
                  .title = iteration_words(found),
                  .caption = "",
                  .table = view_of_iterations(found, slowest_of_groups(found, group)),
                  .launches = source.launches,
                  .command = source.command + " --csv --by iteration"};
  picture.caption = fmt::format(words::found_by_calls, found.calls, short_time(found.low_seconds),
                                short_time(found.high_seconds));
  if (group > 1) picture.caption += fmt::format(words::slowest_of_group, group);
  draw(picture, "iterations", values_of(picture.table), {{"median", found.median_seconds}});
  return picture;
}

double mean_of(const std::vector<double>& values) {
  return values.empty() ? 0
                        : std::accumulate(values.begin(), values.end(), 0.0) /
                              static_cast<double>(values.size());
}

std::vector<std::string> colors_of(const ActivityLine& line) {
  std::vector<std::string> colors;
  for (const ActivityLine::Activity& one : line.activities) {
    const bool is_mpi = one.name.starts_with("MPI_");
    colors.push_back(one.name == "computing"       ? computing_color
                     : one.name == "not scheduled" ? waiting_color
                     : is_mpi ? fmt::format("var(--series-{})", 1 + colors.size())
                              : other_color);
  }
  return colors;
}

Picture activity_picture(const ProfileView& view, const ActivityLine& line,
                         const ProgramSource& source) {
  const ActivityLine::Activity& computing = line.activities.front();
  Picture picture{
      .id = "ranks-against-time",
      .title = fmt::format(words::compute_together, significant(mean_of(computing.ranks), 3),
                           count_text(static_cast<std::size_t>(view.profile.world_ranks), "rank")),
      .caption = fmt::format(words::parts_of_run, line.bins(), short_time(line.bin_seconds)),
      .table = view_of_activity(line),
      .launches = source.launches,
      .command = source.command + " --csv --by time"};
  if (line.activities.back().name == "not scheduled") picture.caption += words::without_cpu;
  Json values = values_of(picture.table);
  double low = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i % line.activities.size() == 0) low = 0;
    values[i]["low"] = low;
    low += values[i].at("ranks").get<double>();
    values[i]["high"] = low;
  }
  const auto names = strings_of(line.activities, &ActivityLine::Activity::name);
  draw(picture, "activity", std::move(values),
       {{"ranks", view.profile.world_ranks},
        {"color", colored("activity", names, colors_of(line))}});
  return picture;
}

/// A list of texts as an expression. They must be names that C++ wrote.
std::string expression_of(const std::vector<std::string>& words) {
  return fmt::format("['{}']", join(words, "','"));
}

/// Numbers of the functions that bars show. Number 0 is computing.
class CallNames {
 public:
  std::size_t number_of(profile::Function function) {
    if (function == profile::Function::count) return 0;
    const std::string name = fmt::format("MPI_{}", profile::describe(function).name);
    const auto found = std::ranges::find(names_, name);
    if (found != names_.end()) return static_cast<std::size_t>(found - names_.begin());
    names_.push_back(name);
    return names_.size() - 1;
  }
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

 private:
  std::vector<std::string> names_{""};
};

/// Rounded to a ten-thousandth of the window, so that a page with thousands of them stays small.
double rounded(double seconds, double window_seconds) {
  constexpr double digits = 4;
  const double magnitude = std::ceil(std::log10(std::max(window_seconds, nanosecond)));
  const int decimals = static_cast<int>(std::max(0.0, digits - magnitude));
  return as_number<double>(fixed_text(seconds, decimals)).value_or(seconds);
}

/// The event time line and what it is a part of.
struct DrawnLine {
  const EventLine& line;
  const Iterations& iterations;
  int world_ranks = 0;
  const ProgramSource& source;
};

/// Mean over ranks of an iteration's time; of another window its length.
double seconds_of(const DrawnLine& drawn, const LineWindow& window) {
  return window.iteration ? drawn.iterations.all[*window.iteration].seconds : window.seconds;
}

/// "iteration 217 of 400, the slowest: 31.0 ms, from 2.13 s on".
std::string name_of(const DrawnLine& drawn, const LineWindow& window) {
  const Iterations& iterations = drawn.iterations;
  const std::string seconds = short_time(seconds_of(drawn, window));
  if (&window == &drawn.line.windows.front()) return fmt::format(words::whole_run, seconds);
  const std::string begin = short_time(window.begin_seconds);
  if (!window.iteration) return fmt::format(words::part_of_run, seconds, begin);
  const std::size_t number = *window.iteration;
  return fmt::format(words::iteration, number + 1, iterations.count(),
                     number == iterations.slowest ? ", the slowest" : "",
                     number == iterations.typical ? ", the median" : "", seconds, begin);
}

/// Marks of the event time line, in few letters, as a page has thousands of them.
class EventMarks {
 public:
  /// `first_row`: where the rows of the window begin.
  void add(const LineWindow& window, std::size_t number, std::size_t first_row) {
    const auto in_window = [&](double seconds) { return rounded(seconds, window.seconds); };
    for (const LineBar& bar : window.bars) {
      bars_.push_back({{"w", number},
                       {"y", first_row + bar.row},
                       {"d", static_cast<int>(bar.doing)},
                       {"c", calls_.number_of(bar.function)},
                       {"b", in_window(bar.begin_seconds)},
                       {"e", in_window(bar.end_seconds)}});
    }
    for (const LineMessage& one : window.messages) {
      messages_.push_back({{"w", number},
                           {"y", first_row + one.from},
                           {"z", first_row + one.to},
                           {"n", short_bytes(static_cast<double>(one.bytes))},
                           {"b", in_window(one.sent_seconds)},
                           {"e", in_window(one.received_seconds)}});
    }
  }

  /// Bindings of charts/event_line.json. `rows`: the words of all rows.
  Json bindings(const std::vector<std::string>& rows) const {
    constexpr int of_row = 20;
    constexpr int least = 60;
    constexpr int of_frame = 110;
    Json places = Json::array();
    for (std::size_t row = 0; row < rows.size(); ++row) {
      if (!rows[row].empty()) places.push_back(static_cast<double>(row) + 0.5);
    }
    return {{"messages", messages_},
            {"rows", rows.size()},
            {"places", std::move(places)},
            {"row_words", expression_of(rows)},
            {"doing_words", expression_of(valid_words<Doing>())},
            {"call_words", expression_of(calls_.names())},
            {"doing_color", colored("doing", valid_words<Doing>(),
                                    {computing_color, waiting_color, "var(--series-5)",
                                     "var(--heat-4)", other_color})},
            {"height", of_frame + std::max(least, of_row * static_cast<int>(rows.size()))}};
  }
  [[nodiscard]] const Json& bars() const { return bars_; }

 private:
  Json bars_ = Json::array();
  Json messages_ = Json::array();
  CallNames calls_;
};

std::string rows_words(const DrawnLine& drawn) {
  const EventLine& line = drawn.line;
  const auto all = static_cast<std::size_t>(drawn.world_ranks);
  if (line.ranks.size() == all) return {};
  return fmt::format(words::some_ranks, line.ranks.size(), all);
}

std::string slots_words(const std::vector<const LineWindow*>& windows) {
  std::string text;
  const auto many = [](const LineWindow* one) { return one->slot_seconds > 0; };
  if (std::ranges::any_of(windows, many)) text += words::too_many_calls;
  const auto hides = [](const LineWindow* one) { return one->messages_left_out > 0; };
  if (std::ranges::any_of(windows, hides)) text += words::too_many_messages;
  return text;
}

/// The bars of a window, with a column for its name if it has one.
View bars_table(const EventLine& line, const LineWindow& window, const std::string& name) {
  Columns<LineBar> columns{
      {{"rank", "rank", Unit::count}, [&](const LineBar& bar) { return line.ranks[bar.row]; }},
      {{"doing", "does"}, &LineBar::doing},
      {{"call", "call"},
       [](const LineBar& bar) {
         const bool is_computing = bar.function == profile::Function::count;
         return is_computing ? Value()
                             : Value(fmt::format("MPI_{}", profile::describe(bar.function).name));
       }},
      {{"begin_seconds", "from", Unit::micros}, &LineBar::begin_seconds},
      {{"end_seconds", "to", Unit::micros}, &LineBar::end_seconds}};
  if (!name.empty()) {
    columns.insert(columns.begin(),
                   Column<LineBar>{{"window", "window"}, [&](const LineBar&) { return name; }});
  }
  return make_view(columns, window.bars);
}

std::vector<std::string> rank_words(const EventLine& line) {
  return strings_of(line.ranks, [](int rank) { return std::to_string(rank); });
}

/// The window that can be moved.
Picture moving_picture(const DrawnLine& drawn) {
  const EventLine& line = drawn.line;
  const ProgramSource& source = drawn.source;
  const LineWindow& opening = line.windows[line.opening];
  Picture picture{.id = "time-line",
                  .title = opening.iteration
                               ? fmt::format(words::first_in_median, *opening.iteration + 1)
                               : std::string(words::first_in_middle),
                  .table = bars_table(line, opening, ""),
                  .launches = source.launches,
                  .command = source.command + " --timeline t.json"};
  EventMarks marks;
  std::vector<std::string> names;
  std::vector<const LineWindow*> windows;
  for (std::size_t i = 0; i < line.windows.size(); ++i) {
    marks.add(line.windows[i], i, 0);
    names.push_back(name_of(drawn, line.windows[i]));
    windows.push_back(&line.windows[i]);
  }
  const std::string what = opening.iteration
                               ? std::string(words::opens_on_median)
                               : fmt::format(words::opens_on_middle, drawn.iterations.why_none);
  Json bindings = marks.bindings(rank_words(line));
  bindings["marks"] = fmt::format("{}{}{}{}{}", words::marks, what, rows_words(drawn),
                                  slots_words(windows), words::first_in_table);
  bindings["moves"] = true;
  bindings["opening"] = line.opening;
  bindings["last"] = line.windows.size() - 1;
  bindings["heading"] = {{"expr", expression_of(names) + "[shown]"}};
  bindings["names"] = nullptr;
  draw(picture, "event_line", marks.bars(), std::move(bindings));
  return picture;
}

/// The median iteration and the slowest, on one axis.
Picture paired_picture(const DrawnLine& drawn, const LineWindow& slowest) {
  const EventLine& line = drawn.line;
  const ProgramSource& source = drawn.source;
  const LineWindow& median = line.windows[line.opening];
  const std::string cause = cause_words(drawn.iterations.why_slowest);
  Picture picture{.id = "slowest-and-median",
                  .title = fmt::format(
                      words::slowest_and_median, short_time(seconds_of(drawn, slowest)),
                      short_time(seconds_of(drawn, median)), cause.empty() ? "" : ": " + cause),
                  .table = View{},
                  .launches = source.launches,
                  .command = source.command + " --timeline t.json"};
  EventMarks marks;
  std::vector<std::string> rows;
  Json names = Json::array();
  for (const LineWindow* const window : {&median, &slowest}) {
    const std::string name = name_of(drawn, *window);
    names.push_back({{"b", 0}, {"top", static_cast<double>(rows.size()) + 0.5}, {"name", name}});
    rows.emplace_back();
    marks.add(*window, 0, rows.size());
    std::ranges::copy(rank_words(line), std::back_inserter(rows));
    const View bars = bars_table(line, *window, window == &median ? "median" : "slowest");
    picture.table.headings = bars.headings;
    std::ranges::copy(bars.rows, std::back_inserter(picture.table.rows));
  }
  Json bindings = marks.bindings(rows);
  bindings["marks"] =
      fmt::format("{}{}{}", words::marks, rows_words(drawn), slots_words({&median, &slowest}));
  bindings["moves"] = false;
  bindings["opening"] = 0;
  bindings["last"] = 0;
  bindings["heading"] = words::same_scale;
  bindings["names"] = std::move(names);
  draw(picture, "event_line", marks.bars(), std::move(bindings));
  return picture;
}

}  // namespace

std::vector<Picture> time_line_pictures(const ProfileView& view, const ProgramSource& source) {
  std::vector<Picture> pictures;
  if (!view.lines) return pictures;
  const applications::TimeLines& lines = *view.lines;
  if (lines.iterations.count() > 0) {
    pictures.push_back(iterations_picture(lines.iterations, source));
  }
  if (lines.activity && lines.activity->bin_seconds > 0) {
    pictures.push_back(activity_picture(view, *lines.activity, source));
  }
  if (!lines.events || lines.events->windows.front().seconds <= 0) return pictures;
  const EventLine& events = *lines.events;
  const DrawnLine drawn{events, lines.iterations, view.profile.world_ranks, source};
  pictures.push_back(moving_picture(drawn));
  if (events.slowest && *events.slowest != events.opening) {
    pictures.push_back(paired_picture(drawn, events.windows[*events.slowest]));
  }
  return pictures;
}

}  // namespace hockney::report
