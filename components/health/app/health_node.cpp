#include <fmt/format.h>
#include <algorithm>
#include <cstdint>
#include <iostream>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "components/health/app/health.hpp"
#include "components/health/app/health_options.hpp"
#include "components/health/app/judge.hpp"
#include "components/health/app/judge_nodes.hpp"
#include "components/health/detection/node_reference.hpp"
#include "components/health/history/host_values.hpp"
#include "components/health/nights/host_figures.hpp"
#include "components/health/nights/ingest.hpp"
#include "components/health/report/health_report.hpp"
#include "core/atomic_file.hpp"
#include "core/cli/command_line.hpp"
#include "core/error.hpp"
#include "core/point.hpp"
#include "core/quantities.hpp"
#include "core/record_file.hpp"
#include "core/text.hpp"
#include "report/table.hpp"

// One node before a job: `health reference` writes what nodes usually measure, and `health node`
// judges one measurement of one node by it, without the history.
namespace hockney::health {
namespace {

struct ReferenceCommand {
  HistoryOptions history;
  std::string output;
  std::string day;
};

ExitCode run(const ReferenceCommand& command) {
  const HistoryDatabase database = open_history(command.history, HistoryAccess::read);
  const std::int64_t today = judged_day(database, day_option(command.day));
  JudgingOptions options;
  options.check = with_remarks(database, std::move(options.check), today);
  const NodeReference reference = node_reference(database, options, today);
  write_atomically(command.output, reference_document(reference));
  std::cout << fmt::format(
      "{} of {} in '{}', up to {}\n", report::count_text(reference.figures.size(), "figure"),
      report::count_text(reference.nodes.size(), "node"), escaped(command.output), reference.night);
  return ExitCode::good;
}

void add_options(CommandLine& app, ReferenceCommand& command) {
  app.add_option("--output,-o", command.output, "The file, which is replaced as a whole")
      .required();
  app.add_option("--day", command.day, "The newest night that counts").default_str("the newest");
  add_history_option(app, command.history);
}

struct NodeCommand {
  std::vector<std::string> records;
  std::string reference;
  std::string host;
  std::string beyond = "20%";
  bool strict = false;
};

const Host* find_host(const Record& record, const std::string& name) {
  const auto& hosts = record.provenance.hosts;
  const auto found = std::ranges::find(hosts, name, &Host::name);
  return found == hosts.end() ? nullptr : &*found;
}

/// The host that is judged: `wanted`, or the only one. InputError for other records.
std::string judged_host(const std::vector<Record>& records, const std::string& wanted) {
  std::set<std::string> hosts;
  for (const Record& record : records) {
    for (const Host& host : record.provenance.hosts) hosts.insert(host.name);
  }
  if (!wanted.empty()) {
    if (hosts.contains(wanted)) return wanted;
    throw InputError({fmt::format("no host '{}'", escaped(wanted)), "the records have none",
                      hosts.empty() ? "measure it with hockney run nightly --each-node"
                                    : suggest(wanted, {hosts.begin(), hosts.end()})});
  }
  if (hosts.size() == 1) return *hosts.begin();
  if (hosts.empty()) {
    throw InputError(
        {"no launch to judge", "the records have no complete one", "see why with hockney report"});
  }
  throw InputError({fmt::format("records of {} hosts", hosts.size()), "one node is judged",
                    "name it with --host"});
}

/// Of each figure the best launch: a launch that is slow by chance drains no node.
MeasuredNode measured_node(const std::vector<std::string>& paths, const std::string& wanted,
                           const std::vector<ReferenceFigure>& figures) {
  std::vector<Record> records = load_records(paths, Kept::times);
  std::erase_if(records, [](const Record& one) { return one.status != LaunchStatus::complete; });
  MeasuredNode node{.host = judged_host(records, wanted)};
  std::map<std::string, WorseWhen> worse;
  for (const ReferenceFigure& figure : figures) worse[figure.series] = figure.worse;
  std::erase_if(records, [&](const Record& one) { return find_host(one, node.host) == nullptr; });
  for (const Record& record : records) node.facts = host_facts(*find_host(record, node.host));
  for (const SettingLaunches& setting : launches_by_setting(std::move(records))) {
    for (const Record& launch : setting.launches) {
      for (const NightFigure& figure : figures_of_hosts({&launch, 1}, setting.name).figures) {
        if (parse_series_name(figure.series.name).at("host") != node.host) continue;
        const std::string series = without_host(figure.series.name);
        const double value = figure.value.value;
        const auto [best, is_new] = node.figures.try_emplace(series, value);
        const bool is_rate = worse[series] == WorseWhen::smaller;
        if (!is_new)
          best->second = is_rate ? std::max(best->second, value) : std::min(best->second, value);
      }
    }
  }
  return node;
}

/// "8 B latency (pingpong, 2 ranks, l3) +31.0 %, 1.34 us instead of 1.02 us".
std::string reason_text(const DrainReason& reason) {
  if (!reason.fact.empty()) {
    const std::string name = reason.fact == memory_fact ? "memory" : "GPUs";
    return fmt::format("{} {}, before {}", name, escaped(reason.now), escaped(reason.before));
  }
  const std::string what = escaped(event_text({.name = reason.series, .unit = reason.unit}));
  const std::string usual = figure_text(reason.usual, std::nullopt, reason.unit);
  if (!(reason.value > 0)) return fmt::format("{} not measured, before {}", what, usual);
  return fmt::format("{} {}, {}, {} {}", what, signed_percent(reason.change),
                     figure_text(reason.value, std::nullopt, reason.unit),
                     reason.against == Against::peers ? "its peers" : "usually", usual);
}

std::string verdict_line(const NodeVerdict& verdict, const std::string& host,
                         const NodeReference& reference) {
  std::string line = fmt::format("{} {}: ", word(verdict.state), escaped(host));
  if (verdict.state == NodeState::unknown) {
    return line + "no usual figures of this node or of its kind";
  }
  if (verdict.state == NodeState::ok) {
    return line + fmt::format("{} as usual, up to {}", report::count_text(verdict.judged, "figure"),
                              escaped(reference.night));
  }
  line += reason_text(verdict.reasons.front());
  const std::size_t more = verdict.reasons.size() - 1;
  return more == 0 ? line : line + fmt::format("; {} more", more);
}

ExitCode run(const NodeCommand& command) {
  const double beyond = percent_option(command.beyond, "--beyond");
  const NodeReference reference = read_reference(load_json(command.reference));
  const MeasuredNode node = measured_node(command.records, command.host, reference.figures);
  const NodeVerdict verdict = check_node(reference, node, beyond);
  std::cout << verdict_line(verdict, node.host, reference) << '\n';
  if (verdict.state == NodeState::drain) return ExitCode::verdict_failed;
  const bool is_unknown = verdict.state == NodeState::unknown && command.strict;
  return is_unknown ? ExitCode::no_verdict : ExitCode::good;
}

void add_options(CommandLine& app, NodeCommand& command) {
  app.add_option("records", command.records, "Folders or files that the node has just measured")
      .required();
  app.add_option("--reference", command.reference, "The file of hockney health reference")
      .required();
  app.add_option("--host", command.host, "The node, if the records have several")
      .default_str("the only one");
  app.add_option("--beyond", command.beyond, "Smallest change for which a node is drained")
      .capture_default_str();
  app.add_flag("--strict", command.strict, "Exit code 4 for a node without usual figures, else 0");
}

}  // namespace

void add_health_reference(CommandLine& health, Action& chosen) {
  add_command<ReferenceCommand>(
      health, chosen, "reference", "Write what each node usually measures, for hockney health node",
      add_options, run,
      {.examples = {{"hockney health reference -o reference.json", "after every night"},
                    {"hockney health reference -o reference.json --day 2026-11-20",
                     "as of an earlier night"},
                    {"hockney health reference -o reference.json --history site.sqlite",
                     "of another history"}}});
}

void add_health_node(CommandLine& health, Action& chosen) {
  add_command<NodeCommand>(
      health, chosen, "node",
      "Check one node before a job: one line, exit code 1 if it is to be drained", add_options, run,
      {.examples = {
           {"hockney health node before-job --reference r.json", "records of nightly-node"},
           {"hockney health node before-job --reference r.json --beyond 30%",
            "drain for larger changes alone"},
           {"hockney health node before-job --reference r.json --strict",
            "no usual figures: exit code 4"}}});
}

}  // namespace hockney::health
