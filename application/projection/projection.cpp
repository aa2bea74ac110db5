#include "application/projection/projection.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "core/error.hpp"
#include "core/text.hpp"

namespace hockney::projection {
namespace {

/// A change that is smaller is none, as the noise of launches is at least as large.
constexpr double least_effect = 0.01;
constexpr double most_stretch = 8;
/// Beyond it models and program disagree too much for a point between the ends of the range.
constexpr double agreeing_stretch = 2;
/// Of schedules, in a program that is replayed some dozens of times.
constexpr std::int64_t most_messages = 200'000;

std::vector<std::string> hosts_of_ranks(const applications::Trace& trace) {
  std::vector<std::string> hosts;
  hosts.reserve(trace.ranks.size());
  for (const applications::RankTrace& rank : trace.ranks) hosts.push_back(rank.host);
  return hosts;
}

Effect effect_of(const Range& range, double measured) {
  const double low = range.low_seconds / measured - 1;
  const double high = range.high_seconds / measured - 1;
  if (low >= -least_effect && high <= least_effect) return Effect::none;
  if (high < 0) return Effect::faster;
  if (low > 0) return Effect::slower;
  return Effect::cannot_tell;
}

}  // namespace

Projector::Projector(const applications::Trace& trace, const Machine& machine,
                     ForcedAlgorithms forced)
    : machine_(machine),
      forced_(std::move(forced)),
      program_(happens_before(trace)),
      hosts_(hosts_of_ranks(trace)) {
  for (const applications::RankTrace& rank : trace.ranks) {
    validation_.measured_seconds = std::max(validation_.measured_seconds, rank.seconds);
  }
  if (validation_.measured_seconds <= 0) {
    throw InputError({"nothing to predict from", "no time passed between MPI_Init and MPI_Finalize",
                      "record a longer run"});
  }
  validation_.model_seconds = replayed(machine, {}, {});
  validation_.ideal_seconds = replayed(machine, {.is_free = true}, {});
  validation_.stretch = stretch_to(validation_.measured_seconds);
}

double Projector::replayed(const Machine& machine, const WhatIf& what_if,
                           const Costs& costs) const {
  WhatIf whole = what_if;
  whole.algorithms.insert(forced_.begin(), forced_.end());
  ModelNetwork network(machine, hosts_, whole, costs.level, costs.stretch);
  return replay(scheduled(machine, whole), network).seconds;
}

/// Blocking collectives alone: what goes on in others while ranks compute is not known.
Carriers Projector::carriers(const Machine& machine, const WhatIf& what_if) const {
  const ModelNetwork network(machine, hosts_, what_if, Level::middle, 1);
  using Kind = std::tuple<profile::Function, std::int64_t, int, std::size_t>;
  std::map<Kind, std::optional<std::string>> known;  // programs make the same calls again and again
  Carriers carriers;
  for (const applications::CollectiveCall& call : program_.collectives) {
    const bool is_blocking = profile::describe(call.function).at.request < 0;
    const bool is_empty = call.waits == applications::Waits::for_nobody;
    if (!is_blocking || is_empty) {
      carriers.emplace_back();
      continue;
    }
    const auto [found, is_new] =
        known.try_emplace({call.function, call.bytes, call.root, call.ranks.size()});
    if (is_new) found->second = network.collectives().scheduled_algorithm(call);
    carriers.push_back(found->second);
  }
  const bool is_too_long = scheduled_messages(program_, carriers) > most_messages;
  return is_too_long ? Carriers(program_.collectives.size()) : carriers;
}

const applications::HappensBefore& Projector::scheduled(const Machine& machine,
                                                        const WhatIf& what_if) const {
  Carriers asked = carriers(machine, what_if);
  if (std::ranges::none_of(asked, [](const auto& one) { return one.has_value(); })) {
    return program_;
  }
  if (carriers_ != asked) {
    scheduled_ = with_schedules(program_, asked);
    carriers_ = std::move(asked);
  }
  return scheduled_;
}

/// By bisection: more cost never makes a replay shorter, but for the order of messages at a port.
std::optional<double> Projector::stretch_to(double seconds) const {
  const auto at = [&](double stretch) {
    return replayed(machine_, {}, {.level = Level::middle, .stretch = stretch});
  };
  double low = 1 / most_stretch;
  double high = most_stretch;
  if (at(low) > seconds || at(high) < seconds) {
    const bool is_explained = std::abs(validation_.error()) <= least_effect;
    return is_explained ? std::optional(1.0) : std::nullopt;
  }
  constexpr int halvings = 12;
  for (int i = 0; i < halvings; ++i) {
    const double middle = std::sqrt(low * high);
    (at(middle) > seconds ? high : low) = middle;
  }
  return std::sqrt(low * high);
}

Projection Projector::project(const std::string& question, const WhatIf& what_if) const {
  return project(question, what_if, machine_);
}

Projection Projector::project(const std::string& question, const WhatIf& what_if,
                              const Machine& machine) const {
  Projection found{.question = question, .seconds = 0, .range = {}, .why_not = {}};
  try {
    const auto& [measured, model, ideal, stretch] = validation_;
    std::vector<double> answers;
    for (const Level level : {Level::low, Level::middle, Level::high}) {
      const Costs costs{.level = level};
      // One machine errs alike before and after; what another one takes is its models' alone.
      const bool is_other = &machine != &machine_ && level != Level::middle;
      const double before = is_other ? measured : replayed(machine_, {}, costs);
      answers.push_back(std::max(0.0, measured + replayed(machine, what_if, costs) - before));
    }
    const double usual = stretch.value_or(model < measured ? most_stretch : 1 / most_stretch);
    const double stretched = replayed(machine, what_if, {.level = Level::middle, .stretch = usual});
    answers.push_back(stretched);
    found.range = {std::ranges::min(answers), std::ranges::max(answers)};
    found.effect = effect_of(found.range, measured);
    found.seconds = stretched;
    if (std::max(usual, 1 / usual) > agreeing_stretch) {
      found.seconds = (found.range.low_seconds + found.range.high_seconds) / 2;
    }
  } catch (const Error& error) {
    found.why_not = error.what();
  }
  return found;
}

std::vector<std::string> Projector::doubts() const {
  std::vector<std::string> doubts = machine_.doubts();
  const WhatIf as_it_was{.algorithms = forced_, .hosts = {}};
  ModelNetwork network(machine_, hosts_, as_it_was, Level::middle, 1);
  for (const auto& call : program_.collectives) network.collective_seconds(call);
  const auto& collectives = network.collectives();
  if (!collectives.replayed().empty()) {
    const bool is_followed = &scheduled(machine_, as_it_was) == &scheduled_;
    doubts.push_back("not measured, the usual algorithms were replayed: " +
                     join({collectives.replayed().begin(), collectives.replayed().end()}) +
                     (is_followed ? "" : ", as if all ranks came to them together"));
  }
  if (!collectives.unknown().empty()) {
    doubts.push_back("taken to cost nothing: " +
                     join({collectives.unknown().begin(), collectives.unknown().end()}));
  }
  if (!machine_.knows_limits(hosts_)) {
    doubts.emplace_back(
        "no eager limit is known: no sender waits for its receive (add records of "
        "hockney-protocol)");
  }
  const Overheads* const overheads =
      machine_.overheads(std::ranges::adjacent_find(hosts_, std::not_equal_to<>()) == hosts_.end()
                             ? applications::Reach::in_node
                             : applications::Reach::between_nodes);
  if (overheads == nullptr && !program_.messages.empty()) {
    doubts.emplace_back(
        "what a processor spends on a message is not known: many small ones look cheaper than "
        "they are (add records of hockney-protocol)");
  }
  std::ranges::copy(program_.notes, std::back_inserter(doubts));
  return doubts;
}

std::int64_t Projector::largest_message_bytes() const {
  std::int64_t largest = 0;
  for (const auto& message : program_.messages) largest = std::max(largest, message.bytes);
  return largest;
}

std::vector<std::int64_t> Projector::message_sizes(applications::Reach reach) const {
  std::set<std::int64_t> sizes;
  for (const auto& message : program_.messages) {
    const bool is_one_node = hosts_[static_cast<std::size_t>(message.from)] ==
                             hosts_[static_cast<std::size_t>(message.to)];
    if (is_one_node == (reach == applications::Reach::in_node)) sizes.insert(message.bytes);
  }
  return {sizes.begin(), sizes.end()};
}

std::set<std::string> Projector::operations() const {
  std::set<std::string> operations;
  for (const auto& call : program_.collectives) {
    if (const auto collective = work_of(call)) operations.insert(collective->operation);
  }
  return operations;
}

std::vector<std::string> in_blocks(const std::vector<std::string>& hosts) {
  std::vector<std::string> blocks;
  std::vector<std::string> rest = hosts;
  while (!rest.empty()) {
    const std::string host = rest.front();
    const auto count = std::ranges::count(rest, host);
    blocks.insert(blocks.end(), static_cast<std::size_t>(count), host);
    std::erase(rest, host);
  }
  return blocks;
}

std::vector<std::string> round_robin(const std::vector<std::string>& hosts) {
  std::vector<std::pair<std::string, std::ptrdiff_t>> free;
  for (const std::string& host : in_blocks(hosts)) {
    if (free.empty() || free.back().first != host) free.emplace_back(host, 0);
    ++free.back().second;
  }
  std::vector<std::string> dealt;
  while (dealt.size() < hosts.size()) {
    for (auto& [host, slots] : free) {
      if (slots-- > 0) dealt.push_back(host);
    }
  }
  return dealt;
}

}  // namespace hockney::projection
