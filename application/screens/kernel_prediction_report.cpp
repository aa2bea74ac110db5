#include "application/screens/kernel_prediction_report.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/text.hpp"
#include "report/table.hpp"

namespace hockney::report {
namespace {

using projection::KernelPrediction;

std::vector<std::string> kernel_row(const KernelPredictionView& view, std::size_t place) {
  const std::string ranks = std::to_string(view.ranks[place]);
  if (!view.why_not[place].empty()) {
    return {ranks, "-", "cannot tell", "", inert(view.why_not[place])};
  }
  const KernelPrediction& answer = view.answers[place];
  const Interval range{answer.range.low_seconds, answer.range.high_seconds, 0};
  return {ranks, join_numbers(answer.grid, "x"), short_time(answer.seconds, range),
          fixed_text(per_cent * answer.computing_seconds / answer.seconds, 0) + " %", ""};
}

/// Computing of the first answer that there is.
std::string cost_line(const KernelPredictionView& view) {
  for (std::size_t i = 0; i < view.answers.size(); ++i) {
    if (!view.why_not[i].empty()) continue;
    const projection::UnitCost& cost = view.answers[i].cost;
    const bool is_halo = view.kernel == projection::Kernel::halo;
    return std::string(is_halo ? "a point takes " : "a flop takes ") + short_time(cost.seconds) +
           ", as in blocks of " + significant(cost.units, 3) + (is_halo ? " points" : " flops") +
           ", " + count_text(cost.launches, "launch");
  }
  return "";
}

}  // namespace

Screen screen_of(const KernelPredictionView& view) {
  std::vector<std::vector<std::string>> rows{{"ranks", "grid", "time (range)", "computing", ""}};
  for (std::size_t i = 0; i < view.ranks.size(); ++i) rows.push_back(kernel_row(view, i));
  Screen screen{.header = {std::string(word(view.kernel)) + " " + inert(view.problem) +
                           ", an iteration with immediate messages and computing afterwards"},
                .answer = columns_of(rows),
                .verdict = {},
                .trust = {},
                .next = {}};
  if (const std::string cost = cost_line(view); !cost.empty()) screen.trust.push_back(cost);
  screen.trust.emplace_back(
      view.has_intervals ? "ranges: both ends of what messages and computing take"
                         : "ranges are those of single launches: the models have no interval");
  std::ranges::copy(view.doubts, std::back_inserter(screen.trust));
  screen.next = {{"hockney scale --ranks 2,4 " + std::string(word(view.kernel)), "measure it"}};
  return screen;
}

nlohmann::json to_json(const KernelPredictionView& view) {
  nlohmann::json answers = nlohmann::json::array();
  for (std::size_t i = 0; i < view.ranks.size(); ++i) {
    nlohmann::json& answer = answers.emplace_back();
    answer = {{"ranks", view.ranks[i]},       {"grid", nullptr},
              {"seconds", nullptr},           {"range_seconds", nullptr},
              {"computing_seconds", nullptr}, {"cannot_tell_because", nullptr}};
    if (!view.why_not[i].empty()) {
      answer["cannot_tell_because"] = view.why_not[i];
      continue;
    }
    const KernelPrediction& found = view.answers[i];
    answer["grid"] = found.grid;
    answer["seconds"] = found.seconds;
    answer["range_seconds"] = {{"low", found.range.low_seconds},
                               {"high", found.range.high_seconds}};
    answer["computing_seconds"] = found.computing_seconds;
  }
  return {{"schema", "hockney.kernel-prediction/1"},
          {"kernel", word(view.kernel)},
          {"problem", view.problem},
          {"predictions", std::move(answers)},
          {"doubts", view.doubts}};
}

}  // namespace hockney::report
