#include <fmt/format.h>
#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <regex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/text.hpp"
#include "driver/imports/osu_title.hpp"
#include "driver/imports/table_text.hpp"

// Texts of the OSU Micro-Benchmarks. A run is a title, comments, a header and rows:
//
//   # OSU MPI Allreduce Latency Test v7.5
//   # Datatype: MPI_INT.
//   # Size       Avg Latency(us)
//   4                      10.05
//
// Latencies are times of one operation; rates are the bytes of all pairs [10^6 B/s]. Before the
// title, osu_latency_mt prints its threads, and neighbourhood collectives print the dimensions of
// their grid. The product of these dimensions is the number of ranks.
namespace hockney::imports {
namespace {

/// The memory of one side's buffers, from "DEVICE (D)", "HOST (H)" or "MANAGED (M)".
std::string side_memory(char letter, const OsuTitle& title) {
  if (letter == 'H') return "host";
  const std::string device = title.accelerator.empty() ? "gpu" : title.accelerator;
  return letter == 'M' ? device + "-managed" : device;
}

/// The memory of a point, such as "cuda-to-host", from the header's line about both sides' buffers:
/// "# Send Buffer on DEVICE (D) and Receive Buffer on HOST (H)". Any other line gives nullopt.
std::optional<std::string> osu_memory(std::string_view line, const OsuTitle& title) {
  static const std::regex pattern(
      R"(^# (?:Send Buffer|Rank 0 Memory) on [A-Z]+ \(([DHM])\) and (?:Receive Buffer|Rank 1 Memory) on [A-Z]+ \(([DHM])\).*$)");
  std::cmatch found;
  if (!std::regex_match(line.begin(), line.end(), found, pattern)) return std::nullopt;
  const std::string first = side_memory(*found[1].first, title);
  const std::string second = side_memory(*found[2].first, title);
  return first == second ? first : fmt::format("{}-to-{}", first, second);
}

/// The memory from the title alone: "cuda", "cuda-managed"; empty for hosts.
std::string memory_of(const OsuTitle& title) {
  if (title.accelerator.empty()) return {};
  return title.managed ? title.accelerator + "-managed" : title.accelerator;
}

/// The window or the completion of one-sided calls, as hockney's parameter; empty for other
/// comments.
std::pair<std::string, std::string> window_parameter(std::string_view comment) {
  static const std::map<std::string, std::pair<std::string, std::string>, std::less<>> known{
      {"# Window creation: MPI_Win_create", {"window-kind", "created"}},
      {"# Window creation: MPI_Win_allocate", {"window-kind", "allocated"}},
      {"# Window creation: MPI_Win_create_dynamic", {"window-kind", "dynamic"}},
      {"# Synchronization: MPI_Win_lock/unlock", {"synchronisation", "lock"}},
      {"# Synchronization: MPI_Win_post/start/complete/wait", {"synchronisation", "pscw"}},
      {"# Synchronization: MPI_Win_fence", {"synchronisation", "fence"}},
      {"# Synchronization: MPI_Win_flush", {"synchronisation", "flush"}},
      {"# Synchronization: MPI_Win_flush_local", {"synchronisation", "flush-local"}},
      {"# Synchronization: MPI_Win_lock_all/unlock_all", {"synchronisation", "lock-all"}}};
  const auto found = known.find(comment);
  return found == known.end() ? std::pair<std::string, std::string>{} : found->second;
}

/// The meaning of a column. `other` columns are further views of the same figure
/// (minima, percentiles, iterations).
enum class Meaning {
  size,
  seconds,
  rate,
  messages,
  overall,
  compute,
  pure,
  validation,
  transmitted,
  other,
  unknown
};

Meaning meaning_of(const std::string& column) {
  static const std::vector<std::pair<std::regex, Meaning>> meanings{
      {std::regex(R"(^#? ?Size(?: \(B\))?$)"), Meaning::size},
      {std::regex(R"(^#? ?(Avg )?Lat(ency)? ?\(us\)$)"), Meaning::seconds},
      {std::regex(R"(^#? ?(?:(?:Bi-)?Bandwidth ?\()?MB/s\)?$)"), Meaning::rate},
      {std::regex("^Messages/s(?:ec)?$"), Meaning::messages},
      {std::regex(R"(^#? ?Overall ?\(us\)$)"), Meaning::overall},
      {std::regex(R"(^Compute ?\(us\)$)"), Meaning::compute},
      {std::regex(R"(^Pure Comm\. ?\(us\)$)"), Meaning::pure},
      {std::regex("^Validation$"), Meaning::validation},
      {std::regex("^Transmit Size$"), Meaning::transmitted},
      {std::regex(R"(^(?:Min|Max) (?:Lat(?:ency)?|Comm\.) ?\(us\)$)"), Meaning::other},
      {std::regex(R"(^(?:Coll\. Init|MPI_Test|MPI_Wait) ?\(us\)$)"), Meaning::other},
      {std::regex(R"(^(?:Iterations|Overlap ?\(%\)|P[0-9.]+ Tail [A-Za-z/ ]+ ?\([^()]*\))$)"),
       Meaning::other}};
  for (const auto& [pattern, meaning] : meanings) {
    if (std::regex_match(column, pattern)) return meaning;
  }
  return Meaning::unknown;
}

/// The columns of a text with single blanks. Words that form the longest known name are joined.
std::vector<Meaning> joined_meanings(const std::vector<std::string>& names) {
  constexpr std::size_t longest = 5;
  std::vector<Meaning> meanings;
  for (std::size_t begin = 0; begin < names.size();) {
    std::string name;
    Meaning meaning = Meaning::unknown;
    std::size_t end = begin;
    for (std::size_t at = begin; at < std::min(begin + longest, names.size()); ++at) {
      name += (name.empty() ? "" : " ") + names[at];
      const Meaning found = meaning_of(name);
      if (found == Meaning::unknown) continue;
      meaning = found;
      end = at + 1;
    }
    meanings.push_back(meaning);
    if (meaning == Meaning::unknown) break;
    begin = end;
  }
  return meanings;
}

/// The columns of a header. In versions with long names only single blanks separate some.
std::vector<Meaning> meanings_in(std::string_view header) {
  std::vector<Meaning> meanings;
  for (const std::string& column : header_columns(header)) {
    const Meaning meaning = meaning_of(column);
    if (meaning != Meaning::unknown) {
      meanings.push_back(meaning);
      continue;
    }
    std::ranges::copy(joined_meanings(words(column)), std::back_inserter(meanings));
    if (meanings.back() == Meaning::unknown) break;
  }
  return meanings;
}

/// The words of a row by meaning.
using Cells = std::map<Meaning, std::string>;

class OsuReader : public TableReader {
 public:
  using TableReader::TableReader;

 private:
  void read_line() override {
    if (is_title() || is_before_title() || is_comment() || is_start_up()) return;
    if (runs_.empty()) {
      lines_.note_log_line();
    } else if (!windows_.empty()) {
      read_windows_row();
    } else if (columns_.empty()) {
      rows_.leave_out_unread(runs_.back(), "the header of its table is not understood");
    } else {
      read_row();
    }
  }

  bool is_title() {
    auto title = osu_title(lines_.line());
    if (title) begin_run(std::move(*title));
    return title.has_value();
  }

  void begin_run(OsuTitle title) {
    title_ = std::move(title);
    command_ = lines_.command();
    runs_.push_back(lines_.begin_run("osu", title_.version));
    rows_.begin(runs_.back());
    columns_.clear();
    windows_.clear();
    pairs_ = 1;
    datatype_.clear();
    parameters_ = std::exchange(before_title_, {});
    parameters_.insert(title_.parameters.begin(), title_.parameters.end());
    parameters_[timing_parameter] = "osu";
    grid_ranks_ = std::exchange(grid_before_title_, {});
    // osu_neighbor_alltoallw has the title of osu_alltoallw (OMB 7.4).
    const bool on_graph = std::exchange(graph_before_title_, false) || grid_ranks_;
    if (on_graph && title_.operation.find("neighbor-") == std::string::npos) {
      title_.operation.insert(0, "neighbor-");
    }
    const auto ranks = command_ranks() ? command_ranks() : facts_.ranks;
    if (parameters_.contains("concurrent") && ranks) {
      parameters_["pairs"] = std::to_string(*ranks / 2);
    }
    note_other_ranks();
    const std::string memory = facts_.memory.value_or(memory_of(title_));
    if (!title_.accelerator.empty()) parameters_["memory"] = memory;
    memory_is_assumed_ = !title_.accelerator.empty() && title_.of_pair && !facts_.memory;
  }

  /// Notes ranks of a command that differ from the user's.
  void note_other_ranks() {
    const auto ranks = command_ranks();
    const bool has_other = ranks && facts_.ranks && *ranks != *facts_.ranks && !title_.of_pair &&
                           title_.operation != "message-rate" && !grid_ranks_;
    if (!has_other) return;
    runs_.back().assumed.add(fmt::format("{}: {} ranks, as the line before it says, not {}",
                                         runs_.back().place, *ranks, *facts_.ranks));
  }

  /// Threads, forked processes and dimensions are printed before their title.
  bool is_before_title() {
    static const std::regex sides(
        R"(^# Number of (Sender threads|Receiver threads|forked processes in sender|forked processes in receiver): ?([0-9]+).*$)");
    static const std::regex grid(R"(^Dimensions size = ([0-9 ]+)$)");
    static const std::map<std::string, std::string> names{
        {"Sender threads", "threads"},
        {"Receiver threads", "receiver-threads"},
        {"forked processes in sender", "processes"},
        {"forked processes in receiver", "receiver-processes"}};
    const std::string line(lines_.line());
    std::smatch found;
    if (line.starts_with("Time took to create topology graph")) {
      graph_before_title_ = true;
      return true;
    }
    if (std::regex_match(line, found, sides)) {
      keep_side(names.at(found[1]), found[2]);
      return true;
    }
    if (!std::regex_match(line, found, grid)) return false;
    std::int64_t ranks = 1;
    for (const std::string& extent : words(found[1].str())) {
      ranks *= ranks_in(extent).value_or(0);
      if (ranks > 1'000'000) break;
    }
    grid_before_title_ = ranks_in(std::to_string(ranks));
    return true;
  }

  /// Equal numbers of both sides are kept once.
  void keep_side(const std::string& name, const std::string& number) {
    const bool of_receiver = name.starts_with("receiver-");
    const std::string other = of_receiver ? name.substr(std::string("receiver-").size()) : "";
    const bool is_read = !runs_.empty() && columns_.empty();
    for (auto* parameters : {&before_title_, is_read ? &parameters_ : nullptr}) {
      if (parameters == nullptr) continue;
      const auto sender = parameters->find(other);
      if (sender == parameters->end() || sender->second != number) (*parameters)[name] = number;
    }
  }

  bool is_comment() {
    if (!lines_.line().starts_with('#')) return false;
    const bool is_open = !runs_.empty();
    if (begins_untitled()) return true;
    if (is_open && (is_header() || is_window_header() || is_fact())) return true;
    if (is_known()) return true;
    // Comments after a table belong to the log, or to the next run.
    const bool is_of_log =
        !is_open || rows_.has_rows(runs_.back()) || lines_.line().starts_with("##");
    if (is_of_log) {
      lines_.note_log_line();
    } else {
      note_remark(runs_.back(), lines_);
    }
    return true;
  }

  /// Begins a run at a header without title if the command before it names the benchmark.
  bool begins_untitled() {
    const bool is_used = !runs_.empty() && !rows_.has_rows(runs_.back());
    const LogCommand command = lines_.command();
    if (is_used || !command.program.starts_with("osu_")) return false;
    if (!runs_.empty() && command.number < runs_.back().last_row) return false;
    const auto columns = meanings_in(trimmed(lines_.line().substr(1)));
    if (columns.size() < 2 || columns.front() != Meaning::size) return false;
    begin_run(title_of_program(command.program));
    return is_header();
  }

  bool is_fact() {
    static const std::regex pairs("\\[ ?pairs: ([0-9]+) ?\\]");
    static const std::regex window("(?:window size|Window size|WINDOW SIZE): ?([0-9]+)");
    static const std::regex datatype("^# Datatype: ?(.*?)\\.?$");
    std::cmatch found;
    const std::string_view line = lines_.line();
    const auto is = [&](const std::regex& pattern) {
      return std::regex_search(line.begin(), line.end(), found, pattern);
    };
    bool is_one = false;
    if (is(pairs)) {
      pairs_ = ranks_in(found[1]).value_or(1);
      is_one = true;
    }
    if (is(window)) {
      parameters_["window"] = found[1];
      is_one = true;
    }
    if (is(datatype)) {
      datatype_ = datatype_name(found[1].str());
      is_one = true;
    }
    if (const auto parameter = window_parameter(line); !parameter.first.empty()) {
      parameters_[parameter.first] = parameter.second;
      parameters_.insert({"completion", "origin"});  // the origin's clock stops at completion
      is_one = true;
    }
    if (const auto memory = osu_memory(line, title_)) {
      parameters_["memory"] = *memory;
      memory_is_assumed_ = false;
      is_one = true;
    }
    return is_one;
  }

  /// Whether the comment is known and does not affect the measurement.
  [[nodiscard]] bool is_known() const {
    static const std::regex known(
        "^#(?: Overall = .*| \\[ ?pairs: .*| Uni-directional Bandwidth .*| Message Rate Profile"
        "|Using [NR]CCL|[-=# ]*)$");
    return std::regex_match(lines_.line().begin(), lines_.line().end(), known);
  }

  bool is_header() {
    const std::string_view header = trimmed(lines_.line().substr(1));
    if (header.empty()) return false;
    std::vector<Meaning> columns = meanings_in(header);
    const bool has_figures = std::ranges::any_of(columns, [](Meaning meaning) {
      return meaning >= Meaning::seconds && meaning <= Meaning::pure;
    });
    if (!has_figures) return false;
    if (is_of_other_benchmark(columns)) {
      columns_.clear();
      windows_.clear();
      return true;
    }
    if (std::ranges::find(columns, Meaning::transmitted) != columns.end()) {
      parameters_["layout"] = "derived";
    }
    // Columns of unknown meaning may have several words, so columns after them cannot be read.
    const auto unknown = std::ranges::find(columns, Meaning::unknown);
    shape_.has_further = unknown != columns.end();
    columns.erase(unknown, columns.end());
    shape_.words = columns.size();
    columns_ = columns;
    windows_.clear();
    rows_.begin(runs_.back());
    return true;
  }

  /// Whether a further table of the run has times instead of rates or the reverse: it was pasted
  /// without its title.
  [[nodiscard]] bool is_of_other_benchmark(const std::vector<Meaning>& columns) const {
    const auto has = [](const std::vector<Meaning>& all, Meaning meaning) {
      return std::ranges::find(all, meaning) != all.end();
    };
    return rows_.has_rows(runs_.back()) && !columns_.empty() &&
           has(columns, Meaning::rate) != has(columns_, Meaning::rate);
  }

  /// The header of osu_mbw_mr -V is a list of windows: "#    1   2   4   8".
  bool is_window_header() {
    if (title_.operation != "message-rate") return false;
    const std::vector<std::string> numbers = words(lines_.line().substr(1));
    const bool are_windows =
        numbers.size() > 1 &&
        std::ranges::all_of(numbers, [](const auto& word) { return ranks_in(word).has_value(); });
    if (!are_windows) return false;
    // The second table repeats the rates in messages.
    is_profile_ = !windows_.empty();
    windows_ = numbers;
    rows_.begin(runs_.back());
    return true;
  }

  /// osu_init has one line: "nprocs: 4, min: 100 ms, max: 104 ms, avg: 102 ms".
  bool is_start_up() {
    static const std::regex times(R"(^nprocs: ([0-9]+), min: .*, avg: ([0-9.]+) ms$)");
    std::cmatch found;
    const std::string_view line = lines_.line();
    if (title_.operation != "init" || !std::regex_match(line.begin(), line.end(), found, times) ||
        lines_.is_cut()) {
      return false;
    }
    const auto ranks = ranks_in(found[1]);
    const auto milliseconds = positive_in(found[2]);
    if (!ranks || !milliseconds) return false;
    const Point point{
        .operation = "init", .ranks = *ranks, .hop = facts_.hop, .parameters = parameters_};
    runs_.back().figures.push_back({point, *milliseconds / 1e3, 0});
    lines_.note_row(runs_.back());
    return true;
  }

  /// The ranks in the log before the table. Those of another benchmark's command do not count.
  [[nodiscard]] std::optional<int> command_ranks() const {
    const std::string& program = command_.program;
    const bool is_of_other = !program.empty() && program.starts_with("osu_") &&
                             title_of_program(program).operation != title_.operation;
    return is_of_other ? std::nullopt : command_.ranks;
  }

  [[nodiscard]] int ranks() const {
    if (title_.of_pair) return 2;
    if (title_.operation == "message-rate") return 2 * pairs_;
    if (grid_ranks_) return *grid_ranks_;
    if (const auto ranks = command_ranks()) return *ranks;
    if (facts_.ranks) return *facts_.ranks;
    throw lines_.error(fmt::format("the number of ranks of '{}' is not known", title_.operation),
                       "OMB does not print it: give --ranks");
  }

  Point point_of(std::int64_t size) {
    Point point{.operation = title_.operation,
                .bytes = {size},
                .ranks = ranks(),
                .hop = facts_.hop,
                .parameters = parameters_};
    add_datatype(point, datatype_, {});
    return point;
  }

  void read_row() {
    SuiteRun& run = runs_.back();
    if (title_.operation.empty()) {
      return rows_.leave_out_unread(run, fmt::format("tables of {} are not read", title_.library));
    }
    const auto row = rows_.row(run, shape_);
    if (!row) return;
    Cells cells;
    for (std::size_t column = 0; column < row->size(); ++column) {
      cells.emplace(columns_[column], (*row)[column]);
    }
    const auto size = cells.contains(Meaning::size) ? size_in(cells[Meaning::size]) : 0;
    if (!size) return rows_.leave_out(run, fmt::format("'{}' is no size", cells[Meaning::size]));
    const Point point = point_of(*size);
    static const std::vector<std::pair<Meaning, std::string>> times{{Meaning::seconds, ""},
                                                                    {Meaning::pure, "none"},
                                                                    {Meaning::compute, "alone"},
                                                                    {Meaning::overall, "during"}};
    const std::int64_t counted = title_.of_pair ? point.bytes.value : 0;
    for (const auto& [meaning, work] : times) {
      add_time(point, figure_in(cells, meaning), work, counted, is_corrupt(cells));
    }
    add_rate(point, cells);
    take_row(run);
  }

  void take_row(SuiteRun& run) {
    rows_.take(run, std::exchange(figures_, {}));
    if (!rows_.has_rows(run) || !std::exchange(memory_is_assumed_, false)) return;
    run.assumed.add(
        fmt::format("{}: memory {} of both sides, by its title alone (--memory says otherwise)",
                    run.place, parameters_["memory"]));
  }

  /// Reads a row: a size and the rate for each window.
  void read_windows_row() {
    SuiteRun& run = runs_.back();
    if (is_profile_) return;
    const auto row = rows_.row(run, {.words = windows_.size() + 1});
    if (!row) return;
    const auto size = size_in(row->front());
    if (!size) return rows_.leave_out(run, fmt::format("'{}' is no size", row->front()));
    for (std::size_t i = 0; i < windows_.size(); ++i) {
      parameters_["window"] = windows_[i];
      add_rate(point_of(*size), {{Meaning::rate, (*row)[i + 1]}});
    }
    take_row(run);
  }

  /// "Pass" or "Fail" with osu's option -c.
  static bool is_corrupt(const Cells& cells) {
    const auto found = cells.find(Meaning::validation);
    return found != cells.end() && found->second == "Fail";
  }

  void add_rate(const Point& point, const Cells& cells) {
    const std::int64_t counted = point.bytes.value * title_.ways * pairs_;
    double seconds = 0;
    if (const auto messages = figure_in(cells, Meaning::messages)) {
      seconds = pairs_ / *messages;
    } else if (const auto rate = figure_in(cells, Meaning::rate)) {
      seconds = static_cast<double>(counted) / (*rate * 1e6);
    }
    if (seconds > 0) {
      figures_.push_back({point, seconds, counted, is_corrupt(cells)});
    }
  }

  OsuTitle title_;
  LogCommand command_;  ///< before the title
  std::vector<Meaning> columns_;
  RowShape shape_;
  std::vector<std::string> windows_;  ///< columns of osu_mbw_mr -V; empty for other tables
  bool is_profile_ = false;
  int pairs_ = 1;
  std::string datatype_;
  std::map<std::string, std::string> parameters_;
  std::map<std::string, std::string> before_title_;
  std::optional<int> grid_ranks_;
  std::optional<int> grid_before_title_;
  bool graph_before_title_ = false;
  bool memory_is_assumed_ = false;
};

}  // namespace

std::vector<SuiteRun> read_osu(const SuiteText& text, const RunFacts& facts) {
  return read_processes<OsuReader>(text, facts);
}

}  // namespace hockney::imports
