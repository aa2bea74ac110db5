#include "report/path_table.hpp"

#include <algorithm>
#include <iomanip>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "core/quantities.hpp"
#include "core/text.hpp"
#include "report/number_text.hpp"
#include "report/record_tables.hpp"

namespace hockney {
namespace {

constexpr const char* line_floor = "floor-cacheline";
constexpr const char* memcpy_floor = "floor-memcpy";
constexpr const char* process_vm_floor = "floor-process-vm";

bool is_floor(const Row& row) { return row.point.operation.starts_with("floor-"); }

/// What a floor has in common with the points it belongs to: setting, curve and size.
using Place = std::pair<std::string, std::int64_t>;

Place place_of(const Row& row) {
  Point point = row.point;
  point.operation.clear();
  return {row.setting + "\n" + curve_name(point), row.point.bytes.value};
}

/// A cache line carries no data, so that it has neither size nor cache state.
Place line_place_of(const Row& row) {
  Row line = row;
  line.point.bytes = {};
  line.point.parameters.clear();
  return place_of(line);
}

/// Times of floors, by what they are and where they belong.
class Floors {
 public:
  explicit Floors(const std::vector<Row>& rows) {
    for (const Row& row : rows) {
      if (is_floor(row)) times_[{row.point.operation, place_of(row)}] = row.median_seconds;
    }
  }

  [[nodiscard]] std::optional<double> at(const std::string& floor, const Place& place) const {
    const auto time = times_.find({floor, place});
    return time == times_.end() ? std::nullopt : time->second;
  }

  /// Whether any floor belongs there.
  [[nodiscard]] bool any_at(const Row& row) const {
    return times_.contains({line_floor, line_place_of(row)}) ||
           times_.contains({memcpy_floor, place_of(row)}) ||
           times_.contains({process_vm_floor, place_of(row)});
  }

 private:
  std::map<std::pair<std::string, Place>, std::optional<double>> times_;
};

/// nullopt for a path without a floor.
std::optional<double> floor_of_path(const Floors& floors, const Row& row) {
  if (row.point.path == "shm") return floors.at(memcpy_floor, place_of(row));
  if (row.point.path == "cma") return floors.at(process_vm_floor, place_of(row));
  return std::nullopt;
}

/// MPI / floor in every launch that has both, by operation and place.
std::map<std::pair<std::string, Place>, std::vector<double>> multiples_of(
    std::span<const Record> records) {
  std::map<std::pair<std::string, Place>, std::vector<double>> multiples;
  for (const Record& record : records) {
    const std::vector<Row> rows = campaign_rows({&record, 1});
    const Floors floors(rows);
    for (const Row& row : rows) {
      const auto floor = floor_of_path(floors, row);
      if (!row.median_seconds || !floor || *floor <= 0) continue;
      multiples[{row.point.operation, place_of(row)}].push_back(*row.median_seconds / *floor);
    }
  }
  return multiples;
}

/// Why a launch could not prove a path, by operation and place.
std::map<std::pair<std::string, Place>, std::string> reasons_of(std::span<const Record> records) {
  std::map<std::pair<std::string, Place>, std::string> reasons;
  for (const Record& record : records) {
    for (const Series& series : record.series) {
      if (!series.transport || series.point.path) continue;
      const Row row{.point = series.point,
                    .setting = record.campaign ? record.campaign->setting : ""};
      reasons[{series.point.operation, place_of(row)}] = prove_path(*series.transport).reason;
    }
  }
  return reasons;
}

}  // namespace

PathRows path_rows(std::span<const Record> records, const std::vector<Row>& rows, double level) {
  if (std::ranges::none_of(rows, is_floor)) return {.alone = rows};
  const Floors floors(rows);
  const auto multiples = multiples_of(records);
  const auto reasons = reasons_of(records);
  PathRows parted;
  for (const Row& row : rows) {
    if (is_floor(row)) continue;
    if (!floors.any_at(row)) {
      parted.alone.push_back(row);
      continue;
    }
    PathRow path{.mpi = row,
                 .line_seconds = floors.at(line_floor, line_place_of(row)),
                 .memcpy_seconds = floors.at(memcpy_floor, place_of(row)),
                 .process_vm_seconds = floors.at(process_vm_floor, place_of(row))};
    const std::pair key{row.point.operation, place_of(row)};
    if (const auto found = multiples.find(key); found != multiples.end()) {
      path.multiples = found->second;
      path.multiple = median(path.multiples);
      path.multiple_interval = quantile_interval(path.multiples, 0.5, level);
    }
    if (const auto found = reasons.find(key); found != reasons.end()) {
      path.unproven_because = found->second;
    }
    parted.compared.push_back(std::move(path));
  }
  // Floors that nothing was measured beside have tables of their own.
  if (parted.compared.empty()) parted.alone = rows;
  return parted;
}

namespace {

constexpr int path_width = 10;
constexpr int multiple_width = 9;
constexpr int multiple_interval_width = 16;

/// The path that all launches took, or all that were taken.
std::string path_text(const Row& row) {
  return row.paths.empty() ? "-" : inert(join(row.paths, "|"));
}

void print_header(std::ostream& out, const Row& row) {
  out << curve_title(row) << '\n'
      << std::setw(bytes_width) << "bytes" << std::setw(time_width) << "time[us]"
      << std::setw(interval_width) << "interval[us]" << std::setw(path_width) << "path"
      << std::setw(time_width) << "line[us]" << std::setw(time_width) << "memcpy[us]"
      << std::setw(time_width) << "vm-read[us]" << std::setw(multiple_width) << "x floor"
      << std::setw(multiple_interval_width) << "interval" << std::setw(count_width) << "launches"
      << '\n';
}

void print_row(std::ostream& out, const PathRow& row) {
  const Row& mpi = row.mpi;
  out << std::setw(bytes_width) << format_bytes(mpi.point.bytes);
  if (!mpi.median_seconds) {
    out << "  not measured (" << inert(mpi.reason) << ")\n";
    return;
  }
  out << std::setw(time_width) << microseconds_text(mpi.median_seconds) << std::setw(interval_width)
      << interval_text(mpi.interval_seconds, microseconds) << std::setw(path_width)
      << path_text(mpi) << std::setw(time_width) << microseconds_text(row.line_seconds)
      << std::setw(time_width) << microseconds_text(row.memcpy_seconds) << std::setw(time_width)
      << microseconds_text(row.process_vm_seconds) << std::setw(multiple_width)
      << (row.multiple ? significant(*row.multiple, 3) : "-") << std::setw(multiple_interval_width)
      << interval_text(row.multiple_interval, 1, 3) << std::setw(count_width)
      << mpi.launch_medians_seconds.size();
  if (!mpi.flags.empty()) out << "  " << inert(join(mpi.flags, " "));
  out << '\n';
}

void print_path_notes(std::ostream& out, std::span<const PathRow> rows) {
  std::set<std::string> said;
  for (const PathRow& row : rows) {
    if (row.mpi.paths.size() > 1) {
      out << "  paths: at " << format_bytes(row.mpi.point.bytes) << " not all launches have one\n";
    }
    const std::string& reason = row.unproven_because;
    if (reason.empty() || !said.insert(reason).second) continue;
    out << "  unproven: from " << format_bytes(row.mpi.point.bytes) << " (" << inert(reason)
        << ")\n";
  }
}

}  // namespace

void print_path_tables(std::ostream& out, const std::vector<PathRow>& rows) {
  const auto same_curve = [](const PathRow& a, const PathRow& b) {
    return a.mpi.setting == b.mpi.setting && curve_name(a.mpi.point) == curve_name(b.mpi.point);
  };
  for (auto first = rows.begin(); first != rows.end();) {
    const auto last = std::find_if_not(first, rows.end(),
                                       [&](const PathRow& row) { return same_curve(*first, row); });
    print_header(out, first->mpi);
    std::for_each(first, last, [&](const PathRow& row) { print_row(out, row); });
    print_path_notes(out, {first, last});
    std::vector<Row> curve;
    std::transform(first, last, std::back_inserter(curve),
                   [](const PathRow& row) { return row.mpi; });
    print_notes(out, curve);
    first = last;
  }
}

}  // namespace hockney
