#include "application/screens/comparison_report.hpp"

#include <algorithm>
#include <iterator>
#include <set>

#include "core/text.hpp"
#include "report/table.hpp"

namespace hockney::report {
namespace {

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

/// Variables by which Open MPI's launcher tells ranks that they share CPUs, such as
/// OMPI_MCA_mpi_oversubscribe.
bool tells_oversubscription(const std::string& name) {
  return name.find("oversubscribe") != std::string::npos;
}

/// ", oversubscribed", or " OMPI_MCA_btl=tcp,self": what parts the run from the others.
std::string settings_text(const Run& run, const std::set<std::string>& varied) {
  std::string text;
  bool is_oversubscribed = false;
  for (const std::string& name : varied) {
    const auto found = run.settings.find(name);
    const bool is_set = found != run.settings.end();
    if (tells_oversubscription(name)) {
      is_oversubscribed = is_oversubscribed || (is_set && found->second == "1");
    } else {
      text += " " + name + (is_set ? "=" + found->second : " unset");
    }
  }
  return (is_oversubscribed ? ", oversubscribed" : "") + text;
}

std::string ratio_text(const std::optional<Figure>& figure) {
  if (!figure) return "-";
  const std::string value = significant(figure->value, 3);
  return figure->interval ? value + " (" + interval_text(figure->interval, 1, 3) + ")" : value;
}

std::string percent_of(double share) { return fixed_text(per_cent * share, 1) + " %"; }

std::string efficiency_text(const std::optional<Figure>& figure) {
  if (!figure) return "-";
  const std::string interval =
      figure->interval ? " (" + interval_text(figure->interval, per_cent, 3) + ")" : "";
  return percent_of(figure->value) + interval;
}

std::string time_text(const Figure& figure) { return short_time(figure.value, figure.interval); }

/// "; load imbalance grew from 0.0 % to 42.9 % of the time, the most of the calls MPI_Bcast, ..."
std::string growth_words(const Run& run) {
  std::string text;
  if (run.part_that_grew) {
    text += "; " + std::string(word(run.part_that_grew->what)) + " grew the most, from " +
            percent_of(run.part_that_grew->from) + " to " + percent_of(run.part_that_grew->to) +
            " of the time";
  }
  if (run.call_that_grew) {
    text += text.empty() ? "; " : ", ";
    text += "of the calls " + inert(run.call_that_grew->what) + ", from " +
            percent_of(run.call_that_grew->from) + " to " + percent_of(run.call_that_grew->to);
  }
  return text.empty() ? "; no share of its time grew" : text;
}

std::string sentence_of(const Run& run, const std::string& label, const std::string& reference,
                        bool scales) {
  if (!run.speed_up) return label + ": no time to compare with " + reference;
  std::string text = label + ": speed-up " + ratio_text(run.speed_up) + " over " + reference;
  if (scales) text += ", efficiency " + efficiency_text(run.scaling_efficiency);
  return text + growth_words(run);
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
  if (most == 1) return "one launch of each: no figure has an interval";
  const std::string text =
      fewest == most ? count_text(most, "launch") + " of each"
                     : std::to_string(fewest) + " to " + count_text(most, "launch") + " of a run";
  if (fewest >= needed) return text + ": intervals (95 %) are over launches";
  return text + ": an interval of a time needs " +
         std::to_string(applications::launches_for_intervals()) + ", one of a speed-up " +
         std::to_string(needed) + " of both runs";
}

Lines trust_of(const Comparison& comparison) {
  Lines lines{launches_words(comparison)};
  if (!differ(comparison.runs, &Run::ranks)) return lines;
  const bool is_weak = comparison.scaling == Scaling::weak;
  lines.emplace_back(is_weak ? "the work of a rank is taken to be the same in all runs (--weak)"
                             : "the whole work is taken to be the same in all runs; --weak: that "
                               "of a rank");
  return lines;
}

/// What all runs have in common.
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
                .trust = trust_of(comparison),
                .next = {{"--all", "every figure with its interval, shares of the time, calls"}}};
  for (std::size_t i = 1; i < labels.size(); ++i) {
    screen.answer.push_back(sentence_of(comparison.runs[i], labels[i], labels.front(), scales));
  }
  screen.verdict = screen.answer.back();
  screen.answer.emplace_back();
  std::ranges::copy(table_of_runs(comparison, labels), std::back_inserter(screen.answer));
  return screen;
}

void print_comparison_tables(std::ostream& out, const Comparison& comparison) {
  const std::vector<std::string> labels = run_labels(comparison);
  const auto print = [&](const std::vector<std::vector<std::string>>& rows) {
    const Lines lines = columns_of(rows);
    out << "# " << lines.front() << '\n';
    for (std::size_t i = 1; i < lines.size(); ++i) out << "  " << lines[i] << '\n';
    out << "#\n";
  };
  for (const std::string& line : trust_of(comparison)) out << "# " << line << '\n';
  std::vector<std::vector<std::string>> figures{{"run", "time", "speed-up", "efficiency",
                                                 "POP parallel", "load balance", "communication",
                                                 "computing", "global"}};
  std::vector<std::vector<std::string>> shares{
      {"run", "computing", "load imbalance", "communication", "files"}};
  std::vector<std::vector<std::string>> calls{{"run", "call", "share of the time"}};
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const Run& run = comparison.runs[i];
    figures.push_back({labels[i], time_text(run.seconds), ratio_text(run.speed_up),
                       efficiency_text(run.scaling_efficiency), efficiency_text(run.parallel),
                       efficiency_text(run.load_balance), efficiency_text(run.communication),
                       efficiency_text(run.computing_efficiency),
                       efficiency_text(run.global_efficiency)});
    std::vector<std::string>& of_run = shares.emplace_back(std::vector{labels[i]});
    for (const double share : run.shares) of_run.push_back(percent_of(share));
    for (const auto& [call, share] : run.call_shares) {
      calls.push_back({labels[i], inert(call), percent_of(share)});
    }
  }
  print(figures);
  print(shares);
  print(calls);
}

}  // namespace hockney::report
