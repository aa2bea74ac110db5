#include "application/page/profile_page.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <string_view>

#include "application/screens/comparison_report.hpp"
#include "core/json_values.hpp"
#include "core/text.hpp"
#include "report/page/plot.hpp"
#include "report/table.hpp"

namespace hockney::report {
namespace {

/// Sentences of this page.
namespace words {

constexpr std::string_view without_document =
    "the page is without the document that {} --json prints ({})";
constexpr std::string_view on_one_number = "{} on 1 number of ranks";
constexpr std::string_view on_numbers = "{} on {} numbers of ranks";
constexpr std::string_view neighbours = "no launch: messages between neighbours of a grid";
constexpr std::string_view intervals = "{}95 % intervals over launches.";
constexpr std::string_view no_intervals =
    "No intervals: they come from several launches of each run.";

}  // namespace words

void append(Page& page, std::vector<Picture> more) {
  std::ranges::move(more, std::back_inserter(page.pictures));
}

/// A page with a summary and the document of --json.
Page page_with(const std::string& title, Screen screen, const nlohmann::json& document,
               const std::string& name, const std::string& command) {
  Page page{.title = inert(title),
            .screen = std::move(screen),
            .pictures = {},
            .documents = {},
            .made_by = command + " --page page.html"};
  if (page.screen.verdict.empty() && !page.screen.answer.empty()) {
    page.screen.verdict = page.screen.answer.front();
  }
  const std::size_t size = document.dump().size();
  if (size <= most_document_bytes) {
    page.documents.push_back({name, document});
  } else {
    page.screen.reliability.push_back(
        fmt::format(words::without_document, command, short_bytes(static_cast<double>(size))));
  }
  return page;
}

/// The beginning of a long command, for the line below a picture. The end of the page has the whole
/// command.
std::string abridged(const std::string& command) {
  constexpr std::size_t most = 160;
  if (command.size() <= most) return command;
  return command.substr(0, command.rfind(' ', most)) + " ...";
}

/// The command line of the program without its folder.
std::string program_of(const profile::Profile& profile) {
  std::vector<std::string> words = profile.provenance.command_line;
  if (!words.empty()) words.front() = std::filesystem::path(words.front()).filename().string();
  return inert(join(words, " "));
}

std::string one_launch_of(const profile::Profile& profile) {
  const std::string program = program_of(profile);
  return program.empty() ? "one launch" : "one launch of " + program;
}

std::string title_for(const profile::Profile& profile, const std::string& what) {
  const std::string program = program_of(profile);
  return program.empty() ? what : fmt::format("{} of {}", what, program);
}

std::string launches_of(const applications::Comparison& comparison) {
  std::size_t launches = 0;
  for (const applications::Run& run : comparison.runs) launches += run.launches;
  return fmt::format("{} of {}", count_text(launches, "launch"),
                     count_text(comparison.runs.size(), "run"));
}

std::string launches_of(const ScalingView& view) {
  std::size_t launches = 0;
  for (const auto& [ranks, shares] : view.shares) launches += shares.launches;
  const std::string counted = count_text(launches, "launch");
  if (view.shares.size() == 1) return fmt::format(words::on_one_number, counted);
  return fmt::format(words::on_numbers, counted, view.shares.size());
}

}  // namespace

Page page_of(const ProfileView& view, const std::string& command) {
  Page page = page_with(title_for(view.profile, "Profile"), screen_of(view), to_json(view),
                        "profile", command);
  const ProgramSource source{one_launch_of(view.profile), abridged(command)};
  append(page, cause_pictures(view, source));
  append(page, time_pictures(view, source));
  append(page, time_line_pictures(view, source));
  append(page, matrix_pictures(view, source));
  append(page, call_pictures(view, source));
  append(page, function_pictures(view, source));
  return page;
}

Page page_of(const applications::Comparison& comparison, const std::string& command) {
  Page page = page_with("Runs of a program compared", screen_of(comparison), to_json(comparison),
                        "comparison", command);
  const ProgramSource source{launches_of(comparison), abridged(command)};
  append(page, scaling_pictures(comparison, source));
  append(page, growth_pictures(comparison, source));
  return page;
}

Page page_of(const ScalingView& view, const std::string& command) {
  Page page = page_with("Scaling of " + join(view.words, " "), screen_of(view), to_json(view),
                        "scaling", command);
  page.made_by = command;
  append(page, law_pictures(view, {launches_of(view), abridged(command)}));
  if (!view.comparison) return page;
  const ProgramSource source{launches_of(*view.comparison), compare_command(view)};
  append(page, scaling_pictures(*view.comparison, source));
  append(page, growth_pictures(*view.comparison, source));
  return page;
}

Page page_of(const ProjectionView& view, const std::string& command) {
  Page page = page_with(title_for(view.profile, "What would change the time"), screen_of(view),
                        to_json(view), "projection", command);
  append(page, answer_pictures(view, {one_launch_of(view.profile), abridged(command)}));
  return page;
}

Page page_of(const MappingView& view) {
  Page page = page_with("Ranks on nodes: " + view.source, screen_of(view), to_json(view), "map",
                        view.command);
  const std::string launches = view.seconds ? "one launch" : std::string(words::neighbours);
  append(page, mapping_pictures(view, {launches, abridged(view.command)}));
  return page;
}

using Json = nlohmann::json;

void draw_bars(Picture& picture, const std::string& name, const BarLength& length,
               const std::string& quantity, const Json& bound) {
  constexpr double with_room = 1.15;  // for the number behind the longest bar
  Json values = values_of(picture.table);
  double most = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    most = std::max(most, values[i].at(length.key).get<double>());
    values[i]["words"] = page_text_at(picture.table, i, length.key);
  }
  const std::vector<std::string> names = names_in(values, name);
  draw(picture, "bars", std::move(values),
       {{"name", name},
        {"names", names},
        {"quantity", quantity},
        {"amount", length.key},
        {"amount_title", length.title},
        {"longest", most > 0 ? Json(with_room * most) : Json()},
        {"bound", bound},
        {"height", height_of_bars(picture.table.rows.size())}});
}

double gap_between(std::size_t bars) {
  constexpr std::size_t parted_bars = 80;  // gaps would hide more of them
  return bars > parted_bars ? 0 : 0.5;
}

void draw_stacked_bars(Picture& picture, const BarLength& length, const std::string& name,
                       const std::vector<std::string>& parts) {
  Json values = values_of(picture.table);
  number_parts(values, parts);
  const std::vector<std::string> names = names_in(values, name);
  draw(picture, "stacked_bars", std::move(values),
       {{"name", name},
        {"names", names},
        {"share", length.key},
        {"share_title", length.title},
        {"part_color", part_color(parts)},
        {"gap", gap_between(names.size())},
        {"height", height_of_bars(names.size())}});
}

void number_parts(Json& values, const std::vector<std::string>& parts) {
  for (Json& value : values) {
    value["order"] = std::ranges::find(parts, value.at("part").get<std::string>()) - parts.begin();
  }
}

std::string interval_caption(const Json& values, const std::string& where) {
  return has_any(values, "value_ci_low") ? fmt::format(words::intervals, where)
                                         : std::string(words::no_intervals);
}

View view_of_figures(const std::vector<RunFigure>& figures, const Column<RunFigure>& own,
                     const std::string& title) {
  const Columns<RunFigure> columns{
      {{"run", "run"}, &RunFigure::label},
      {{"ranks", "ranks", Unit::count}, [](const RunFigure& one) { return one.run->ranks; }},
      own,
      {{"value", title, Unit::number}, [](const RunFigure& one) { return one.figure.value; }},
      interval_column<RunFigure>("value_ci", Unit::number,
                                 [](const RunFigure& one) { return one.figure.interval; })};
  return make_view(columns, figures);
}

int height_of_bars(std::size_t bars) {
  constexpr int of_axis = 70;
  constexpr int of_bar = 30;
  return of_axis + of_bar * static_cast<int>(bars);
}

}  // namespace hockney::report
