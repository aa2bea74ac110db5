#include "report/record_tables.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/text.hpp"
#include "report/table.hpp"

namespace hockney::report {
namespace {

/// Where a rank ran, in every launch.
struct CoreKey {
  std::string setting;
  std::string host;
  std::string cpus;

  friend auto operator<=>(const CoreKey&, const CoreKey&) = default;
};

/// A figure of a core, with its interval where there are enough launches, or parts of one.
struct CoreFigure {
  std::optional<double> value;
  std::optional<Interval> interval;
};

/// What the launches say of one core.
struct CoreRow {
  CoreKey key;
  std::vector<const CoreNoise*> launches;
  CoreFigure stolen;
  CoreFigure rate;
};

CoreKey key_of(const Record& record, const CoreNoise& noise) {
  CoreKey key{.setting = record.campaign ? record.campaign->setting : ""};
  const auto place = std::ranges::find(record.ranks, noise.rank, &RankPlace::rank);
  if (place == record.ranks.end()) return key;
  key.host = place->host;
  const auto has_this = [&](const RankPlace& other) {
    return other.host == place->host && other.actual_cpus == place->actual_cpus;
  };
  const bool is_alone = std::ranges::count_if(record.ranks, has_this) == 1;
  if (place->actual_cpus.size() == 1) key.cpus = "CPU " + std::to_string(place->actual_cpus[0]);
  if (!is_alone || key.cpus.empty()) key.cpus += " rank " + std::to_string(noise.rank);
  return key;
}

/// Of one launch the median over its parts, of several that of these medians.
CoreFigure figure_of(const CoreRow& row, std::vector<double> CoreNoise::*parts, double level) {
  if (row.launches.size() == 1) {
    const std::vector<double>& values = row.launches.front()->*parts;
    return {median(values), quantile_interval(values, 0.5, level)};
  }
  std::vector<double> medians;
  for (const CoreNoise* launch : row.launches) {
    if (const auto middle = median(launch->*parts)) medians.push_back(*middle);
  }
  return {median(medians), quantile_interval(medians, 0.5, level)};
}

std::vector<CoreRow> core_rows(std::span<const Record> records, double level) {
  std::map<CoreKey, CoreRow> cores;
  for (const Record& record : records) {
    for (const CoreNoise& noise : record.noise) {
      CoreRow& row = cores[key_of(record, noise)];
      row.key = key_of(record, noise);
      row.launches.push_back(&noise);
    }
  }
  std::vector<CoreRow> rows;
  for (auto& [key, row] : cores) {
    row.stolen = figure_of(row, &CoreNoise::stolen, level);
    row.rate = figure_of(row, &CoreNoise::interruptions_per_second, level);
    rows.push_back(std::move(row));
  }
  std::ranges::stable_sort(rows, [](const CoreRow& a, const CoreRow& b) {
    if (a.key.setting != b.key.setting) return a.key.setting < b.key.setting;
    return a.stolen.value > b.stolen.value;
  });
  return rows;
}

/// Of all launches that have it: the interruption in the middle, or the longest of all.
std::optional<double> usual_seconds(const CoreRow& row) {
  std::vector<double> all;
  for (const CoreNoise* launch : row.launches) {
    if (launch->median_seconds) all.push_back(*launch->median_seconds);
  }
  return median(all);
}

std::optional<double> longest_of(const CoreRow& row) {
  std::optional<double> longest;
  for (const CoreNoise* launch : row.launches) longest = std::max(longest, launch->longest_seconds);
  return longest;
}

constexpr double milliseconds = 1e3;  // in a second

/// Whether two launches speak of the same period.
bool is_same_period(double a, double b) {
  constexpr double tolerance = 0.01;
  return std::abs(a - b) <= tolerance * b;
}

/// The shares of a period in the launches that have it.
std::vector<double> shares_of(const CoreRow& row, double period_seconds) {
  std::vector<double> shares;
  for (const CoreNoise* launch : row.launches) {
    if (!launch->periods) continue;
    const auto found = std::ranges::find_if(*launch->periods, [&](const NoisePeriod& period) {
      return is_same_period(period.period_seconds, period_seconds);
    });
    if (found != launch->periods->end()) shares.push_back(found->share);
  }
  return shares;
}

/// The periods that most launches have which could tell any: "4.00 (61 %), 10.0 (24 %)", "none";
/// "-" where none could.
std::string periods_text(const CoreRow& row) {
  std::vector<double> known;
  std::string text;
  const auto tell = static_cast<std::size_t>(std::ranges::count_if(
      row.launches, [](const CoreNoise* launch) { return launch->periods.has_value(); }));
  for (const CoreNoise* launch : row.launches) {
    for (const NoisePeriod& period : launch->periods.value_or(std::vector<NoisePeriod>())) {
      const auto is_known = [&](double one) { return is_same_period(one, period.period_seconds); };
      const std::vector<double> shares = shares_of(row, period.period_seconds);
      if (std::ranges::any_of(known, is_known) || 2 * shares.size() <= tell) continue;
      known.push_back(period.period_seconds);
      text += (text.empty() ? "" : ", ") + significant(milliseconds * period.period_seconds, 3) +
              " (" + fixed_text(per_cent * median_of_some(shares), 0) + " %)";
    }
  }
  if (tell == 0) return "-";
  return text.empty() ? "none" : text;
}

std::string core_name(const CoreRow& row) { return inert(row.key.host + " " + row.key.cpus); }

std::string stolen_text(const CoreFigure& stolen) {
  std::string text = significant(stolen.value, per_cent, 3) + " %";
  if (stolen.interval) text += " (" + interval_text(stolen.interval, per_cent, 3) + ")";
  return text;
}

void print_answer(std::ostream& out, std::span<const CoreRow> rows) {
  std::vector<double> all;
  for (const CoreRow& row : rows) {
    if (row.stolen.value) all.push_back(*row.stolen.value);
  }
  out << "# noise" << (rows[0].key.setting.empty() ? "" : ", setting " + inert(rows[0].key.setting))
      << ": fixed work takes " << stolen_text(rows[0].stolen) << " longer than undisturbed on "
      << core_name(rows[0]);
  if (rows.size() > 1) {
    out << ", " << significant(median(all), per_cent, 3) << " % on the core in the middle of "
        << rows.size();
  }
  out << '\n';
}

constexpr int core_width = 24;
constexpr int noise_interval_width = 18;

ItemColumns<CoreRow> noise_columns() {
  using Core = CoreRow;
  return {{{"core", core_width, Align::left}, core_name},
          {{"stolen[%]", count_width},
           [](const Core& row) { return significant(row.stolen.value, per_cent, 3); }},
          {{"interval", noise_interval_width},
           [](const Core& row) { return interval_text(row.stolen.interval, per_cent, 3); }},
          {{"rate[1/s]", count_width},
           [](const Core& row) { return significant(row.rate.value, 1, 3); }},
          {{"interval", noise_interval_width},
           [](const Core& row) { return interval_text(row.rate.interval, 1, 3); }},
          {{"usual[us]", count_width},
           [](const Core& row) { return significant(usual_seconds(row), microseconds, 3); }},
          {{"longest[us]", time_width},
           [](const Core& row) { return significant(longest_of(row), microseconds, 3); }},
          {{"launches", count_width},
           [](const Core& row) { return std::to_string(row.launches.size()); }},
          {{"  periods[ms]", 0, Align::left},
           [](const Core& row) { return "  " + periods_text(row); }}};
}

void print_cores(std::ostream& out, std::span<const CoreRow> rows) {
  constexpr std::size_t most = 10;
  print_answer(out, rows);
  const ItemColumns<CoreRow> columns = noise_columns();
  Table table = table_of(columns);
  table.comment_texts();
  table.header();
  const std::size_t shown = std::min(rows.size(), most);
  for (const CoreRow& row : rows.first(shown)) table.row(cells_of(columns, row));
  out << table;
  if (shown < rows.size()) {
    out << "# " << count_text(rows.size() - shown, "quieter core") << ": in the record\n";
  }
  const bool is_one = rows[0].launches.size() == 1;
  out << "# stolen: time of fixed work over that of its shortest piece - 1; rate: interruptions in "
         "a second; median and interval over "
      << (is_one ? "the tenths of the recording" : "launches")
      << "\n# periods: of interruptions, with the share of them that keeps to it; '-': fewer than "
      << fewest_interruptions << " to tell one from\n\n";
}

}  // namespace

void print_noise_tables(std::ostream& out, std::span<const Record> records, double level) {
  const std::vector<CoreRow> rows = core_rows(records, level);
  for (auto first = rows.begin(); first != rows.end();) {
    const auto last = std::find_if(first, rows.end(), [&](const CoreRow& row) {
      return row.key.setting != first->key.setting;
    });
    print_cores(out, {first, last});
    first = last;
  }
}

}  // namespace hockney::report
