#include <algorithm>
#include <map>

#include "core/text.hpp"
#include "report/page/plot.hpp"
#include "application/screens/comparison_report.hpp"
#include "application/page/pictures.hpp"
#include "report/table.hpp"

namespace hockney::report {
namespace {

using applications::Comparison;
using applications::Part;
using applications::Run;
using Json = nlohmann::json;

constexpr std::size_t most_compared_calls = 8;

/// The part that grew in the last run, in words.
std::string parts_title(const Comparison& comparison) {
  const Run& last = comparison.runs.back();
  const std::string label = run_labels(comparison).back();
  if (!last.part_that_grew) return "No part of the time grew in " + label;
  return "The part for " + std::string(word(last.part_that_grew->what)) + " grew the most, from " +
         share_text(last.part_that_grew->from) + " to " + share_text(last.part_that_grew->to) +
         " of the time of " + label;
}

Picture parts_picture(const Comparison& comparison, const ProgramSource& source) {
  const std::vector<std::string> labels = run_labels(comparison);
  Picture picture{
      .id = "parts-by-run",
      .title = parts_title(comparison),
      .caption = "Where the time of each run goes: means over its ranks, medians over launches.",
      .table = PageTable{{{"run", "run"}, {"part", "part"}, {"share", "share_fraction"}}, {}},
      .launches = source.launches,
      .command = source.command + " --all"};
  std::vector<std::string> parts;
  for (std::size_t index = 0; index < enum_words<Part>.size(); ++index) {
    const auto has_any = [&](const Run& run) { return run.shares[index] > 0; };
    if (!std::ranges::any_of(comparison.runs, has_any)) continue;
    parts.emplace_back(enum_words<Part>.at(index));
    for (std::size_t i = 0; i < labels.size(); ++i) {
      picture.table.rows.push_back(
          {labels[i], parts.back(), share_on_page(comparison.runs[i].shares[index])});
    }
  }
  Json values = values_of(picture.table);
  number_parts(values, parts);
  Json y = name_channel("run", "", labels);
  y["axis"] = {{"title", nullptr}, {"labelLimit", 330}};
  Json layers = stacked_bars(share_channel("share_fraction", "part of the time"), y, parts);
  picture.plot =
      plot_of(picture.title, std::move(values), std::move(layers), height_of_bars(labels.size()));
  return picture;
}

/// The functions that take most of the time of any run, most first.
std::vector<std::string> largest_calls(const Comparison& comparison) {
  std::map<std::string, double> most;
  for (const Run& run : comparison.runs) {
    for (const auto& [call, share] : run.call_shares) most[call] = std::max(most[call], share);
  }
  std::vector<std::pair<std::string, double>> calls(most.begin(), most.end());
  std::ranges::stable_sort(calls, std::greater<>(), &std::pair<std::string, double>::second);
  if (calls.size() > most_compared_calls) calls.resize(most_compared_calls);
  return strings_of(calls, [](const auto& one) { return one.first; });
}

std::string calls_title(const Comparison& comparison) {
  const Run& last = comparison.runs.back();
  const std::string label = run_labels(comparison).back();
  if (!last.call_that_grew) return "No call takes more of the time of " + label;
  return "Of the calls " + inert(last.call_that_grew->what) + " grew the most, from " +
         share_text(last.call_that_grew->from) + " to " + share_text(last.call_that_grew->to) +
         " of the time of " + label;
}

std::vector<Picture> calls_picture(const Comparison& comparison, const ProgramSource& source) {
  const std::vector<std::string> labels = run_labels(comparison);
  const std::vector<std::string> calls = largest_calls(comparison);
  if (calls.empty() || labels.size() > most_series) return {};
  Picture picture{
      .id = "calls-by-run",
      .title = calls_title(comparison),
      .caption = "The calls that take most of the time of any run; of the time of all its ranks.",
      .table = PageTable{{{"call", "call"}, {"run", "run"}, {"share", "share_fraction"}}, {}},
      .launches = source.launches,
      .command = source.command + " --all"};
  for (const std::string& call : calls) {
    for (std::size_t i = 0; i < labels.size(); ++i) {
      const auto& shares = comparison.runs[i].call_shares;
      const auto found = shares.find(call);
      picture.table.rows.push_back(
          {call, labels[i], share_on_page(found == shares.end() ? 0 : found->second)});
    }
  }
  Json values = values_of(picture.table);
  Json y = name_channel("call", "", names_in(values, "call"));
  y["axis"] = {{"title", nullptr}, {"labelLimit", 330}};
  const Json offset{{"field", "run"}, {"type", "nominal"}, {"sort", labels}};
  picture.plot = plot_of(
      picture.title, std::move(values),
      Json::array(
          {{{"name", "rows"},
            {"mark", "bar"},
            {"encoding", telling({{"x", share_channel("share_fraction", "part of the time")},
                                  {"y", y},
                                  {"yOffset", offset},
                                  {"color", series_color("run", labels)}})}}}),
      70 + static_cast<int>(calls.size() * labels.size()) * 14 +
          static_cast<int>(calls.size()) * 8);
  return {std::move(picture)};
}

}  // namespace

std::vector<Picture> growth_pictures(const Comparison& comparison, const ProgramSource& source) {
  std::vector<Picture> pictures{parts_picture(comparison, source)};
  std::ranges::move(calls_picture(comparison, source), std::back_inserter(pictures));
  return pictures;
}

}  // namespace hockney::report
