#include <fmt/format.h>
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>

#include "components/health/app/health.hpp"
#include "components/health/app/health_options.hpp"
#include "components/health/app/judge.hpp"
#include "components/health/detection/calibrate.hpp"
#include "components/health/history/host_values.hpp"
#include "components/health/history/night_writer.hpp"
#include "components/health/history/reading.hpp"
#include "components/health/nights/ingest.hpp"
#include "components/health/report/calibration_tables.hpp"
#include "components/health/report/health_report.hpp"
#include "core/cli/command_line.hpp"
#include "core/point.hpp"
#include "core/quantities.hpp"
#include "core/text.hpp"
#include "driver/output/output.hpp"
#include "report/curve_tables.hpp"
#include "report/progress.hpp"
#include "report/table.hpp"

namespace hockney::health {
namespace {

struct IngestCommand {
  HistoryOptions history;
  std::vector<std::string> paths;
  std::string day;
};

struct ForgetCommand {
  HistoryOptions history;
  std::string night;
  std::optional<std::string> campaign;
  bool dry_run = false;
};

std::string night_text(std::int64_t day, const std::string& campaign) {
  return campaign.empty() ? day_text(day)
                          : fmt::format("{} campaign '{}'", day_text(day), escaped(campaign));
}

std::string pairs_text(std::size_t pairs) {
  return pairs > 0 ? ", " + report::count_text(pairs, "pair") + " of nodes" : "";
}

std::string were(std::size_t count) { return count == 1 ? " was " : " were "; }

std::string text_of(const Ingested& outcome, Stored stored) {
  const std::string night = night_text(outcome.day, outcome.campaign);
  if (stored == Stored::unchanged) return night + ": in the history already";
  return fmt::format("{}: {}, {} series{}{}", night, report::count_text(outcome.records, "record"),
                     outcome.series, pairs_text(outcome.pairs),
                     stored == Stored::replaced ? ", night made anew" : "");
}

std::size_t left_out_text(const Ingested& outcome, const std::string& folder) {
  if (outcome.left_out > 0) {
    std::cerr << fmt::format("{}: {} {} left out\n", escaped(folder),
                             report::count_text(outcome.left_out, "interrupted or failed launch"),
                             outcome.left_out == 1 ? "is" : "are");
  }
  return outcome.left_out;
}

/// Where the nights of dated folders come from, if not from their records.
void say_days_of_paths(const std::vector<RecordFolder>& folders) {
  const auto dated = std::ranges::count_if(
      folders, [](const RecordFolder& folder) { return folder.day.has_value(); });
  if (dated == 0) return;
  std::cerr << fmt::format(
      "{} imported folders have files of one date: their nights are the dates in their paths\n",
      dated);
}

void warn_of_joined(const Ingested& outcome, const std::string& folder) {
  if (!outcome.joined_from) return;
  std::cerr << fmt::format(
      "warning: {} joined the night {} of folders with other dates, since their files have one "
      "date: forget that night and ingest all folders at once, or give each its --day, such as "
      "{}\n",
      escaped(folder), day_text(outcome.day), day_text(*outcome.joined_from));
}

/// What an ingest of several folders did.
struct Ingest {
  std::size_t nights = 0;
  std::size_t left_out = 0;
  bool has_faults = false;
  bool has_refused = false;
};

void print_refused(Ingest& ingest, const std::string& line) {
  std::cerr << line << '\n';
  ingest.has_refused = true;
}

void print(Ingest& ingest, const Ingested& outcome, const std::string& folder) {
  for (const std::string& line : outcome.refused) print_refused(ingest, line);
  ingest.left_out += left_out_text(outcome, folder);
  if (!outcome.stored) return;
  warn_of_joined(outcome, folder);
  ++ingest.nights;
  if (!outcome.failure.empty()) {
    std::cout << fmt::format("{}   {}: no launch completed: {}\n", word(State::missing),
                             night_text(outcome.day, outcome.campaign), escaped(outcome.failure));
    ingest.has_faults = true;
    return;
  }
  for (const std::string& line : report::fault_lines(outcome.faults)) {
    std::cout << word(State::corrupt) << "   " << line << '\n';
    ingest.has_faults = true;
  }
  std::cout << text_of(outcome, *outcome.stored) << '\n';
}

/// Ingests a folder. If the folders of a joined one cannot be one night, each is a night's part.
void ingest(Ingest& all, const HistoryDatabase& database, NightWriter& writer,
            const RecordFolder& folder, std::optional<std::int64_t> day,
            report::FolderProgress& progress) {
  progress.begin(folder.folder);
  try {
    const Ingested outcome = ingest_folder(database, writer, folder, day);
    progress.end();
    print(all, outcome, folder.folder);
  } catch (const InputError& error) {
    progress.end();
    if (folder.parts.empty()) print_refused(all, error.what());
    for (const RecordFolder& part : folder.parts) {
      ingest(all, database, writer, part, day, progress);
    }
  }
}

/// A refused folder, or a refused record in one, costs only itself.
ExitCode ingest(const IngestCommand& command) {
  const auto day = day_option(command.day);
  std::vector<RecordFolder> folders = record_folders(command.paths);
  if (!day) say_days_of_paths(folders);
  folders = join_nights(std::move(folders));
  const HistoryDatabase database = open_history(command.history, HistoryAccess::create);
  NightWriter writer(database);
  report::FolderProgress progress(std::cerr, report::style_of_stderr(), folders.size());
  Ingest all;
  for (const RecordFolder& folder : folders) {
    ingest(all, database, writer, folder, day, progress);
  }
  progress.finish();
  if (all.has_faults) return ExitCode::verdict_failed;
  if (all.has_refused) return ExitCode::bad_input;
  if (all.nights > 0) return ExitCode::good;
  throw InputError({"no complete record",
                    all.left_out > 0 ? report::count_text(all.left_out, "launch") +
                                           were(all.left_out) + "interrupted or failed"
                                     : "none of the documents is a record of a launch",
                    "name the folder of a campaign that has complete launches"});
}

/// InputError with the nearest night.
[[noreturn]] void reject_night(const HistoryDatabase& database, std::int64_t day) {
  const std::vector<std::int64_t> days = history_days(database);
  if (days.empty()) {
    throw InputError({"no night of " + day_text(day),
                      fmt::format("the history '{}' has no night", database.file()),
                      "nothing is to forget"});
  }
  const std::int64_t nearest =
      *std::ranges::min_element(days, {}, [&](std::int64_t one) { return std::abs(one - day); });
  throw InputError({"no night of " + day_text(day),
                    fmt::format("the history has those from {} to {}", day_text(days.front()),
                                day_text(days.back())),
                    fmt::format("did you mean '{}'?", day_text(nearest))});
}

/// The nights to remove: all of the day, or that of one campaign.
std::vector<NightContent> chosen_nights(const HistoryDatabase& database, std::int64_t day,
                                        const std::optional<std::string>& campaign) {
  std::vector<NightContent> nights = nights_of_day(database, day);
  if (nights.empty()) reject_night(database, day);
  if (!campaign) return nights;
  const auto names = strings_of(nights, [](const NightContent& one) { return one.campaign; });
  std::erase_if(nights, [&](const NightContent& one) { return one.campaign != *campaign; });
  if (!nights.empty()) return nights;
  throw InputError({fmt::format("no campaign '{}' on {}", *campaign, day_text(day)),
                    "the history has others of that night", suggest(*campaign, names)});
}

/// Also a day before 2000, if the history has one from an earlier version.
std::int64_t day_to_forget(const HistoryDatabase& database, const std::string& text) {
  for (const std::int64_t day : history_days(database)) {
    if (day_text(day) == text) return day;
  }
  return parse_day(text);
}

ExitCode forget(const ForgetCommand& command) {
  const HistoryDatabase database =
      open_history(command.history, command.dry_run ? HistoryAccess::read : HistoryAccess::write);
  const std::int64_t day = day_to_forget(database, command.night);
  const auto nights = chosen_nights(database, day, command.campaign);
  if (!command.dry_run) {
    forget_nights(database, day,
                  strings_of(nights, [](const NightContent& one) { return one.campaign; }));
  }
  for (const NightContent& night : nights) {
    std::cout << fmt::format(
        "{} night {}: {}{} of {}\n", command.dry_run ? "would forget" : "forgot",
        night_text(day, night.campaign), report::count_text(night.figures, "figure"),
        pairs_text(night.pairs), report::count_text(night.records, "record"));
  }
  return ExitCode::good;
}

void add_ingest_options(CommandLine& app, IngestCommand& command) {
  app.add_option("paths", command.paths, "Folders of campaigns, or record files").required();
  app.add_option("--day", command.day, "The night that they belong to, such as 2026-11-22")
      .default_str("that of the first launch, UTC");
  add_writing_options(app, command.history);
}

void add_forget_options(CommandLine& app, ForgetCommand& command) {
  app.add_option("night", command.night, "Its day, as health list names it, such as 2026-11-22")
      .required();
  app.add_option("--campaign", command.campaign, "Only that of this campaign")
      .default_str("all of the night");
  app.add_flag("--dry-run", command.dry_run, "Say what would go, and change nothing");
  add_writing_options(app, command.history);
}

struct ListCommand {
  HistoryOptions history;
  std::string what = "nights";
  std::string series = "*";
};

void list_nights(const HistoryDatabase& database) {
  const std::vector<ListedNight> nights = listed_nights(database);
  std::cout << fmt::format("{:<12}{:>8}  campaign\n", "day", "records");
  for (const ListedNight& night : nights) {
    std::cout << fmt::format("{:<12}{:>8}  {}\n", day_text(night.day), night.records,
                             escaped(night.campaign));
  }
}

/// The series that match the pattern. InputError without a match; it names the nearest series.
std::vector<ListedSeries> named_series(const HistoryDatabase& database,
                                       const std::string& pattern) {
  std::vector<ListedSeries> series = listed_series(database);
  const auto names = strings_of(series, [](const ListedSeries& one) { return one.kind.name; });
  std::erase_if(series, [&](const ListedSeries& one) { return !matches(one.kind.name, pattern); });
  if (!series.empty()) return series;
  const std::string nearest = suggest(pattern, names, "hockney health list series");
  throw InputError({fmt::format("unknown series '{}'", pattern), "the history has no such series",
                    nearest.empty() ? "ingest first" : nearest});
}

std::vector<ListedSeries> wanted_series(const HistoryDatabase& database,
                                        const std::string& pattern) {
  return pattern == "*" ? listed_series(database) : named_series(database, pattern);
}

void list_series(const HistoryDatabase& database, const std::string& pattern) {
  for (const ListedSeries& series : wanted_series(database, pattern)) {
    std::cout << escaped(fmt::format("{}  [{}]", series.kind.name, series.kind.unit))
              << (series.kind.role == SeriesRole::control ? " control" : "") << '\n';
  }
}

void list_values(const HistoryDatabase& database, const std::string& pattern) {
  for (const ListedSeries& series : wanted_series(database, pattern)) {
    const NightlySeries values = read_series(database, {series}).front();
    std::cout << escaped(fmt::format("{}  [{}]", values.name, values.unit)) << '\n';
    for (const NightlyValue& night : values.nights) {
      std::cout << fmt::format("  {}  {}  ({})\n", day_text(night.day),
                               figure_text(night.value, night.interval, values.unit),
                               report::count_text(night.launches, "launch"));
    }
  }
}

std::string because(const std::string& why) { return why.empty() ? "" : "  " + why; }

void list_remarks(const HistoryDatabase& database) {
  for (const Note& note : read_notes(database)) {
    std::cout << fmt::format("{}  note         {}\n", day_text(note.day), escaped(note.text));
  }
  for (const Acceptance& accepted : read_acceptances(database)) {
    std::cout << fmt::format("{}  accepted     {}\n", day_text(accepted.day),
                             escaped(accepted.series + because(accepted.why)));
  }
  for (const Maintenance& window : read_maintenances(database)) {
    std::cout << fmt::format("{}  maintenance  to {}{}\n", day_text(window.first_day),
                             day_text(window.last_day), escaped(because(window.why)));
  }
}

ExitCode run(const ListCommand& command) {
  const HistoryDatabase database = open_history(command.history, HistoryAccess::read);
  if (command.what == "nights") {
    list_nights(database);
  } else if (command.what == "series") {
    list_series(database, command.series);
  } else if (command.what == "values") {
    list_values(database, command.series);
  } else if (command.what == "remarks") {
    list_remarks(database);
  } else {
    throw InputError({fmt::format("unknown list '{}'", command.what), "a history has no such thing",
                      suggest(command.what, {"nights", "series", "values", "remarks"})});
  }
  return ExitCode::good;
}

struct RemarkCommand {
  HistoryOptions history;
  std::string text;  ///< the note, the series, or empty
  std::string day;
  std::string last_day;
  std::string why;
};

void require_text(const std::string& text, const std::string& what) {
  if (text.find_first_not_of(" \t\n") != std::string::npos) return;
  throw InputError({"empty " + what, "it says nothing", "write what happened"});
}

ExitCode note(const RemarkCommand& command) {
  require_text(command.text, "note");
  const auto day = day_option(command.day);
  const HistoryDatabase database = open_history(command.history, HistoryAccess::create);
  add_note(database, {.day = day.value_or(day_now()), .text = command.text});
  return ExitCode::good;
}

ExitCode accept(const RemarkCommand& command) {
  const std::int64_t day = parse_day(command.day);
  const HistoryDatabase database = open_history(command.history, HistoryAccess::write);
  named_series(database, command.text);  // rejects a pattern without series
  add_acceptance(database, {.day = day, .series = command.text, .why = command.why});
  return ExitCode::good;
}

ExitCode maintenance(const RemarkCommand& command) {
  const Maintenance window{.first_day = parse_day(command.day),
                           .last_day = parse_day(command.last_day),
                           .why = command.why};
  const HistoryDatabase database = open_history(command.history, HistoryAccess::create);
  add_maintenance(database, window);
  return ExitCode::good;
}

void add_list_options(CommandLine& app, ListCommand& command) {
  app.add_option("what", command.what, "What to list")
      .type_name("nights|series|values|remarks")
      .capture_default_str();
  app.add_option("--series", command.series, "Of these series and values, with * for any text")
      .capture_default_str();
  add_history_option(app, command.history);
}

void add_note_options(CommandLine& app, RemarkCommand& command) {
  add_writing_options(app, command.history);
  app.add_option("text", command.text, "Such as \"MPI 5.0.9 installed\"").required();
  app.add_option("--day", command.day, "When it happened").default_str("today, UTC");
}

void add_accept_options(CommandLine& app, RemarkCommand& command) {
  add_writing_options(app, command.history);
  app.add_option("series", command.text, "Its name, with * for any text").required();
  app.add_option("--day", command.day, "First night of the new level").required();
  app.add_option("--why", command.why, "The reason").default_str("none");
}

void add_maintenance_options(CommandLine& app, RemarkCommand& command) {
  add_writing_options(app, command.history);
  app.add_option("--from", command.day, "First day").required();
  app.add_option("--to", command.last_day, "Last day, inclusive").required();
  app.add_option("--why", command.why, "What was done").default_str("none");
}

struct CalibrateCommand {
  HistoryOptions history;
  DetectorWords detector;
  std::string false_alarms;
  std::string series_years;
  bool keep = false;
  campaign::OutputOptions output;
};

/// Further series add cost in memory, but no accuracy.
constexpr std::size_t most_series = 1000;

/// Subjects that match the pattern; if there are too many, every n-th of them.
std::vector<NightlySeries> series_to_learn_from(const HistoryDatabase& database,
                                                const JudgingOptions& options, std::int64_t today) {
  std::vector<ListedSeries> wanted = listed_series(database);
  std::erase_if(wanted, [&](const ListedSeries& series) {
    return series.kind.role == SeriesRole::control || is_of_host(series.kind.name) ||
           !matches(series.kind.name, options.series);
  });
  std::vector<ListedSeries> chosen;
  chosen.reserve(most_series);
  const std::size_t step = (wanted.size() + most_series - 1) / most_series;
  for (std::size_t i = 0; i < wanted.size(); i += step) chosen.push_back(wanted[i]);
  const std::int64_t first = first_of_last(database, {.last = today, .most = options.nights_back});
  return read_series(database, chosen, {.first = first, .last = today});
}

CalibrateOptions calibrate_options(const CalibrateCommand& command) {
  CalibrateOptions options;
  if (!command.false_alarms.empty()) {
    options.false_alarms_per_year = number_option(command.false_alarms, "--false-alarms");
  }
  if (!command.series_years.empty()) {
    options.series_years = parse_count<std::size_t>("--series-years", command.series_years, 1);
  }
  return options;
}

ExitCode run(const CalibrateCommand& command) {
  const campaign::Output output(command.output);
  const CalibrateOptions options = calibrate_options(command);
  const HistoryDatabase database =
      open_history(command.history, command.keep ? HistoryAccess::write : HistoryAccess::read);
  JudgingOptions judging = judging_options(command.detector, database);
  const std::int64_t today = judged_day(database, judging.check.today);
  judging.check = with_remarks(database, std::move(judging.check), today);
  const auto calibration =
      calibrate_detector(series_to_learn_from(database, judging, today), judging.check, options);
  if (!calibration) {
    throw InputError({"nothing to calibrate with",
                      fmt::format("no series has the {} nights of a baseline and two blocks more",
                                  judging.check.detector.baseline.shortest),
                      "wait for more nights, or give fewer --baseline-nights"});
  }
  if (command.keep) {
    keep_number(database, {.name = threshold_name, .value = calibration->threshold});
  }
  const auto print = [&](std::ostream& out) { print_calibration(out, *calibration, options); };
  const auto summary = [&] { return report::Screen{.answer = report::lines_printed(print)}; };
  const auto document = [&] { return calibration_json(*calibration, options); };
  output.show(
      {.summary = summary,
       .tables = print,
       .document = document,
       .csv = [&](std::ostream& out) { report::write_csv(out, view_of(calibration->delays)); },
       .page =
           [&] {
             return report::Page{
                 .title = "Error rates of nightly checks",
                 .made_by = "hockney health calibrate --page page.html",
                 .documents = {{"calibration", report::with_summary(document(), summary())}}};
           }});
  return ExitCode::good;
}

void add_options(CommandLine& app, CalibrateCommand& command) {
  const CalibrateOptions defaults;
  add_detector_options(app, command.detector);
  app.add_option("--false-alarms", command.false_alarms,
                 "False alarms that are allowed a series-year")
      .default_str("0.3");
  app.add_option("--series-years", command.series_years, "Simulated for each figure")
      .default_str(std::to_string(defaults.series_years));
  app.add_flag("--keep", command.keep, "Leave the threshold in the history for check");
  add_output_options(app, command.output, {.page = true});
  add_writing_options(app, command.history);
}

}  // namespace

void add_health_ingest(CommandLine& health, Action& chosen) {
  add_command<IngestCommand>(
      health, chosen, "ingest",
      "Take the records of campaigns into the history; again and again does no harm",
      add_ingest_options, ingest,
      {.examples = {{"hockney health ingest results/tonight", "the campaign of a night"},
                    {"hockney health ingest nights/*", "all nights there are"},
                    {"hockney health ingest results/before --day 2026-11-01 --history site.sqlite",
                     "elsewhere"}}});
}

void add_health_forget(CommandLine& health, Action& chosen) {
  add_command<ForgetCommand>(
      health, chosen, "forget",
      "Take a night out of the history; its records can be ingested again", add_forget_options,
      forget,
      {.examples = {
           {"hockney health forget 2026-11-01 --history site.sqlite --dry-run",
            "say what would go"},
           {"hockney health forget 2026-11-01 --history site.sqlite", "take the night out"},
           {"hockney health forget 2026-11-22 --campaign nightly", "one campaign of several"}}});
}

void add_health_list(CommandLine& health, Action& chosen) {
  add_command<ListCommand>(
      health, chosen, "list", "What the history holds", add_list_options, run,
      {.examples = {
           {"hockney health list", "the nights"},
           {"hockney health list series --series 'pingpong/*'", "names of series"},
           {"hockney health list values --history site.sqlite", "every value of every night"}}});
}

void add_health_note(CommandLine& health, Action& chosen) {
  add_command<RemarkCommand>(
      health, chosen, "note", "Note an event in the history; shown beside changes of that time",
      add_note_options, note,
      {.examples = {
           {"hockney health note 'MPI 5.0.9 installed'", "today"},
           {"hockney health note 'new switch' --day 2026-11-03", "on a day"},
           {"hockney health note 'kernel 6.1.119' --history site.sqlite", "in another history"}}});
}

void add_health_accept(CommandLine& health, Action& chosen) {
  add_command<RemarkCommand>(
      health, chosen, "accept", "A change is right: from this day on a series has a new baseline",
      add_accept_options, accept,
      {.examples = {
           {"hockney health accept 'pingpong/*' --day 2026-11-03", "the new level of all of them"},
           {"hockney health accept '*/seconds' --day 2026-11-03 --why 'MPI 5.0.9'",
            "with the reason"},
           {"hockney health accept 'pingpong/*bytes=8*/seconds' --day 2026-11-03",
            "of one size"}}});
}

void add_health_maintenance(CommandLine& health, Action& chosen) {
  add_command<RemarkCommand>(
      health, chosen, "maintenance", "Nights that do not count, because the machine was worked on",
      add_maintenance_options, maintenance,
      {.examples = {
           {"hockney health maintenance --from 2026-11-03 --to 2026-11-03",
            "a night that does not count"},
           {"hockney health maintenance --from 2026-11-03 --to 2026-11-05 --why 'new switch'",
            "and why"},
           {"hockney health maintenance --from 2026-11-03 --to 2026-11-03 --history site.sqlite",
            "elsewhere"}}});
}

void add_health_calibrate(CommandLine& health, Action& chosen) {
  add_command<CalibrateCommand>(
      health, chosen, "calibrate",
      "False alarms and delays to expect, learnt from this site's own history", add_options, run,
      {.examples = {{"hockney health calibrate", "what to expect at this site"},
                    {"hockney health calibrate --false-alarms 0.1 --keep",
                     "the threshold for check, kept"},
                    {"hockney health calibrate --json", "the document"}},
       .common = {"--false-alarms", "--keep", "--series", "--day", "--all", "--json", "--page",
                  "--history"}});
}

}  // namespace hockney::health
