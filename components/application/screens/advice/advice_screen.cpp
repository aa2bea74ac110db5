#include "components/application/screens/advice/advice_screen.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "components/application/screens/profile_report.hpp"
#include "components/application/screens/projection_report.hpp"
#include "core/json_values.hpp"
#include "core/shell.hpp"
#include "core/text.hpp"
#include "report/table.hpp"
#include "report/view.hpp"

namespace hockney::advice {
namespace {

/// Sentences of this screen.
namespace words {

constexpr std::string_view no_variable = "no variable of this library is known";
constexpr std::string_view no_setting = "no setting that is known could matter here";
constexpr std::string_view none_gains =
    "none of {} that were tried gains {} % of the run for certain";
constexpr std::string_view no_processor = "no advice before each rank has its own processor";
constexpr std::string_view by_models = "the models take {} for the run that took {} ({})";
constexpr std::string_view too_few_launches =
    "too few launches of the ping-pongs: ranges leave their noise out";
constexpr std::string_view predicted = "predicted from one run: launches of both are the proof";

}  // namespace words

using projection::Projection;
using report::significant;
using verdicts::Verdict;

/// Causes from this share of the run on are named.
constexpr double least_program_gain = 0.05;

/// "-50 %" of a ratio of times.
std::string change_text(double ratio) {
  const double percent = report::per_cent * (ratio - 1);
  return fmt::format("{}{} %", percent > 0 ? "+" : "", significant(percent, 2));
}

std::string range_text(double low, double high) {
  return fmt::format("({} .. {})", change_text(low), change_text(high));
}

/// "OMPI_MCA_x=1 OMPI_MCA_y=2".
std::string setting_text(const Change& change) {
  std::vector<std::string> words;
  words.reserve(change.variables.size() + 1);
  for (const auto& [name, value] : change.variables) {
    words.push_back(fmt::format("{}={}", name, value));
  }
  if (!change.what_if.hosts.empty()) words.emplace_back("hockney map -o");
  return words.empty() ? std::string(words::no_variable) : escaped(join(words, " "));
}

std::vector<std::string> row_of(std::size_t number, const Advice& advice, double measured) {
  const Projection& reported = advice.projection;
  return {std::to_string(number), escaped(advice.change.words),
          change_text(reported.seconds / measured),
          range_text(reported.range.low_seconds / measured, reported.range.high_seconds / measured),
          setting_text(advice.change)};
}

std::vector<std::string> verified_row(std::size_t number, const Advice& advice,
                                      const Verified& found, const InForce& in_force) {
  const verdicts::Comparison& compared = found.comparison;
  const auto& interval = compared.interval();
  const std::string verdict =
      in_force.proof == Proof::ignored
          ? "not effective"
          : fmt::format("{}{}", word(compared.verdict),
                        compared.verdict == Verdict::slower ? ": wrong advice" : "");
  return {std::to_string(number),
          escaped(advice.change.words),
          verdict,
          change_text(compared.ratio),
          interval ? range_text(interval->low, interval->high) : "(too few launches)",
          fmt::format("{} {}", word(found.agreement),
                      range_text(found.expected_ratio.low, found.expected_ratio.high))};
}

report::Lines verified_lines(const AdviceView& view) {
  std::vector<std::vector<std::string>> rows{
      {"", "change", "verdict", "time", "(interval)", "prediction"}};
  for (std::size_t i = 0; i < view.findings.worth.size(); ++i) {
    const Advice& advice = view.findings.worth[i];
    if (const std::optional<Verified>& verified = view.verified[i]; verified) {
      rows.push_back(verified_row(i + 1, advice, *verified, view.in_force[i]));
    } else {
      rows.push_back({std::to_string(i + 1), escaped(advice.change.words), "not launched",
                      view.in_force[i].evidence, "", ""});
    }
  }
  return report::columns_of(rows);
}

/// Causes in the program that are worth a change, and its gain.
report::Lines program_lines(const AdviceView& view) {
  report::Lines lines;
  for (const ProgramAdvice& one : view.program) {
    if (one.fraction < least_program_gain) continue;
    lines.push_back(one.sentence);
    lines.push_back(one.help);
  }
  if (!lines.empty()) lines.insert(lines.begin(), "in the program:");
  return lines;
}

std::string no_setting_words(const AdviceView& view) {
  const std::size_t tried = view.findings.tried.size();
  if (tried == 0) return std::string(words::no_setting);
  return fmt::format(words::none_gains, report::count_text(tried, "change"),
                     significant(report::per_cent * least_gain, 1));
}

report::Lines settings_lines(const AdviceView& view) {
  if (view.findings.worth.empty() && !view.findings.placing.empty()) {
    return {std::string(words::no_processor)};
  }
  if (view.findings.worth.empty()) {
    const bool has_more = !program_lines(view).empty();
    return {(has_more ? "settings: " : "nothing to change: ") + no_setting_words(view)};
  }
  if (!view.verified.empty()) return verified_lines(view);
  std::vector<std::vector<std::string>> rows{{"", "change", "time", "(range)", "setting"}};
  for (const Advice& advice : view.findings.worth) {
    rows.push_back(row_of(rows.size(), advice, view.findings.seconds));
  }
  return report::columns_of(rows);
}

/// Settings, then what the program itself can change. A starved CPU comes first.
report::Lines answer_of(const AdviceView& view) {
  report::Lines lines = settings_lines(view);
  const report::Lines program = program_lines(view);
  if (program.empty()) return lines;
  const bool is_first = view.findings.worth.empty() || view.program.front().kind == "starved_cpu";
  if (is_first) {
    lines.insert(lines.begin(), program.begin(), program.end());
  } else {
    lines.emplace_back();
    lines.insert(lines.end(), program.begin(), program.end());
  }
  return lines;
}

report::Lines reliability_of(const AdviceView& view) {
  report::Lines lines = view.findings.placing;
  lines.push_back(fmt::format(words::by_models, report::short_time(view.model_seconds),
                              report::short_time(view.findings.seconds),
                              change_text(view.model_seconds / view.findings.seconds)));
  if (!view.has_intervals) lines.emplace_back(words::too_few_launches);
  if (view.verified.empty()) {
    lines.emplace_back(words::predicted);
  } else {
    for (const InForce& one : view.in_force) {
      if (one.proof != Proof::proven) lines.push_back("not proven: " + one.evidence);
    }
  }
  std::ranges::copy(view.doubts, std::back_inserter(lines));
  return lines;
}

nlohmann::json json_of(const Advice& advice) {
  nlohmann::json json = report::to_json(advice.projection);
  json["change"] = advice.change.words;
  json["variables"] = advice.change.variables;
  json["hosts"] = advice.change.what_if.hosts;
  return json;
}

nlohmann::json json_of(const ProgramAdvice& one) {
  return {{"kind", one.kind},         {"rank", one.rank},       {"site", filled_or_null(one.site)},
          {"fraction", one.fraction}, {"seconds", one.seconds}, {"sentence", one.sentence},
          {"help", one.help}};
}

nlohmann::json json_of(const Verified& verified, const InForce& in_force) {
  const verdicts::Comparison& found = verified.comparison;
  nlohmann::json interval = nullptr;
  if (found.ratio_interval) {
    interval = {{"low", found.ratio_interval->low}, {"high", found.ratio_interval->high}};
  }
  return {{"verdict", word(found.verdict)},
          {"launches", found.b.launches},
          {"ratio", found.ratio},
          {"ratio_interval", std::move(interval)},
          {"p_adjusted", found.p_adjusted},
          {"expected_ratio",
           {{"low", verified.expected_ratio.low}, {"high", verified.expected_ratio.high}}},
          {"agreement", word(verified.agreement)},
          {"proof", word(in_force.proof)},
          {"evidence", in_force.evidence}};
}

}  // namespace

report::Screen screen_of(const AdviceView& view) {
  report::Screen screen{
      .header = {report::run_line(strings_of(view.profile.ranks, &profile::Rank::host),
                                  view.profile, report::short_time(view.findings.seconds))},
      .answer = answer_of(view),
      .rows = report::rows_of(view_of(view)),
      .verdict = {},
      .reliability = reliability_of(view),
      .next = {}};
  const std::string command = fmt::format("hockney advise {} {}", escaped(shell_word(view.file)),
                                          escaped(shell_words(view.records)));
  if (!view.findings.worth.empty() && view.verified.empty()) {
    screen.next.push_back(
        {command + " --verify -- COMMAND", "prove it: run both, in random order"});
  }
  screen.next.push_back({command + " --all", "everything that was tried"});
  if (!view.folder.empty()) {
    screen.next.push_back(
        {fmt::format("hockney profile compare {}/round-*.json", escaped(shell_word(view.folder))),
         "each launch"});
  }
  return screen;
}

report::View view_of(const AdviceView& view) {
  using report::Form;
  using report::Unit;
  std::vector<Advice> all = view.findings.worth;
  std::ranges::copy(view.findings.tried, std::back_inserter(all));
  const double measured = view.findings.seconds;
  const auto if_notified = [](const Advice& one, double seconds) {
    return one.projection.why_not.empty() ? std::optional(seconds) : std::nullopt;
  };
  return report::make_view<Advice>(
      {{{"change", "change"}, [](const Advice& one) { return one.change.words; }},
       {{"seconds", "time", Unit::seconds},
        [=](const Advice& one) { return if_notified(one, one.projection.seconds); }},
       {{"low_seconds", "", Unit::seconds, Form::csv},
        [=](const Advice& one) { return if_notified(one, one.projection.range.low_seconds); }},
       {{"high_seconds", "", Unit::seconds, Form::csv},
        [=](const Advice& one) { return if_notified(one, one.projection.range.high_seconds); }},
       {{"ratio", "time / measured", Unit::number},
        [=](const Advice& one) { return if_notified(one, one.projection.seconds / measured); }},
       {{"effect", "effect"},
        [](const Advice& one) { return std::string(word(one.projection.effect)); }},
       {{"cannot_tell_because", "why not"},
        [](const Advice& one) {
          const std::string& why = one.projection.why_not;
          return why.empty() ? report::Value() : report::Value(why);
        }}},
      all);
}

void print_tried_table(std::ostream& out, const AdviceView& view) {
  report::print_view(out, "what was tried", view_of(view));
}

nlohmann::json to_json(const AdviceView& view) {
  nlohmann::json advice = nlohmann::json::array();
  for (std::size_t i = 0; i < view.findings.worth.size(); ++i) {
    advice.push_back(json_of(view.findings.worth[i]));
    advice.back()["verified"] = nullptr;
    if (view.verified.empty()) continue;
    if (const std::optional<Verified>& verified = view.verified[i]; verified) {
      advice.back()["verified"] = json_of(*verified, view.in_force[i]);
    }
  }
  nlohmann::json tried = nlohmann::json::array();
  for (const Advice& one : view.findings.tried) tried.push_back(json_of(one));
  nlohmann::json program = nlohmann::json::array();
  for (const ProgramAdvice& one : view.program) program.push_back(json_of(one));
  return {{"schema", "hockney.advice/1"},
          {"profile", view.file},
          {"measured_seconds", view.findings.seconds},
          {"model_seconds", view.model_seconds},
          {"advice", std::move(advice)},
          {"tried", std::move(tried)},
          {"program", std::move(program)},
          {"placing", view.findings.placing},
          {"doubts", view.doubts}};
}

ExitCode verdict_of(const AdviceView& view) {
  ExitCode code = ExitCode::good;
  for (std::size_t i = 0; i < view.verified.size(); ++i) {
    const std::optional<Verified>& verified = view.verified[i];
    if (!verified) continue;
    const Verdict verdict = verified->comparison.verdict;
    if (verdict == Verdict::slower || view.in_force[i].proof == Proof::ignored) {
      return ExitCode::verdict_failed;
    }
    if (verdict == Verdict::no_evidence) code = ExitCode::no_verdict;
  }
  return code;
}

}  // namespace hockney::advice
