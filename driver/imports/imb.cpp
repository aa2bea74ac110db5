#include <fmt/format.h>
#include <cstdint>
#include <map>
#include <optional>
#include <regex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/suite_names.hpp"
#include "core/text.hpp"
#include "driver/imports/table_text.hpp"

// Texts of the Intel MPI Benchmarks. A run is the output of one program. It has facts of the
// machine, then a header and rows for each benchmark and number of processes:
//
//   # Benchmarking Allreduce
//   # #processes = 4
//        #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]
//             0         1000         0.03         0.03         0.03
//
// The largest of the three times counts, as in docs/reference/osu-and-imb.md.
namespace hockney::imports {
namespace {

/// hockney's name of a benchmark, the parameters of its points, and the messages that its printed
/// rate counts per operation.
struct ImbBenchmark {
  std::string operation;
  std::map<std::string, std::string> parameters;
  int ways = 1;
  [[nodiscard]] bool moves_files() const {
    return operation.starts_with("file-") && operation != "file-open-close";
  }
};

ImbBenchmark imb_benchmark(std::string name) {
  static const std::map<std::string, int> ways{
      {"sendrecv", 2},          {"exchange", 4},          {"bidirectional-bandwidth", 2},
      {"threaded-sendrecv", 2}, {"threaded-exchange", 4}, {"threaded-bidirectional-bandwidth", 2}};
  constexpr std::string_view several = "Multi-";
  if (name.starts_with(several)) name.erase(0, several.size());
  auto [operation, remark, parameters] = known_name(name);
  const auto found = ways.find(operation);
  ImbBenchmark benchmark{operation, std::move(parameters), found == ways.end() ? 1 : found->second};
  // "Ibcast_pure" is "Ibcast" without overlapped work.
  if (name.ends_with("_pure")) benchmark.parameters[work_parameter] = "none";
  if (benchmark.moves_files()) {
    benchmark.parameters.insert({{"pointer", "individual"}, {"files", "one"}});
  }
  return benchmark;
}

/// Parameters of all points from the options of the calling sequence. Options for duration and
/// sizes add none.
std::map<std::string, std::string> option_parameters(const std::vector<std::string>& command) {
  static const std::map<std::string, std::map<std::string, std::string>> known{
      {"-sync", {{"off", "barrier=none"}, {"disable", "barrier=none"}}},
      {"-imb_barrier", {{"on", "barrier=imb"}, {"enable", "barrier=imb"}}},
      {"-root_shift", {{"on", "root=rotating"}, {"enable", "root=rotating"}}},
      {"-contig_type",
       {{"base_vec", "layout=vector"},
        {"resize", "layout=resized"},
        {"resize_vec", "layout=resized-vector"}}},
      {"-mem_alloc_type",
       {{"host", "memory=gpu-host"},
        {"device", "memory=gpu"},
        {"shared", "memory=gpu-managed"},
        {"cpu", "memory=host"},
        {"CPU", "memory=host"}}}};
  std::map<std::string, std::string> parameters;
  for (std::size_t i = 0; i + 1 < command.size(); ++i) {
    if (command[i] == "-off_cache") parameters["cache"] = "cold";
    const auto option = known.find(command[i]);
    if (option == known.end()) continue;
    const auto value = option->second.find(command[i + 1]);
    if (value == option->second.end()) continue;
    const std::size_t equals = value->second.find('=');
    parameters[value->second.substr(0, equals)] = value->second.substr(equals + 1);
  }
  return parameters;
}

/// The words of a row by column name.
using ImbCells = std::map<std::string, std::string>;

class ImbReader : public TableReader {
 public:
  using TableReader::TableReader;

 private:
  void read_line() override {
    const std::string_view line = lines_.line();
    if (is_header()) {
      columns_ = words(line);
      if (!runs_.empty()) rows_.begin(runs_.back());
    } else if (line.starts_with('#')) {
      read_fact();
    } else if (!columns_.empty() && !runs_.empty()) {
      read_row();
    } else if (!benchmark_.operation.empty() && !runs_.empty()) {
      rows_.leave_out_unread(runs_.back(), "the header of its table is not understood");
    } else {
      lines_.note_log_line();
    }
  }

  /// Whether the line is a header; with -multi 1 its first column is the group.
  [[nodiscard]] bool is_header() const {
    const std::vector<std::string> names = words(lines_.line());
    if (names.size() < 2) return false;
    const std::string& first = names[names[0] == "Group" ? 1 : 0];
    return first == "#bytes" || first == "#repetitions";
  }

  void begin_run(const std::string& version) {
    rows_.end();
    has_ended_ = false;
    runs_.push_back(lines_.begin_run("imb", version));
    benchmark_ = {};
    columns_.clear();
    options_.clear();
    datatypes_.clear();
  }

  void begin_benchmark(const std::string& name) {
    if (runs_.empty()) begin_run({});
    benchmark_ = imb_benchmark(name);
    columns_.clear();
    ranks_.reset();
    threads_.reset();
    window_.reset();
    groups_.reset();
  }

  void read_fact() {
    static const std::regex title(
        R"(^#\s+(?:Intel ?\(R\)|PALLAS) MPI Benchmarks? ?(?:Suite )?V?([0-9.]+).*$)");
    static const std::regex mode("^#\\s+MODE: (NON-)?AGGREGATE$");
    static const std::regex fact("^# (.*?)\\s*(?::|=)\\s*(.*)$");
    static const std::regex groups(
        R"(^# \( ?([0-9]+) groups of ([0-9]+) processes each running simultaneous(?:ly)? ?\)$)");
    static const std::regex waiting(R"(^# \( ?([0-9]+) additional process(?:es)? waiting .*$)");
    const std::string line(lines_.line());
    std::smatch found;
    if (std::regex_match(line, found, title)) {
      begin_run(found[1]);
      if (line.find("(GPU)") != std::string::npos) options_["memory"] = "gpu";
    } else if (line.starts_with("# Benchmarking ") && words(line).size() > 2) {
      begin_benchmark(words(line)[2]);
    } else if (std::regex_match(line, found, mode)) {
      read_mode(!found[1].matched);
    } else if (std::regex_match(line, found, groups)) {
      groups_ = ranks_in(found[1]);
      count_processes(found[2]);
      count_waiting(0);
    } else if (std::regex_match(line, found, waiting)) {
      count_waiting(ranks_in(found[1]).value_or(0));
    } else if (line.find("IMB-") != std::string::npos && !runs_.empty()) {
      runs_.back().command = words(line.substr(1));
      for (const auto& [name, value] : option_parameters(runs_.back().command)) {
        options_[name] = value;
      }
    } else if (std::regex_match(line, found, fact) && keep_fact(found[1], found[2])) {
      return;
    } else {
      note_unknown(line);
    }
  }

  /// Notes unknown remarks between the name of a benchmark and its table.
  void note_unknown(const std::string& line) {
    has_ended_ = has_ended_ || line.find("MPI_Finalize") != std::string::npos;
    if (runs_.empty() || has_ended_ || line.starts_with("##")) return lines_.note_log_line();
    static const std::regex known(
        R"(^#(?:[-\s0-9.]*|\s*Group\s.*|.*MPI_Finalize.*| NO SUCCESSFUL .*)$)");
    const bool is_of_table = !benchmark_.operation.empty() && columns_.empty();
    if (is_of_table && !std::regex_match(line, known)) note_remark(runs_.back(), lines_);
  }

  /// Counts all processes of the run, including those that wait while others are timed.
  void count_waiting(int waiting) {
    if (runs_.empty() || !ranks_) return;
    std::string& known = runs_.back().facts["processes"];
    const int all = *ranks_ * groups_.value_or(1) + waiting;
    if (all > as_number<int>(known).value_or(0)) known = std::to_string(all);
  }

  /// Reads whether one-sided calls, or syncs of written files, are completed after many operations.
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

  /// Whether the fact is known.
  bool keep_fact(const std::string& name, const std::string& value) {
    static const std::map<std::string, std::string> of_setting{
        {"System", "system"},
        {"Release", "kernel"},
        {"MPI Thread Environment", "thread-level"},
        {"MPI Version", "mpi"},
        {"Machine", "machine"}};
    if (name == "#processes") {
      count_processes(value);
      count_waiting(0);
      return true;
    }
    if (name == "window_size") window_ = value;
    if (name == "MPI_Datatype" || name == "MPI_Datatype for reductions") {
      datatypes_[name] = datatype_name(value);
    }
    if (name == "MPI_Op") datatypes_[name] = datatype_name(value);
    if (runs_.empty()) return true;
    if (name == "Machine") runs_.back().cpu = value;
    if (name == "MPI Version") runs_.back().standard = value;
    const auto fact = of_setting.find(name);
    if (fact != of_setting.end() && !value.empty()) runs_.back().facts[fact->second] = value;
    return name == "window_size" || fact != of_setting.end();
  }

  /// "2", or "2 (threads: 4)" from IMB-MT.
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
    throw lines_.error(
        fmt::format("the number of ranks of '{}' is not known", benchmark_.operation),
        "there is no line '# #processes ='; give --ranks");
  }

  void read_row() {
    SuiteRun& run = runs_.back();
    const auto row = rows_.row(run, {.words = columns_.size()});
    if (!row) return;
    ImbCells cells;
    for (std::size_t column = 0; column < row->size(); ++column) {
      cells.emplace(columns_[column], (*row)[column]);
    }
    const auto size = bytes_in(cells);
    if (!size) return rows_.leave_out(run, fmt::format("'{}' is no size", cells["#bytes"]));
    const Point point = point_of(*size, cells);
    static const std::vector<std::pair<std::string, std::string>> times{{"t[usec]", ""},
                                                                        {"t_max[usec]", ""},
                                                                        {"t_pure[usec]", "none"},
                                                                        {"t_CPU[usec]", "alone"},
                                                                        {"t_ovrl[usec]", "during"}};
    const std::int64_t counted = cells.contains("Mbytes/sec") ? *size * benchmark_.ways : 0;
    for (const auto& [column, work] : times) {
      add_time(point, figure_in(cells, column), work, counted, is_corrupt(cells));
    }
    if (figures_.empty()) add_rate(point, cells);
    rows_.take(run, std::exchange(figures_, {}));
  }

  Point point_of(std::int64_t bytes, const ImbCells& cells) {
    Point point{.operation = benchmark_.operation, .ranks = ranks(), .hop = facts_.hop};
    point.bytes.value = bytes;
    if (point.operation == "message-rate" && point.ranks == 2) point.operation = "bandwidth";
    // IMB's size is the part of one rank, hockney's and OMB's is the whole vector.
    if (point.operation == "reduce-scatter") point.bytes.value *= point.ranks;
    // For files IMB's size is the bytes of all ranks, hockney's those of one rank.
    if (benchmark_.moves_files()) point.bytes.value /= point.ranks;
    point.parameters = benchmark_.parameters;
    point.parameters.insert(options_.begin(), options_.end());
    point.parameters[timing_parameter] = "imb";
    if (threads_) point.parameters["threads"] = std::to_string(*threads_);
    if (window_) point.parameters["window"] = *window_;
    if (groups_) point.parameters["groups"] = std::to_string(*groups_);
    if (const auto group = cells.find("Group"); group != cells.end()) {
      point.parameters["team"] = operation_name(group->second);
    }
    const std::string kind =
        is_reduction(point.operation) ? "MPI_Datatype for reductions" : "MPI_Datatype";
    add_datatype(point, datatypes_[kind], datatypes_["MPI_Op"]);
    return point;
  }

  /// The printed size; 0 in tables without sizes.
  static std::optional<std::int64_t> bytes_in(const ImbCells& cells) {
    const auto cell = cells.find("#bytes");
    return cell == cells.end() ? 0 : size_in(cell->second);
  }

  /// Whether IMB's own comparison of the data found differences.
  static bool is_corrupt(const ImbCells& cells) {
    const auto defects = cells.find("defects");
    return defects != cells.end() && positive_in(defects->second).has_value();
  }

  /// Adds the rate of Uniband, Biband and similar, which is that of all threads. IMB-P2P prints
  /// rates only as another view of a time.
  void add_rate(const Point& point, const ImbCells& cells) {
    const auto messages = figure_in(cells, "Msg/sec");
    const int each = point.ranks / 2 * benchmark_.ways * threads_.value_or(1);
    if (!messages || each == 0) return;
    figures_.push_back({point, each / *messages, point.bytes.value * each, is_corrupt(cells)});
  }

  ImbBenchmark benchmark_;
  std::map<std::string, std::string> options_;    ///< parameters from the run's options
  std::map<std::string, std::string> datatypes_;  ///< and the operator, by the header's names
  std::optional<int> ranks_;                      ///< of each group
  std::optional<int> threads_;                    ///< of each process
  std::optional<int> groups_;                     ///< timed at the same time
  std::optional<std::string> window_;
  std::vector<std::string> columns_;
  bool has_ended_ = false;  ///< the last run printed its last line
};

}  // namespace

std::vector<SuiteRun> read_imb(const SuiteText& text, const RunFacts& facts) {
  return read_processes<ImbReader>(text, facts);
}

}  // namespace hockney::imports
