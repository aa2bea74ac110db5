// Texts of nccl-tests and rccl-tests. A run is a list of devices, a header of two lines and rows,
// in which a time out of place and one in place stand side by side:
//
//   #  Rank  0 Group  0 Pid   1234 on   node01 device  0 [0x07] NVIDIA A100
//   #       size         count      type   redop    root     time   algbw   busbw #wrong     time
//   ...
//              8             2     float     sum      -1    31.95    0.00    0.00      0    31.80
//              ...
//
// Their size is the whole buffer: of allgather, reduce-scatter, gather, scatter and alltoall the
// blocks of all ranks; hockney's is one block (the whole vector of reduce-scatter).

#include <map>
#include <regex>
#include <set>

#include "core/text.hpp"
#include "imports/table_text.hpp"

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

class NcclReader {
 public:
  NcclReader(const SuiteText& text, const RunFacts& facts) : lines_(text), facts_(facts) {}

  std::vector<SuiteRun> read() {
    while (lines_.next()) {
      const std::string_view line = lines_.line();
      if (line.starts_with("#") || line.find("_perf") != std::string_view::npos) {
        read_fact(std::string(line));
      } else if (!columns_.empty()) {
        read_row();
      }
    }
    return std::move(runs_);
  }

 private:
  void read_fact(const std::string& line) {
    static const std::regex begin("^# (nccl-tests version ([0-9.]+)|nThread ).*$");
    static const std::regex program("^.*?([a-z_]+_perf)(_mpi)?\\b.*$");
    static const std::regex device(
        "^#\\s+Rank\\s+[0-9]+ .* on\\s+(\\S+) device\\s+[0-9]+ \\[.*?\\]\\s*(.*)$");
    std::smatch found;
    if (std::regex_match(line, found, program)) operation_ = nccl_operation(found[1]);
    if (std::regex_match(line, found, begin)) begin_run(found[2]);
    if (runs_.empty()) return;
    if (std::regex_match(line, found, device)) {
      ++ranks_;
      runs_.back().host = found[1];
      runs_.back().cpu = found[2];
    }
    const std::vector<std::string> columns = words(line.substr(1));
    if (columns.empty() || columns[0] != "size") return;
    columns_ = columns;
    rows_.begin(runs_.back());
  }

  void begin_run(const std::string& version) {
    columns_.clear();
    ranks_ = 0;
    const bool is_announced = is_announced_;  // by its version line
    is_announced_ = !version.empty();
    if (!is_announced) runs_.push_back({.suite = "nccl-tests", .version = version});
  }

  [[nodiscard]] std::string operation() const {
    if (facts_.operation) return *facts_.operation;
    if (!operation_.empty()) return operation_;
    throw lines_.error("the operation of this table is not known",
                       "nccl-tests before 2.17 do not print it: give --operation");
  }

  [[nodiscard]] int ranks() const {
    const int ranks = facts_.ranks.value_or(ranks_);
    if (ranks > 0) return ranks;
    throw lines_.error("the number of ranks is not known",
                       "the list of devices is missing: give --ranks");
  }

  void read_row() {
    SuiteRun& run = runs_.back();
    const auto row = rows_.row(run, columns_.size());
    if (!row) return;
    const auto whole = size_in(row->front());
    if (!whole) return rows_.leave_out(run, "'" + row->front() + "' is no size");
    rows_.take(run, figures_in(*row, *whole));
  }

  /// Out of place, and in place.
  std::vector<SuiteFigure> figures_in(const std::vector<std::string>& row, std::int64_t whole) {
    Point point{.operation = operation(), .ranks = ranks(), .hop = facts_.hop};
    static const std::set<std::string> in_blocks{"allgather", "alltoall", "gather", "scatter"};
    point.bytes.value = in_blocks.contains(point.operation) ? whole / point.ranks : whole;
    point.parameters[timing_parameter] = "nccl-tests";
    std::vector<SuiteFigure> figures;
    bool is_timed = false;
    for (std::size_t column = 0; column < row.size(); ++column) {
      const std::string& name = columns_[column];
      if (name == "type") point.parameters["datatype"] = row[column];
      if (name == "redop" && row[column] != "none") point.parameters["operator"] = row[column];
      if (name == "#wrong" && is_timed)
        figures.back().is_corrupt = positive_in(row[column]).has_value();
      if (name != "time") continue;
      const auto microseconds = rows_.figure(row[column]);
      is_timed = microseconds.has_value();
      if (is_timed) figures.push_back({point, *microseconds / 1e6, whole});
      point.parameters["in-place"] = "yes";  // the next one
    }
    return figures;
  }

  Lines lines_;
  TableRows rows_{lines_};
  RunFacts facts_;
  std::vector<SuiteRun> runs_;
  std::string operation_;
  int ranks_ = 0;
  bool is_announced_ = false;
  std::vector<std::string> columns_;
};

}  // namespace

std::vector<SuiteRun> read_nccl(const SuiteText& text, const RunFacts& facts) {
  return NcclReader(text, facts).read();
}

}  // namespace hockney::imports
