#include "components/application/screens/comparison_report.hpp"

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
bool reports_oversubscription(const std::string& name) {
  return name.find("oversubscribe") != std::string::npos;
}

/// Differences of a run's settings: ", oversubscribed", or " OMPI_MCA_btl=tcp,self".
std::string settings_text(const Run& run, const std::set<std::string>& varied) {
  std::string text;
  bool is_oversubscribed = false;
  for (const std::string& name : varied) {
    const auto found = run.settings.find(name);
    const bool is_set = found != run.settings.end();
    if (reports_oversubscription(name)) {
      is_oversubscribed = is_oversubscribed || (is_set && found->second == "1");
    } else {
      text += fmt::format(" {}{}", name, is_set ? "=" + found->second : " unset");
    }
  }
  return (is_oversubscribed ? ", oversubscribed" : "") + text;
}

std::string ratio_text(const std::optional<Figure>& figure) {
  if (!figure) return "-";
  std::string value = significant(figure->value, 3);
  if (!figure->interval) return value;
  return fmt::format("{} ({})", value, interval_text(figure->interval, 1, 3));
}

std::string percent_of(double share) { return fixed_text(per_cent * share, 1) + " %"; }

std::string efficiency_text(const std::optional<Figure>& figure) {
  if (!figure) return "-";
  std::string value = percent_of(figure->value);
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
    text += fmt::format(words::call_grew, escaped(call->what), percent_of(call->from),
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
  if (!differ(comparison.runs, &Run::library))
    parts.push_back(escaped(library_name(first.library)));
  if (!differ(comparison.runs, &Run::command_line)) {
    parts.push_back(escaped(join(first.command_line, " ")));
  }
  std::erase(parts, "");
  return parts.empty() ? Lines{} : Lines{join(parts, "  ")};
}

/// Labels of runs, by ranks and differing settings: "8 ranks", "8 ranks OMPI_MCA_btl=tcp,self".
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
    labels.push_back(escaped(label));
  }
  return labels;
}

/// The time of each run.
std::vector<SummaryRow> rows_of_runs(const Comparison& comparison,
                                     const std::vector<std::string>& labels) {
  std::vector<SummaryRow> rows;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const Run& run = comparison.runs[i];
    rows.push_back({.label = labels[i],
                    .value = run.seconds.value,
                    .interval = run.seconds.interval,
                    .unit = "s",
                    .mark = count_text(run.launches, "launch")});
  }
  return rows;
}

/// A run and its label.
struct LabelledRun {
  const Run* run;
  std::string label;
};

using Text = std::string (*)(const std::optional<Figure>&);

/// Keys of a figure.
struct FigureKeys {
  std::string csv;
  std::string json;
  std::string title;
};

/// Value and interval in separate columns for programs, in one cell for people.
Columns<LabelledRun> figure_columns(
    const FigureKeys& keys, Text text,
    const std::function<std::optional<Figure>(const Run&)>& figure_of) {
  const auto value = [=](const LabelledRun& each) -> Value {
    const auto figure = figure_of(*each.run);
    return figure ? Value(figure->value) : Value();
  };
  const auto interval = [=](const LabelledRun& each) -> Value {
    const auto figure = figure_of(*each.run);
    return figure ? Value(figure->interval) : Value();
  };
  return {{{keys.csv, "", Unit::number, Form::csv}, value},
          {{keys.csv + "_ci", "", Unit::number, Form::csv, "", true}, interval},
          {{keys.json, "", Unit::number, Form::json}, value},
          {{keys.json + "_ci", "", Unit::number, Form::json, "", true}, interval},
          {{keys.csv, keys.title, Unit::text, Form::terminal},
           [=](const LabelledRun& each) { return text(figure_of(*each.run)); }}};
}

Columns<LabelledRun> efficiency_columns() {
  const auto efficiency = [](const FigureKeys& keys, std::optional<Figure> Run::*figure) {
    return figure_columns(keys, efficiency_text, [=](const Run& run) { return run.*figure; });
  };
  return joined<LabelledRun>(
      {efficiency({"scaling_efficiency", "efficiencies.scaling", "efficiency"},
                  &Run::scaling_efficiency),
       efficiency({"parallel_efficiency", "efficiencies.parallel", "POP parallel"}, &Run::parallel),
       efficiency({"load_balance", "efficiencies.load_balance", "load balance"},
                  &Run::load_balance),
       efficiency({"communication_efficiency", "efficiencies.communication", "communication"},
                  &Run::communication),
       efficiency({"computing_efficiency", "efficiencies.computing", "computing"},
                  &Run::computing_efficiency),
       efficiency({"global_efficiency", "efficiencies.global", "global"},
                  &Run::global_efficiency)});
}

Columns<LabelledRun> run_columns() {
  const Text seconds = [](const std::optional<Figure>& figure) { return time_text(*figure); };
  const auto of_run = [](auto member) {
    return [member](const LabelledRun& each) { return each.run->*member; };
  };
  Columns<LabelledRun> columns = joined<LabelledRun>(
      {{{{"run", "run", Unit::text, Form::csv | Form::terminal}, &LabelledRun::label},
        {{"label", "", Unit::text, Form::json}, &LabelledRun::label},
        {{"ranks", "", Unit::count, machine_forms}, of_run(&Run::ranks)},
        {{"nodes", "", Unit::count, machine_forms}, of_run(&Run::nodes)},
        {{"launches", "launches", Unit::count}, of_run(&Run::launches)},
        {{"starved_launches", "", Unit::count, Form::json}, of_run(&Run::starved_launches)},
        {{"cpu_fraction", "", Unit::share, Form::json}, of_run(&Run::cpu_fraction)},
        {{"library", "", Unit::text, Form::json}, of_run(&Run::library)}},
       figure_columns({"seconds", "seconds", "time"}, seconds, &Run::seconds),
       figure_columns({"speed_up", "speed_up", "speed-up"}, ratio_text, &Run::speed_up),
       efficiency_columns()});
  for (std::size_t i = 0; i < Run().shares.size(); ++i) {
    std::string part(enum_words<applications::Part>[i]);
    std::ranges::replace(part, ' ', '_');
    const auto share = [i](const LabelledRun& each) { return each.run->shares[i]; };
    columns.push_back({{part + "_share", "", Unit::share, Form::csv}, share});
    columns.push_back({{"fractions." + part, "", Unit::share, Form::json}, share});
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

using Json = nlohmann::json;

template <class What>
Json growth_json(const std::optional<applications::Growth<What>>& growth, const char* name,
                 const std::string& what) {
  if (!growth) return nullptr;
  return {{name, what}, {"from_fraction", growth->from}, {"to_fraction", growth->to}};
}

Json run_json(const Columns<LabelledRun>& columns, const LabelledRun& each) {
  const Run& run = *each.run;
  Json json = json_of(columns, each);
  json["command_line"] = run.command_line;
  json["environment"] = run.settings;
  json["call_fractions"] = run.call_shares;
  json["grew"] =
      growth_json(run.part_that_grew, "part",
                  run.part_that_grew ? std::string(word(run.part_that_grew->what)) : std::string());
  json["call_that_grew"] =
      growth_json(run.call_that_grew, "call", run.call_that_grew ? run.call_that_grew->what : "");
  return json;
}

}  // namespace

Screen screen_of(const Comparison& comparison) {
  const std::vector<std::string> labels = run_labels(comparison);
  const bool scales = differ(comparison.runs, &Run::ranks);
  Screen screen{.header = common_header(comparison),
                .answer = {},
                .rows = rows_of_runs(comparison, labels),
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

View view_of(const Comparison& comparison) {
  return make_view(run_columns(), labelled_runs(comparison));
}

void print_comparison_tables(std::ostream& out, const Comparison& comparison) {
  for (const std::string& line : reliability_of(comparison)) out << "# " << line << '\n';
  const std::vector<LabelledRun> runs = labelled_runs(comparison);
  print_view(out, "", view_of(comparison));
  print_view(out, "where the time goes", shares_of(runs));
  print_view(out, "MPI calls", calls_of(runs));
}

Json to_json(const Comparison& comparison) {
  const Columns<LabelledRun> columns = run_columns();
  Json runs = array_json(labelled_runs(comparison),
                         [&](const LabelledRun& each) { return run_json(columns, each); });
  if (comparison.is_starved()) {
    for (Json& run : runs) run["grew"] = run["call_that_grew"] = nullptr;
  }
  return {{"schema", "hockney.profile-comparison/1"},
          {"scaling", word(comparison.scaling)},
          {"starved", comparison.is_starved()},
          {"reference", 0},
          {"runs", std::move(runs)}};
}

}  // namespace hockney::report
