#include "benchmarks/engine/suite_loop.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <vector>

namespace hockney {
namespace {

void barriers(Team& team, int count) {
  for (; count > 0; --count) team.barrier();
}

/// One rank's ticks over all timed calls.
class OneRank {
 public:
  OneRank(PreparedOperation& operation, Team& team, TickClock& clock, const SuiteLoop& loop)
      : operation_(operation), team_(team), clock_(clock), loop_(loop) {}

  std::int64_t ticks() {
    const SuiteTiming& timing = loop_.timing;
    SuiteCalls calls(operation_, team_, timing);
    barriers(team_, timing.barriers_before);
    calls.run_batch(loop_.repetitions.warm_up);
    barriers(team_, timing.barriers_after_warm_up);
    const bool watches = timing.over_ranks != OverRanks::first || team_.rank() == 0;
    if (!watches) {
      calls.run_batch(loop_.repetitions.timed);
      return 0;
    }
    return timing.clocking == Clocking::each_call ? each_call() : whole_loop();
  }

 private:
  std::int64_t each_call() {
    std::int64_t total = 0;
    for (std::int64_t i = 0; i < loop_.repetitions.timed; ++i) {
      operation_.ready();
      const std::int64_t begin = clock_.now();
      operation_.run_batch(1);
      total += clock_.now() - begin;
      barriers(team_, loop_.timing.barriers_after_call);
    }
    return total;
  }

  std::int64_t whole_loop() {
    const std::int64_t begin = clock_.now();
    operation_.run_batch(loop_.repetitions.timed);
    return clock_.now() - begin;
  }

  PreparedOperation& operation_;
  Team& team_;
  TickClock& clock_;
  const SuiteLoop& loop_;
};

/// Every rank's number, on every rank: where the others hold 0, the largest is the owner's.
std::vector<double> of_all_ranks(Team& team, double own) {
  std::vector<double> numbers(static_cast<std::size_t>(team.size()), 0.0);
  numbers[static_cast<std::size_t>(team.rank())] = own;
  team.maximum(numbers);
  return numbers;
}

double mean(std::span<const double> numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 0.0) / static_cast<double>(numbers.size());
}

double headline(OverRanks over_ranks, std::span<const double> ranks) {
  switch (over_ranks) {
    case OverRanks::mean:
      return mean(ranks);
    case OverRanks::sender_mean:
      return mean(ranks.first(std::max<std::size_t>(1, ranks.size() / 2)));
    case OverRanks::largest:
      return std::ranges::max(ranks);
    case OverRanks::first:
      break;
  }
  return ranks.front();
}

}  // namespace

void SuiteCalls::run_batch(std::int64_t iterations) {
  if (timing_.barriers_after_call == 0) {
    if (iterations > 0) operation_.run_batch(iterations);
    return;
  }
  for (; iterations > 0; --iterations) {
    operation_.ready();
    operation_.run_batch(1);
    barriers(team_, timing_.barriers_after_call);
  }
}

double time_like_suite(PreparedOperation& operation, Team& team, TickClock& clock,
                       const SuiteLoop& loop) {
  const auto own = static_cast<double>(OneRank(operation, team, clock, loop).ticks());
  const double ticks = headline(loop.timing.over_ranks, of_all_ranks(team, own));
  const auto operations = static_cast<double>(loop.repetitions.timed * loop.divisor);
  return ticks * clock.seconds_per_tick() / operations;
}

}  // namespace hockney
