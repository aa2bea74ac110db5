#include "health/app/health_judging.hpp"

#include <algorithm>
#include <functional>
#include <unordered_map>

#include "core/error.hpp"
#include "core/series_name.hpp"
#include "core/time.hpp"
#include "health/detection/counted_nights.hpp"
#include "health/history/reading.hpp"
#include "health/history/remarks.hpp"
#include "health/nights/other_figures.hpp"

namespace hockney::health {
namespace {

/// Series that are read and judged at a time: few enough for memory, many enough that the controls,
/// which are judged with each portion, cost little.
constexpr std::size_t portion = 1024;

/// InputError for a pattern that no series has: a check of nothing finds nothing.
void require_some(const std::vector<ListedSeries>& chosen, const std::string& pattern) {
  if (!chosen.empty() || pattern == "*") return;
  throw InputError({"unknown series '" + pattern + "'", "the history has no such series",
                    "see hockney health list series"});
}

/// Names what an environment change changed, and the notes of that time.
class Naming {
 public:
  explicit Naming(const HistoryDatabase& database) : notes_(read_notes(database)) {
    for (Environment& environment : read_environments(database)) {
      const std::string digest = environment.digest;
      environments_[digest] = std::move(environment);
    }
  }

  JudgedSeries name(const NightlySeries& series, SeriesHealth health, std::int64_t today) const {
    JudgedSeries judged{.kind = {.name = series.name,
                                 .unit = series.unit,
                                 .role = series.role,
                                 .worse = series.worse},
                        .health = {},
                        .last = {},
                        .environment = {},
                        .notes = {}};
    for (const NightlyValue& night : series.nights) {
      if (night.day <= today) judged.last = night;
    }
    for (const EnvironmentChange& change : health.environment) {
      judged.environment.push_back({.day = change.day,
                                    .day_before = change.day_before,
                                    .facts = changed_facts(at(change.before), at(change.after))});
    }
    if (health.change) judged.notes = notes_near(*health.change);
    judged.health = std::move(health);
    return judged;
  }

 private:
  [[nodiscard]] Environment at(const std::string& digest) const {
    const auto known = environments_.find(digest);
    return known == environments_.end() ? Environment() : known->second;
  }

  /// Of the days on which the change may have happened, and of the day before them: what is done in
  /// the evening shows in the night after midnight.
  [[nodiscard]] std::vector<Note> notes_near(const DatedChange& change) const {
    const std::int64_t first = change.since_low - 1;
    const std::int64_t last = change.since_high;
    std::vector<Note> near;
    for (const Note& note : notes_) {
      if (note.day >= first && note.day <= last) near.push_back(note);
    }
    return near;
  }

  std::vector<Note> notes_;
  std::unordered_map<std::string, Environment> environments_;
};

/// The last nights of one point that count, ascending.
std::vector<fleet::DatedFleet> nights_of_point(const HistoryDatabase& database,
                                               const JudgingOptions& options,
                                               const std::string& point, std::int64_t today) {
  std::vector<fleet::DatedFleet> nights;
  for (const std::int64_t day :
       days_of_pairs(database, point, {.last = today, .most = options.link_nights_back})) {
    if (in_maintenance(day, options.check.maintenance)) continue;
    nights.push_back({day, fleet::judge_fleet(read_pairs(database, day, point), options.fleet)});
  }
  return nights;
}

bool is_accepted(const fleet::NodeEffect& node, const std::string& point,
                 const CheckOptions& options, std::int64_t today) {
  const std::string series = node_series_name(point, node.host);
  return std::ranges::any_of(options.accepted, [&](const AcceptedShift& shift) {
    return shift.day > *node.day && shift.day <= today && matches(series, shift.series);
  });
}

/// Judges the nodes and links of a point today. nullopt if it was not measured today and none of
/// its nodes and links is open.
std::optional<JudgedFleet> judge_fleet_at(const std::string& point,
                                          std::vector<fleet::DatedFleet> nights,
                                          const JudgingOptions& options, std::int64_t today) {
  if (nights.empty()) return std::nullopt;
  JudgedFleet judged{.point = point, .day = nights.back().day, .night = {}, .links = {}};
  judged.night = fleet::with_open_nodes(nights, today);
  std::vector<fleet::FleetNight> fleets;
  fleets.reserve(nights.size());
  for (fleet::DatedFleet& dated : nights) fleets.push_back(std::move(dated.night));
  std::erase_if(judged.night.nodes, [&](const fleet::NodeEffect& node) {
    return node.day && is_accepted(node, point, options.check, today);
  });
  judged.links = fleet::persistent_links(fleets, options.fleet);
  const bool is_open =
      !judged.links.empty() || std::ranges::any_of(judged.night.nodes, &fleet::NodeEffect::named);
  if (judged.day == today) return judged;
  judged.night.suspects.clear();
  return is_open ? std::optional(std::move(judged)) : std::nullopt;
}

std::vector<JudgedFleet> judge_fleets(const HistoryDatabase& database,
                                      const JudgingOptions& options, std::int64_t today) {
  std::vector<JudgedFleet> fleets;
  for (const std::string& point : pair_points(database)) {
    auto nights = nights_of_point(database, options, point, today);
    if (auto judged = judge_fleet_at(point, std::move(nights), options, today)) {
      fleets.push_back(std::move(*judged));
    }
  }
  return fleets;
}

std::size_t nights_until(const HistoryDatabase& database, std::int64_t today) {
  const std::vector<std::int64_t> days = history_days(database);
  return static_cast<std::size_t>(std::ranges::upper_bound(days, today) - days.begin());
}

/// Calls `work` with portions of the series of the history, the controls of all in each of them,
/// and how many of them are such.
void for_each_portion(
    const HistoryDatabase& database, const JudgingOptions& options, std::int64_t today,
    const std::function<void(const std::vector<NightlySeries>&, std::size_t controls)>& work) {
  std::vector<ListedSeries> subjects = listed_series(database);
  std::vector<ListedSeries> controls;
  std::ranges::copy_if(subjects, std::back_inserter(controls), [](const ListedSeries& series) {
    return series.kind.role == SeriesRole::control;
  });
  std::erase_if(subjects, [&](const ListedSeries& series) {
    return series.kind.role == SeriesRole::control || !matches(series.kind.name, options.series);
  });
  require_some(subjects, options.series);
  // Neighbours in the file are read together.
  std::ranges::sort(subjects, {}, &ListedSeries::id);
  const DayRange days{
      .first = first_of_last(database, {.last = today, .most = options.nights_back}),
      .last = today};
  std::vector<NightlySeries> series = read_series(database, controls, days);
  for (std::size_t begin = 0; begin == 0 || begin < subjects.size(); begin += portion) {
    const std::size_t end = std::min(begin + portion, subjects.size());
    const auto at = [&](std::size_t place) {
      return subjects.begin() + static_cast<std::ptrdiff_t>(place);
    };
    for (NightlySeries& one : read_series(database, {at(begin), at(end)}, days)) {
      series.push_back(std::move(one));
    }
    work(series, controls.size());
    series.resize(controls.size());
  }
}

/// InputError where all nights lie in the future.
std::int64_t newest_day(const std::vector<std::int64_t>& days) {
  const auto future = std::ranges::upper_bound(days, latest_day());
  if (future != days.begin()) return *std::prev(future);
  throw InputError({"nothing to judge",
                    "all nights lie in the future, from " + day_text(days.front()) + " on",
                    "forget them, or name one with --day"});
}

/// The nights behind the judged one that lie in the future.
std::vector<std::int64_t> future_days(const HistoryDatabase& database, std::int64_t today) {
  std::vector<std::int64_t> days = history_days(database);
  const std::int64_t last = std::max(latest_day(), today);
  std::erase_if(days, [&](std::int64_t day) { return day <= last; });
  return days;
}

}  // namespace

std::int64_t judged_day(const HistoryDatabase& database, std::optional<std::int64_t> wanted) {
  const std::vector<std::int64_t> days = history_days(database);
  if (days.empty()) {
    throw InputError({"nothing to judge", "the history '" + database.file() + "' has no night",
                      "take one in with hockney health ingest"});
  }
  if (!wanted) return newest_day(days);
  if (std::ranges::binary_search(days, *wanted)) return *wanted;
  throw InputError(
      {"no night of " + day_text(*wanted),
       "the history has those from " + day_text(days.front()) + " to " + day_text(days.back()),
       "see hockney health list"});
}

CheckOptions with_remarks(const HistoryDatabase& database, CheckOptions options,
                          std::int64_t today) {
  options.today = today;
  for (const Acceptance& accepted : read_acceptances(database)) {
    options.accepted.push_back({.series = accepted.series, .day = accepted.day});
  }
  for (const Maintenance& window : read_maintenances(database)) {
    options.maintenance.push_back({.first_day = window.first_day, .last_day = window.last_day});
  }
  return options;
}

Report judge(const HistoryDatabase& database, JudgingOptions options) {
  const ReadingMoment moment(database);
  const std::int64_t today = judged_day(database, options.check.today);
  options.check = with_remarks(database, std::move(options.check), today);
  const Naming naming(database);
  Report report{.day = today,
                .checked_utc = utc_now(),
                .history = database.file(),
                .nights = nights_until(database, today),
                .future = future_days(database, today),
                .series = {},
                .fleets = {},
                .faults = {}};
  for_each_portion(
      database, options, today,
      [&](const std::vector<NightlySeries>& series, std::size_t controls) {
        std::vector<SeriesHealth> healths = check_series(series, options.check);
        // Controls are in every portion, and judged alike in each.
        const std::size_t first = report.series.empty() ? 0 : controls;
        for (std::size_t i = first; i < series.size(); ++i) {
          report.series.push_back(naming.name(series[i], std::move(healths[i]), today));
        }
      });
  std::ranges::sort(report.series, {}, [](const JudgedSeries& judged) { return judged.kind.name; });
  report.fleets = judge_fleets(database, options, today);
  report.faults = faults_on(database, today);
  return report;
}

}  // namespace hockney::health
