#include "report/kernel_tables.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "core/text.hpp"
#include "report/kernel_rows.hpp"
#include "report/table.hpp"

namespace hockney::report {
namespace {

constexpr int kernel_way_width = 15;
constexpr int x_fastest_width = 10;
constexpr int kernel_interval_width = 18;

/// "points=64x64" or whatever tells this point from others of the same operation.
std::string name_of(const KernelPoint& point) {
  const std::string name = point.setting.empty() ? "" : "setting " + point.setting + "  ";
  return inert(name + curve_name(point.point));
}

std::string in_brackets(const std::optional<Interval>& interval, double scale, int digits) {
  return interval ? " (" + interval_text(interval, scale, digits) + ")" : "";
}

std::string percent_words(const Estimate& share) {
  return significant(share.value, per_cent, 3) + " %" + in_brackets(share.interval, per_cent, 3);
}

std::string unit_of(const KernelPoint& point) {
  return point.replicate == Replicate::block ? "blocks that count" : "launches";
}

/// The fastest way, and how much longer the first one takes.
std::string fastest_words(const KernelPoint& point, const KernelWay& fastest) {
  if (!fastest.seconds.value) return "";
  std::string words = "fastest: " + inert(fastest.way) + ", computing " + fastest.best + ": " +
                      short_time(*fastest.seconds.value, fastest.seconds.interval);
  const KernelWay& first = point.ways.front();
  if (&first == &fastest || !first.to_fastest.value) return words;
  return words + "; " + inert(first.way) + " takes " + significant(first.to_fastest.value, 1, 3) +
         " times as long" + in_brackets(first.to_fastest.interval, 1, 3);
}

/// Of all ways the one for which overlap does most.
const KernelWay* most_won(const KernelPoint& point) {
  const KernelWay* most = nullptr;
  for (const KernelWay& way : point.ways) {
    if (!way.won.value) continue;
    if (most == nullptr || way.won.value > most->won.value) most = &way;
  }
  return most;
}

std::string share_words(const KernelPoint& point) {
  std::vector<std::string> parts;
  const KernelWay& first = point.ways.front();
  if (first.in_mpi.value) {
    parts.push_back("in MPI: " + percent_words(first.in_mpi) + " of " + inert(first.way) +
                    "'s time");
  }
  if (const KernelWay* const most = most_won(point)) {
    parts.push_back("overlap wins at most " + percent_words(most->won) + ", of " +
                    inert(most->way) + "'s");
  }
  return join(parts, "; ");
}

std::string bound_words(const KernelPoint& point, const KernelWay& fastest) {
  if (!fastest.balance.value) return "";
  const std::string ratio = "messages alone take " + significant(fastest.balance.value, 1, 3) +
                            " times as long as computing alone";
  if (!fastest.balance.interval) return ratio + ", without an interval: too few " + unit_of(point);
  const std::string bound = bound_of(point);
  return (bound.empty() ? "bound by neither" : "bound by " + bound) + ": " + ratio +
         in_brackets(fastest.balance.interval, 1, 3);
}

void print_answer(std::ostream& out, const KernelPoint& point) {
  out << name_of(point) << '\n';
  const KernelWay* const fastest = point.fastest_way();
  if (fastest == nullptr) return;
  for (const std::string& line :
       {fastest_words(point, *fastest), share_words(point), bound_words(point, *fastest)}) {
    if (!line.empty()) out << "    " << line << '\n';
  }
}

std::optional<double> work_median(const KernelWay& way, const std::string& work) {
  const auto found = way.works.find(work);
  if (found == way.works.end()) return std::nullopt;
  std::vector<double> seconds;
  for (const auto& [number, time] : found->second) seconds.push_back(time);
  return median(seconds);
}

ItemColumn<KernelWay> time_column(const std::string& header, const std::string& work) {
  return {{header, time_width},
          [work](const KernelWay& way) { return microseconds_text(work_median(way, work)); }};
}

ItemColumns<KernelWay> way_columns() {
  using Way = KernelWay;
  return {{{"way", kernel_way_width, Align::left}, [](const Way& way) { return inert(way.way); }},
          time_column("none[us]", "none"),
          time_column("alone[us]", "alone"),
          time_column("after[us]", "after"),
          time_column("during[us]", "during"),
          {{"x fastest", x_fastest_width},
           [](const Way& way) { return significant(way.to_fastest.value, 1, 3); }},
          {{"interval", kernel_interval_width},
           [](const Way& way) { return interval_text(way.to_fastest.interval, 1, 3); }},
          {{"MPI[%]", share_width},
           [](const Way& way) { return significant(way.in_mpi.value, per_cent, 3); }},
          {{"won[%]", share_width},
           [](const Way& way) { return significant(way.won.value, per_cent, 3); }},
          {{"interval", kernel_interval_width},
           [](const Way& way) { return interval_text(way.won.interval, per_cent, 3); }}};
}

void print_ways(std::ostream& out, const KernelPoint& point) {
  const ItemColumns<KernelWay> columns = way_columns();
  Table table = table_of(columns);
  table.comment_texts();
  table.text(name_of(point));
  table.header();
  for (const KernelWay& way : point.ways) {
    table.row(cells_of(columns, way), way.reason.empty() ? "" : "# " + inert(way.reason));
  }
  out << table << '\n';
}

/// Points from which on, and up to which, one thing bounds; empty where it is the same everywhere.
std::string turn_words(std::span<const KernelPoint> points) {
  const KernelPoint* before = nullptr;
  for (const KernelPoint& point : points) {
    const std::string bound = bound_of(point);
    if (bound.empty()) continue;
    if (before != nullptr && bound_of(*before) != bound) {
      return "turns from bound by " + bound_of(*before) + " to bound by " + bound +
             " between\n    " + name_of(*before) + "\n    " + name_of(point) + "\n";
    }
    before = &point;
  }
  return "";
}

}  // namespace

void print_kernel_tables(std::ostream& out, std::span<const Record> records, double level) {
  const std::vector<KernelPoint> points = kernel_points(records, level);
  if (points.empty()) return;
  for (const KernelPoint& point : points) print_answer(out, point);
  out << turn_words(points) << '\n';
  for (const KernelPoint& point : points) print_ways(out, point);
  out << "# none: messages alone; alone: computing alone; after: one after the other; during: at "
         "the "
         "same time\n"
      << "# MPI: 1 - alone / after; won: 1 - during / after; x fastest: of the better of after and "
         "during\n";
  const bool inside = std::ranges::any_of(
      points, [](const KernelPoint& point) { return point.replicate == Replicate::block; });
  out << (inside ? "# intervals: inside this launch; launches differ by more: hockney run halo, "
                   "hockney compare --by way\n"
                 : "# intervals: over launches\n");
}

}  // namespace hockney::report
