#include "report/suite_tables.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cctype>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "core/collectives.hpp"
#include "core/point.hpp"
#include "core/text.hpp"
#include "report/table.hpp"

namespace hockney::report {
namespace {

/// Whether both suites measure it in a table of latencies by size.
bool is_of_suites(const std::string& operation) {
  const Collective* const collective = find_collective(operation);
  return collective != nullptr && collective->name == operation && is_of_all_ranks(*collective) &&
         operation != "barrier" && !operation.ends_with("scan");
}

bool is_rate(const std::string& operation) {
  return operation.ends_with("bandwidth") || operation == "message-rate";
}

/// "Reduce_scatter", as both suites write names.
std::string suite_word(std::string operation) {
  std::ranges::replace(operation, '-', '_');
  operation.front() =
      static_cast<char>(std::toupper(static_cast<unsigned char>(operation.front())));
  return operation;
}

/// What stands in OMB's title between "OSU MPI" and "Test"; nullopt without a benchmark.
std::optional<std::string> osu_title(const std::string& operation) {
  static const std::map<std::string, std::string, std::less<>> titles{
      {"pingpong", "Latency"},
      {"bandwidth", "Bandwidth"},
      {"bidirectional-bandwidth", "Bi-Directional Bandwidth"},
      {"message-rate", "Multiple Bandwidth / Message Rate"},
      {"barrier", "Barrier Latency"},
      {"bcast", "Broadcast Latency"},
      {"alltoall", "All-to-All Personalized Exchange Latency"},
      {"alltoallv", "All-to-Allv Personalized Exchange Latency"},
      {"alltoallw", "All-to-Allw Personalized Exchange Latency"}};
  const auto found = titles.find(operation);
  if (found != titles.end()) return found->second;
  if (!is_of_suites(operation)) return std::nullopt;
  return suite_word(operation) + " Latency";
}

std::string micros(const std::optional<double>& seconds) {
  return fixed_text(seconds.value_or(0) * microseconds, 2);
}

/// Pairs of ranks that send at the same time.
int pairs_of(const Row& row) {
  return row.point.operation == "message-rate" ? std::max(1, row.point.ranks / 2) : 1;
}

/// Bytes of all pairs [10^6 B/s].
std::string rate_in_megabytes(const Row& row) {
  constexpr double mega = 1e6;
  const int ways = row.point.operation.starts_with("bidirectional") ? 2 : 1;
  const double bytes = static_cast<double>(row.point.bytes.value) * pairs_of(row) * ways;
  return fixed_text(bytes / *row.mean_seconds / mega, 2);
}

/// The header of OMB's table: what follows the size, in columns 18 wide.
std::string osu_header(const std::string& operation, bool is_full) {
  if (operation == "pingpong") return fmt::format("{:<10}{:>18}", "# Size", "Latency (us)");
  if (operation == "message-rate") {
    return fmt::format("{:<10}{:>18}{:>18}", "# Size", "MB/s", "Messages/s");
  }
  if (is_rate(operation)) return fmt::format("{:<10}{:>18}", "# Size", "Bandwidth (MB/s)");
  std::string header = operation == "barrier"
                           ? "# Avg Latency(us)"
                           : fmt::format("{:<10}{:>18}", "# Size", "Avg Latency(us)");
  if (is_full) {
    header += fmt::format("{:>18}{:>18}{:>12}", "Min Latency(us)", "Max Latency(us)", "Iterations");
  }
  return header;
}

std::string osu_line(const Row& row, bool is_full) {
  const std::string& operation = row.point.operation;
  if (operation == "message-rate") {
    return fmt::format("{:<10}{:>18}{:>18}", row.point.bytes.value, rate_in_megabytes(row),
                       fixed_text(pairs_of(row) / *row.mean_seconds, 2));
  }
  const std::string figure = is_rate(operation) ? rate_in_megabytes(row) : micros(row.mean_seconds);
  std::string line = operation == "barrier"
                         ? fmt::format("{:>17}", figure)
                         : fmt::format("{:<10}{:>18}", row.point.bytes.value, figure);
  if (is_full && !is_rate(operation) && operation != "pingpong") {
    line += fmt::format("{:>18}{:>18}{:>12}", micros(row.min_seconds), micros(row.max_seconds),
                        row.operations);
  }
  return line;
}

void print_osu(std::ostream& out, std::span<const Row> curve, bool is_full) {
  const Point& point = curve.front().point;
  out << "# OSU MPI " << *osu_title(point.operation) << " Test\n";
  if (point.operation == "message-rate") {
    const auto window = point.parameters.find(window_parameter);
    out << fmt::format("# [ pairs: {} ] [ window size: {} ]\n", pairs_of(curve.front()),
                       escaped(window == point.parameters.end() ? "1" : window->second));
  }
  out << osu_header(point.operation, is_full) << '\n';
  for (const Row& row : curve) out << osu_line(row, is_full) << '\n';
}

/// IMB's name of a benchmark; nullopt without one. IMB's sizes of reduce-scatter are those of one
/// rank's part.
std::optional<std::string> imb_name(const std::string& operation) {
  if (operation == "pingpong") return "PingPong";
  if (operation == "pingping") return "PingPing";
  const bool is_known = operation == "barrier" || is_of_suites(operation);
  const bool has_other_sizes = operation.starts_with("reduce-scatter");
  return is_known && !has_other_sizes ? std::optional(suite_word(operation)) : std::nullopt;
}

void print_imb(std::ostream& out, std::span<const Row> curve) {
  const Point& point = curve.front().point;
  const bool is_pair = point.operation.starts_with("pingp");
  const std::string rule = "#" + std::string(is_pair ? 51 : 64, '-') + '\n';
  out << rule << "# Benchmarking " << *imb_name(point.operation)
      << " \n# #processes = " << point.ranks << " \n"
      << rule;
  const bool has_size = point.operation != "barrier";
  if (has_size) out << fmt::format("{:>13}", "#bytes");
  out << fmt::format("{:>13}", "#repetitions");
  for (const char* name : is_pair ? std::array{"t[usec]", "Mbytes/sec", ""}
                                  : std::array{"t_min[usec]", "t_max[usec]", "t_avg[usec]"}) {
    if (*name != '\0') out << fmt::format("{:>13}", name);
  }
  out << '\n';
  for (const Row& row : curve) {
    if (has_size) out << fmt::format("{:>13}", row.point.bytes.value);
    const std::string time = micros(row.mean_seconds);
    out << fmt::format("{:>13}{:>13}{:>13}", row.operations, time,
                       is_pair ? rate_in_megabytes(row) : time);
    if (!is_pair) out << fmt::format("{:>13}", time);
    out << '\n';
  }
}

/// Measured rows for a suite's table: timed as the suite times if there are any, else hockney's
/// own. A rate needs bytes.
std::vector<Row> rows_for(std::span<const Row> rows, const std::string& suite) {
  const auto timing_of = [](const Row& row) {
    const auto found = row.point.parameters.find(timing_parameter);
    return found == row.point.parameters.end() ? std::string() : found->second;
  };
  const auto is_of_suite = [&](const Row& row) { return timing_of(row) == suite; };
  const std::string wanted = std::ranges::any_of(rows, is_of_suite) ? suite : "";
  std::vector<Row> kept;
  for (const Row& row : rows) {
    const bool has_figure =
        row.mean_seconds && !(is_rate(row.point.operation) && row.point.bytes.value == 0);
    if (has_figure && timing_of(row) == wanted && !is_floor(row.point)) kept.push_back(row);
  }
  return kept;
}

}  // namespace

bool has_suite_table(SuiteLayout layout, const std::string& operation) {
  return layout == SuiteLayout::imb ? imb_name(operation).has_value()
                                    : osu_title(operation).has_value();
}

std::vector<std::string> print_suite_tables(std::ostream& out, std::span<const Row> rows,
                                            SuiteLayout layout) {
  const bool is_imb = layout == SuiteLayout::imb;
  std::set<std::string> left_out;
  bool is_first = true;
  for_each_curve(rows_for(rows, is_imb ? "imb" : "osu"), std::identity(),
                 [&](std::span<const Row> curve) {
                   const std::string& operation = curve.front().point.operation;
                   if (!has_suite_table(layout, operation)) {
                     left_out.insert(operation);
                     return;
                   }
                   if (!std::exchange(is_first, false)) out << '\n';
                   if (is_imb) {
                     print_imb(out, curve);
                   } else {
                     print_osu(out, curve, layout == SuiteLayout::osu_full);
                   }
                 });
  return {left_out.begin(), left_out.end()};
}

}  // namespace hockney::report
