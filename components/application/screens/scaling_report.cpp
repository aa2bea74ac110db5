#include "components/application/screens/scaling_report.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string_view>

#include "core/json_values.hpp"
#include "core/shell.hpp"
#include "core/text.hpp"
#include "report/table.hpp"

namespace hockney::report {
namespace {

/// Sentences of this screen.
namespace words {

constexpr std::string_view none_has = "no number of ranks has {} efficiency";
constexpr std::string_view most_ranks = "the most ranks with {} efficiency: {}{}{}";
constexpr std::string_view law = "law: T(p) = {} + {}/p + {} log2 p";
constexpr std::string_view law_of_growing = "law: T(p) = {} + {} log2 p";
constexpr std::string_view no_law =
    "nothing is said of more ranks: that takes three numbers of ranks";
constexpr std::string_view held_out = "of the most ranks the law of all others says {} % {}";
constexpr std::string_view none_held_out =
    "too few numbers of ranks to hold the law against one of them (four do)";
constexpr std::string_view no_interval =
    "no interval: it comes from launches, and needs {} of them";

}  // namespace words

using projection::ScalingPoint;

std::string whole_percent(double share) { return fixed_text(per_cent * share, 0) + " %"; }

const ScalingShares* shares_at(const ScalingView& view, const ScalingPoint& point) {
  const auto found = view.shares.find(point.ranks);
  return point.is_measured && found != view.shares.end() ? &found->second : nullptr;
}

/// Columns after time, speed-up and efficiency.
enum class ShownColumns { program, logged_program, kernel };

ShownColumns columns_for(const ScalingView& view) {
  const auto is_logged = [](const auto& one) { return one.second.split.has_value(); };
  if (std::ranges::any_of(view.shares, [](const auto& one) { return !one.second.way.empty(); })) {
    return ShownColumns::kernel;
  }
  return !view.shares.empty() && std::ranges::all_of(view.shares, is_logged)
             ? ShownColumns::logged_program
             : ShownColumns::program;
}

std::vector<std::string> headers_of(ShownColumns columns) {
  std::vector<std::string> headers{"ranks", "time", "speed-up", "efficiency", "computing"};
  const auto add = [&](std::initializer_list<std::string> more) {
    headers.insert(headers.end(), more);
  };
  if (columns == ShownColumns::kernel) add({"communication", "fastest"});
  if (columns == ShownColumns::program) add({"load", "communication"});
  if (columns == ShownColumns::logged_program) add({"load", "waiting", "transfer"});
  return headers;
}

/// From the run with a log: computing, load, waiting (dependency and protocol), transfer.
std::vector<std::string> split_cells(const applications::ReplaySplit& split) {
  const double seconds = std::max(split.seconds, 1e-12);
  const double waiting = split.times.dependency + split.times.protocol.value_or(0);
  std::vector<std::string> cells;
  for (const double part : {split.times.computing, split.load, waiting, split.times.transfer}) {
    cells.push_back(whole_percent(part / seconds));
  }
  return cells;
}

std::vector<std::string> share_cells(const ScalingShares& shares, ShownColumns columns) {
  if (columns == ShownColumns::logged_program && shares.split) return split_cells(*shares.split);
  std::vector<std::string> cells{whole_percent(shares.computing)};
  if (columns == ShownColumns::program)
    cells.push_back(whole_percent(shares.load_imbalance.value_or(0)));
  cells.push_back(whole_percent(shares.communication));
  if (columns == ShownColumns::kernel) cells.push_back(escaped(shares.way));
  return cells;
}

std::vector<std::string> row_of(const ScalingView& view, const ScalingPoint& point,
                                ShownColumns columns) {
  const ScalingPoint& first = view.study.points.front();
  const bool grows = view.problem == projection::Problem::grows;
  const double work = grows ? static_cast<double>(point.ranks) / first.ranks : 1;
  std::vector<std::string> row{
      std::to_string(point.ranks), short_time(point.seconds, point.interval_seconds),
      significant(work * first.seconds / point.seconds, 3), whole_percent(point.efficiency)};
  if (const ScalingShares* const shares = shares_at(view, point)) {
    std::ranges::copy(share_cells(*shares, columns), std::back_inserter(row));
  } else {
    row.emplace_back("by the law");
    row.resize(headers_of(columns).size());
  }
  return row;
}

nlohmann::json split_json(const std::optional<applications::ReplaySplit>& split) {
  if (!split) return nullptr;
  return {{"seconds", split->seconds},
          {"computing", split->times.computing},
          {"load", split->load},
          {"dependency", split->times.dependency},
          {"protocol", split->times.protocol},
          {"transfer", split->times.transfer}};
}

void add_shares(nlohmann::json& point, const ScalingShares& shares) {
  point["launches"] = shares.launches;
  point["computing_fraction"] = shares.computing;
  point["load_imbalance_fraction"] = shares.load_imbalance;
  point["communication_fraction"] = shares.communication;
  point["way"] = shares.way.empty() ? nlohmann::json() : nlohmann::json(shares.way);
  point["split"] = split_json(shares.split);
}

std::string best_line(const ScalingView& view) {
  const std::string requested = whole_percent(view.efficiency);
  const auto& best = view.study.best;
  if (!best) return fmt::format(words::none_has, requested);
  const bool is_last = best->ranks == view.study.points.back().ranks;
  return fmt::format(words::most_ranks, requested, best->ranks,
                     best->is_measured ? "" : ", by the law",
                     is_last ? ", and more were not tried" : "");
}

std::string law_line(const projection::ScalingLaw& law, projection::Problem problem) {
  const std::string constant = short_time(law.constant_seconds);
  const std::string doubled = short_time(law.doubled_seconds);
  if (problem == projection::Problem::grows) {
    return fmt::format(words::law_of_growing, constant, doubled);
  }
  return fmt::format(words::law, constant, short_time(law.divided_seconds), doubled);
}

Lines reliability_of(const ScalingView& view) {
  Lines lines;
  if (!view.oversubscribed.empty()) lines.push_back(view.oversubscribed);
  if (view.study.law) {
    lines.push_back(law_line(*view.study.law, view.problem));
  } else {
    lines.emplace_back(words::no_law);
  }
  if (view.study.held_out_error) {
    const double percent = per_cent * *view.study.held_out_error;
    lines.push_back(fmt::format(words::held_out, significant(std::abs(percent), 2),
                                percent < 0 ? "less" : "more"));
  } else if (view.study.law) {
    lines.emplace_back(words::none_held_out);
  }
  if (!view.study.points.front().interval_seconds) {
    lines.push_back(fmt::format(words::no_interval, applications::launches_for_intervals()));
  }
  std::ranges::copy(view.doubts, std::back_inserter(lines));
  return lines;
}

/// Compares a program's launches: "hockney profile compare FOLDER/round-*.json"; escaped.
std::string compare_command(const ScalingView& view) {
  return fmt::format("hockney profile compare {}/round-*.json{}", escaped(shell_word(view.folder)),
                     view.problem == projection::Problem::grows ? " --weak" : "");
}

}  // namespace

std::map<int, ScalingShares> scaling_shares(const applications::Comparison& comparison) {
  using applications::Part;
  std::map<int, ScalingShares> found;
  for (const applications::Run& run : comparison.runs) {
    const auto share = [&](Part part) { return run.shares[static_cast<std::size_t>(part)]; };
    found.try_emplace(run.ranks, ScalingShares{.launches = run.launches,
                                               .computing = share(Part::computing),
                                               .load_imbalance = share(Part::load_imbalance),
                                               .communication = share(Part::communication),
                                               .way = "",
                                               .split = {}});
  }
  return found;
}

View view_of(const ScalingView& view) {
  const auto end_at = [](double Interval::*end) {
    return [=](const ScalingPoint& point) { return end_of(point.interval_seconds, end); };
  };
  const Columns<ScalingPoint> columns{
      {{"ranks", "ranks", Unit::count}, &ScalingPoint::ranks},
      {{"seconds", "time", Unit::seconds}, &ScalingPoint::seconds},
      {{"low", "", Unit::seconds, Form::csv}, end_at(&Interval::low)},
      {{"high", "", Unit::seconds, Form::csv}, end_at(&Interval::high)},
      {{"ci_seconds", "interval", Unit::seconds, Form::terminal, "", true},
       &ScalingPoint::interval_seconds},
      {{"efficiency", "efficiency", Unit::share}, &ScalingPoint::efficiency},
      {{"kind", "is"},
       [](const ScalingPoint& point) { return point.is_measured ? "measured" : "by the law"; }}};
  return make_view(columns, view.study.points);
}

Screen screen_of(const ScalingView& view) {
  const ShownColumns columns = columns_for(view);
  std::vector<std::vector<std::string>> rows{headers_of(columns)};
  for (const ScalingPoint& point : view.study.points) {
    rows.push_back(row_of(view, point, columns));
  }
  Lines answer{best_line(view), ""};
  std::ranges::copy(columns_of(rows), std::back_inserter(answer));
  return {.header = {escaped(join(view.words, " "))},
          .answer = std::move(answer),
          .rows = rows_of(view_of(view)),
          .verdict = {},
          .reliability = reliability_of(view),
          .next = {columns == ShownColumns::kernel
                       ? NextStep{"hockney report " + escaped(shell_word(view.folder)),
                                  "every way of it"}
                       : NextStep{compare_command(view), "what grew, by call"}}};
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
    if (const ScalingShares* const shares = shares_at(view, point)) {
      add_shares(points.back(), *shares);
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
          {"scaling", view.problem == projection::Problem::grows ? "weak" : "strong"},
          {"points", std::move(points)},
          {"law", std::move(law)},
          {"held_out_error", view.study.held_out_error},
          {"asked_efficiency", view.efficiency},
          {"best_ranks", best ? nlohmann::json(best->ranks) : nlohmann::json(nullptr)},
          {"doubts", view.doubts},
          {"oversubscribed", filled_or_null(view.oversubscribed)}};
}

}  // namespace hockney::report
