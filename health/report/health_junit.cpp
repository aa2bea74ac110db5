#include "health/report/health_outputs.hpp"

#include "core/series_name.hpp"
#include "core/text.hpp"
#include "report/fault_lines.hpp"

namespace hockney::health {
namespace {

report::JUnitCase fault_case(const FaultFinding& finding) {
  return {.classname = "hockney.health.fault",
          .name = std::string(word(finding.fault)),
          .failure = report::JUnitFailure{.type = "corrupt",
                                          .message = report::fault_lines({{finding}}).front(),
                                          .text = finding.detail}};
}

/// The night as a whole; what regressed fails in cases of its own.
report::JUnitCase state_case(const Report& report) {
  const bool is_learning = state_of(report) == State::learning;
  const std::string text = headline(report);
  return {.classname = "hockney.health",
          .name = "state",
          .skipped = is_learning ? std::optional(text) : std::nullopt,
          .output = is_learning ? "" : text};
}

report::JUnitCase series_case(const JudgedSeries& judged) {
  const SeriesHealth& health = judged.health;
  report::JUnitCase test{
      .classname = "hockney.health." + parse_series_name(judged.kind.name).operation,
      .name = judged.kind.name};
  const std::string evidence = join(evidence_lines(judged), "\n");
  switch (health.verdict) {
    case Verdict::regressed:
      test.failure = report::JUnitFailure{
          .type = "regressed", .message = change_text(health), .text = evidence};
      break;
    case Verdict::undecided:
      test.skipped = undecided_text(health);
      break;
    case Verdict::improved:
      test.output = "improved " + change_text(health) + "\n" + evidence;
      break;
    case Verdict::steady:
      break;
  }
  return test;
}

report::JUnitCase node_case(const fleet::NodeEffect& node, const std::string& point) {
  report::JUnitCase test{.classname = "hockney.health.node", .name = node.host + " " + point};
  if (!node.named) return test;
  const auto percent = [](double ratio) { return std::to_string(100 * ratio) + " %"; };
  test.failure =
      report::JUnitFailure{.type = "slow node",
                           .message = std::string(word(node.severity)) + ": its pairs take " +
                                      percent(node.effect) + " longer than those of a usual node",
                           .text = "score " + std::to_string(node.score.value_or(0)) + ", " +
                                   std::to_string(node.pairs) + " pairs" +
                                   (node.interval ? ", interval " + percent(node.interval->low) +
                                                        " .. " + percent(node.interval->high)
                                                  : "")};
  return test;
}

report::JUnitCase link_case(const fleet::LinkVerdict& link, const std::string& point) {
  return {
      .classname = "hockney.health.link",
      .name = link.a + "-" + link.b + " " + point,
      .failure = report::JUnitFailure{.type = "slow link",
                                      .message = std::string(word(link.severity)) + ": takes " +
                                                 std::to_string(100 * link.effect) +
                                                 " % longer than usual links of hop " + link.hop,
                                      .text = fleet::evidence_text(link)}};
}

}  // namespace

std::vector<report::JUnitSuite> health_junit(const Report& report) {
  report::JUnitSuite series{.name = "hockney health", .timestamp_utc = report.checked_utc};
  series.cases.push_back(state_case(report));
  for (const FaultFinding& finding : report.faults) series.cases.push_back(fault_case(finding));
  for (const JudgedSeries& judged : report.series) series.cases.push_back(series_case(judged));
  report::JUnitSuite fleet{.name = "hockney health fleet", .timestamp_utc = report.checked_utc};
  for (const JudgedFleet& judged : report.fleets) {
    for (const fleet::NodeEffect& node : judged.night.nodes) {
      fleet.cases.push_back(node_case(node, judged.point));
    }
    for (const fleet::LinkVerdict& link : judged.links) {
      fleet.cases.push_back(link_case(link, judged.point));
    }
  }
  std::vector<report::JUnitSuite> suites{std::move(series)};
  if (!fleet.cases.empty()) suites.push_back(std::move(fleet));
  return suites;
}

}  // namespace hockney::health
