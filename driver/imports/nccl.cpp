#include <fmt/format.h>
#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/text.hpp"
#include "driver/imports/table_text.hpp"

// Texts of nccl-tests and rccl-tests. A run has a list of devices, a header of two lines, and
// rows. A row has a time out of place and one in place:
//
//   #  Rank  0 Group  0 Pid   1234 on   node01 device  0 [0x07] NVIDIA A100
//   #       size         count      type   redop    root     time   algbw   busbw #wrong     time
//   ...
//              8             2     float     sum      -1    31.95    0.00    0.00      0    31.80
//              ...
//
// Their size is the whole buffer. For allgather, reduce-scatter, gather, scatter and alltoall it is
// the blocks of all ranks. The size in hockney is one block (for reduce-scatter, the whole vector).
namespace hockney::imports {
namespace {

std::string nccl_operation(const std::string& program) {
  static const std::map<std::string, std::string> known{
      {"all-reduce", "allreduce"},          {"all-gather", "allgather"}, {"broadcast", "bcast"},
      {"reduce-scatter", "reduce-scatter"}, {"alltoall", "alltoall"},    {"sendrecv", "sendrecv"}};
  static const std::regex ending("-?perf(-mpi)?$");
  const std::string plain = std::regex_replace(operation_name(program), ending, std::string());
  const auto found = known.find(plain);
  return found == known.end() ? plain : found->second;
}

/// The ranks in the list of devices. Each group runs a separate collective, all at the same time
/// (NCCL_TESTS_SPLIT).
class DeviceList {
 public:
  void add(int rank, int group, const std::string& host) {
    if (!ranks_.insert(rank).second && !repeated_) repeated_ = rank;
    Group& own = groups_[group];
    ++own.ranks;
    own.hosts.insert(host);
    hosts_.insert(host);
  }

  /// Of the largest group; 0 without a list.
  [[nodiscard]] int ranks() const { return largest().ranks; }
  [[nodiscard]] std::size_t hosts() const { return largest().hosts.size(); }
  [[nodiscard]] std::size_t groups() const { return groups_.size(); }
  /// Of all groups, joined by commas.
  [[nodiscard]] std::string host_names() const { return join({hosts_.begin(), hosts_.end()}, ","); }
  /// A rank that is listed twice, which shows that several programs printed the list.
  [[nodiscard]] std::optional<int> repeated() const { return repeated_; }

 private:
  struct Group {
    int ranks = 0;
    std::set<std::string> hosts;
  };

  [[nodiscard]] Group largest() const {
    Group found;
    for (const auto& [number, group] : groups_) {
      if (group.ranks > found.ranks) found = group;
    }
    return found;
  }

  std::set<int> ranks_;
  std::map<int, Group> groups_;
  std::set<std::string> hosts_;
  std::optional<int> repeated_;
};

/// The kind of waiting for calls, from the line "# Blocking Enabled: ..." of any version.
std::string blocking_name(const std::string& words) {
  if (words.find("outer iteration") != std::string::npos) return "outer";
  return words.find("no barrier") != std::string::npos ? "no-barrier" : "barrier";
}

/// The columns of the header; a time stamp has two words.
std::vector<std::string> nccl_columns(std::vector<std::string> names) {
  const auto stamp = std::ranges::find(names, std::string("timestamp"));
  if (stamp != names.end()) names.insert(stamp, "date");
  return names;
}

class NcclReader : public TableReader {
 public:
  using TableReader::TableReader;

 private:
  void read_line() override {
    const std::string_view line = lines_.line();
    if (line.starts_with("#") || line.find("_perf") != std::string_view::npos) {
      read_fact(std::string(line));
    } else if (!columns_.empty()) {
      read_row();
    } else if (!runs_.empty()) {
      rows_.leave_out_unread(runs_.back(), "the header of its table is not understood");
    } else {
      lines_.note_log_line();
    }
  }

  void read_fact(const std::string& line) {
    static const std::regex begin("^# (nccl-tests version ([0-9.]+).*|nThread:? .*)$");
    static const std::regex program("^.*?([a-z_]+_perf)(_mpi)?\\b.*$");
    static const std::regex device(
        R"(^#\s+Rank\s+([0-9]+)(?:\s+Group\s+([0-9]+))?\s.* on\s+(\S+) device\s+[0-9]+ \[.*?\]\s*(.*)$)");
    std::smatch found;
    const bool names_program = std::regex_match(line, found, program);
    if (names_program) operation_ = nccl_operation(found[1]);
    if (names_program && !line.starts_with("# Collective test")) lines_.note_log_line();
    const bool begins = std::regex_match(line, found, begin) || is_untitled_header(line);
    if (begins) begin_run(line, found[2]);
    if (runs_.empty()) {
      if (!names_program) lines_.note_log_line();
    } else if (std::regex_match(line, found, device)) {
      add_device(found);
    } else if (!is_header(line) && !begins && !names_program) {
      read_remark(line);
    }
  }

  /// Whether the line is the header of a table that was pasted without the lines above: the first
  /// one, or one after the last line of a table.
  [[nodiscard]] bool is_untitled_header(const std::string& line) const {
    const std::vector<std::string> columns = words(line.substr(1));
    if (!line.starts_with('#') || columns.size() < 3 || columns[0] != "size" ||
        columns[1] != "count") {
      return false;
    }
    return runs_.empty() || (has_ended_ && rows_.has_rows(runs_.back()));
  }

  void begin_run(const std::string& line, const std::string& version) {
    const bool is_announced = is_announced_;  // the version line was read
    is_announced_ = !version.empty();
    if (!is_announced) {
      rows_.end();
      has_ended_ = false;
      command_ = lines_.command();
      columns_.clear();
      devices_ = {};
      parameters_.clear();
      is_mixed_ = false;
      runs_.push_back(lines_.begin_run("nccl-tests", version));
    }
    static const std::regex library("nccl-library=([0-9]+)");
    std::smatch found;
    if (std::regex_search(line, found, library)) runs_.back().facts["nccl"] = found[1];
    if (version.empty()) read_options(line);
  }

  /// "nThread 1 nGpus 8 minBytes 8 ... agg iters: 1 validation: 1 graph: 0": reads the options that
  /// affect the time.
  void read_options(const std::string& line) {
    static const std::vector<std::pair<std::regex, std::string>> options{
        {std::regex("nThread:? ([0-9]+)"), "threads"},
        {std::regex("nGpus:? ([0-9]+)"), "gpus"},
        {std::regex("agg iters: ([0-9]+)"), "aggregated"},
        {std::regex("graph: ([0-9]+)"), "graph"},
        {std::regex("unalign: ([0-9]+)"), "unaligned"}};
    std::smatch found;
    for (const auto& [pattern, name] : options) {
      if (!std::regex_search(line, found, pattern)) continue;
      const bool is_usual = found[1] == (name == "graph" || name == "unaligned" ? "0" : "1");
      if (!is_usual) parameters_[name] = found[1];
    }
  }

  void add_device(const std::smatch& found) {
    SuiteRun& run = runs_.back();
    devices_.add(as_number<int>(found[1].str()).value_or(0),
                 as_number<int>(found[2].str()).value_or(0), found[3]);
    run.host = found[3];
    run.cpu = found[4];
    run.facts["device"] = found[4];
    run.facts["host"] = devices_.host_names();
  }

  bool is_header(const std::string& line) {
    const std::vector<std::string> columns = words(line.substr(1));
    if (columns.empty() || columns[0] != "size") return false;
    // nccl-tests prints one header per run.
    is_mixed_ = is_mixed_ || !columns_.empty();
    columns_ = nccl_columns(columns);
    rows_.begin(runs_.back());
    return true;
  }

  void read_remark(const std::string& line) {
    static const std::regex blocking("^# Blocking Enabled: (.*?) ?$");
    static const std::regex known(
        "^#(?: ?Using devices.*|\\s*(?:\\(B\\)|out-of-place)\\s.*| Out of bounds values.*"
        "| Avg bus bandwidth.*| Collective test concluded.*| Parallel Init.*| Per-Iteration .*"
        "| (?:Writing|skipping) (?:JSON|json) .*| Reducing maxBytes .*| GPU memory usage.*"
        "| error: .*|[-=# ]*)$");
    static const std::regex end("^# ?(?:Out of bounds values|Avg bus bandwidth).*$");
    std::smatch found;
    has_ended_ = has_ended_ || std::regex_match(line, end);
    if (std::regex_match(line, found, blocking)) {
      parameters_["blocking"] = blocking_name(found[1]);
    } else if (std::regex_match(line, known)) {
      return;
    } else if (!columns_.empty() || line.starts_with("##")) {
      lines_.note_log_line();
    } else {
      note_remark(runs_.back(), lines_);
    }
  }

  [[nodiscard]] std::string operation() const {
    if (facts_.operation) return *facts_.operation;
    if (!operation_.empty()) return operation_;
    if (command_.program.find("_perf") != std::string::npos)
      return nccl_operation(command_.program);
    throw lines_.error("the operation of this table is not known",
                       "nccl-tests before 2.17 do not print it: give --operation");
  }

  /// Each process of the command has threads (-t) with devices (-g).
  [[nodiscard]] std::optional<int> command_ranks() const {
    if (command_.program.find("_perf") == std::string::npos) return std::nullopt;
    std::int64_t ranks = command_.ranks.value_or(1);
    bool is_known = command_.ranks.has_value();
    const auto program = std::ranges::find_if(
        command_.words, [&](const std::string& word) { return word.ends_with(command_.program); });
    for (auto word = program; word != command_.words.end(); ++word) {
      const bool counts =
          *word == "-g" || *word == "-t" || *word == "--ngpus" || *word == "--nthreads";
      if (!counts || std::next(word) == command_.words.end()) continue;
      ranks *= ranks_in(*std::next(word)).value_or(1);
      is_known = true;
    }
    return is_known ? ranks_in(std::to_string(ranks)) : std::nullopt;
  }

  [[nodiscard]] int ranks() const {
    if (devices_.ranks() > 0) return devices_.ranks();
    if (const auto ranks = command_ranks()) return *ranks;
    if (facts_.ranks) return *facts_.ranks;
    throw lines_.error("the number of ranks is not known",
                       "the list of devices is missing: give --ranks");
  }

  /// Why the rows cannot be of one run; empty if they can.
  [[nodiscard]] std::string mixture() const {
    constexpr const char* reason =
        ", so these are several runs of their own (nccl-tests built without MPI=1) in one text";
    if (const std::optional<int> rank = devices_.repeated()) {
      return fmt::format("rank {} is listed twice{}", *rank, reason);
    }
    return is_mixed_ ? fmt::format("its header stands there twice{}", reason) : "";
  }

  void read_row() {
    SuiteRun& run = runs_.back();
    if (const std::string why = mixture(); !why.empty()) return rows_.leave_out_unread(run, why);
    const auto row = rows_.row(run, {.words = columns_.size()});
    if (!row) return;
    const auto whole = size_in(row->front());
    if (!whole) return rows_.leave_out(run, fmt::format("'{}' is no size", row->front()));
    std::vector<SuiteFigure> figures = figures_in(*row, *whole);
    begin_cycle(run, figures);
    rows_.take(run, std::move(figures));
  }

  /// Cycles (-N) repeat all sizes and give further figures of the same points.
  void begin_cycle(const SuiteRun& run, const std::vector<SuiteFigure>& figures) {
    if (!rows_.has_rows(run)) {
      first_.reset();
      if (!figures.empty()) first_ = figures.front().point;
    } else if (first_ && !figures.empty() && figures.front().point == *first_ &&
               run.figures.back().point.bytes != first_->bytes) {
      rows_.begin(run);
    }
  }

  Point plain_point(std::int64_t whole) {
    Point point{.operation = operation(), .ranks = ranks(), .hop = facts_.hop};
    static const std::set<std::string> in_blocks{"allgather", "alltoall", "gather", "scatter"};
    point.bytes.value = in_blocks.contains(point.operation) ? whole / point.ranks : whole;
    point.parameters = parameters_;
    point.parameters[timing_parameter] = "nccl-tests";
    if (devices_.groups() > 1) point.parameters["groups"] = std::to_string(devices_.groups());
    if (devices_.hosts() > 1) {
      point.parameters["nodes"] = std::to_string(devices_.hosts());
      if (!point.hop) point.hop = "cross-node";
    }
    return point;
  }

  /// Adds the parameter in a cell to the point.
  static void add_parameter(Point& point, const std::string& column, const std::string& cell) {
    if (column == "type") point.parameters["datatype"] = cell;
    if (column == "redop" && cell != "none") point.parameters["operator"] = cell;
    const bool is_other_root = column == "root" && as_number<int>(cell).value_or(0) > 0;
    if (is_other_root) point.parameters["root"] = cell;
    // The calling thread's time, without waiting for the device.
    if (column == "cputime") point.parameters["clock"] = "cpu";
  }

  /// The figures out of place and in place.
  std::vector<SuiteFigure> figures_in(const std::vector<std::string>& row, std::int64_t whole) {
    Point point = plain_point(whole);
    std::vector<SuiteFigure> figures;
    bool is_timed = false;
    for (std::size_t column = 0; column < row.size(); ++column) {
      const std::string& name = columns_[column];
      add_parameter(point, name, row[column]);
      if (name == "#wrong" && is_timed)
        figures.back().is_corrupt = positive_in(row[column]).has_value();
      if (name != "time" && name != "cputime") continue;
      const auto microseconds = rows_.figure(row[column]);
      is_timed = microseconds.has_value();
      if (is_timed) figures.push_back({point, *microseconds / 1e6, whole});
      point.parameters["in-place"] = "yes";  // for the next time
    }
    return figures;
  }

  std::string operation_;
  DeviceList devices_;
  std::map<std::string, std::string> parameters_;  ///< from the options in the header
  bool is_announced_ = false;
  bool is_mixed_ = false;
  bool has_ended_ = false;      ///< the table has its last line
  LogCommand command_;          ///< before the run
  std::optional<Point> first_;  ///< of the table
  std::vector<std::string> columns_;
};

}  // namespace

std::vector<SuiteRun> read_nccl(const SuiteText& text, const RunFacts& facts) {
  return read_processes<NcclReader>(text, facts);
}

}  // namespace hockney::imports
