#include "components/application/projection/projection.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <map>
#include <ranges>
#include <tuple>
#include <utility>

#include "core/error.hpp"
#include "core/text.hpp"
#include "models/collectives/form_fit.hpp"

namespace hockney::projection {
namespace {

/// Limit on the messages of schedules, as a program is replayed some dozens of times.
constexpr std::int64_t most_messages = 200'000;

using models::CollectiveCall;
using models::Program;
using models::ProgramStep;
using Does = ProgramStep::Does;
using Needs = ProgramStep::Needs;

schedules::Schedule schedule_for(const CollectiveCall& call, const std::string& algorithm) {
  const CollectiveWork barrier{"barrier", {.ranks = static_cast<int>(call.ranks.size())}};
  const CollectiveWork collective = work_of(call).value_or(barrier);
  return schedules::schedule_of(collective.operation, algorithm, collective.work);
}

class Scheduling {
 public:
  Scheduling(const Program& program, const Carriers& carriers) : program_(program) {
    result_.messages = program.messages;
    result_.notes = program.notes;
    result_.tail_seconds = program.tail_seconds;
    for (std::size_t i = 0; i < program.collectives.size(); ++i) {
      const CollectiveCall& call = program.collectives[i];
      const auto& algorithm = carriers[i];
      numbers_.push_back(static_cast<std::uint32_t>(result_.collectives.size()));
      if (algorithm) {
        scheduled_.emplace_back(std::in_place, schedule_for(call, *algorithm), call.ranks, result_);
      } else {
        scheduled_.emplace_back();
        result_.collectives.push_back(call);
      }
    }
    for (std::size_t rank = 0; rank < program.ranks.size(); ++rank) copy(rank);
  }

  Program take() { return std::move(result_); }

 private:
  void copy(std::size_t rank) {
    std::vector<ProgramStep> steps;
    double computing = 0;  // of removed steps
    for (ProgramStep step : program_.ranks[rank]) {
      step.computing_seconds += std::exchange(computing, 0);
      const bool enters = step.does == Does::enters;
      const bool leaves = step.needs == Needs::left;
      if (!enters && !leaves) {
        steps.push_back(step);
        continue;
      }
      const auto& scheduled = scheduled_[step.index];
      if (!scheduled) {
        step.index = numbers_[step.index];
        steps.push_back(step);
        continue;
      }
      computing = step.computing_seconds;
      if (!leaves) continue;
      const auto& ranks = program_.collectives[step.index].ranks;
      const auto place = std::ranges::lower_bound(ranks, static_cast<int>(rank)) - ranks.begin();
      scheduled->add_steps(static_cast<std::size_t>(place), step.event, computing, steps);
    }
    result_.tail_seconds[rank] += computing;
    result_.ranks.push_back(std::move(steps));
  }

  const Program& program_;
  Program result_;
  std::vector<std::optional<collectives::ScheduledMessages>>
      scheduled_;                       ///< of each collective that is replaced
  std::vector<std::uint32_t> numbers_;  ///< new index of each collective that stays
};

/// Smaller changes count as none: the noise between launches is at least as large.
constexpr double least_effect = 0.01;
constexpr double most_stretch = 8;
/// Above this factor models and program differ too much for a point within the range.
constexpr double agreeing_stretch = 2;

Effect effect_of(const Range& range, double measured) {
  const double low = range.low_seconds / measured - 1;
  const double high = range.high_seconds / measured - 1;
  if (low >= -least_effect && high <= least_effect) return Effect::none;
  if (high < 0) return Effect::faster;
  if (low > 0) return Effect::slower;
  return Effect::no_prediction;
}

/// Seconds by number of ranks.
using Times = std::map<int, double>;

ScalingLaw law_of(const Times& times, Problem problem) {
  std::vector<collectives::Equation> equations;
  equations.reserve(times.size());
  for (const auto& [ranks, seconds] : times) {
    collectives::Equation equation{
        .row = {1, std::log2(ranks)}, .value = seconds, .scale = seconds};
    if (problem == Problem::same) equation.row.insert(equation.row.begin() + 1, 1.0 / ranks);
    equations.push_back(std::move(equation));
  }
  const auto fit = collectives::fit_non_negative(equations);
  if (!fit) return {};
  if (problem == Problem::grows) return {fit->solution[0], 0, fit->solution[1]};
  return {fit->solution[0], fit->solution[1], fit->solution[2]};
}

/// Times of each block, and the medians over blocks.
struct BlockTimes {
  std::map<int, Times> by_block;
  Times medians;

  /// Values at one number of ranks in all blocks.
  template <class Value>
  [[nodiscard]] std::vector<double> over_blocks(Value value) const {
    std::vector<double> values;
    values.reserve(by_block.size());
    for (const auto& [number, times] : by_block) values.push_back(value(times));
    return values;
  }
};

BlockTimes blocks_of(std::span<const ScalingTime> times) {
  BlockTimes blocks;
  for (const ScalingTime& time : times) {
    blocks.by_block[time.block][time.ranks] = time.seconds;
    blocks.medians[time.ranks] = 0;
  }
  if (blocks.medians.size() < 2) {
    throw InputError({"nothing scales", "the program ran at one number of ranks",
                      "name two or more with --ranks"});
  }
  for (const auto& [number, block] : blocks.by_block) {
    if (block.size() == blocks.medians.size()) continue;
    throw InputError({fmt::format("block {} is not whole", number), "it lacks a number of ranks",
                      "leave it out"});
  }
  for (auto& [ranks, seconds] : blocks.medians) {
    seconds = median_of_some(
        blocks.over_blocks([&ranks = ranks](const Times& block) { return block.at(ranks); }));
  }
  return blocks;
}

ScalingPoint point_of(const BlockTimes& blocks, int ranks, const std::vector<double>& seconds,
                      Problem problem) {
  const auto& [fewest, reference] = *blocks.medians.begin();
  const double median = median_of_some(seconds);
  const double share = problem == Problem::same ? static_cast<double>(fewest) / ranks : 1;
  return {.ranks = ranks,
          .is_measured = blocks.medians.contains(ranks),
          .seconds = median,
          .interval_seconds = quantile_interval(seconds),
          .efficiency = reference * share / median};
}

/// The measured points, then `doublings` doublings of the most ranks.
std::vector<ScalingPoint> points_of(const BlockTimes& blocks, int doublings, Problem problem) {
  std::vector<ScalingPoint> points;
  int ranks = 0;
  for (const int measured : blocks.medians | std::views::keys) {
    ranks = measured;
    const auto seconds = blocks.over_blocks([&](const Times& block) { return block.at(measured); });
    points.push_back(point_of(blocks, measured, seconds, problem));
  }
  for (int i = 0; i < doublings; ++i) {
    ranks *= 2;
    const auto seconds = blocks.over_blocks(
        [&](const Times& block) { return law_of(block, problem).seconds(ranks); });
    points.push_back(point_of(blocks, ranks, seconds, problem));
  }
  return points;
}

/// Error of the law that is fitted to all other points.
double error_at_most_ranks(Times times, Problem problem) {
  const auto most = std::prev(times.end());
  const auto [ranks, seconds] = *most;
  times.erase(most);
  return law_of(times, problem).seconds(ranks) / seconds - 1;
}

}  // namespace

Program with_schedules(const Program& program, const Carriers& carriers) {
  return Scheduling(program, carriers).take();
}

std::int64_t scheduled_messages(const Program& program, const Carriers& carriers) {
  using Key = std::tuple<std::string, int, std::int64_t, int, std::size_t>;
  std::map<Key, std::int64_t> known;
  std::int64_t messages = 0;
  for (std::size_t i = 0; i < program.collectives.size(); ++i) {
    const CollectiveCall& call = program.collectives[i];
    const auto& algorithm = carriers[i];
    if (!algorithm) continue;
    const Key key{*algorithm, call.function, call.bytes, call.root, call.ranks.size()};
    const auto [found, is_new] = known.try_emplace(key, 0);
    if (is_new) {
      for (const auto& rank : schedule_for(call, *algorithm).ranks) {
        found->second += std::ranges::count(rank.transfers(), schedules::Direction::send,
                                            &schedules::Transfer::direction);
      }
    }
    messages += found->second;
  }
  return messages;
}

/// Groups equal calls, as programs repeat them.
ScheduledPrograms::ScheduledPrograms(const Program& program) : program_(program) {
  using Kind = std::tuple<int, std::int64_t, int, std::size_t>;
  std::map<Kind, std::size_t> known;
  for (std::size_t i = 0; i < program.collectives.size(); ++i) {
    const CollectiveCall& call = program.collectives[i];
    const bool is_blocking = profile::describe(applications::function_of(call)).at.request < 0;
    kind_of_call_.emplace_back();
    if (!is_blocking || call.waits == models::CollectiveWaits::for_no_rank) continue;
    const auto [found, is_new] = known.try_emplace(
        {call.function, call.bytes, call.root, call.ranks.size()}, first_calls_.size());
    if (is_new) first_calls_.push_back(i);
    kind_of_call_.back() = found->second;
  }
}

Carriers ScheduledPrograms::carriers(const collectives::Fits& fits,
                                     const ForcedAlgorithms& forced) const {
  Carriers of_kinds;
  for (const std::size_t call : first_calls_) {
    of_kinds.push_back(scheduled_algorithm(program_.collectives[call], fits, forced));
  }
  return of_kinds;
}

const Program& ScheduledPrograms::with(const Carriers& of_kinds) {
  const std::optional<Made>& first = made_.front();
  const bool is_first = !first || first->of_kinds == of_kinds;
  std::optional<Made>& place = is_first ? made_.front() : made_.back();
  if (!place || place->of_kinds != of_kinds) {
    place.reset();
    place = made(of_kinds);
  }
  return place->program ? *place->program : program_;
}

ScheduledPrograms::Made ScheduledPrograms::made(const Carriers& of_kinds) const {
  Made made{.of_kinds = of_kinds, .program = std::nullopt};
  if (std::ranges::none_of(of_kinds, [](const auto& one) { return one.has_value(); })) return made;
  Carriers carriers;
  for (const auto& kind : kind_of_call_) {
    carriers.push_back(kind ? of_kinds[*kind] : std::nullopt);
  }
  const bool is_too_long = scheduled_messages(program_, carriers) > most_messages;
  if (!is_too_long) made.program = with_schedules(program_, carriers);
  return made;
}

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
  return models::replay(scheduled(machine, whole.algorithms), network).seconds;
}

double Projector::replayed(const WhatIf& what_if, const Costs& costs) const {
  Replay replay{.what_if = what_if, .costs = costs};
  if (what_if.is_free) {  // the costs do not matter
    replay.costs = {};
    replay.what_if.latency_divisor = replay.what_if.bandwidth_factor = 1;
  }
  const auto found = seconds_of_.find(replay);
  if (found != seconds_of_.end()) return found->second;
  const double seconds = replay_on(machine_, replay);
  return seconds_of_.emplace(std::move(replay), seconds).first->second;
}

const models::Program& Projector::scheduled(const Machine& machine,
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

/// Bisection: more cost makes no replay shorter, apart from reordered messages at a port.
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
      // On one machine errors cancel; on another machine the end of the range is its models' own.
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
    doubts.push_back(
        fmt::format("not measured, the usual algorithms were replayed: {}{}",
                    join({collectives.replayed().begin(), collectives.replayed().end()}),
                    is_followed ? "" : ", as if all ranks came to them together"));
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

double ScalingLaw::seconds(int ranks) const {
  return constant_seconds + divided_seconds / ranks + doubled_seconds * std::log2(ranks);
}

ScalingStudy study_scaling(std::span<const ScalingTime> times, double efficiency, int doublings,
                           Problem problem) {
  const bool is_share = efficiency > 0 && efficiency <= 1;
  if (!is_share) {
    throw InputError({"bad efficiency", "it is a share of 1 above 0", "write it like 0.7"});
  }
  const BlockTimes blocks = blocks_of(times);
  constexpr std::size_t for_a_law = 3;
  const bool has_law = blocks.medians.size() >= for_a_law;
  ScalingStudy study;
  study.points = points_of(blocks, has_law ? doublings : 0, problem);
  if (has_law) study.law = law_of(blocks.medians, problem);
  if (blocks.medians.size() > for_a_law)
    study.held_out_error = error_at_most_ranks(blocks.medians, problem);
  const auto best =
      std::find_if(study.points.rbegin(), study.points.rend(),
                   [&](const ScalingPoint& point) { return point.efficiency >= efficiency; });
  if (best != study.points.rend()) study.best = *best;
  return study;
}

}  // namespace hockney::projection
