#include "components/application/screens/function_views.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>

#include "core/text.hpp"
#include "report/table.hpp"

namespace hockney::report {
namespace {

/// Sentences of these views.
namespace words {

constexpr std::string_view samples =
    "{}, one each {} of CPU time of a thread; the handler took {} of it; {} of them computing{}";
constexpr std::string_view sampled_share = "; they are {} of the CPU time of all threads";

}  // namespace words

using applications::CodeFunction;
using applications::FunctionTime;
using applications::SampledFunctions;
using applications::SampledLine;

std::string file_name(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

/// "ring.c:22"; empty if the file is not known.
std::string place_text(const std::string& file, int line) {
  if (file.empty()) return {};
  return line > 0 ? fmt::format("{}:{}", file_name(file), line) : file_name(file);
}

const CodeFunction& at(const SampledFunctions& sampled, int function) {
  return sampled.functions.at(static_cast<std::size_t>(function));
}

/// The columns of a function. The sampled functions must outlive them.
Columns<FunctionTime> function_columns(const SampledFunctions& sampled) {
  const auto of = [&sampled](const FunctionTime& one) -> const CodeFunction& {
    return at(sampled, one.function);
  };
  const auto seconds = [&sampled](std::int64_t count) {
    return static_cast<double>(count) * sampled.period_seconds;
  };
  const Forms shown = Form::terminal;
  const Forms exact = Form::csv | Form::json;
  return joined<FunctionTime>(
      {{{{"function", "function", Unit::text, shown},
         [=](const FunctionTime& one) { return function_text(of(one)); }},
        {{"name", "function", Unit::text, Form::json},
         [=](const FunctionTime& one) { return function_text(of(one)); }},
        {{"function", "function", Unit::text, exact},
         [=](const FunctionTime& one) { return of(one).name; }},
        {{"file", "file", Unit::text, exact},
         [=](const FunctionTime& one) { return known_text(of(one).file); }},
        {{"line", "line", Unit::count, exact},
         [=](const FunctionTime& one) { return of(one).line > 0 ? Value(of(one).line) : Value(); }},
        {{"module", "module", Unit::text, exact},
         [=](const FunctionTime& one) { return known_text(of(one).module); }},
        {{"samples", "samples", Unit::count, exact}, &FunctionTime::count},
        {{"seconds", "computing", Unit::seconds}, &FunctionTime::seconds},
        {{"share", "of computing", Unit::share}, &FunctionTime::share},
        interval_column<FunctionTime>("share_ci", Unit::share,
                                      [](const FunctionTime& one) { return one.interval; }),
        {{"within_seconds", "with callees", Unit::seconds},
         [=](const FunctionTime& one) { return seconds(one.within); }},
        {{"mpi_seconds", "MPI called", Unit::seconds},
         [=](const FunctionTime& one) { return seconds(one.in_mpi); }},
        {{"slowest_rank", "slowest rank", Unit::count},
         [](const FunctionTime& one) { return one.count > 0 ? Value(one.slowest_rank) : Value(); }},
        {{"slowest_seconds", "its time", Unit::seconds}, &FunctionTime::slowest_seconds},
        {{"median_seconds", "median rank", Unit::seconds}, &FunctionTime::median_seconds},
        {{"ratio", "ratio", Unit::number}, &FunctionTime::ratio}}});
}

/// Share of the CPU time that samples stand for; empty for profiles without CPU times.
std::string sampled_share(const profile::Profile& profile, double sampled_seconds) {
  double seconds = 0;
  for (const profile::Rank& rank : profile.ranks) {
    if (rank.cpu) seconds += rank.cpu->user_seconds + rank.cpu->system_seconds;
  }
  if (seconds <= 0) return {};
  return fmt::format(words::sampled_share, share_text(std::min(sampled_seconds / seconds, 1.0)));
}

}  // namespace

std::string function_text(const CodeFunction& function) {
  const std::string name = applications::short_name(function.name);
  const bool is_module = name.starts_with('[');
  const std::string place = place_text(function.file, function.line);
  const std::string beside = place.empty() && !is_module ? file_name(function.module) : place;
  return escaped(beside.empty() ? name : fmt::format("{} ({})", name, beside));
}

// NOLINTNEXTLINE(readability-function-size): a list of columns

View view_of_functions(const ProfileView& view) {
  if (!view.report.functions) return {};
  return make_view(function_columns(*view.report.functions),
                   function_times(*view.report.functions));
}

nlohmann::json functions_json(const ProfileView& view) {
  if (!view.report.functions) return nullptr;
  const SampledFunctions& sampled = *view.report.functions;
  nlohmann::json json = to_json(view_of_functions(view));
  constexpr std::size_t most = 8;
  const std::vector<FunctionTime> times = function_times(sampled);
  for (std::size_t i = 0; i < std::min(times.size(), most); ++i) {
    std::map<int, std::int64_t> counts;
    for (const applications::NamedStack& stack : sampled.stacks) {
      if (!stack.call.empty() || stack.functions.empty()) continue;
      if (stack.functions.back() != times[i].function) continue;
      for (const auto& [rank, count] : stack.counts) counts[rank] += count;
    }
    nlohmann::json& seconds = json[i]["rank_seconds"] = nlohmann::json::array();
    for (const int rank : sampled.ranks) {
      seconds.push_back(static_cast<double>(counts[rank]) * sampled.period_seconds);
    }
  }
  return json;
}

nlohmann::json call_tree_json(const ProfileView& view) {
  if (!view.report.functions) return nullptr;
  const SampledFunctions& sampled = *view.report.functions;
  constexpr std::int64_t parts = 1000;
  const std::int64_t least = (sampled.computing + sampled.in_mpi) / parts;
  nlohmann::json json = nlohmann::json::array();
  for (const applications::CallNode& node : applications::call_tree(sampled)) {
    if (node.count < least) continue;
    const bool is_mpi = node.function < 0;
    json.push_back(
        {{"function",
          is_mpi ? node.call : applications::short_name(at(sampled, node.function).name)},
         {"is_mpi", is_mpi},
         {"depth", node.depth},
         {"samples", node.count}});
  }
  return json;
}

View view_of_lines(const ProfileView& view) {
  if (!view.report.functions) return {};
  const SampledFunctions& sampled = *view.report.functions;
  const Columns<SampledLine> columns{
      {{"line", "line"}, [](const SampledLine& one) { return place_text(one.file, one.line); }},
      {{"function", "function"},
       [&](const SampledLine& one) {
         return applications::short_name(at(sampled, one.function).name);
       }},
      {{"seconds", "computing", Unit::seconds},
       [&](const SampledLine& one) {
         return static_cast<double>(one.count) * sampled.period_seconds;
       }},
      {{"share", "of computing", Unit::share}, [&](const SampledLine& one) {
         return static_cast<double>(one.count) / static_cast<double>(sampled.computing);
       }}};
  return make_view(columns, sampled.lines);
}

std::string functions_words(const ProfileView& view) {
  if (!view.report.functions) return {};
  constexpr std::size_t most = 3;
  constexpr double least = 0.02;  // of computing
  std::vector<std::string> parts;
  for (const FunctionTime& one : function_times(*view.report.functions)) {
    if (parts.size() == most || one.share < least) break;
    std::string text = fmt::format("{} {}", function_text(at(*view.report.functions, one.function)),
                                   share_text(one.share));
    if (parts.empty()) {
      text += " of computing";
      if (one.interval) {
        text += fmt::format(" ({} to {})", share_text(one.interval->low),
                            share_text(one.interval->high));
      }
    }
    parts.push_back(std::move(text));
  }
  return join(parts);
}

std::string sampling_words(const ProfileView& view) {
  if (!view.report.functions) return {};
  const SampledFunctions& sampled = *view.report.functions;
  const auto overhead = sampled.overhead();
  if (!overhead) return {};
  return fmt::format(
      words::samples,
      count_text(static_cast<std::size_t>(sampled.computing + sampled.in_mpi), "sample"),
      short_time(sampled.period_seconds), format_fraction(*overhead), sampled.computing,
      sampled_share(view.report.profile, static_cast<double>(sampled.computing + sampled.in_mpi) *
                                             sampled.period_seconds));
}

void write_folded(std::ostream& out, const SampledFunctions& sampled) {
  const auto plain = [](const std::string& name) {
    std::string text = escaped(name);
    std::ranges::replace(text, ';', ':');
    return text;
  };
  for (const applications::NamedStack& stack : sampled.stacks) {
    std::vector<std::string> names;
    names.reserve(stack.functions.size() + 1);
    for (const int function : stack.functions) names.push_back(plain(at(sampled, function).name));
    if (!stack.call.empty()) names.push_back(plain(stack.call));
    out << join(names, ";") << ' ' << stack.count() << '\n';
  }
}

}  // namespace hockney::report
