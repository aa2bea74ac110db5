#include "application/screens/projection_report.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/json_values.hpp"
#include "core/text.hpp"
#include "report/table.hpp"

namespace hockney::report {
namespace {

using projection::Effect;
using projection::Projection;
using projection::Validation;

/// "2.4 % less", "as measured".
std::string difference_text(double fraction) {
  constexpr double nothing = 0.0005;
  if (std::abs(fraction) < nothing) return "the same";
  return significant(per_cent * std::abs(fraction), 2) + (fraction < 0 ? " % less" : " % more");
}

std::string model_line(const Validation& found) {
  return "measured " + short_time(found.measured_seconds) + ", by the models " +
         short_time(found.model_seconds) + " (" + difference_text(found.error()) + "), " +
         short_time(found.ideal_seconds) + " on a network that costs nothing";
}

std::vector<std::string> row_of(const Projection& answer, double measured) {
  if (!answer.why_not.empty()) return {answer.question, "-", "cannot tell", answer.why_not};
  const Interval range{answer.range.low_seconds, answer.range.high_seconds, 0};
  const auto [time, change] = [&]() -> std::pair<std::string, std::string> {
    const double fraction = answer.seconds / measured - 1;
    return {short_time(answer.seconds, range), difference_text(fraction)};
  }();
  const bool is_change = answer.effect == Effect::faster || answer.effect == Effect::slower;
  return {answer.question, time, std::string(word(answer.effect)), is_change ? change : ""};
}

Lines answer_of(const ProjectionView& view) {
  Lines lines{model_line(view.validation)};
  std::vector<std::vector<std::string>> rows{{"what if", "time (range)", "", ""}};
  for (const Projection& answer : view.answers) {
    rows.push_back(row_of(answer, view.validation.measured_seconds));
  }
  if (rows.size() > 1) lines.emplace_back();
  std::ranges::copy(columns_of(rows), std::back_inserter(lines));
  return lines;
}

Lines trust_in(const ProjectionView& view) {
  Lines lines;
  if (!view.validation.stretch) {
    lines.emplace_back(
        "the models are far off: not even costs 8 times as high or low explain the run");
  } else {
    lines.push_back(
        "costs " + significant(*view.validation.stretch, 2) +
        " times as high as measured would explain the run; ranges reach from 1 to that");
  }
  if (!view.has_intervals) {
    lines.emplace_back("too few launches of the ping-pongs: ranges leave their noise out");
  }
  lines.emplace_back("one run of the program: how much runs differ is not known");
  std::ranges::copy(view.doubts, std::back_inserter(lines));
  return lines;
}

}  // namespace

Screen screen_of(const ProjectionView& view) {
  Names hosts;
  for (const profile::Rank& rank : view.profile.ranks) hosts.add(rank.host);
  std::vector<std::string> parts{hosts.text(),
                                 inert(library_name(view.profile.provenance.mpi.library)),
                                 inert(join(view.profile.provenance.command_line, " "))};
  std::erase(parts, "");
  return {.header = {join(parts, "  ")},
          .answer = answer_of(view),
          .verdict = {},
          .trust = trust_in(view),
          .next = {{"hockney profile show " + inert(view.file), "where the time went"}}};
}

nlohmann::json to_json(const ProjectionView& view) {
  const Validation& found = view.validation;
  nlohmann::json answers = nlohmann::json::array();
  for (const Projection& answer : view.answers) {
    const bool is_told = answer.why_not.empty();
    answers.push_back(
        {{"question", answer.question},
         {"seconds", is_told ? nlohmann::json(answer.seconds) : nlohmann::json(nullptr)},
         {"range_seconds", is_told ? nlohmann::json{{"low", answer.range.low_seconds},
                                                    {"high", answer.range.high_seconds}}
                                   : nlohmann::json(nullptr)},
         {"effect", word(answer.effect)},
         {"cannot_tell_because", filled_or_null(answer.why_not)}});
  }
  return {{"schema", "hockney.projection/1"},     {"profile", view.file},
          {"ranks", view.profile.world_ranks},    {"measured_seconds", found.measured_seconds},
          {"model_seconds", found.model_seconds}, {"model_error", found.error()},
          {"ideal_seconds", found.ideal_seconds}, {"stretch", found.stretch},
          {"answers", std::move(answers)},        {"doubts", view.doubts}};
}

}  // namespace hockney::report
