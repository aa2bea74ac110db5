// Texts of the OSU Micro-Benchmarks. A run is a title, comments, a header and rows:
//
//   # OSU MPI Allreduce Latency Test v7.5
//   # Datatype: MPI_INT.
//   # Size       Avg Latency(us)
//   4                      10.05
//
// Latencies are times of one operation; rates are bytes that all pairs pass [10^6 B/s].

#include <map>
#include <regex>
#include <utility>

#include "imports/table_text.hpp"

namespace hockney::imports {
namespace {

/// How a benchmark's table is to be read.
struct Benchmark {
  std::string operation;
  bool of_pair = false;  ///< two ranks, whatever else the job had
  int ways = 1;          ///< messages that the printed rate counts for one operation of a pair
};

/// Whether a text has a part like this, which is taken out of it.
bool take_away(std::string& text, const std::regex& part) {
  const std::string rest = std::regex_replace(text, part, std::string());
  const bool is_there = rest != text;
  text = rest;
  return is_there;
}

Benchmark benchmark_of(std::string title) {
  static const std::map<std::string, Benchmark> known{
      {"Latency", {"pingpong", true}},
      {"Bandwidth", {"bandwidth", true}},
      {"Bi-Directional Bandwidth", {"bidirectional-bandwidth", true, 2}},
      {"Multiple Bandwidth / Message Rate", {"message-rate"}},
      {"Broadcast Latency", {"bcast"}},
      {"All-to-All Personalized Exchange Latency", {"alltoall"}},
      {"All-to-Allv Personalized Exchange Latency", {"alltoallv"}},
      {"All-to-Allw Personalized Exchange Latency", {"alltoallw"}},
      {"Multi-threaded Latency", {"threaded-pingpong", true}},
      {"Multi-process Latency", {"pingpong", true}},
      {"Put Bi-directional Bandwidth", {"put-bidirectional-bandwidth", true, 2}}};
  const bool nonblocking = take_away(title, std::regex("^Non-blocking "));
  const bool persistent = take_away(title, std::regex(" Persistent(?= Latency$|$)"));
  const auto found = known.find(title);
  Benchmark benchmark = found != known.end() ? found->second : Benchmark{};
  if (found == known.end()) {
    benchmark.of_pair = std::regex_search(title, std::regex("^(Put|Get|Accumulate|Fetch|Compare)"));
    take_away(title, std::regex(" [Ll]atency$"));
    benchmark.operation = operation_name(title);
  }
  if (persistent) benchmark.operation.insert(0, "persistent-");
  if (nonblocking) benchmark.operation.insert(0, "i");
  return benchmark;
}

/// What one-sided calls work on, or how they are completed, as hockney's parameter; empty for other
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

/// What a column of a table holds; columns of none of these (minima, percentiles, iterations) are
/// other views of the same figure.
enum class Meaning { size, seconds, rate, messages, overall, compute, pure, validation, other };

Meaning meaning_of(const std::string& column) {
  static const std::vector<std::pair<std::regex, Meaning>> meanings{
      {std::regex("^#? ?Size$"), Meaning::size},
      {std::regex("^#? ?(Avg )?Lat(ency)? ?\\(us\\)$"), Meaning::seconds},
      {std::regex("^(Bandwidth \\()?MB/s\\)?$"), Meaning::rate},
      {std::regex("^Messages/s$"), Meaning::messages},
      {std::regex("^#? ?Overall ?\\(us\\)$"), Meaning::overall},
      {std::regex("^Compute ?\\(us\\)$"), Meaning::compute},
      {std::regex("^Pure Comm\\. ?\\(us\\)$"), Meaning::pure},
      {std::regex("^Validation$"), Meaning::validation}};
  for (const auto& [pattern, meaning] : meanings) {
    if (std::regex_match(column, pattern)) return meaning;
  }
  return Meaning::other;
}

/// The words of a row by what they mean.
using Cells = std::map<Meaning, std::string>;

class OsuReader {
 public:
  OsuReader(const SuiteText& text, const RunFacts& facts) : lines_(text), facts_(facts) {}

  std::vector<SuiteRun> read() {
    while (lines_.next()) {
      if (!is_title() && !is_comment() && !columns_.empty()) read_row();
    }
    return std::move(runs_);
  }

 private:
  bool is_title() {
    static const std::regex title("^# OSU MPI(?:-[A-Z]+)?[ _](.*?) Test(?: v([0-9.]+))?.*$");
    std::cmatch found;
    if (!std::regex_match(lines_.line().begin(), lines_.line().end(), found, title)) return false;
    benchmark_ = benchmark_of(found[1]);
    runs_.push_back({.suite = "osu", .version = found[2]});
    columns_.clear();
    pairs_ = 1;
    parameters_ = {{timing_parameter, "osu"}};
    return true;
  }

  bool is_comment() {
    if (!lines_.line().starts_with('#')) return false;
    static const std::regex pairs("\\[ pairs: ([0-9]+) \\]");
    static const std::regex window("(?:window size|Window size|WINDOW SIZE): ?([0-9]+)");
    std::cmatch found;
    const std::string_view line = lines_.line();
    if (std::regex_search(line.begin(), line.end(), found, pairs))
      pairs_ = ranks_in(found[1]).value_or(1);
    if (std::regex_search(line.begin(), line.end(), found, window)) {
      parameters_["window"] = found[1];
    }
    if (const auto parameter = window_parameter(line); !parameter.first.empty()) {
      parameters_.insert({parameter, {"completion", "origin"}});  // the origin's clock stops then
    }
    std::vector<Meaning> columns;
    for (const std::string& column : header_columns(line.substr(1))) {
      columns.push_back(meaning_of(column));
    }
    const bool is_header = std::ranges::any_of(columns, [](Meaning meaning) {
      return meaning != Meaning::other && meaning != Meaning::size;
    });
    if (is_header && !runs_.empty()) {
      columns_ = columns;
      rows_.begin(runs_.back());
    }
    return true;
  }

  [[nodiscard]] int ranks() const {
    if (benchmark_.of_pair) return 2;
    if (benchmark_.operation == "message-rate") return 2 * pairs_;
    if (facts_.ranks) return *facts_.ranks;
    throw lines_.error("the number of ranks of '" + benchmark_.operation + "' is not known",
                       "OMB does not print it: give --ranks");
  }

  void read_row() {
    SuiteRun& run = runs_.back();
    const auto row = rows_.row(run, columns_.size());
    if (!row) return;
    Cells cells;
    for (std::size_t column = 0; column < row->size(); ++column) {
      cells.emplace(columns_[column], (*row)[column]);
    }
    const auto size = cells.contains(Meaning::size) ? size_in(cells[Meaning::size]) : 0;
    if (!size) return rows_.leave_out(run, "'" + cells[Meaning::size] + "' is no size");
    const Point point{.operation = benchmark_.operation,
                      .bytes = {*size},
                      .ranks = ranks(),
                      .hop = facts_.hop,
                      .parameters = parameters_};
    add_time(point, cells, Meaning::seconds, {});
    add_time(point, cells, Meaning::pure, "none");
    add_time(point, cells, Meaning::compute, "alone");
    add_time(point, cells, Meaning::overall, "during");
    add_rate(point, cells);
    rows_.take(run, std::exchange(figures_, {}));
  }

  /// "Pass" or "Fail" with osu's option -c.
  static bool is_corrupt(const Cells& cells) {
    const auto found = cells.find(Meaning::validation);
    return found != cells.end() && found->second == "Fail";
  }

  std::optional<double> value(const Cells& cells, Meaning meaning) {
    const auto cell = cells.find(meaning);
    return cell == cells.end() ? std::nullopt : rows_.figure(cell->second);
  }

  void add_time(Point point, const Cells& cells, Meaning meaning, const std::string& work) {
    const auto microseconds = value(cells, meaning);
    if (!microseconds) return;
    if (!work.empty()) point.parameters[work_parameter] = work;
    const std::int64_t counted = benchmark_.of_pair ? point.bytes.value : 0;
    figures_.push_back({std::move(point), *microseconds / 1e6, counted, is_corrupt(cells)});
  }

  void add_rate(const Point& point, const Cells& cells) {
    const std::int64_t counted = point.bytes.value * benchmark_.ways * pairs_;
    double seconds = 0;
    if (const auto messages = value(cells, Meaning::messages)) {
      seconds = pairs_ / *messages;
    } else if (const auto rate = value(cells, Meaning::rate)) {
      seconds = static_cast<double>(counted) / (*rate * 1e6);
    }
    if (seconds > 0) {
      figures_.push_back({point, seconds, counted, is_corrupt(cells)});
    }
  }

  Lines lines_;
  TableRows rows_{lines_};
  RunFacts facts_;
  std::vector<SuiteRun> runs_;
  std::vector<SuiteFigure> figures_;  ///< of the row that is being read
  Benchmark benchmark_;
  std::vector<Meaning> columns_;
  int pairs_ = 1;
  std::map<std::string, std::string> parameters_;
};

}  // namespace

std::vector<SuiteRun> read_osu(const SuiteText& text, const RunFacts& facts) {
  return OsuReader(text, facts).read();
}

}  // namespace hockney::imports
