#include <algorithm>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "campaign/app/page_output.hpp"
#include "core/atomic_file.hpp"
#include "core/cli/standard_output.hpp"
#include "core/cli/subcommand.hpp"
#include "core/error.hpp"
#include "core/json_values.hpp"
#include "core/record_file.hpp"
#include "core/series_name.hpp"
#include "health/app/health.hpp"
#include "health/app/health_options.hpp"
#include "verdicts/fleet/host_pairs.hpp"
#include "verdicts/fleet/links.hpp"
#include "health/history/reading.hpp"
#include "health/report/health_json.hpp"
#include "health/report/health_outputs.hpp"
#include "report/screens/narrow.hpp"

namespace hockney::health {
namespace {

struct CheckCommand {
  HistoryOptions history;
  DetectorWords detector;
  std::string junit;
  std::string openmetrics;
  std::string influx;
  std::string lines;
  std::string output;
  campaign::PageOutput page;
  std::vector<std::string> again;
  bool json = false;
  bool all = false;
  bool reason = false;
  bool strict = false;
};

template <class Write>
void write_whole(const std::string& file, Write write) {
  if (file.empty()) return;
  std::ostringstream text;
  write(text);
  write_atomically(file, text.str());
}

/// A file that grows night after night.
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
  write_whole(command.output,
              [&](std::ostream& out) { out << json_text(to_json(report)) << '\n'; });
  append_lines(command.lines, report);
}

void print(const CheckCommand& command, const Report& judged) {
  if (command.json) {
    std::cout << json_text(to_json(judged)) << '\n';
  } else if (command.reason) {
    std::cout << reason_line(judged) << '\n';
  } else {
    report::print_narrowed(std::cout, output_columns(), [&](std::ostream& out) {
      print_health_table(out, judged, command.all ? ShownSeries::all : ShownSeries::changed);
    });
  }
}

/// The point without the setting it was measured under.
std::string bare(const std::string& point) {
  SeriesName name = parse_series_name(point);
  name.keys.erase("setting");
  return name.text();
}

/// By bare point, one entry for each launch and pair.
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

/// Adds to each point of the report the suspect links that repetitions of the same night confirm:
/// records below `paths`, each launch of which is a repetition of every pair of nodes in it, under
/// whatever setting. InputError when they hold no pair of nodes at a point of the report.
void confirm_suspects(Report& report, const std::vector<std::string>& paths,
                      const fleet::FleetOptions& options) {
  if (paths.empty()) return;
  const auto repetitions = repetitions_in(paths);
  bool found = false;
  for (JudgedFleet& fleet : report.fleets) {
    const auto again = repetitions.find(bare(fleet.point));
    if (again == repetitions.end()) continue;
    found = true;
    for (const fleet::LinkVerdict& link : fleet::confirm_links(fleet.night, again->second, options)) {
      if (!is_named(fleet, link)) fleet.links.push_back(link);
    }
  }
  if (found) return;
  throw InputError({"nothing was measured again",
                    "the records of --again have no pair of nodes at a point of this night",
                    "repeat the night's operation and size between the suspects"});
}

/// With all nights of the series it draws.
report::Page page_of(const Report& report, const HistoryDatabase& database) {
  const std::vector<std::string> names = pictured_series(report);
  std::vector<ListedSeries> wanted;
  for (const ListedSeries& listed : listed_series(database)) {
    if (std::ranges::find(names, listed.kind.name) != names.end()) wanted.push_back(listed);
  }
  std::vector<NightlySeries> series = read_series(database, wanted, {{}, report.day});
  std::ranges::sort(series, {}, [&](const NightlySeries& one) {
    return std::ranges::find(names, one.name) - names.begin();
  });
  return health_page(report, series);
}

ExitCode run(const CheckCommand& command) {
  const report::PageScripts scripts = scripts_for(command.page, {});
  const HistoryDatabase database = open_history(command.history, HistoryAccess::read);
  const JudgingOptions options = judging_options(command.detector, database);
  Report report = judge(database, options);
  confirm_suspects(report, command.again, options.fleet);
  print(command, report);  // first: a file that cannot be written costs no verdict
  write_files(command, report);
  if (command.page.is_wanted()) {
    campaign::save_page(command.page.file, page_of(report, database), scripts);
  }
  const State state = state_of(report);
  if (state == State::regressed || state == State::corrupt) return ExitCode::verdict_failed;
  const bool tells = state == State::ok || !command.strict;
  return tells ? ExitCode::good : ExitCode::no_verdict;
}

void add_outputs(CLI::App& app, CheckCommand& command) {
  CLI::Option* json = add_json_flag(app, command.json);
  CLI::Option* reason = app.add_flag("--reason", command.reason,
                                     "Print one line, as drain scripts take it, and nothing else");
  reason->excludes(json);
  app.add_flag("--all", command.all, "Show steady and undecided series too")
      ->excludes(json)
      ->excludes(reason);
  add_document_output(app, command.output);
  campaign::add_page_options(
      app, "--page",
      "Also write a page with pictures of the series to this file, such as page.html",
      command.page);
  app.add_option("--junit", command.junit, "Also write JUnit XML to this file")
      ->default_str("none");
  app.add_option("--openmetrics", command.openmetrics,
                 "Also write OpenMetrics gauges to this file, for node_exporter's textfile folder")
      ->default_str("none");
  app.add_option("--influx", command.influx, "Also write Influx line protocol to this file")
      ->default_str("none");
  app.add_option("--jsonl", command.lines, "Also append a JSON line a series to this file")
      ->default_str("none");
}

void add_options(CLI::App& app, CheckCommand& command) {
  add_detector_options(app, command.detector);
  app.add_option("--threshold", command.detector.threshold,
                 "Sum of scores that is an alarm; calibrate finds it for this site")
      ->default_str("what calibrate --keep left, else " + default_threshold());
  app.add_option("--again", command.again,
                 "Records of the same night in which suspect links were measured again")
      ->default_str("none");
  app.add_flag("--strict", command.strict,
               "Exit code 4 where nothing can be judged yet, which is else as good as OK");
  add_outputs(app, command);
  add_history_option(app, command.history);
}

}  // namespace

void add_health_check(CLI::App& health, Action& chosen) {
  add_command<CheckCommand>(
      health, chosen, "check",
      "Did anything change? Exit code 1 when a series regressed or a node is slow", add_options,
      run,
      {.examples = {{"hockney health check", "what changed; exit code 1 if anything got worse"},
                    {"hockney health check --junit health.xml --openmetrics hockney.prom",
                     "for other programs"},
                    {"hockney health check --series 'pingpong/*' --all",
                     "every verdict on some series"}},
       .common = {"--day", "--series", "--practical", "--threshold", "--strict", "--reason",
                  "--all", "--json", "--output", "--page", "--junit", "--history"}});
}

}  // namespace hockney::health
