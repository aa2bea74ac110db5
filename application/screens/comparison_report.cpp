#include "application/screens/comparison_report.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>

#include "core/json_values.hpp"
#include "core/text.hpp"
#include "report/table.hpp"
#include "report/view.hpp"

namespace hockney::report {
namespace {

/// Sentences of these screens.
namespace words {

constexpr std::string_view part_grew = "; {} grew the most, from {} to {} of the time";
constexpr std::string_view call_grew = "of the calls {}, from {} to {}";
constexpr std::string_view nothing_grew = "; no share of its time grew";
constexpr std::string_view no_time = "{}: no time to compare with {}";
constexpr std::string_view speed_up = "{}: speed-up {} over {}";
constexpr std::string_view not_compared =
    "not compared: other processes or ranks took the CPUs of {}; run again on free cores";
constexpr std::string_view disturbed =
    "{}: {} times as long as {}, which says nothing about the program";
constexpr std::string_view one_launch = "one launch of each: no figure has an interval";
constexpr std::string_view over_launches = "{}: intervals (95 %) are over launches";
constexpr std::string_view too_few_launches =
    "{}: an interval of a time needs {}, one of a speed-up {} of both runs";
constexpr std::string_view weak = "the work of a rank is taken to be the same in all runs (--weak)";
constexpr std::string_view strong =
    "the whole work is taken to be the same in all runs; --weak: that of a rank";
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

using applications::Comparison;
using applications::Figure;
using applications::Run;
using applications::Scaling;

template <class Part>
bool differ(const std::vector<Run>& runs, Part Run::*part) {
  return std::ranges::any_of(runs, [&](const Run& run) { return run.*part != runs.front().*part; });
}

/// Variables of the environment that not all runs have alike.
std::set<std::string> varied_variables_of(const std::vector<Run>& runs) {
  std::set<std::string> names;
  for (const Run& run : runs) {
    for (const Run& other : runs) {
      for (const auto& [name, value] : run.settings) {
        const auto found = other.settings.find(name);
        if (found == other.settings.end() || found->second != value) names.insert(name);
      }
    }
  }
  return names;
}

/// Variables that Open MPI's launcher sets for oversubscribed ranks, such as
/// OMPI_MCA_mpi_oversubscribe.
bool tells_oversubscription(const std::string& name) {
  return name.find("oversubscribe") != std::string::npos;
}

/// Differences of a run's settings: ", oversubscribed", or " OMPI_MCA_btl=tcp,self".
std::string settings_text(const Run& run, const std::set<std::string>& varied) {
  std::string text;
  bool is_oversubscribed = false;
  for (const std::string& name : varied) {
    const auto found = run.settings.find(name);
    const bool is_set = found != run.settings.end();
    if (tells_oversubscription(name)) {
      is_oversubscribed = is_oversubscribed || (is_set && found->second == "1");
    } else {
      text += fmt::format(" {}{}", name, is_set ? "=" + found->second : " unset");
    }
  }
  return (is_oversubscribed ? ", oversubscribed" : "") + text;
}

std::string ratio_text(const std::optional<Figure>& figure) {
  if (!figure) return "-";
  const std::string value = significant(figure->value, 3);
  if (!figure->interval) return value;
  return fmt::format("{} ({})", value, interval_text(figure->interval, 1, 3));
}

std::string percent_of(double share) { return fixed_text(per_cent * share, 1) + " %"; }

std::string efficiency_text(const std::optional<Figure>& figure) {
  if (!figure) return "-";
  const std::string value = percent_of(figure->value);
  if (!figure->interval) return value;
  return fmt::format("{} ({})", value, interval_text(figure->interval, per_cent, 3));
}

std::string time_text(const Figure& figure) { return short_time(figure.value, figure.interval); }

/// "; load imbalance grew from 0.0 % to 42.9 % of the time, the most of the calls MPI_Bcast, ..."
std::string growth_words(const Run& run) {
  std::string text;
  if (const auto& part = run.part_that_grew) {
    text = fmt::format(words::part_grew, word(part->what), percent_of(part->from),
                       percent_of(part->to));
  }
  if (const auto& call = run.call_that_grew) {
    text += text.empty() ? "; " : ", ";
    text += fmt::format(words::call_grew, inert(call->what), percent_of(call->from),
                        percent_of(call->to));
  }
  return text.empty() ? std::string(words::nothing_grew) : text;
}

std::string sentence_of(const Run& run, const std::string& label, const std::string& reference,
                        bool scales) {
  if (!run.speed_up) return fmt::format(words::no_time, label, reference);
  std::string text = fmt::format(words::speed_up, label, ratio_text(run.speed_up), reference);
  if (scales) text += ", efficiency " + efficiency_text(run.scaling_efficiency);
  return text + growth_words(run);
}

/// "4 ranks in 2 of 3 launches (got 0.41 of a CPU)".
std::string starved_text(const Run& run, const std::string& label) {
  std::string text = label;
  if (run.launches > 1) {
    text += fmt::format(" in {} of {}", run.starved_launches, count_text(run.launches, "launch"));
  }
  if (run.cpu_fraction) text += fmt::format(" (got {} of a CPU)", fixed_text(*run.cpu_fraction, 2));
  return text;
}

/// For runs of which some were starved: their difference is no change of the program.
std::string starved_sentence(const Comparison& comparison, const std::vector<std::string>& labels) {
  std::vector<std::string> starved;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (comparison.runs[i].starved_launches == 0) continue;
    starved.push_back(starved_text(comparison.runs[i], labels[i]));
  }
  return fmt::format(words::not_compared, join(starved));
}

/// "4 ranks: time 3.10 of that of 2 ranks, which is no change of the program".
std::string disturbed_sentence(const Run& run, const std::string& label,
                               const std::string& reference) {
  if (!run.speed_up || !(run.speed_up->value > 0)) return label + ": no time";
  return fmt::format(words::disturbed, label, significant(1 / run.speed_up->value, 3), reference);
}

Lines table_of_runs(const Comparison& comparison, const std::vector<std::string>& labels) {
  std::vector<std::vector<std::string>> rows{{"run", "nodes", "launches", "time", "speed-up",
                                              "efficiency", "POP parallel", "computing", "global"}};
  for (std::size_t i = 0; i < comparison.runs.size(); ++i) {
    const Run& run = comparison.runs[i];
    const auto bare = [](const std::optional<Figure>& figure) {
      return figure ? percent_of(figure->value) : "-";
    };
    rows.push_back({labels[i], std::to_string(run.nodes), std::to_string(run.launches),
                    short_time(run.seconds.value),
                    run.speed_up ? significant(run.speed_up->value, 3) : "-",
                    bare(run.scaling_efficiency), bare(run.parallel),
                    bare(run.computing_efficiency), bare(run.global_efficiency)});
  }
  return columns_of(rows);
}

std::string launches_words(const Comparison& comparison) {
  const auto& runs = comparison.runs;
  const auto fewest = std::ranges::min(runs, {}, &Run::launches).launches;
  const auto most = std::ranges::max(runs, {}, &Run::launches).launches;
  const std::size_t needed = applications::launches_for_ratios();
  if (most == 1) return std::string(words::one_launch);
  const std::string text =
      fewest == most ? count_text(most, "launch") + " of each"
                     : fmt::format("{} to {} of a run", fewest, count_text(most, "launch"));
  if (fewest >= needed) return fmt::format(words::over_launches, text);
  return fmt::format(words::too_few_launches, text, applications::launches_for_intervals(), needed);
}

Lines reliability_of(const Comparison& comparison) {
  Lines lines{launches_words(comparison)};
  if (!differ(comparison.runs, &Run::ranks)) return lines;
  lines.emplace_back(comparison.scaling == Scaling::weak ? words::weak : words::strong);
  return lines;
}

/// Header lines with the facts that all runs share.
Lines common_header(const Comparison& comparison) {
  const Run& first = comparison.runs.front();
  std::vector<std::string> parts;
  if (!differ(comparison.runs, &Run::library)) parts.push_back(inert(library_name(first.library)));
  if (!differ(comparison.runs, &Run::command_line)) {
    parts.push_back(inert(join(first.command_line, " ")));
  }
  std::erase(parts, "");
  return parts.empty() ? Lines{} : Lines{join(parts, "  ")};
}

}  // namespace

std::vector<std::string> run_labels(const Comparison& comparison) {
  const std::vector<Run>& runs = comparison.runs;
  const std::set<std::string> varied = varied_variables_of(runs);
  const bool same_ranks = !differ(runs, &Run::ranks);
  std::vector<std::string> labels;
  for (const Run& run : runs) {
    std::string label = count_text(static_cast<std::size_t>(run.ranks), "rank");
    if (same_ranks && differ(runs, &Run::nodes)) {
      label += " on " + count_text(static_cast<std::size_t>(run.nodes), "node");
    }
    if (differ(runs, &Run::library)) label += " " + library_name(run.library);
    label += settings_text(run, varied);
    if (differ(runs, &Run::command_line)) label += " " + join(run.command_line, " ");
    labels.push_back(inert(label));
  }
  return labels;
}

Screen screen_of(const Comparison& comparison) {
  const std::vector<std::string> labels = run_labels(comparison);
  const bool scales = differ(comparison.runs, &Run::ranks);
  Screen screen{.header = common_header(comparison),
                .answer = {},
                .verdict = {},
                .reliability = reliability_of(comparison),
                .next = {{"--all", "every figure with its interval, shares of the time, calls"}}};
  const bool is_starved = comparison.is_starved();
  for (std::size_t i = 1; i < labels.size(); ++i) {
    const Run& run = comparison.runs[i];
    screen.answer.push_back(is_starved ? disturbed_sentence(run, labels[i], labels.front())
                                       : sentence_of(run, labels[i], labels.front(), scales));
  }
  screen.verdict = screen.answer.back();
  if (is_starved) {
    screen.verdict = starved_sentence(comparison, labels);
    screen.answer.insert(screen.answer.begin(), screen.verdict);
  }
  screen.answer.emplace_back();
  std::ranges::copy(table_of_runs(comparison, labels), std::back_inserter(screen.answer));
  return screen;
}

namespace {

/// A run and its label.
struct LabelledRun {
  const Run* run;
  std::string label;
};

using Text = std::string (*)(const std::optional<Figure>&);

/// Value and interval in separate columns for programs, in one cell for people.
Columns<LabelledRun> figure_columns(
    const std::string& key, const std::string& title, Text text,
    const std::function<std::optional<Figure>(const Run&)>& figure_of) {
  const auto end = [=](double Interval::*side) {
    return [=](const LabelledRun& each) -> Value {
      const auto figure = figure_of(*each.run);
      return figure ? end_of(figure->interval, side) : std::nullopt;
    };
  };
  return {{{key, "", Unit::number, Form::csv},
           [=](const LabelledRun& each) -> Value {
             const auto figure = figure_of(*each.run);
             return figure ? std::optional(figure->value) : std::nullopt;
           }},
          {{key + "_ci_low", "", Unit::number, Form::csv}, end(&Interval::low)},
          {{key + "_ci_high", "", Unit::number, Form::csv}, end(&Interval::high)},
          {{key, title, Unit::text, Form::terminal},
           [=](const LabelledRun& each) { return text(figure_of(*each.run)); }}};
}

Columns<LabelledRun> run_columns() {
  const Text seconds = [](const std::optional<Figure>& figure) { return time_text(*figure); };
  const auto efficiency = [](const char* key, const char* title,
                             std::optional<Figure> Run::*figure) {
    return figure_columns(key, title, efficiency_text, [=](const Run& run) { return run.*figure; });
  };
  Columns<LabelledRun> columns = joined<LabelledRun>(
      {{{{"run", "run"}, [](const LabelledRun& each) { return each.label; }},
        {{"ranks", "", Unit::count, Form::csv},
         [](const LabelledRun& each) { return each.run->ranks; }},
        {{"nodes", "", Unit::count, Form::csv},
         [](const LabelledRun& each) { return each.run->nodes; }},
        {{"launches", "launches", Unit::count},
         [](const LabelledRun& each) { return each.run->launches; }}},
       figure_columns("seconds", "time", seconds, [](const Run& run) { return run.seconds; }),
       figure_columns("speed_up", "speed-up", ratio_text,
                      [](const Run& run) { return run.speed_up; }),
       efficiency("scaling_efficiency", "efficiency", &Run::scaling_efficiency),
       efficiency("parallel_efficiency", "POP parallel", &Run::parallel),
       efficiency("load_balance", "load balance", &Run::load_balance),
       efficiency("communication_efficiency", "communication", &Run::communication),
       efficiency("computing_efficiency", "computing", &Run::computing_efficiency),
       efficiency("global_efficiency", "global", &Run::global_efficiency)});
  for (std::size_t i = 0; i < Run().shares.size(); ++i) {
    std::string part(enum_words<applications::Part>[i]);
    std::ranges::replace(part, ' ', '_');
    columns.push_back({{part + "_share", "", Unit::share, Form::csv},
                       [i](const LabelledRun& each) { return each.run->shares[i]; }});
  }
  return columns;
}

std::vector<LabelledRun> labelled_runs(const Comparison& comparison) {
  const std::vector<std::string> labels = run_labels(comparison);
  std::vector<LabelledRun> runs;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    runs.push_back({&comparison.runs[i], labels[i]});
  }
  return runs;
}

View shares_of(const std::vector<LabelledRun>& runs) {
  View view{.headings = {{"run", "run"}}, .rows = {}};
  for (const std::string_view part : enum_words<applications::Part>) {
    view.headings.push_back({std::string(part), std::string(part), Unit::share});
  }
  for (const LabelledRun& each : runs) {
    std::vector<Value>& row = view.rows.emplace_back(1, Value(each.label));
    for (const double share : each.run->shares) row.emplace_back(share);
  }
  return view;
}

View calls_of(const std::vector<LabelledRun>& runs) {
  View view{.headings = {{"run", "run"}, {"call", "call"}, {"share", "share", Unit::share}},
            .rows = {}};
  for (const LabelledRun& each : runs) {
    for (const auto& [call, share] : each.run->call_shares) {
      view.rows.push_back({each.label, call, share});
    }
  }
  return view;
}

}  // namespace

View view_of(const Comparison& comparison) {
  return make_view(run_columns(), labelled_runs(comparison));
}

View view_of(const ScalingView& view) {
  View table{{{"ranks", "ranks", Unit::count},
              {"seconds", "time", Unit::seconds},
              {"low", "from", Unit::seconds},
              {"high", "to", Unit::seconds},
              {"efficiency", "efficiency", Unit::share},
              {"kind", "is"}},
             {}};
  for (const projection::ScalingPoint& point : view.study.points) {
    table.rows.push_back({point.ranks, point.seconds,
                          end_of(point.interval_seconds, &Interval::low),
                          end_of(point.interval_seconds, &Interval::high), point.efficiency,
                          point.is_measured ? "measured" : "by the law"});
  }
  return table;
}

void print_comparison_tables(std::ostream& out, const Comparison& comparison) {
  for (const std::string& line : reliability_of(comparison)) out << "# " << line << '\n';
  const std::vector<LabelledRun> runs = labelled_runs(comparison);
  print_view(out, "", view_of(comparison));
  print_view(out, "where the time goes", shares_of(runs));
  print_view(out, "MPI calls", calls_of(runs));
}

namespace {

using Json = nlohmann::json;

Json json_of_figure(const std::optional<Figure>& figure) {
  return figure ? Json(figure->value) : Json();
}

Json json_of_interval(const std::optional<Figure>& figure) {
  return figure && figure->interval ? Json(*figure->interval) : Json();
}

template <class What>
Json growth_json(const std::optional<applications::Growth<What>>& growth, const char* name,
                 const std::string& what) {
  if (!growth) return nullptr;
  return {{name, what}, {"from_fraction", growth->from}, {"to_fraction", growth->to}};
}

Json run_json(const Run& run, const std::string& label) {
  Json json{{"label", label},
            {"ranks", run.ranks},
            {"nodes", run.nodes},
            {"command_line", run.command_line},
            {"library", run.library},
            {"environment", run.settings},
            {"launches", run.launches},
            {"seconds", run.seconds.value},
            {"seconds_ci", json_of_interval(run.seconds)}};
  const std::vector<std::pair<const char*, const std::optional<Figure>*>> figures{
      {"parallel", &run.parallel},           {"load_balance", &run.load_balance},
      {"communication", &run.communication}, {"computing", &run.computing_efficiency},
      {"global", &run.global_efficiency},    {"scaling", &run.scaling_efficiency}};
  Json& efficiencies = json["efficiencies"];
  for (const auto& [name, figure] : figures) {
    efficiencies[name] = json_of_figure(*figure);
    efficiencies[std::string(name) + "_ci"] = json_of_interval(*figure);
  }
  json["speed_up"] = json_of_figure(run.speed_up);
  json["speed_up_ci"] = json_of_interval(run.speed_up);
  json["fractions"] = {{"computing", run.shares[0]},
                       {"load_imbalance", run.shares[1]},
                       {"communication", run.shares[2]},
                       {"files", run.shares[3]},
                       {"not_scheduled", run.shares[4]}};
  json["cpu_fraction"] = run.cpu_fraction;
  json["starved_launches"] = run.starved_launches;
  json["call_fractions"] = run.call_shares;
  json["grew"] =
      growth_json(run.part_that_grew, "part",
                  run.part_that_grew ? std::string(word(run.part_that_grew->what)) : std::string());
  json["call_that_grew"] =
      growth_json(run.call_that_grew, "call", run.call_that_grew ? run.call_that_grew->what : "");
  return json;
}

}  // namespace

Json to_json(const Comparison& comparison) {
  const std::vector<std::string> labels = run_labels(comparison);
  Json runs = Json::array();
  for (std::size_t i = 0; i < labels.size(); ++i) {
    runs.push_back(run_json(comparison.runs[i], labels[i]));
  }
  if (comparison.is_starved()) {
    for (Json& run : runs) run["grew"] = run["call_that_grew"] = nullptr;
  }
  return {{"schema", "hockney.profile-comparison/1"},
          {"scaling", word(comparison.scaling)},
          {"starved", comparison.is_starved()},
          {"reference", 0},
          {"runs", std::move(runs)}};
}

namespace {

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
  if (columns == ShownColumns::logged_program) return split_cells(*shares.split);
  std::vector<std::string> cells{whole_percent(shares.computing)};
  if (columns == ShownColumns::program)
    cells.push_back(whole_percent(shares.load_imbalance.value_or(0)));
  cells.push_back(whole_percent(shares.communication));
  if (columns == ShownColumns::kernel) cells.push_back(inert(shares.way));
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
  const std::string asked = whole_percent(view.efficiency);
  const auto& best = view.study.best;
  if (!best) return fmt::format(words::none_has, asked);
  const bool is_last = best->ranks == view.study.points.back().ranks;
  return fmt::format(words::most_ranks, asked, best->ranks, best->is_measured ? "" : ", by the law",
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

Screen screen_of(const ScalingView& view) {
  const ShownColumns columns = columns_for(view);
  std::vector<std::vector<std::string>> rows{headers_of(columns)};
  for (const ScalingPoint& point : view.study.points) {
    rows.push_back(row_of(view, point, columns));
  }
  Lines answer{best_line(view), ""};
  std::ranges::copy(columns_of(rows), std::back_inserter(answer));
  const std::string folder = inert(view.folder);
  return {.header = {inert(join(view.words, " "))},
          .answer = std::move(answer),
          .verdict = {},
          .reliability = reliability_of(view),
          .next = {columns == ShownColumns::kernel
                       ? NextStep{"hockney report " + folder, "every way of it"}
                       : NextStep{fmt::format("hockney profile compare {}/round-*.json", folder),
                                  "what grew, by call"}}};
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
