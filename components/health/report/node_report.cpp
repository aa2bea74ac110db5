#include "components/health/report/node_report.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "components/health/report/health_report.hpp"
#include "core/json_values.hpp"
#include "core/quantities.hpp"
#include "core/text.hpp"
#include "report/curve_tables.hpp"
#include "report/screen.hpp"
#include "report/table.hpp"

namespace hockney::health {
namespace {

/// Sentences of nodes.
namespace node_words {

constexpr std::string_view of_nodes = " of {} nodes";
constexpr std::string_view none = "{} as their peers";
constexpr std::string_view against_peers = "than its peers";
constexpr std::string_view one_night = "one night  {} on this night alone, most {} {} {}";
constexpr std::string_view new_board = "new        {}: other hardware since {}";
constexpr std::string_view new_baseline = ", new baseline";
constexpr std::string_view more = "... {} more: --all";
constexpr std::string_view kind = "kind       {}: {}";
constexpr std::string_view learning = "night {} of {} that nodes need for a verdict";

}  // namespace node_words

std::string fact_text(const std::vector<FactChange>& facts) {
  if (facts.empty()) return "";
  const FactChange& first = facts.front();
  std::string text = fmt::format(": {} {} -> {}", first.fact, first.before, first.after);
  if (facts.size() > 1) {
    text += " and " + report::count_text(facts.size() - 1, "more fact");
  }
  return text;
}

std::string since_text(const std::optional<std::int64_t>& since) {
  return since ? "since " + day_text(*since) : "";
}

std::string interval_text(const Interval& interval) {
  return fmt::format("({} .. {})", signed_percent(interval.low), signed_percent(interval.high));
}

std::vector<std::string> row_of(const NodeShift& node) {
  const bool to_drain = node.severity == fleet::Severity::isolate;
  const std::string compared = node.against == Against::peers
                                   ? std::string(node_words::against_peers)
                                   : since_text(node.since);
  return {to_drain ? "drain" : "watch",
          escaped(node.host),
          escaped(event_text(node.figure)),
          signed_percent(node.change),
          compared + escaped(fact_text(node.facts)),
          interval_text(node.interval)};
}

std::string line_of(const SharedShift& shared) {
  std::string who = fmt::format("{} of {} nodes", shared.hosts.size(), shared.of);
  if (shared.name.empty()) {
    report::Names names;
    for (const std::string& host : shared.hosts) names.add(host);
    who += fmt::format(" ({})", names.text());
  } else {
    who = shared.name + ", " + who;
  }
  std::string text = fmt::format("shared     {}: {} {}", who, event_text(shared.figure),
                                 signed_percent(shared.change));
  if (shared.since) text += " since " + day_text(*shared.since);
  if (shared.sharing == Sharing::level && !shared.since) text += ", two levels";
  return escaped(text + fact_text(shared.facts));
}

/// Lines of some items, at most `most`; the rest is counted.
template <class Item>
void add_lines(std::vector<std::string>& lines, const std::vector<Item>& items, std::size_t most) {
  for (std::size_t i = 0; i < std::min(items.size(), most); ++i) lines.push_back(line_of(items[i]));
  if (items.size() > most) {
    lines.push_back(fmt::format(node_words::more, items.size() - most));
  }
}

/// The worst figure of each node.
std::vector<const NodeShift*> worst_of_nodes(const JudgedNodes& nodes) {
  std::vector<const NodeShift*> worst;
  std::set<std::string> hosts;
  for (const NodeShift& node : nodes.slow) {
    if (hosts.insert(node.host).second) worst.push_back(&node);
  }
  return worst;
}

void add_nodes(std::vector<std::string>& lines, const std::vector<const NodeShift*>& nodes,
               std::size_t most) {
  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < std::min(nodes.size(), most); ++i) rows.push_back(row_of(*nodes[i]));
  for (std::string& line : report::columns_of(rows)) lines.push_back(std::move(line));
  if (nodes.size() > most) lines.push_back(fmt::format(node_words::more, nodes.size() - most));
}

/// Nodes that miss the same for the same reason are one line.
void add_absent(std::vector<std::string>& lines, const std::vector<AbsentNode>& nodes,
                std::size_t most) {
  std::map<std::pair<std::string, std::string>, report::Names> by_reason;
  for (const AbsentNode& absent : nodes) by_reason[{absent.series, absent.reason}].add(absent.host);
  std::size_t said = 0;
  for (const auto& [what, hosts] : by_reason) {
    if (said++ == most) {
      lines.push_back(fmt::format(node_words::more, by_reason.size() - most));
      return;
    }
    const auto& [series, reason] = what;
    const bool is_of_all = series.empty() || series == every_series;
    const std::string figure = is_of_all ? "" : event_text({.name = series}) + ": ";
    lines.push_back(fmt::format("missing    {}: {}", hosts.text(), escaped(figure + reason)));
  }
}

/// Nodes that changed in the same way are one line.
void add_boards(std::vector<std::string>& lines, const std::vector<NewBoard>& boards,
                std::size_t most) {
  std::map<std::string, std::vector<std::string>> by_change;
  for (const NewBoard& board : boards) {
    by_change[day_text(board.day) + std::string(node_words::new_baseline) + fact_text(board.facts)]
        .push_back(board.host);
  }
  std::size_t said = 0;
  for (const auto& [change, hosts] : by_change) {
    if (said++ == most) {
      lines.push_back(fmt::format(node_words::more, by_change.size() - most));
      return;
    }
    const std::string who =
        hosts.size() == 1 ? hosts.front() : report::count_text(hosts.size(), "node");
    lines.push_back(escaped(fmt::format(node_words::new_board, who, change)));
  }
}

void add_rest(std::vector<std::string>& lines, const JudgedNodes& nodes, std::size_t most) {
  add_lines(lines, nodes.shared, most);
  add_absent(lines, nodes.absent, most);
  add_boards(lines, nodes.boards, most);
}

std::string outlier_text(const JudgedNodes& nodes) {
  std::set<std::string> hosts;
  for (const NodeShift& node : nodes.outliers) hosts.insert(node.host);
  const NodeShift& worst = nodes.outliers.front();
  return escaped(fmt::format(node_words::one_night, report::count_text(hosts.size(), "node"),
                             worst.host, event_text(worst.figure), signed_percent(worst.change)));
}

std::string kind_text(const NodeKind& kind) {
  std::vector<std::string> values;
  for (const auto& [fact, value] : kind.facts) {
    if (!value.empty()) values.push_back(value);
  }
  return escaped(fmt::format(node_words::kind, report::count_text(kind.nodes, "node"),
                             values.empty() ? "unknown" : join(values)));
}

using Json = nlohmann::json;

Json day_json(const std::optional<std::int64_t>& day) {
  return day ? Json(day_text(*day)) : Json();
}

Json facts_json(const std::vector<FactChange>& facts) {
  return array_json(facts, [](const FactChange& change) {
    return Json{{"fact", change.fact}, {"before", change.before}, {"after", change.after}};
  });
}

Json shift_json(const NodeShift& node) {
  return {{"host", node.host},
          {"series", node.figure.name},
          {"figure", event_text(node.figure)},
          {"unit", node.figure.unit},
          {"worse", word(node.figure.worse)},
          {"value", node.value},
          {"peers", node.peers},
          {"change", node.change},
          {"change_ci", node.interval},
          {"since", day_json(node.since)},
          {"against", word(node.against)},
          {"severity", word(node.severity)},
          {"facts", facts_json(node.facts)}};
}

Json shared_json(const SharedShift& shared) {
  return {{"sharing", word(shared.sharing)},
          {"name", shared.name.empty() ? Json() : Json(shared.name)},
          {"hosts", shared.hosts},
          {"of", shared.of},
          {"series", shared.figure.name},
          {"figure", event_text(shared.figure)},
          {"unit", shared.figure.unit},
          {"change", shared.change},
          {"since", day_json(shared.since)},
          {"is_worse", shared.is_worse},
          {"facts", facts_json(shared.facts)}};
}

Json absent_json(const AbsentNode& absent) {
  return {{"host", absent.host},
          {"series", absent.series.empty() ? Json() : Json(absent.series)},
          {"reason", absent.reason},
          {"last_day", day_json(absent.last_day)}};
}

}  // namespace

std::set<std::string> hosts_to(const JudgedNodes& nodes, fleet::Severity severity) {
  std::set<std::string> hosts;
  std::set<std::string> drained;
  for (const NodeShift& node : nodes.slow) {
    (node.severity == fleet::Severity::isolate ? drained : hosts).insert(node.host);
  }
  if (severity == fleet::Severity::isolate) return drained;
  std::erase_if(hosts, [&](const std::string& host) { return drained.contains(host); });
  return hosts;
}

std::set<std::string> absent_hosts(const JudgedNodes& nodes) {
  std::set<std::string> hosts;
  for (const AbsentNode& absent : nodes.absent) {
    if (absent.series.empty()) hosts.insert(absent.host);
  }
  return hosts;
}

bool has_regression(const JudgedNodes& nodes) {
  return !nodes.slow.empty() || std::ranges::any_of(nodes.shared, &SharedShift::is_worse);
}

fleet::Severity severity_of(const JudgedNodes& nodes) {
  fleet::Severity worst = has_regression(nodes) || !nodes.outliers.empty()
                              ? fleet::Severity::monitor
                              : fleet::Severity::none;
  for (const NodeShift& node : nodes.slow) worst = std::max(worst, node.severity);
  return worst;
}

std::string nodes_text(const JudgedNodes& nodes) {
  std::vector<std::string> parts;
  const auto add = [&](const char* what, std::size_t number) {
    if (number > 0) parts.push_back(fmt::format("{} {}", what, number));
  };
  add("DRAIN", hosts_to(nodes, fleet::Severity::isolate).size());
  add("WATCH", hosts_to(nodes, fleet::Severity::monitor).size());
  add("MISSING", absent_hosts(nodes).size());
  if (nodes.nights < nights_of_peers) {
    parts.push_back(fmt::format(node_words::learning, nodes.nights, nights_of_peers));
  }
  const std::size_t all = nodes.nodes + absent_hosts(nodes).size();
  if (parts.empty()) return fmt::format(node_words::none, report::count_text(all, "node"));
  return join(parts, ", ") + fmt::format(node_words::of_nodes, all);
}

std::string drain_text(const JudgedNodes& nodes) {
  std::vector<std::string> parts;
  if (!nodes.slow.empty()) {
    const NodeShift& worst = nodes.slow.front();
    parts.push_back(fmt::format(
        "node {} {} {} {}", worst.host, event_text(worst.figure), signed_percent(worst.change),
        worst.against == Against::peers ? std::string(node_words::against_peers)
                                        : since_text(worst.since)));
    std::set<std::string> hosts;
    for (const NodeShift& node : nodes.slow) hosts.insert(node.host);
    if (hosts.size() > 1) {
      parts.back() += " and " + report::count_text(hosts.size() - 1, "more node");
    }
  }
  for (const SharedShift& shared : nodes.shared) {
    if (!shared.is_worse) continue;
    parts.push_back(fmt::format("{} {} {}", report::count_text(shared.hosts.size(), "node"),
                                event_text(shared.figure), signed_percent(shared.change)));
    break;
  }
  return join(parts, "; ");
}

std::vector<std::string> node_lines(const JudgedNodes& nodes, std::size_t most) {
  constexpr std::size_t most_of_rest = 3;
  std::vector<std::string> lines;
  add_nodes(lines, worst_of_nodes(nodes), most);
  add_rest(lines, nodes, most_of_rest);
  if (!nodes.outliers.empty()) lines.push_back(outlier_text(nodes));
  if (nodes.kinds.size() > 1) {
    for (std::size_t i = 0; i < std::min(nodes.kinds.size(), most_of_rest); ++i) {
      lines.push_back(kind_text(nodes.kinds[i]));
    }
  }
  return lines;
}

std::vector<std::string> all_node_lines(const JudgedNodes& nodes) {
  std::vector<std::string> lines;
  std::vector<const NodeShift*> slow;
  slow.reserve(nodes.slow.size());
  for (const NodeShift& node : nodes.slow) slow.push_back(&node);
  add_nodes(lines, slow, slow.size());
  const std::size_t all = nodes.shared.size() + nodes.absent.size() + nodes.boards.size();
  add_rest(lines, nodes, all);
  for (const NodeShift& node : nodes.outliers) {
    lines.push_back(escaped(fmt::format("one night  {}  {}  {}", node.host, event_text(node.figure),
                                        signed_percent(node.change))));
  }
  for (const NodeKind& kind : nodes.kinds) lines.push_back(kind_text(kind));
  return lines;
}

Json to_json(const JudgedNodes& nodes) {
  return {{"nodes", nodes.nodes},
          {"figures", nodes.figures},
          {"nights", nodes.nights},
          {"kinds", array_json(nodes.kinds,
                               [](const NodeKind& kind) {
                                 return Json{{"facts", kind.facts}, {"nodes", kind.nodes}};
                               })},
          {"drain", hosts_to(nodes, fleet::Severity::isolate)},
          {"watch", hosts_to(nodes, fleet::Severity::monitor)},
          {"slow", array_json(nodes.slow, shift_json)},
          {"outliers", array_json(nodes.outliers, shift_json)},
          {"shared", array_json(nodes.shared, shared_json)},
          {"absent", array_json(nodes.absent, absent_json)},
          {"boards", array_json(nodes.boards, [](const NewBoard& board) {
             return Json{{"host", board.host},
                         {"day", day_text(board.day)},
                         {"facts", facts_json(board.facts)}};
           })}};
}

report::JUnitSuite node_junit(const JudgedNodes& nodes, const std::string& timestamp_utc) {
  report::JUnitSuite suite{.name = "hockney health nodes", .timestamp_utc = timestamp_utc};
  suite.cases.push_back(
      {.classname = "hockney.health.nodes", .name = "all nodes", .output = nodes_text(nodes)});
  for (const NodeShift& node : nodes.slow) {
    suite.cases.push_back(
        {.classname = "hockney.health.nodes",
         .name = fmt::format("{} {}", node.host, node.figure.name),
         .failure = report::JUnitFailure{
             .type = "slow node",
             .message = fmt::format("{}: {} {}", word(node.severity), signed_percent(node.change),
                                    since_text(node.since)),
             .text = join(row_of(node), "  ")}});
  }
  for (const SharedShift& shared : nodes.shared) {
    report::JUnitCase& test = suite.cases.emplace_back();
    test = {.classname = "hockney.health.nodes",
            .name = fmt::format("{} nodes {}", shared.hosts.size(), shared.figure.name)};
    if (shared.is_worse) {
      test.failure = report::JUnitFailure{
          .type = "slow nodes", .message = line_of(shared), .text = join(shared.hosts)};
    } else {
      test.output = line_of(shared);
    }
  }
  return suite;
}

}  // namespace hockney::health
