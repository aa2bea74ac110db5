#include "application/projection/scheduled_program.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace hockney::projection {
namespace {

/// Of schedules, in a program that is replayed some dozens of times.
constexpr std::int64_t most_messages = 200'000;

using applications::CollectiveCall;
using applications::HappensBefore;
using applications::ProgramStep;
using Does = ProgramStep::Does;
using Needs = ProgramStep::Needs;

schedules::Schedule schedule_for(const CollectiveCall& call, const std::string& algorithm) {
  const CollectiveWork barrier{"barrier", {.ranks = static_cast<int>(call.ranks.size())}};
  const CollectiveWork collective = work_of(call).value_or(barrier);
  return schedules::schedule_of(collective.operation, algorithm, collective.work);
}

/// The schedule of one collective, whose messages have numbers in the program.
struct Scheduled {
  schedules::Schedule schedule;
  std::vector<std::vector<std::uint32_t>> messages;  ///< of each rank, in order of its transfers
};

class Scheduling {
 public:
  Scheduling(const HappensBefore& program, const Carriers& carriers) : program_(program) {
    result_.messages = program.messages;
    result_.notes = program.notes;
    result_.tail_seconds = program.tail_seconds;
    for (std::size_t i = 0; i < program.collectives.size(); ++i) {
      const CollectiveCall& call = program.collectives[i];
      const auto& algorithm = carriers[i];
      numbers_.push_back(static_cast<std::uint32_t>(result_.collectives.size()));
      if (algorithm) {
        scheduled_.emplace_back(number_messages(call, schedule_for(call, *algorithm)));
      } else {
        scheduled_.emplace_back();
        result_.collectives.push_back(call);
      }
    }
    for (std::size_t rank = 0; rank < program.ranks.size(); ++rank) copy(rank);
  }

  HappensBefore take() { return std::move(result_); }

 private:
  /// The k-th message from one rank to another is the k-th that this one receives from it.
  Scheduled number_messages(const CollectiveCall& call, schedules::Schedule schedule) {
    std::map<std::tuple<std::size_t, int, int>, std::uint32_t> numbers;
    Scheduled scheduled;
    for (std::size_t own = 0; own < schedule.ranks.size(); ++own) {
      std::map<std::pair<int, bool>, std::size_t> counts;
      std::vector<std::uint32_t>& messages = scheduled.messages.emplace_back();
      for (const schedules::Transfer& transfer : schedule.ranks[own].transfers()) {
        const bool is_send = transfer.direction == schedules::Direction::send;
        const auto rank = static_cast<int>(own);
        const int from = is_send ? rank : transfer.peer;
        const int to = is_send ? transfer.peer : rank;
        const std::size_t count = counts[{transfer.peer, is_send}]++;
        const auto next = static_cast<std::uint32_t>(result_.messages.size());
        const auto [found, is_new] = numbers.try_emplace({count, from, to}, next);
        if (is_new) {
          result_.messages.push_back({call.ranks[static_cast<std::size_t>(from)],
                                      call.ranks[static_cast<std::size_t>(to)], transfer.bytes});
        }
        messages.push_back(found->second);
      }
    }
    scheduled.schedule = std::move(schedule);
    return scheduled;
  }

  void copy(std::size_t rank) {
    std::vector<ProgramStep> steps;
    double computing = 0;  // of steps that are gone
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
      add_schedule(*scheduled, static_cast<std::size_t>(place), step.event, computing, steps);
    }
    result_.tail_seconds[rank] += computing;
    result_.ranks.push_back(std::move(steps));
  }

  /// Messages of a step start together, and all of them have ended before the next step.
  static void add_schedule(const Scheduled& scheduled, std::size_t rank, std::uint32_t event,
                           double& computing, std::vector<ProgramStep>& steps) {
    const schedules::RankSchedule& own = scheduled.schedule.ranks[rank];
    std::size_t next = 0;
    for (std::size_t i = 0; i < own.steps(); ++i) {
      const std::size_t first = next;
      for (const schedules::Transfer& transfer : own.step(i)) {
        const bool is_send = transfer.direction == schedules::Direction::send;
        steps.push_back({std::exchange(computing, 0), is_send ? Does::sends : Does::receives,
                         Needs::nothing, scheduled.messages[rank][next++], event});
      }
      next = first;
      for (const schedules::Transfer& transfer : own.step(i)) {
        const bool is_send = transfer.direction == schedules::Direction::send;
        steps.push_back({0, Does::nothing, is_send ? Needs::sent : Needs::received,
                         scheduled.messages[rank][next++], event});
      }
    }
  }

  const HappensBefore& program_;
  HappensBefore result_;
  std::vector<std::optional<Scheduled>> scheduled_;  ///< of each collective, where it is
  std::vector<std::uint32_t> numbers_;               ///< of each that stays, in the result
};

}  // namespace

HappensBefore with_schedules(const HappensBefore& program, const Carriers& carriers) {
  return Scheduling(program, carriers).take();
}

std::int64_t scheduled_messages(const HappensBefore& program, const Carriers& carriers) {
  using Key = std::tuple<std::string, profile::Function, std::int64_t, int, std::size_t>;
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

/// Programs make the same calls again and again.
ScheduledPrograms::ScheduledPrograms(const HappensBefore& program) : program_(program) {
  using Kind = std::tuple<profile::Function, std::int64_t, int, std::size_t>;
  std::map<Kind, std::size_t> known;
  for (std::size_t i = 0; i < program.collectives.size(); ++i) {
    const CollectiveCall& call = program.collectives[i];
    const bool is_blocking = profile::describe(call.function).at.request < 0;
    kind_of_call_.emplace_back();
    if (!is_blocking || call.waits == applications::Waits::for_nobody) continue;
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

const HappensBefore& ScheduledPrograms::with(const Carriers& of_kinds) {
  const bool is_first = !made_.front() || made_.front()->of_kinds == of_kinds;
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

}  // namespace hockney::projection
