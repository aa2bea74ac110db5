#include "components/health/app/health.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "components/health/app/health_options.hpp"
#include "components/health/app/judge.hpp"
#include "components/health/detection/calibrate.hpp"
#include "components/health/nights/figures.hpp"
#include "components/health/report/health_exports.hpp"
#include "components/health/report/health_outputs.hpp"
#include "core/atomic_file.hpp"
#include "core/cli/command_line.hpp"
#include "core/cli/standard_output.hpp"
#include "core/error.hpp"
#include "core/record_file.hpp"
#include "core/text.hpp"
#include "driver/output/output.hpp"
#include "report/screen.hpp"
#include "verdicts/fleet/fleet.hpp"
#include "verdicts/fleet/links.hpp"

namespace hockney::health {
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
