#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <string_view>

#include "application/page/profile_page.hpp"
#include "application/screens/function_views.hpp"
#include "core/text.hpp"
#include "report/page/plot.hpp"
#include "report/table.hpp"

namespace hockney::report {
namespace {

using applications::CallNode;
using applications::FunctionTime;
using applications::SampledFunctions;
using Json = nlohmann::json;

/// Sentences of this page.
namespace words {

constexpr std::string_view takes_most = "{} takes {} of computing";
constexpr std::string_view takes_most_on_rank =
    "{} takes {} of computing, on rank {} {} times as much as on the median rank";
constexpr std::string_view outside_of_mpi =
    "CPU time outside of MPI, in each function without those that it calls. Intervals of 95 % are "
    "those of independent samples.";
constexpr std::string_view boxes =
    "CPU time of all threads and ranks. A box below another is a function that it called; boxes of "
    "the strongest colour are MPI.";
constexpr std::string_view left_out = " Calls of less than {} are left out.";
constexpr std::string_view who_called_what = "Of the CPU time, {} is in MPI: who called what";

}  // namespace words

const applications::CodeFunction& at(const SampledFunctions& sampled, int function) {
  return sampled.functions.at(static_cast<std::size_t>(function));
}

std::vector<Picture> bars_of_functions(const ProfileView& view, const ProgramSource& source) {
  constexpr std::size_t most = 20;
  const SampledFunctions& sampled = *view.functions;  // NOLINT(bugprone-unchecked-optional-access)
  std::vector<FunctionTime> times = function_times(sampled);
  std::erase_if(times, [](const FunctionTime& one) { return one.count == 0; });
  if (times.empty()) return {};
  times.resize(std::min(times.size(), most));
  const auto columns = chosen(function_columns(sampled),
                              {"function", "share", "share_ci", "seconds", "slowest_rank",
                               "slowest_seconds", "median_seconds", "ratio", "mpi_seconds"});
  const FunctionTime& first = times.front();
  const std::string name = function_text(at(sampled, first.function));
  const std::string share = share_text(first.share);
  const double ratio = first.ratio.value_or(0);
  Picture picture{.id = "functions",
                  .title = ratio >= 1.2 ? fmt::format(words::takes_most_on_rank, name, share,
                                                      first.slowest_rank, significant(ratio, 2))
                                        : fmt::format(words::takes_most, name, share),
                  .caption = std::string(words::outside_of_mpi),
                  .table = make_view(columns, times),
                  .launches = source.launches,
                  .command = source.command + " --csv --by function"};
  draw_bars(picture, "function", {"share", "part of computing"}, "share");
  return {std::move(picture)};
}

/// A node of the tree of calls as it is drawn: samples from `left` on.
struct Box {
  const CallNode* node = nullptr;
  std::int64_t left = 0;
};

/// The nodes that are at least `least` samples wide, in depth-first order.
std::vector<Box> boxes_of(const std::vector<CallNode>& nodes, std::int64_t least) {
  std::vector<Box> boxes;
  std::vector<std::int64_t> begin(nodes.size());  // of the next child
  std::int64_t next_root = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const CallNode& node = nodes[i];
    std::int64_t& left = node.parent < 0 ? next_root : begin[static_cast<std::size_t>(node.parent)];
    begin[i] = left;
    if (node.count >= least) boxes.push_back({&node, left});
    left += node.count;
  }
  return boxes;
}

/// Samples below which a node is left out, so that a picture has at most most_marks.
std::int64_t least_samples(const std::vector<CallNode>& nodes, std::int64_t whole) {
  constexpr std::int64_t parts = 1000;  // narrower ones cannot be seen
  std::vector<std::int64_t> counts;
  counts.reserve(nodes.size());
  for (const CallNode& node : nodes) counts.push_back(node.count);
  std::ranges::sort(counts, std::greater<>());
  const std::int64_t least = std::max<std::int64_t>(1, whole / parts);
  return counts.size() <= most_marks ? least : std::max(least, counts[most_marks] + 1);
}

std::string node_text(const SampledFunctions& sampled, const CallNode& node) {
  return node.function < 0 ? node.call : function_text(at(sampled, node.function));
}

/// Sets the place of each box, and the beginning of its name that fits into it.
void place_boxes(const SampledFunctions& sampled, const std::vector<Box>& boxes, double whole,
                 Json& values) {
  constexpr double letters_of_width = 110;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const CallNode& node = *boxes[i].node;
    const double width = static_cast<double>(node.count) / whole;
    const auto fits = static_cast<std::size_t>(width * letters_of_width);
    std::string name =
        node.function < 0 ? node.call : applications::short_name(at(sampled, node.function).name);
    name = inert(name);
    if (name.size() > fits) name = fits < 4 ? "" : name.substr(0, fits - 2) + "..";
    values[i]["left"] = static_cast<double>(boxes[i].left) / whole;
    values[i]["right"] = static_cast<double>(boxes[i].left + node.count) / whole;
    values[i]["words"] = name;
    const int tone = node.function < 0 ? 4 : node.function % 2 == 0 ? 1 : 2;
    values[i]["tone"] = fmt::format("var(--heat-{})", tone);
    values[i]["ink"] = fmt::format("var(--on-heat-{})", tone);
  }
}

std::vector<Picture> flame_graph(const ProfileView& view, const ProgramSource& source) {
  const SampledFunctions& sampled = *view.functions;  // NOLINT(bugprone-unchecked-optional-access)
  const std::vector<CallNode> nodes = call_tree(sampled);
  const std::int64_t whole = sampled.computing + sampled.in_mpi;
  if (whole == 0) return {};
  const std::int64_t least = least_samples(nodes, whole);
  const std::vector<Box> boxes = boxes_of(nodes, least);
  const Columns<Box> columns{
      {{"level", "level", Unit::count}, [](const Box& box) { return box.node->depth + 1; }},
      {{"function", "function"}, [&](const Box& box) { return node_text(sampled, *box.node); }},
      {{"share", "of the CPU time", Unit::share},
       [&](const Box& box) { return applications::share_of(box.node->count, whole); }},
      {{"seconds", "CPU time", Unit::seconds}, [&](const Box& box) {
         return static_cast<double>(box.node->count) * sampled.period_seconds;
       }}};
  int levels = 0;
  for (const Box& box : boxes) levels = std::max(levels, box.node->depth + 1);
  std::string caption(words::boxes);
  if (boxes.size() < nodes.size()) {
    caption += fmt::format(words::left_out,
                           share_text(static_cast<double>(least) / static_cast<double>(whole)));
  }
  Picture picture{.id = "flame-graph",
                  .title = fmt::format(
                      words::who_called_what,
                      share_text(static_cast<double>(sampled.in_mpi) / static_cast<double>(whole))),
                  .caption = std::move(caption),
                  .table = make_view(columns, boxes),
                  .launches = source.launches,
                  .command = "hockney export folded " + inert(view.file)};
  Json values = values_of(picture.table);
  place_boxes(sampled, boxes, static_cast<double>(whole), values);
  constexpr int of_level = 22;
  draw(picture, "flame", std::move(values), {{"height", 40 + of_level * levels}});
  return {std::move(picture)};
}

}  // namespace

std::vector<Picture> function_pictures(const ProfileView& view, const ProgramSource& source) {
  if (!view.functions) return {};
  std::vector<Picture> pictures = bars_of_functions(view, source);
  std::ranges::move(flame_graph(view, source), std::back_inserter(pictures));
  return pictures;
}

}  // namespace hockney::report
