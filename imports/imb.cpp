// Texts of the Intel MPI Benchmarks. A run is the output of one program: facts of the machine, then
// for each benchmark and number of processes a header and rows:
//
//   # Benchmarking Allreduce
//   # #processes = 4
//        #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]
//             0         1000         0.03         0.03         0.03
//
// Of three times the largest is taken, as in docs/suites.md.

#include <map>
#include <regex>
#include <utility>

#include "core/suite_names.hpp"
#include "core/text.hpp"
#include "imports/table_text.hpp"

namespace hockney::imports {
namespace {

/// hockney's name of a benchmark, what its points have, and how many messages its printed rate
/// counts for one operation.
struct ImbBenchmark {
  std::string operation;
  std::map<std::string, std::string> parameters;
  int ways = 1;
  [[nodiscard]] bool moves_files() const {
    return operation.starts_with("file-") && operation != "file-open-close";
  }
};

ImbBenchmark imb_benchmark(const std::string& name) {
  static const std::map<std::string, int> ways{
      {"sendrecv", 2},          {"exchange", 4},          {"bidirectional-bandwidth", 2},
      {"threaded-sendrecv", 2}, {"threaded-exchange", 4}, {"threaded-bidirectional-bandwidth", 2}};
  // "Ibcast_pure" is the call of "Ibcast" with nothing beside it.
  auto [operation, remark, parameters] = known_name(name);
  const auto found = ways.find(operation);
  ImbBenchmark benchmark{operation, std::move(parameters), found == ways.end() ? 1 : found->second};
  if (benchmark.moves_files()) {
    benchmark.parameters.insert({{"pointer", "individual"}, {"files", "one"}});
  }
  return benchmark;
}

/// The words of a row by the names of their columns.
using ImbCells = std::map<std::string, std::string>;

class ImbReader {
 public:
  ImbReader(const SuiteText& text, RunFacts facts) : lines_(text), facts_(std::move(facts)) {}

  std::vector<SuiteRun> read() {
    while (lines_.next()) {
      const std::string_view line = lines_.line();
      if (line.starts_with("#bytes") || line.starts_with("#repetitions")) {
        columns_ = words(line);
        if (!runs_.empty()) rows_.begin(runs_.back());
      } else if (line.starts_with('#')) {
        read_fact();
      } else if (!columns_.empty() && !runs_.empty()) {
        read_row();
      }
    }
    return std::move(runs_);
  }

 private:
  void read_fact() {
    static const std::regex title(
        R"(^#\s+Intel ?\(R\) MPI Benchmarks? ?(?:Suite )?V?([0-9.]+).*$)");
    static const std::regex mode("^#\\s+MODE: (NON-)?AGGREGATE$");
    static const std::regex fact("^# (.*?)\\s*(?::|=)\\s*(.*)$");
    const std::string line(lines_.line());
    std::smatch found;
    if (std::regex_match(line, found, title)) {
      runs_.push_back({.suite = "imb", .version = found[1]});
      columns_.clear();
    } else if (line.starts_with("# Benchmarking ")) {
      if (runs_.empty()) runs_.push_back({.suite = "imb"});
      benchmark_ = imb_benchmark(words(line)[2]);
      columns_.clear();
      ranks_.reset();
      threads_.reset();
      window_.reset();
    } else if (std::regex_match(line, found, mode)) {
      read_mode(!found[1].matched);
    } else if (line.find("IMB-") != std::string::npos && !runs_.empty()) {
      runs_.back().command = words(line.substr(1));
    } else if (std::regex_match(line, found, fact)) {
      keep_fact(found[1], found[2]);
    }
  }

  /// Whether one-sided calls, or the syncing of what files were written, are completed after many.
  void read_mode(bool is_aggregate) {
    std::string& operation = benchmark_.operation;
    if (benchmark_.moves_files()) {
      const bool writes = operation.find("write") != std::string::npos;
      benchmark_.parameters["file-cache"] =
          !writes ? "kept" : (is_aggregate ? "synced-after-all" : "synced");
    } else if (is_aggregate && !operation.ends_with("bandwidth")) {
      operation += "-bandwidth";
    }
  }

  void keep_fact(const std::string& name, const std::string& value) {
    if (name == "#processes") count_processes(value);
    if (name == "window_size") window_ = value;
    if (runs_.empty()) return;
    if (name == "Machine") runs_.back().cpu = value;
    if (name == "MPI Version") runs_.back().standard = value;
  }

  /// "2", or of IMB-MT "2 (threads: 4)".
  void count_processes(const std::string& value) {
    static const std::regex pattern("^([0-9]+)(?: \\(threads: ([0-9]+)\\))?.*$");
    std::smatch found;
    if (!std::regex_match(value, found, pattern)) return;
    ranks_ = ranks_in(found[1]);
    if (found[2].matched) threads_ = ranks_in(found[2]);
  }

  [[nodiscard]] int ranks() const {
    if (ranks_) return *ranks_;
    if (facts_.ranks) return *facts_.ranks;
    throw lines_.error("the number of ranks of '" + benchmark_.operation + "' is not known",
                       "there is no line '# #processes ='; give --ranks");
  }

  void read_row() {
    SuiteRun& run = runs_.back();
    const auto row = rows_.row(run, columns_.size());
    if (!row) return;
    ImbCells cells;
    for (std::size_t column = 0; column < row->size(); ++column) {
      cells.emplace(columns_[column], (*row)[column]);
    }
    const auto size = bytes_in(cells);
    if (!size) return rows_.leave_out(run, "'" + cells["#bytes"] + "' is no size");
    Point point{.operation = benchmark_.operation, .ranks = ranks(), .hop = facts_.hop};
    point.bytes.value = *size;
    if (point.operation == "message-rate" && point.ranks == 2) point.operation = "bandwidth";
    // IMB's size is the part that a rank gets, hockney's and OMB's the whole vector.
    if (point.operation == "reduce-scatter") point.bytes.value *= point.ranks;
    // Of files it is what all ranks move, hockney's what each does.
    if (benchmark_.moves_files()) point.bytes.value /= point.ranks;
    point.parameters = benchmark_.parameters;
    point.parameters[timing_parameter] = "imb";
    if (threads_) point.parameters["threads"] = std::to_string(*threads_);
    if (window_) point.parameters["window"] = *window_;
    for (const char* column : {"t[usec]", "t_max[usec]"}) add_time(point, cells, column, {});
    add_time(point, cells, "t_pure[usec]", "none");
    add_time(point, cells, "t_CPU[usec]", "alone");
    add_time(point, cells, "t_ovrl[usec]", "during");
    add_rate(point, cells);
    rows_.take(run, std::exchange(figures_, {}));
  }

  /// As printed; 0 in tables without sizes.
  static std::optional<std::int64_t> bytes_in(const ImbCells& cells) {
    const auto cell = cells.find("#bytes");
    return cell == cells.end() ? 0 : size_in(cell->second);
  }

  std::optional<double> value(const ImbCells& cells, const std::string& column) {
    const auto cell = cells.find(column);
    return cell == cells.end() ? std::nullopt : rows_.figure(cell->second);
  }

  void add_time(Point point, const ImbCells& cells, const std::string& column,
                const std::string& work) {
    const auto microseconds = value(cells, column);
    if (!microseconds) return;
    if (!work.empty()) point.parameters[work_parameter] = work;
    const bool rated = cells.contains("Mbytes/sec");
    const std::int64_t counted = rated ? bytes_in(cells).value_or(0) * benchmark_.ways : 0;
    figures_.push_back({std::move(point), *microseconds / 1e6, counted});
  }

  /// Of Uniband, Biband and their like, which print rates of all threads.
  void add_rate(const Point& point, const ImbCells& cells) {
    const auto messages = value(cells, "Msg/sec");
    const int each = point.ranks / 2 * benchmark_.ways * threads_.value_or(1);
    if (!messages || each == 0) return;
    figures_.push_back({point, each / *messages, point.bytes.value * each});
  }

  Lines lines_;
  TableRows rows_{lines_};
  RunFacts facts_;
  std::vector<SuiteRun> runs_;
  std::vector<SuiteFigure> figures_;  ///< of the row that is being read
  ImbBenchmark benchmark_;
  std::optional<int> ranks_;
  std::optional<int> threads_;  ///< of each process
  std::optional<std::string> window_;
  std::vector<std::string> columns_;
};

}  // namespace

std::vector<SuiteRun> read_imb(const SuiteText& text, const RunFacts& facts) {
  return ImbReader(text, facts).read();
}

}  // namespace hockney::imports
