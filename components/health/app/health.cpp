#include "components/health/app/health.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <unordered_map>

#include "components/health/app/judge_nodes.hpp"
#include "components/health/detection/calibrate.hpp"
#include "components/health/history/host_values.hpp"
#include "components/health/history/night_writer.hpp"
#include "components/health/history/reading.hpp"
#include "components/health/nights/figures.hpp"
#include "components/health/nights/ingest.hpp"
#include "components/health/report/health_exports.hpp"
#include "components/health/report/health_outputs.hpp"
#include "core/atomic_file.hpp"
#include "core/cli/command_line.hpp"
#include "core/cli/standard_output.hpp"
#include "core/error.hpp"
#include "core/json_values.hpp"
#include "core/point.hpp"
#include "core/quantities.hpp"
#include "core/record_file.hpp"
#include "core/text.hpp"
#include "driver/output/output.hpp"
#include "report/screen.hpp"
#include "verdicts/fleet/fleet.hpp"
#include "verdicts/fleet/links.hpp"

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
               const Naming& naming) {
  const std::set<std::string> replaced(nodes.replaced.begin(), nodes.replaced.end());
  std::erase_if(report.series,
                [&](const JudgedSeries& one) { return replaced.contains(one.kind.name); });
  std::vector<SeriesHealth> healths = check_series(nodes.kinds, options);
  for (std::size_t i = 0; i < healths.size(); ++i) {
    report.series.push_back(naming.name(nodes.kinds[i], std::move(healths[i]), report.day));
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
  const Naming naming(database);
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
                       JudgedSeries judged = naming.name(series[i], std::move(healths[i]), today);
                       if (!missing.empty() && judged.health.verdict == Verdict::undecided) {
                         judged.health.verdict = Verdict::missing;
                       }
                       judged.missing = std::move(missing);
                       kept.keep(judged, series[i], today);
                       report.series.push_back(std::move(judged));
                     }
                   });
  if (auto nodes = judge_nodes(database, options, today)) {
    add_kinds(report, *nodes, options.check, naming);
    report.nodes = std::move(nodes->judged);
  }
  std::ranges::sort(report.series, {}, [](const JudgedSeries& judged) { return judged.kind.name; });
  report.environment = naming.facts_on(report.series, today);
  report.fleets = judge_fleets(database, options, today);
  report.faults = faults_on(database, today);
  return report;
}

namespace {

constexpr const char* default_file = "hockney-history.sqlite";
constexpr double longest_wait_seconds = 86'400;

std::string bad(const std::string& text, const std::string& name) {
  return fmt::format("bad value '{}' for {}", text, name);
}

std::chrono::milliseconds parse_wait(const std::string& text) {
  const double seconds = parse_duration(text).value;
  if (seconds > longest_wait_seconds) {
    throw InputError({bad(text, "--wait"), "it is more than a day", "write it like 10s"});
  }
  return std::chrono::milliseconds(whole_number<std::int64_t>(1000 * seconds));
}

std::string plain(double value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

}  // namespace

void add_history_option(CommandLine& app, HistoryOptions& options) {
  const char* const named = std::getenv(history_variable);
  options.file = named != nullptr && *named != '\0' ? named : default_file;
  app.add_option("--history", options.file,
                 fmt::format("The history; {} names another default", history_variable))
      .capture_default_str();
}

void add_writing_options(CommandLine& app, HistoryOptions& options) {
  add_history_option(app, options);
  app.add_option("--wait", options.wait, "How long to wait for another writer")
      .capture_default_str();
}

HistoryDatabase open_history(const HistoryOptions& options, HistoryAccess access) {
  return {options.file, access, parse_wait(options.wait)};
}

std::optional<std::int64_t> day_option(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional(parse_day(text));
}

double percent_option(const std::string& text, const std::string& name) {
  const auto percent =
      text.ends_with('%') ? as_number<double>({text.data(), text.size() - 1}) : std::nullopt;
  if (percent && std::isfinite(*percent) && *percent > 0) return *percent / 100;
  throw InputError({bad(text, name), "it is a share above 0%", "write it like 5%"});
}

double number_option(const std::string& text, const std::string& name) {
  const auto number = as_number<double>(text);
  if (number && std::isfinite(*number) && *number > 0) return *number;
  throw InputError({bad(text, name), "it is no number above 0", "write it like 0.5"});
}

void add_detector_options(CommandLine& app, DetectorWords& words) {
  const DetectorParameters defaults;
  app.add_option("--day", words.day, "The night that is judged").default_str("the newest");
  app.add_option("--series", words.series, "Judge only these, with * for any text")
      .capture_default_str();
  app.add_option("--practical", words.practical, "The smallest change that is anyone's business")
      .default_str(plain(100 * defaults.practical) + "%");
  app.add_option("--baseline-nights", words.baseline, "Nights before anything is judged")
      .default_str(std::to_string(defaults.baseline.shortest));
  app.add_option("--recent-nights", words.recent,
                 "Nights whose median must have changed for a verdict")
      .default_str(std::to_string(defaults.recent));
  app.add_flag("--single-night", words.single_night,
               "One night far outside all earlier ones is a verdict alone");
}

std::string default_threshold() { return plain(DetectorParameters().threshold); }

JudgingOptions judging_options(const DetectorWords& words, const HistoryDatabase& database) {
  JudgingOptions options;
  DetectorParameters& detector = options.check.detector;
  options.series = words.series;
  options.check.today = day_option(words.day);
  options.check.single_night = words.single_night;
  if (!words.practical.empty()) {
    detector.practical = percent_option(words.practical, "--practical");
    options.fleet.practical = detector.practical;
  }
  if (!words.baseline.empty()) {
    detector.baseline.shortest = parse_count<std::size_t>("--baseline-nights", words.baseline, 3);
    detector.baseline.window = std::max(detector.baseline.window, detector.baseline.shortest);
    detector.lag = std::min(detector.lag, detector.baseline.shortest / 2);
  }
  if (!words.recent.empty())
    detector.recent = parse_count<std::size_t>("--recent-nights", words.recent, 1);
  if (!words.threshold.empty()) {
    detector.threshold = number_option(words.threshold, "--threshold");
  } else if (const auto kept = kept_number(database, threshold_name)) {
    detector.threshold = *kept;
  }
  return options;
}

namespace {

struct CheckCommand {
  HistoryOptions history;
  DetectorWords detector;
  std::string junit;
  std::string openmetrics;
  std::string influx;
  std::string lines;
  campaign::OutputOptions output;
  std::vector<std::string> again;
  std::string missing = "fail";
  std::string sites;
  bool reason = false;
  bool strict = false;
};

/// Whether missing series are no failure. InputError for another word.
bool missing_is_ok(const std::string& word) {
  if (word == "ok" || word == "fail") return word == "ok";
  throw InputError({fmt::format("bad --missing '{}'", word),
                    "it says whether a missing series is a failure",
                    suggest(word, {"fail", "ok"})});
}

template <class Write>
void write_whole(const std::string& file, Write write) {
  if (file.empty()) return;
  std::ostringstream text;
  write(text);
  write_atomically(file, text.str());
}

/// Appends to a file that grows every night.
void append_lines(const std::string& file, const Report& report) {
  if (file.empty()) return;
  std::ostringstream lines;
  write_health_lines(lines, report);
  GrowingFile(file, GrowingFile::Begin::end).append(lines.str());
}

void write_files(const CheckCommand& command, const Report& report) {
  write_whole(command.junit, [&](std::ostream& out) { write_junit(out, health_junit(report)); });
  write_whole(command.openmetrics,
              [&](std::ostream& out) { write_openmetrics(out, health_metrics(report)); });
  write_whole(command.influx, [&](std::ostream& out) { write_influx(out, report); });
  append_lines(command.lines, report);
}

/// The point without its setting.
std::string bare(const std::string& point) {
  SeriesName name = parse_series_name(point);
  name.keys.erase("setting");
  return name.text();
}

/// By point without setting; one entry for each launch and pair.
std::map<std::string, std::vector<fleet::NightlyPair>> repetitions_in(
    const std::vector<std::string>& paths) {
  std::map<std::string, std::vector<fleet::NightlyPair>> repetitions;
  for (const Record& record : load_records(paths, Kept::times)) {
    if (record.status != LaunchStatus::complete) continue;
    for (const fleet::NightPair& pair : fleet::host_pairs({&record, 1}, "")) {
      repetitions[bare(pair.point)].push_back(pair.pair);
    }
  }
  return repetitions;
}

bool is_named(const JudgedFleet& fleet, const fleet::LinkVerdict& link) {
  return std::ranges::any_of(fleet.links, [&](const fleet::LinkVerdict& other) {
    return other.a == link.a && other.b == link.b && other.hop == link.hop;
  });
}

/// Adds suspect links that repetitions of the same night confirm, to each point of the report. Each
/// launch in the records below `paths` repeats every pair of nodes it contains, under any setting.
/// InputError if no launch has a pair of nodes at a point of the report.
void confirm_suspects(Report& report, const std::vector<std::string>& paths,
                      const fleet::FleetOptions& options) {
  if (paths.empty()) return;
  const auto repetitions = repetitions_in(paths);
  bool found = false;
  for (JudgedFleet& fleet : report.fleets) {
    const auto again = repetitions.find(bare(fleet.point));
    if (again == repetitions.end()) continue;
    found = true;
    for (const fleet::LinkVerdict& link :
         fleet::confirm_links(fleet.night, again->second, options)) {
      if (!is_named(fleet, link)) fleet.links.push_back(link);
    }
  }
  if (found) return;
  throw InputError({"nothing was measured again",
                    "the records of --again have no pair of nodes at a point of this night",
                    "repeat the night's operation and size between the suspects"});
}

std::vector<report::NextStep> next_steps(const Report& report) {
  std::vector<report::NextStep> steps;
  if (report.nodes && !report.nodes->slow.empty()) {
    steps.push_back(
        {fmt::format("hockney health check --series '*host={} *'", report.nodes->slow.front().host),
         "every figure of this node"});
  }
  steps.push_back({"hockney health check --all", "every series"});
  return steps;
}

campaign::Result result_of(const Report& report) {
  const auto print = [&report](ShownSeries shown) {
    return [&report, shown](std::ostream& out) { print_health_table(out, report, shown); };
  };
  const auto summary = [&report, print] {
    return report::Screen{.answer = report::lines_printed(print(ShownSeries::changed)),
                          .rows = changed_rows(report),
                          .verdict = headline(report),
                          .next = next_steps(report)};
  };
  return {
      .summary = summary,
      .tables = print(ShownSeries::all),
      .document = [&report] { return to_json(report); },
      .csv = [&report](
                 std::ostream& out) { report::write_csv(out, view_of(report, ShownSeries::all)); },
      .page = [&report, summary] { return health_page(report, summary()); }};
}

ExitCode run(const CheckCommand& command) {
  const campaign::Output output(command.output);
  const bool missing_ok = missing_is_ok(command.missing);
  const HistoryDatabase database = open_history(command.history, HistoryAccess::read);
  JudgingOptions options = judging_options(command.detector, database);
  if (!command.sites.empty()) options.sites = load_sites(command.sites);
  Report report = judge(database, options);
  report.missing_ok = missing_ok;
  confirm_suspects(report, command.again, options.fleet);
  const campaign::Result result = result_of(report);
  if (command.reason) {
    std::cout << reason_line(report) << '\n';
    output.write_files(result);
  } else {
    output.show(result);
  }
  write_files(command, report);
  const State state = state_of(report);
  if (is_failure(state)) return ExitCode::verdict_failed;
  const bool is_good = state == State::ok || !command.strict;
  return is_good ? ExitCode::good : ExitCode::no_verdict;
}

void add_outputs(CommandLine& app, CheckCommand& command) {
  add_output_options(app, command.output, {.page = true});
  const CommandOption reason =
      app.add_flag("--reason", command.reason, "Print one line that drain scripts read");
  for (const char* other : {"--all", "--quiet", "--json", "--csv"}) {
    reason.excludes(app.option(other));
  }
  app.add_option("--junit", command.junit, "Also write JUnit XML to this file").default_str("none");
  app.add_option("--openmetrics", command.openmetrics,
                 "Also write OpenMetrics gauges to this file, for node_exporter's textfile folder")
      .default_str("none");
  app.add_option("--influx", command.influx, "Also write Influx line protocol to this file")
      .default_str("none");
  app.add_option("--jsonl", command.lines, "Also append a JSON line a series to this file")
      .default_str("none");
}

void add_options(CommandLine& app, CheckCommand& command) {
  add_detector_options(app, command.detector);
  app.add_option("--threshold", command.detector.threshold,
                 "Sum of scores that is an alarm; calibrate finds it for this site")
      .default_str("what calibrate --keep left, else " + default_threshold());
  app.add_option("--again", command.again,
                 "Records of the same night in which suspect links were measured again")
      .default_str("none");
  app.add_option("--sites", command.sites,
                 "Site file with the racks or switches of the nodes (hockney placement)")
      .default_str("none");
  app.add_flag("--strict", command.strict,
               "Exit code 4 where nothing can be judged yet, or a value is suspect, which are else "
               "as good as OK");
  app.add_option("--missing", command.missing,
                 "Series without a value though one was due: exit code 1, or 'ok'")
      .type_name("fail|ok")
      .capture_default_str();
  add_outputs(app, command);
  add_history_option(app, command.history);
}

}  // namespace

void add_health_check(CommandLine& health, Action& chosen) {
  add_command<CheckCommand>(
      health, chosen, "check",
      "Check the night: exit code 1 if a series regressed or is missing, or a node is slow",
      add_options, run,
      {.examples = {{"hockney health check", "what changed; exit code 1 if anything got worse"},
                    {"hockney health check --junit health.xml --openmetrics hockney.prom",
                     "for other programs"},
                    {"hockney health check --series 'pingpong/*' --all",
                     "every verdict on some series"}},
       .common = {"--day", "--series", "--practical", "--threshold", "--strict", "--reason",
                  "--all", "--json", "--output", "--page", "--junit", "--history"}});
}

}  // namespace hockney::health
