#include "benchmarks/engine/suites.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

#include "core/error.hpp"
#include "core/text.hpp"

namespace hockney::benchmarks {
namespace {

/// c/mpi/pt2pt/standard, c/mpi/one-sided and c/mpi/collective/blocking of OMB 7.4.
SuiteTiming osu_timing(OperationKind kind) {
  switch (kind) {
    case OperationKind::pair:
    case OperationKind::windowed_pair:
      return {.barriers_before = 1, .over_ranks = OverRanks::first};
    case OperationKind::one_sided:
    case OperationKind::windowed_one_sided:
      return {.clocking = Clocking::whole_loop_with_readings, .barriers_before = 1};
    case OperationKind::windowed_pairs:
      return {.barriers_before = 1, .barriers_after_call = 2, .over_ranks = OverRanks::sender_mean};
    case OperationKind::threaded_messages:
    case OperationKind::threaded_windows:
      return {.clocking = Clocking::whole_loop, .barriers_before = 1};
    case OperationKind::barrier:
    case OperationKind::threaded_barrier:
      return {.over_ranks = OverRanks::mean};
    case OperationKind::ring:
    case OperationKind::collective:
    case OperationKind::threaded_collective:
      break;
  }
  return {.barriers_before = 1, .barriers_after_call = 1, .over_ranks = OverRanks::mean};
}

/// src_cpp/MT/MT_benchmark.h and .cpp: loops of messages after a warm-up and a barrier; single
/// calls of collectives, with five barriers after those with data.
std::optional<SuiteTiming> imb_threads_timing(OperationKind kind) {
  constexpr int barriers_after_data = 5;
  SuiteTiming timing{.clocking = Clocking::whole_loop,
                     .barriers_before = 1,
                     .barriers_after_warm_up = 1,
                     .over_ranks = OverRanks::largest};
  switch (kind) {
    case OperationKind::threaded_messages:
      return timing;
    case OperationKind::threaded_windows:
      timing.over_ranks = OverRanks::mean;
      return timing;
    case OperationKind::threaded_collective:
      return SuiteTiming{.barriers_before = 1,
                         .barriers_after_call = barriers_after_data,
                         .over_ranks = OverRanks::largest};
    case OperationKind::threaded_barrier:
      return SuiteTiming{.barriers_before = 1, .over_ranks = OverRanks::largest};
    default:
      return std::nullopt;
  }
}

/// Timing of the whole loop: src_c/IMB_pingpong.c, IMB_sendrecv.c, IMB_bandwidth.c, IMB_barrier.c,
/// IMB_rma_put.c. Timing of each call: IMB_bcast.c, IMB_allreduce.c, with a barrier after it by
/// default (-sync on). The warm-up (IMB_warm_up.c) is a separate loop.
SuiteTiming imb_timing(OperationKind kind) {
  if (const auto by_threads = imb_threads_timing(kind)) return *by_threads;
  constexpr int barriers_before_loop = 2;  // N_BARR
  const bool each = kind == OperationKind::collective;
  return {.clocking = each ? Clocking::each_call : Clocking::whole_loop,
          .barriers_before = barriers_before_loop,
          .barriers_after_warm_up = barriers_before_loop,
          .barriers_after_call = each ? 1 : 0,
          .over_ranks = OverRanks::largest};
}

/// c/util/osu_util.h of OMB 7.4. The numbers of osu_mbw_mr do not depend on the size.
Repetitions osu_repetitions(OperationKind kind, Bytes bytes) {
  constexpr std::int64_t large_message = 8192;
  const bool large = bytes.value > large_message;
  switch (kind) {
    case OperationKind::pair:
    case OperationKind::one_sided:
    case OperationKind::threaded_messages:
      return large ? Repetitions{1000, 10} : Repetitions{10000, 100};
    case OperationKind::windowed_pair:
    case OperationKind::windowed_one_sided:
    case OperationKind::threaded_windows:
      return large ? Repetitions{20, 2} : Repetitions{100, 10};
    case OperationKind::windowed_pairs:
      return {100, 10};
    case OperationKind::ring:
    case OperationKind::collective:
    case OperationKind::barrier:
    case OperationKind::threaded_collective:
    case OperationKind::threaded_barrier:
      break;
  }
  return large ? Repetitions{100, 10} : Repetitions{1000, 100};
}

/// IMB_settings.h, helper_IMB_functions.h and IMB_warm_up.c. The least warm-up is newer than
/// 2021.11 (commit 46e8757).
Repetitions imb_repetitions(OperationKind kind, Bytes bytes) {
  if (imb_threads_timing(kind)) return {1000, 100};
  const std::int64_t most = kind == OperationKind::one_sided ? 100 : 1000;
  constexpr std::int64_t volume = std::int64_t{40} << 20;
  constexpr std::int64_t warm_up_share = 10;
  constexpr std::int64_t least_warm_up = 10;
  const std::int64_t by_volume = bytes.value > 0 ? volume / bytes.value : most;
  const std::int64_t timed = std::clamp<std::int64_t>(by_volume, 1, most);
  return {timed, std::max(timed / warm_up_share, std::min(least_warm_up, timed))};
}

void barriers(RankGroup& group, int count) {
  for (; count > 0; --count) group.barrier();
}

/// One rank's ticks in all timed calls.
class OneRank {
 public:
  OneRank(PreparedOperation& operation, RankGroup& group, TickClock& clock, const SuiteLoop& loop)
      : operation_(operation), group_(group), clock_(clock), loop_(loop) {}

  std::int64_t ticks() {
    const SuiteTiming& timing = loop_.timing;
    SuiteCalls calls(operation_, group_, timing);
    barriers(group_, timing.barriers_before);
    calls.run_batch(loop_.repetitions.warm_up);
    barriers(group_, timing.barriers_after_warm_up);
    operation_.ready();
    const bool watches = timing.over_ranks != OverRanks::first || group_.rank() == 0;
    if (!watches) {
      calls.run_batch(loop_.repetitions.timed);
      return 0;
    }
    switch (timing.clocking) {
      case Clocking::each_call:
        return each_call();
      case Clocking::whole_loop:
        return whole_loop();
      case Clocking::whole_loop_with_readings:
        break;
    }
    return whole_loop_with_readings();
  }

 private:
  std::int64_t each_call() {
    std::int64_t total = 0;
    for (std::int64_t i = 0; i < loop_.repetitions.timed; ++i) {
      operation_.ready();
      const std::int64_t begin = clock_.now();
      operation_.run_batch(1);
      total += clock_.now() - begin;
      barriers(group_, loop_.timing.barriers_after_call);
    }
    return total;
  }

  std::int64_t whole_loop() {
    const std::int64_t begin = clock_.now();
    operation_.run_batch(loop_.repetitions.timed);
    return clock_.now() - begin;
  }

  std::int64_t whole_loop_with_readings() {
    const std::int64_t begin = clock_.now();
    for (std::int64_t i = 0; i < loop_.repetitions.timed; ++i) {
      clock_.now();
      operation_.run_batch(1);
      clock_.now();
    }
    return clock_.now() - begin;
  }

  PreparedOperation& operation_;
  RankGroup& group_;
  TickClock& clock_;
  const SuiteLoop& loop_;
};

/// Every rank's number, on every rank: other ranks have 0 in its place, so that it is the maximum.
std::vector<double> of_all_ranks(RankGroup& group, double own) {
  std::vector<double> numbers(static_cast<std::size_t>(group.size()), 0.0);
  numbers[static_cast<std::size_t>(group.rank())] = own;
  group.maximum(numbers);
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

Suite parse_suite(const std::string& name) {
  return parse_word<Suite>(name, fmt::format("unknown suite '{}' for --compat", name),
                           "its way of timing is not known here");
}

SuiteTiming timing_of(Suite suite, OperationKind kind) {
  return suite == Suite::osu ? osu_timing(kind) : imb_timing(kind);
}

Repetitions default_repetitions(Suite suite, OperationKind kind, Bytes bytes) {
  return suite == Suite::osu ? osu_repetitions(kind, bytes) : imb_repetitions(kind, bytes);
}

Repetitions repetitions_that_fit(const Repetitions& wanted, double call_seconds,
                                 double block_seconds) {
  constexpr double most_simulated = 100;
  const double share = static_cast<double>(wanted.warm_up) / static_cast<double>(wanted.timed);
  const bool simulated = call_seconds <= 0 || block_seconds <= 0;
  const double fit = simulated ? most_simulated : block_seconds / call_seconds / (1 + share);
  if (fit >= static_cast<double>(wanted.timed)) return wanted;
  const std::int64_t timed = std::max<std::int64_t>(1, static_cast<std::int64_t>(fit));
  // Rounded up: if the suite warms up, there is at least one warm-up call.
  return {timed, (wanted.warm_up * timed + wanted.timed - 1) / wanted.timed};
}

void SuiteCalls::run_batch(std::int64_t iterations) {
  if (timing_.barriers_after_call == 0) {
    if (iterations > 0) operation_.run_batch(iterations);
    return;
  }
  for (; iterations > 0; --iterations) {
    operation_.ready();
    operation_.run_batch(1);
    barriers(group_, timing_.barriers_after_call);
  }
}

double time_like_suite(PreparedOperation& operation, RankGroup& group, TickClock& clock,
                       const SuiteLoop& loop) {
  const auto own = static_cast<double>(OneRank(operation, group, clock, loop).ticks());
  const double ticks = headline(loop.timing.over_ranks, of_all_ranks(group, own));
  const auto operations = static_cast<double>(loop.repetitions.timed * loop.divisor);
  return ticks * clock.seconds_per_tick() / operations;
}

}  // namespace hockney::benchmarks
