#include "report/profiles/scaling_report.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/json_values.hpp"
#include "core/text.hpp"
#include "report/table.hpp"

namespace hockney::report {
namespace {

using applications::Part;
using applications::Run;
using projection::ScalingPoint;

std::string whole_percent(double share) { return fixed_text(per_cent * share, 0) + " %"; }

double share_of_part(const Run& run, Part part) {
  return run.shares[static_cast<std::size_t>(part)];
}

const Run* run_with(const ScalingView& view, int ranks) {
  const auto found = std::ranges::find(view.comparison.runs, ranks, &Run::ranks);
  return found == view.comparison.runs.end() ? nullptr : &*found;
}

std::vector<std::string> row_of(const ScalingView& view, const ScalingPoint& point) {
  const double reference = view.study.points.front().seconds;
  std::vector<std::string> row{
      std::to_string(point.ranks), short_time(point.seconds, point.interval_seconds),
      significant(reference / point.seconds, 3), whole_percent(point.efficiency)};
  const Run* const run = point.is_measured ? run_with(view, point.ranks) : nullptr;
  if (run == nullptr) {
    row.insert(row.end(), {"by the law", "", ""});
  } else {
    for (const Part part : {Part::computing, Part::load_imbalance, Part::communication}) {
      row.push_back(whole_percent(share_of_part(*run, part)));
    }
  }
  return row;
}

std::string best_line(const ScalingView& view) {
  const std::string asked = whole_percent(view.efficiency) + " efficiency";
  const auto& best = view.study.best;
  if (!best) return "no number of ranks has " + asked;
  const bool is_last = best->ranks == view.study.points.back().ranks;
  return "the most ranks with " + asked + ": " + std::to_string(best->ranks) +
         (best->is_measured ? "" : ", by the law") + (is_last ? ", and more were not tried" : "");
}

std::string law_line(const projection::ScalingLaw& law) {
  return "law: T(p) = " + short_time(law.constant_seconds) + " + " +
         short_time(law.divided_seconds) + "/p + " + short_time(law.doubled_seconds) + " log2 p";
}

Lines trust_in(const ScalingView& view) {
  Lines lines;
  if (view.study.law) {
    lines.push_back(law_line(*view.study.law));
  } else {
    lines.emplace_back("nothing is said of more ranks: that takes three numbers of ranks");
  }
  if (view.study.held_out_error) {
    const double percent = per_cent * *view.study.held_out_error;
    lines.push_back("of the most ranks the law of all others says " +
                    significant(std::abs(percent), 2) + " % " + (percent < 0 ? "less" : "more"));
  } else if (view.study.law) {
    lines.emplace_back("too few numbers of ranks to hold the law against one of them (four do)");
  }
  if (!view.study.points.front().interval_seconds) {
    lines.push_back("no interval: it comes from launches, and needs " +
                    std::to_string(applications::launches_for_intervals()) + " of them");
  }
  std::ranges::copy(view.doubts, std::back_inserter(lines));
  return lines;
}

}  // namespace

Screen screen_of(const ScalingView& view) {
  std::vector<std::vector<std::string>> rows{
      {"ranks", "time", "speed-up", "efficiency", "computing", "load", "communication"}};
  for (const ScalingPoint& point : view.study.points) rows.push_back(row_of(view, point));
  Lines answer{best_line(view), ""};
  std::ranges::copy(columns_of(rows), std::back_inserter(answer));
  const std::string folder = inert(view.folder);
  return {.header = {inert(join(view.words, " "))},
          .answer = std::move(answer),
          .verdict = {},
          .trust = trust_in(view),
          .next = {{"hockney profile compare " + folder + "/block-*.json", "what grew, by call"}}};
}

nlohmann::json to_json(const ScalingView& view) {
  nlohmann::json points = nlohmann::json::array();
  for (const ScalingPoint& point : view.study.points) {
    points.push_back({{"ranks", point.ranks},
                      {"measured", point.is_measured},
                      {"seconds", point.seconds},
                      {"interval_seconds", nullptr},
                      {"efficiency", point.efficiency}});
    if (const auto& interval = point.interval_seconds; interval) {
      points.back()["interval_seconds"] = {{"low", interval->low}, {"high", interval->high}};
    }
    const Run* const run = point.is_measured ? run_with(view, point.ranks) : nullptr;
    if (run == nullptr) continue;
    points.back()["launches"] = run->launches;
    for (const Part part : {Part::computing, Part::load_imbalance, Part::communication}) {
      std::string key(word(part));
      std::ranges::replace(key, ' ', '_');
      points.back()[key + "_fraction"] = share_of_part(*run, part);
    }
  }
  nlohmann::json law = nullptr;
  if (view.study.law) {
    law = {{"constant_seconds", view.study.law->constant_seconds},
           {"divided_seconds", view.study.law->divided_seconds},
           {"doubled_seconds", view.study.law->doubled_seconds}};
  }
  const auto& best = view.study.best;
  return {{"schema", "hockney.scaling/1"},
          {"command", view.words},
          {"points", std::move(points)},
          {"law", std::move(law)},
          {"held_out_error", view.study.held_out_error},
          {"asked_efficiency", view.efficiency},
          {"best_ranks", best ? nlohmann::json(best->ranks) : nlohmann::json(nullptr)},
          {"doubts", view.doubts}};
}

}  // namespace hockney::report
