#include "components/application/analysis/functions.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <set>
#include <tuple>
#include <utility>

#include "core/distributions.hpp"

namespace hockney::applications {
namespace {

constexpr double level = 0.95;

/// Whether a module is of the C library, or of a compiler's runtime: programs do not choose how
/// long these compute.
bool is_runtime(const std::string& module) {
  constexpr std::array<std::string_view, 10> names{
      "libc.so",   "libm.so",  "libpthread",  "ld-linux", "linux-vdso",
      "libstdc++", "libgcc_s", "libgfortran", "libgomp",  "libquadmath"};
  const std::string file = std::filesystem::path(module).filename().string();
  return std::ranges::any_of(names, [&](std::string_view name) { return file.starts_with(name); });
}

/// Gives functions their indices, and adds up stacks of the same functions.
class FunctionIndex {
 public:
  FunctionIndex(const profile::Samples& samples, const FrameNames& names)
      : samples_(samples), names_(names) {}

  SampledFunctions take() {
    made_.period_seconds = samples_.period_seconds;
    made_.handler_seconds = samples_.handler_seconds;
    for (const profile::Stack& stack : samples_.stacks) add(stack);
    for (auto& [key, counts] : stacks_) {
      made_.stacks.push_back({key.second, key.first, std::move(counts)});
    }
    for (const auto& [key, count] : lines_) {
      made_.lines.push_back({std::get<0>(key), std::get<1>(key), std::get<2>(key), count});
    }
    std::ranges::stable_sort(made_.lines, std::greater<>(), &SampledLine::count);
    return std::move(made_);
  }

 private:
  void add(const profile::Stack& stack) {
    std::vector<int> functions;
    const CodeName* innermost = nullptr;
    for (const int frame : stack.frames) {
      for (const CodeName& name : names_.at(static_cast<std::size_t>(frame))) {
        if (innermost == nullptr) innermost = &name;
        functions.push_back(index_of(name.function));
      }
    }
    drop_start(functions);
    if (functions.empty()) functions.push_back(index_of({.name = "[stack not known]"}));
    std::int64_t count = 0;
    const std::pair key{stack.call, std::vector<int>(functions.rbegin(), functions.rend())};
    for (std::size_t i = 0; i < stack.ranks.size(); ++i) {
      stacks_[key][stack.ranks[i]] += stack.counts[i];
      count += stack.counts[i];
    }
    (stack.call.empty() ? made_.computing : made_.in_mpi) += count;
    if (!stack.call.empty() || innermost == nullptr || innermost->line == 0) return;
    lines_[{functions.front(), innermost->file, innermost->line}] += count;
  }

  /// Leaves out the functions that only lead to the program's first one: the executable's start,
  /// which calls the C library, which calls main() or begins a thread.
  void drop_start(std::vector<int>& functions) const {
    const auto from_outside = [&](std::size_t place) -> const CodeFunction& {
      const int function = functions[functions.size() - 1 - place];
      return made_.functions[static_cast<std::size_t>(function)];
    };
    const auto is_start = [](const CodeFunction& function) {
      return function.name == "_start" || function.name.starts_with('[');
    };
    if (functions.size() > 2 && is_start(from_outside(0)) && is_runtime(from_outside(1).module)) {
      functions.pop_back();
    }
    while (functions.size() > 1 && is_runtime(from_outside(0).module)) functions.pop_back();
  }

  int index_of(const CodeFunction& function) {
    const auto [found, is_new] =
        functions_.try_emplace(function, static_cast<int>(made_.functions.size()));
    if (is_new) made_.functions.push_back(function);
    return found->second;
  }

  const profile::Samples& samples_;
  const FrameNames& names_;
  SampledFunctions made_;
  std::map<CodeFunction, int> functions_;
  std::map<std::pair<std::string, std::vector<int>>, std::map<int, std::int64_t>> stacks_;
  std::map<std::tuple<int, std::string, int>, std::int64_t> lines_;
};

/// Samples of one function, and by rank those of computing.
struct FunctionSums {
  std::map<int, std::int64_t> by_rank;
  std::int64_t within = 0;
  std::int64_t in_mpi = 0;
};

void add_ranks(const std::vector<int>& ranks, const FunctionSums& sums, double period_seconds,
               FunctionTime& time) {
  std::vector<double> seconds;
  for (const int rank : ranks) {
    const auto found = sums.by_rank.find(rank);
    const std::int64_t count = found == sums.by_rank.end() ? 0 : found->second;
    seconds.push_back(static_cast<double>(count) * period_seconds);
    time.count += count;
    if (seconds.back() <= time.slowest_seconds) continue;
    time.slowest_seconds = seconds.back();
    time.slowest_rank = rank;
  }
  time.median_seconds = quantile(seconds, 0.5).value_or(0);
  if (time.median_seconds > 0) time.ratio = time.slowest_seconds / time.median_seconds;
}

/// Samples below a place in the tree of calls: of one rank, and of all others.
struct Difference {
  double own = 0;
  double others = 0;
  std::map<int, Difference> children;

  /// Samples more than the mean of the others.
  [[nodiscard]] double more(double other_ranks) const { return own - others / other_ranks; }
};

Difference difference_tree(const SampledFunctions& sampled, int rank) {
  Difference root;
  for (const NamedStack& stack : sampled.stacks) {
    if (!stack.call.empty()) continue;
    const auto found = stack.counts.find(rank);
    const auto own = static_cast<double>(found == stack.counts.end() ? 0 : found->second);
    const double others = static_cast<double>(stack.count()) - own;
    Difference* place = &root;
    place->own += own;
    place->others += others;
    for (const int function : stack.functions) {
      place = &place->children[function];
      place->own += own;
      place->others += others;
    }
  }
  return root;
}

/// Samples in a function and below it.
struct CountedCalls {
  std::int64_t count = 0;
  std::map<std::pair<int, std::string>, CountedCalls> children;
};

void list_nodes(const CountedCalls& parent, int place, int depth, std::vector<CallNode>& nodes) {
  std::vector<const std::pair<const std::pair<int, std::string>, CountedCalls>*> children;
  for (const auto& child : parent.children) children.push_back(&child);
  std::ranges::stable_sort(children, std::greater<>(),
                           [](const auto* child) { return child->second.count; });
  for (const auto* child : children) {
    const auto& [function, call] = child->first;
    nodes.push_back({place, function, call, child->second.count, depth});
    list_nodes(child->second, static_cast<int>(nodes.size()) - 1, depth + 1, nodes);
  }
}

}  // namespace

std::int64_t NamedStack::count() const {
  std::int64_t sum = 0;
  for (const auto& [rank, count] : counts) sum += count;
  return sum;
}

std::optional<double> SampledFunctions::overhead() const {
  const double seconds = static_cast<double>(computing + in_mpi) * period_seconds;
  return seconds > 0 ? std::optional(handler_seconds / seconds) : std::nullopt;
}

std::optional<SampledFunctions> sampled_functions(const profile::Profile& profile,
                                                  const FrameNames& names) {
  if (!profile.samples) return std::nullopt;
  SampledFunctions made = FunctionIndex(*profile.samples, names).take();
  for (const profile::Rank& rank : profile.ranks) made.ranks.push_back(rank.rank);
  return made;
}

std::optional<Interval> share_interval(std::int64_t count, std::int64_t samples) {
  if (samples <= 0 || count < 0 || count > samples) return std::nullopt;
  const auto trials = static_cast<double>(samples);
  const auto successes = static_cast<double>(count);
  constexpr double tail = (1 - level) / 2;
  return Interval{binomial_lower_chance(trials, successes, tail),
                  binomial_upper_chance(trials, successes, tail), level};
}

std::vector<FunctionTime> function_times(const SampledFunctions& sampled) {
  std::map<int, FunctionSums> all;
  for (const NamedStack& stack : sampled.stacks) {
    FunctionSums& innermost = all[stack.functions.back()];
    if (!stack.call.empty()) {
      innermost.in_mpi += stack.count();
      continue;
    }
    for (const auto& [rank, count] : stack.counts) innermost.by_rank[rank] += count;
    // A recursive function counts once.
    const std::set<int> different(stack.functions.begin(), stack.functions.end());
    for (const int function : different) all[function].within += stack.count();
  }
  std::vector<FunctionTime> times;
  for (const auto& [function, sums] : all) {
    FunctionTime time{.function = function, .within = sums.within, .in_mpi = sums.in_mpi};
    add_ranks(sampled.ranks, sums, sampled.period_seconds, time);
    time.seconds = static_cast<double>(time.count) * sampled.period_seconds;
    time.interval = share_interval(time.count, sampled.computing);
    if (sampled.computing > 0) {
      time.share = static_cast<double>(time.count) / static_cast<double>(sampled.computing);
    }
    times.push_back(time);
  }
  std::ranges::stable_sort(times, [](const FunctionTime& a, const FunctionTime& b) {
    return std::tie(a.count, a.within, a.in_mpi) > std::tie(b.count, b.within, b.in_mpi);
  });
  return times;
}

std::optional<int> slower_function(const SampledFunctions& sampled, int rank) {
  if (sampled.ranks.size() < 2) return std::nullopt;
  const double others = static_cast<double>(sampled.ranks.size()) - 1;
  const Difference root = difference_tree(sampled, rank);
  const double whole = root.more(others);
  constexpr double sure = 3;  // standard deviations of a Poisson count
  if (whole < sure * std::sqrt(root.own + root.others / others / others)) return std::nullopt;
  constexpr double most = 0.8;  // of the difference
  std::optional<int> innermost;
  std::optional<int> own;
  for (const Difference* place = &root; !place->children.empty();) {
    const auto next = std::ranges::max_element(
        place->children, {}, [&](const auto& child) { return child.second.more(others); });
    if (next->second.more(others) < most * whole) break;
    innermost = next->first;
    const std::string& module = sampled.functions[static_cast<std::size_t>(next->first)].module;
    if (!is_runtime(module)) own = next->first;
    place = &next->second;
  }
  return own ? own : innermost;
}

std::vector<CallNode> call_tree(const SampledFunctions& sampled) {
  CountedCalls root;
  for (const NamedStack& stack : sampled.stacks) {
    const std::int64_t count = stack.count();
    CountedCalls* place = &root;
    for (const int function : stack.functions) {
      place = &place->children[{function, ""}];
      place->count += count;
    }
    if (!stack.call.empty()) place->children[{-1, stack.call}].count += count;
  }
  std::vector<CallNode> nodes;
  list_nodes(root, -1, 0, nodes);
  return nodes;
}

std::string short_name(const std::string& function) {
  const bool is_plain = function.starts_with('[') || function.find("operator") != std::string::npos;
  if (is_plain) return function;
  std::string text = function;
  const std::string unnamed = "(anonymous namespace)::";
  for (std::size_t at = text.find(unnamed); at != std::string::npos; at = text.find(unnamed)) {
    text.erase(at, unnamed.size());
  }
  std::string name;
  int depth = 0;  // of template arguments
  for (const char letter : text) {
    if (letter == '(' && depth == 0) break;  // parameters
    if (letter == '<') ++depth;
    if (depth == 0) name += letter;
    if (letter == '>') --depth;
  }
  name.erase(0, name.rfind(' ') + 1);  // the return type of a template
  return name.empty() ? function : name;
}

}  // namespace hockney::applications
