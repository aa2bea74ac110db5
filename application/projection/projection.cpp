#include "application/projection/projection.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/error.hpp"
#include "core/text.hpp"

namespace hockney::projection {
namespace {

/// A change that is smaller is none, as the noise of launches is at least as large.
constexpr double least_effect = 0.01;
constexpr double most_stretch = 8;
/// Beyond it models and program disagree too much for a point between the ends of the range.
constexpr double agreeing_stretch = 2;

Effect effect_of(const Range& range, double measured) {
  const double low = range.low_seconds / measured - 1;
  const double high = range.high_seconds / measured - 1;
  if (low >= -least_effect && high <= least_effect) return Effect::none;
  if (high < 0) return Effect::faster;
  if (low > 0) return Effect::slower;
  return Effect::cannot_tell;
}

}  // namespace

Projector::Projector(const applications::TraceAnalysis& run, const Machine& machine,
                     ForcedAlgorithms forced)
    : machine_(machine),
      forced_(std::move(forced)),
      program_(run.program()),
      hosts_(run.trace().hosts()),
      measured_seconds_(run.trace().seconds()),
      programs_(program_) {
  if (measured_seconds_ <= 0) {
    throw InputError({"nothing to predict from", "no time passed between MPI_Init and MPI_Finalize",
                      "record a longer run"});
  }
  model_seconds_ = replayed({}, {});
}

Validation Projector::validation() const {
  return {.measured_seconds = measured_seconds_,
          .model_seconds = model_seconds_,
          .ideal_seconds = replayed({.is_free = true}, {}),
          .stretch = stretch()};
}

double Projector::replay_on(const Machine& machine, const Replay& replay) const {
  WhatIf whole = replay.what_if;
  whole.algorithms.insert(forced_.begin(), forced_.end());
  ModelNetwork network(machine, hosts_, whole, replay.costs.level, replay.costs.stretch);
  return applications::replay(scheduled(machine, whole.algorithms), network).seconds;
}

double Projector::replayed(const WhatIf& what_if, const Costs& costs) const {
  Replay replay{.what_if = what_if, .costs = costs};
  if (what_if.is_free) {  // whatever the costs would be
    replay.costs = {};
    replay.what_if.latency_divisor = replay.what_if.bandwidth_factor = 1;
  }
  const auto found = seconds_of_.find(replay);
  if (found != seconds_of_.end()) return found->second;
  const double seconds = replay_on(machine_, replay);
  return seconds_of_.emplace(std::move(replay), seconds).first->second;
}

const applications::HappensBefore& Projector::scheduled(const Machine& machine,
                                                        const ForcedAlgorithms& forced) const {
  if (&machine != &machine_) {
    return programs_.with(programs_.carriers(machine.collectives(), forced));
  }
  auto found = carriers_.find(forced);
  if (found == carriers_.end()) {
    found = carriers_.emplace(forced, programs_.carriers(machine.collectives(), forced)).first;
  }
  return programs_.with(found->second);
}

std::optional<double> Projector::stretch() const {
  if (!stretch_) stretch_ = find_stretch();
  return *stretch_;
}

/// By bisection: more cost never makes a replay shorter, but for the order of messages at a port.
std::optional<double> Projector::find_stretch() const {
  const auto at = [&](double stretch) {
    return replayed({}, {.level = Level::middle, .stretch = stretch});
  };
  double low = 1 / most_stretch;
  double high = most_stretch;
  if (at(low) > measured_seconds_ || at(high) < measured_seconds_) {
    const bool is_explained = std::abs(model_seconds_ / measured_seconds_ - 1) <= least_effect;
    return is_explained ? std::optional(1.0) : std::nullopt;
  }
  constexpr int halvings = 12;
  for (int i = 0; i < halvings; ++i) {
    const double middle = std::sqrt(low * high);
    (at(middle) > measured_seconds_ ? high : low) = middle;
  }
  return std::sqrt(low * high);
}

Projection Projector::project(const std::string& question, const WhatIf& what_if) const {
  return project(question, what_if, machine_);
}

Projection Projector::project(const std::string& question, const WhatIf& what_if,
                              const Machine& machine) const {
  Projection found{.question = question, .seconds = 0, .range = {}, .why_not = {}};
  const bool is_other = &machine != &machine_;
  const auto changed = [&](const Costs& costs) {
    return is_other ? replay_on(machine, {what_if, costs}) : replayed(what_if, costs);
  };
  try {
    std::vector<double> answers;
    for (const Level level : {Level::low, Level::middle, Level::high}) {
      const Costs costs{.level = level};
      // One machine errs alike before and after; what another one takes is its models' alone.
      const bool is_its_own = is_other && level != Level::middle;
      const double before = is_its_own ? measured_seconds_ : replayed({}, costs);
      answers.push_back(std::max(0.0, measured_seconds_ + changed(costs) - before));
    }
    const double unexplained = model_seconds_ < measured_seconds_ ? most_stretch : 1 / most_stretch;
    const double usual = stretch().value_or(unexplained);
    const double stretched = changed({.level = Level::middle, .stretch = usual});
    answers.push_back(stretched);
    found.range = {std::ranges::min(answers), std::ranges::max(answers)};
    found.effect = effect_of(found.range, measured_seconds_);
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
    const bool is_followed = &scheduled(machine_, forced_) != &program_;
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
