#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include "benchmarks/engine/clock.hpp"
#include "benchmarks/engine/prepared.hpp"
#include "core/quantities.hpp"

namespace hockney::benchmarks {

/// Other benchmark suites whose way of timing is known: OSU Micro-Benchmarks 7.4 (OMB) and Intel
/// MPI Benchmarks 2021.11 (IMB), both with their default options.
enum class Suite { osu, imb };

constexpr auto words_of(std::type_identity<Suite>) {
  return std::to_array<std::string_view>({"osu", "imb"});
}

/// InputError naming the nearest suite when there is none called `name`.
Suite parse_suite(const std::string& name);

/// What the suites tell apart when they time.
enum class OperationKind {
  pair,            ///< messages between two ranks
  windowed_pair,   ///< windows of messages between two ranks
  windowed_pairs,  ///< windows of messages from each rank of the first half to one of the second
  one_sided,       ///< calls of one rank on the memory of another one
  windowed_one_sided,  ///< windows of them
  ring,                ///< messages among all ranks, rings in IMB; OMB has none
  collective,          ///< with data
  barrier,
  threaded_messages,  ///< between threads of two ranks or of a ring
  threaded_windows,   ///< of messages between threads of two ranks
  threaded_collective,
  threaded_barrier
};

/// What the clock runs over: every call by itself, or all calls of the loop; in OMB 7.4's one-sided
/// loop with two readings beside each call, for its plots, which nothing is made of.
enum class Clocking { each_call, whole_loop, whole_loop_with_readings };

/// Which rank's mean over its calls is printed, or what is made of the means of all.
enum class OverRanks {
  first,        ///< that of the first rank; no other one looks at a clock
  mean,         ///< of all ranks
  sender_mean,  ///< of the first half of the ranks
  largest       ///< the slowest rank's
};

/// How a suite times one operation at one size.
struct SuiteTiming {
  Clocking clocking = Clocking::each_call;
  int barriers_before = 0;         ///< of everything
  int barriers_after_warm_up = 0;  ///< between untimed and timed calls
  int barriers_after_call = 0;     ///< after each, outside of the time
  OverRanks over_ranks = OverRanks::first;

  friend bool operator==(const SuiteTiming&, const SuiteTiming&) = default;
};

/// OMB: osu_latency, osu_bw, osu_bibw, osu_mbw_mr, osu_allreduce, osu_barrier, whose headline is a
/// mean ("Avg Latency"). IMB: PingPong, Uniband, Sendrecv, Allreduce, Barrier; here t_max, from
/// which IMB reckons its throughput and which it prints alone where it prints one time only; of
/// IMB-MT's windows t_avg, which it prints alone. What threads do takes until the last of a rank is
/// through; IMB-MT takes the slowest thread's own time, and OMB (osu_latency_mt) a thread's calls.
SuiteTiming timing_of(Suite suite, OperationKind kind);

/// How often a suite calls an operation.
struct Repetitions {
  std::int64_t timed = 1;
  std::int64_t warm_up = 0;

  friend bool operator==(const Repetitions&, const Repetitions&) = default;
};

/// What the suite does by default. OMB: fewer above 8 KiB. IMB: at most 1000, 100 of one-sided
/// calls that are completed one by one, and 40 MiB; 1000 of what threads do.
Repetitions default_repetitions(Suite suite, OperationKind kind, Bytes bytes);

/// As many of `wanted` as fit into `block_seconds`, at least one, with the same share of warm-up;
/// `call_seconds` is the time of one call with the barriers after it. At most 100 on a clock that
/// stands still between events, where either time is 0.
Repetitions repetitions_that_fit(const Repetitions& wanted, double call_seconds,
                                 double block_seconds);

/// Everything there is to say about a suite's measurement of one operation at one size.
struct SuiteLoop {
  SuiteTiming timing;
  Repetitions repetitions;
  std::int64_t divisor = 1;  ///< operations in one call: 2 for a round trip
};

/// The calls of a suite with the barriers after them, as one operation whose time tells how many
/// fit into a block. Data are those of the operation.
class SuiteCalls final : public PreparedOperation {
 public:
  /// Both must outlive it.
  SuiteCalls(PreparedOperation& operation, RankGroup& group, const SuiteTiming& timing)
      : operation_(operation), group_(group), timing_(timing) {}

  void run_batch(std::int64_t iterations) override;
  void ready() override { operation_.ready(); }
  [[nodiscard]] std::optional<std::int64_t> most_iterations() const override {
    return operation_.most_iterations();
  }
  void refill(std::uint64_t seed, std::int64_t iterations) override {
    operation_.refill(seed, iterations);
  }
  [[nodiscard]] bool verify() override { return operation_.verify(); }

 private:
  PreparedOperation& operation_;
  RankGroup& group_;
  SuiteTiming timing_;
};

/// Runs the loop and says what the suite would print, as seconds of one operation. Collective over
/// the group, with the same loop on every rank; the same answer on every rank. Ranks' clocks need
/// not agree: each time comes from one clock alone.
double time_like_suite(PreparedOperation& operation, RankGroup& group, TickClock& clock,
                       const SuiteLoop& loop);

}  // namespace hockney::benchmarks
