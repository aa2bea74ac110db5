#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/launch_medians.hpp"
#include "core/record.hpp"

namespace hockney::report {

/// One point of a campaign over all its launches.
struct Row {
  Point point;                                   ///< with the path that all launches have
  std::string setting;                           ///< empty outside campaigns
  std::map<std::string, std::string> axes;       ///< of a sweep: where on each the setting lies
  std::vector<std::size_t> records;              ///< places of those that planned the point
  std::vector<LaunchMedian> launches;            ///< that have a time of the point
  std::optional<double> median_seconds;          ///< median of the launch medians
  std::optional<Interval> interval_seconds;      ///< exact, over launches; needs six
  std::int64_t bytes_per_sample = 0;             ///< bytes that count for bandwidth [B]
  std::optional<double> bus_bytes_per_sample;    ///< of the busiest rank [B]
  std::optional<double> skew_seconds;            ///< of the ranks' begins, median over launches
  std::optional<double> shortest_local_seconds;  ///< of the ranks' own times, median over launches
  std::optional<double> longest_local_seconds;
  std::optional<double> page_faults;    ///< of one operation, median over launches
  std::int64_t deliveries_checked = 0;  ///< of all launches; 0 without data, or not known
  int blocks = 0;                       ///< of all launches
  int warm_up_blocks = 0;               ///< of these the ones that were warm-up
  int undisturbed_blocks = 0;           ///< of these the ones that count (core/samples.hpp)
  std::size_t samples = 0;              ///< that count, of all launches
  int outliers = 0;                     ///< of these the ones beyond Q3 + 3 IQR (core/record.hpp)
  TailQuantiles tails;                  ///< medians over launches, where all launches tell
  std::vector<std::string> flags;       ///< of any launch
  std::vector<std::string> paths;  ///< proven in its launches, each once; "unproven" among them
  std::string unproven_because;    ///< of a launch without a proven path; empty when all have one
  std::string reason;              ///< why no launch has a time of it; empty otherwise

  /// bytes_per_sample / median [B/s]; nullopt without a median or without bytes.
  [[nodiscard]] std::optional<BytesPerSecond> bandwidth() const;
  /// The same of bus_bytes_per_sample.
  [[nodiscard]] std::optional<BytesPerSecond> bus_bandwidth() const;
};

/// "setting eager=4K  pingpong ranks=2", inert: the head of the table of a curve.
std::string curve_title(const Row& row);

/// Whether two rows are points of one curve under one setting.
bool same_curve(const Row& a, const Row& b);

/// Calls `use` with the items of each curve, which stand together, as a span; `row_of` gives the
/// row of an item.
template <class Item, class RowOf, class Use>
void for_each_curve(const std::vector<Item>& items, RowOf row_of, Use use) {
  for (auto first = items.begin(); first != items.end();) {
    const auto last = std::find_if_not(first, items.end(), [&](const Item& item) {
      return same_curve(std::invoke(row_of, *first), std::invoke(row_of, item));
    });
    use(std::span<const Item>(first, last));
    first = last;
  }
}

/// A row for every point that was planned, ordered by setting, curve (in order of appearance) and
/// bytes, with intervals of the medians over launches at `level`. Only complete launches count.
std::vector<Row> campaign_rows(std::span<const Record> records, double level = default_level);

/// The same rows of each complete launch by itself, in the order of the records.
std::vector<Row> launch_rows(std::span<const Record> records);

}  // namespace hockney::report
