#include "components/health/app/judge.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <unordered_map>

#include "components/health/app/judge_nodes.hpp"
#include "components/health/detection/calibrate.hpp"
#include "components/health/history/reading.hpp"
#include "components/health/nights/figures.hpp"
#include "components/health/nights/ingest.hpp"
#include "core/error.hpp"
#include "core/quantities.hpp"
#include "core/text.hpp"
#include "verdicts/fleet/fleet.hpp"

namespace hockney::health {
namespace {

/// Series read and judged together. More need more memory; fewer judge the controls more often,
/// since each portion judges all of them.
constexpr std::size_t portion = 1024;

/// InputError if no series matches the pattern, since such a check would pass without checking.
void require_some(const std::vector<ListedSeries>& chosen, const std::string& pattern) {
  if (!chosen.empty() || pattern == "*") return;
  throw InputError({fmt::format("unknown series '{}'", pattern), "the history has no such series",
                    "see hockney health list series"});
}

/// Adds to a verdict the changed facts of its environment and the notes of that time.
class VerdictNotes {
 public:
  explicit VerdictNotes(const HistoryDatabase& database) : notes_(read_notes(database)) {
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

  /// The facts with one value in all figures of a day, without settings and variables.
  [[nodiscard]] std::map<std::string, std::string> facts_on(const std::vector<JudgedSeries>& series,
                                                            std::int64_t day) const {
    std::set<std::string> digests;
    for (const JudgedSeries& judged : series) {
      if (judged.last && judged.last->day == day) digests.insert(judged.last->environment);
    }
    std::map<std::string, std::set<std::string>> values;
    for (const std::string& digest : digests) {
      for (const auto& [fact, value] : at(digest).facts) values[fact].insert(value);
    }
    std::map<std::string, std::string> facts;
    for (const auto& [fact, some] : values) {
      const bool is_setting = fact.starts_with("mpi.setting.") || fact.starts_with("environment.");
      if (some.size() == 1 && !is_setting) facts[fact] = *some.begin();
    }
    return facts;
  }

 private:
  [[nodiscard]] Environment at(const std::string& digest) const {
    const auto known = environments_.find(digest);
    return known == environments_.end() ? Environment() : known->second;
  }

  /// Notes from the possible days of the change and the day before: a change made in the evening
  /// affects the night after midnight.
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

/// Keeps the last nights of series for documents: those of changed and missing series before those
/// of others. Bounds the size of a document of many series.
class KeptNights {
 public:
  void keep(JudgedSeries& judged, const NightlySeries& series, std::int64_t today) {
    const bool is_changed =
        judged.health.change || judged.health.suspect || !judged.missing.empty();
    std::size_t& left = is_changed ? changed_left_ : others_left_;
    const std::vector<NightlyValue>& nights = series.nights;
    const auto end = std::ranges::upper_bound(nights, today, {}, &NightlyValue::day);
    const auto count = std::min(static_cast<std::size_t>(end - nights.begin()),
                                is_changed ? most_of_changed : most_of_others);
    if (count > left) return;
    left -= count;
    judged.nights.assign(end - static_cast<std::ptrdiff_t>(count), end);
  }

 private:
  static constexpr std::size_t most_of_changed = 120;
  static constexpr std::size_t most_of_others = 60;
  std::size_t changed_left_ = 20'000;
  std::size_t others_left_ = 5'000;
};

/// Finds series without a value on the judged day though one was due.
class Expecting {
 public:
  Expecting(const HistoryDatabase& database, const CheckOptions& options, std::int64_t today)
      : database_(database),
        today_(today),
        days_(history_days(database)),
        is_counted_(!in_maintenance(today, options.maintenance)),
        reasons_(absences_on(database, today)) {
    for (const NightContent& night : nights_of_day(database, today)) {
      if (night.records > 0) campaigns_.insert(night.campaign);
    }
  }

  /// The reason; empty if none is missing. A value is due if the night's records planned it, and
  /// for a month at the series' usual distance of nights. Nights before an accepted shift and in
  /// maintenance do not count.
  [[nodiscard]] std::string why_missing(const NightlySeries& series,
                                        const SeriesHealth& health) const {
    if (!is_counted_ || !health.last_day || *health.last_day >= today_) return "";
    if (is_derived({.name = series.name, .unit = series.unit})) return "";
    if (const auto reason = reasons_.find(series.name); reason != reasons_.end()) {
      return reason->second;
    }
    if (today_ - *health.last_day > month || !is_due(series)) return "";
    const auto campaign = campaign_of(database_, series.name, *health.last_day);
    if (!campaign || campaigns_.contains(*campaign)) return "not in the records of this night";
    const auto failure = reasons_.find(every_series);
    if (failure != reasons_.end()) return failure->second;
    return campaign->empty() ? "no launch of this night has it"
                             : fmt::format("no launch of the campaign '{}' this night", *campaign);
  }

 private:
  static constexpr std::int64_t month = 31;  // [days], as for nodes and links
  static constexpr std::size_t looked_at = 14;

  /// The number of the history's nights up to this day.
  [[nodiscard]] double place(std::int64_t day) const {
    return static_cast<double>(std::ranges::upper_bound(days_, day) - days_.begin());
  }

  [[nodiscard]] bool is_due(const NightlySeries& series) const {
    std::vector<double> places;
    for (const NightlyValue& night : series.nights) {
      if (night.day <= today_) places.push_back(place(night.day));
    }
    std::vector<double> distances;
    for (std::size_t i = places.size(); i-- > 1 && distances.size() < looked_at;) {
      distances.push_back(places[i] - places[i - 1]);
    }
    const double usual = distances.empty() ? 1 : quick_median(distances);
    return place(today_) - places.back() >= usual;
  }

  const HistoryDatabase& database_;
  std::int64_t today_;
  std::vector<std::int64_t> days_;
  bool is_counted_;
  std::map<std::string, std::string> reasons_;
  std::set<std::string> campaigns_;  ///< of the judged day
};

/// The last counted nights of one point, ascending.
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

/// Judges the nodes and links of a point today. Returns nullopt if the point was not measured today
/// and none of its nodes and links is open.
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

/// Calls `work` with portions of the history's series. Each portion begins with all controls; the
/// second argument is their number.
void for_each_portion(
    const HistoryDatabase& database, const JudgingOptions& options, std::int64_t today,
    const std::function<void(const std::vector<NightlySeries>&, std::size_t controls)>& work) {
  std::vector<ListedSeries> subjects = listed_series(database);
  std::erase_if(subjects, [&](const ListedSeries& series) {
    const bool is_wanted = names_hosts(options.series) && matches(series.kind.name, options.series);
    return is_of_host(series.kind.name) && !is_wanted;
  });
  std::vector<ListedSeries> controls;
  std::ranges::copy_if(subjects, std::back_inserter(controls), [](const ListedSeries& series) {
    return series.kind.role == SeriesRole::control;
  });
  std::erase_if(subjects, [&](const ListedSeries& series) {
    return series.kind.role == SeriesRole::control || !matches(series.kind.name, options.series);
  });
  require_some(subjects, options.series);
  // reads neighbours in the file together
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

/// Replaces series of all hosts by those of each kind of nodes.
void add_kinds(Report& report, const NodesOfNight& nodes, const CheckOptions& options,
               const VerdictNotes& notes) {
  const std::set<std::string> replaced(nodes.replaced.begin(), nodes.replaced.end());
  std::erase_if(report.series,
                [&](const JudgedSeries& one) { return replaced.contains(one.kind.name); });
  std::vector<SeriesHealth> healths = check_series(nodes.kinds, options);
  for (std::size_t i = 0; i < healths.size(); ++i) {
    report.series.push_back(notes.name(nodes.kinds[i], std::move(healths[i]), report.day));
  }
}

/// InputError if all nights are in the future.
std::int64_t newest_day(const std::vector<std::int64_t>& days) {
  const auto future = std::ranges::upper_bound(days, latest_day());
  if (future != days.begin()) return *std::prev(future);
  throw InputError({"nothing to judge",
                    fmt::format("all nights are in the future, from {} on", day_text(days.front())),
                    "forget them, or name one with --day"});
}

/// Nights after the judged one whose day is in the future.
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
    throw InputError({"nothing to judge",
                      fmt::format("the history '{}' has no night", database.file()),
                      "take one in with hockney health ingest"});
  }
  if (!wanted) return newest_day(days);
  if (std::ranges::binary_search(days, *wanted)) return *wanted;
  throw InputError({"no night of " + day_text(*wanted),
                    fmt::format("the history has those from {} to {}", day_text(days.front()),
                                day_text(days.back())),
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
  const VerdictNotes notes(database);
  const Expecting expecting(database, options.check, today);
  KeptNights kept;
  Report report{.day = today,
                .checked_utc = utc_now(),
                .history = database.file(),
                .nights = nights_until(database, today),
                .future = future_days(database, today),
                .series = {},
                .fleets = {},
                .faults = {}};
  for_each_portion(database, options, today,
                   [&](const std::vector<NightlySeries>& series, std::size_t controls) {
                     std::vector<SeriesHealth> healths = check_series(series, options.check);
                     // Every portion contains and judges the same controls.
                     const std::size_t first = report.series.empty() ? 0 : controls;
                     for (std::size_t i = first; i < series.size(); ++i) {
                       std::string missing = expecting.why_missing(series[i], healths[i]);
                       JudgedSeries judged = notes.name(series[i], std::move(healths[i]), today);
                       if (!missing.empty() && judged.health.verdict == Verdict::undecided) {
                         judged.health.verdict = Verdict::missing;
                       }
                       judged.missing = std::move(missing);
                       kept.keep(judged, series[i], today);
                       report.series.push_back(std::move(judged));
                     }
                   });
  if (auto nodes = judge_nodes(database, options, today)) {
    add_kinds(report, *nodes, options.check, notes);
    report.nodes = std::move(nodes->judged);
  }
  std::ranges::sort(report.series, {}, [](const JudgedSeries& judged) { return judged.kind.name; });
  report.environment = notes.facts_on(report.series, today);
  report.fleets = judge_fleets(database, options, today);
  report.faults = faults_on(database, today);
  return report;
}

}  // namespace hockney::health
