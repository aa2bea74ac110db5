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

/// Other benchmark suites whose timing hockney reproduces: OSU Micro-Benchmarks 7.4 (OMB) and Intel
/// MPI Benchmarks 2021.11 (IMB), both with their default options.
enum class Suite { osu, imb };

constexpr auto words_of(std::type_identity<Suite>) {
  return std::to_array<std::string_view>({"osu", "imb"});
}

/// InputError that names the nearest suite if none is called `name`.
Suite parse_suite(const std::string& name);

/// Kinds of operations that the suites time differently.
enum class OperationKind {
  pair,            ///< messages between two ranks
  windowed_pair,   ///< windows of messages between two ranks
  windowed_pairs,  ///< windows of messages from each rank of the first half to one of the second
  one_sided,       ///< calls of one rank on the memory of another one
  windowed_one_sided,  ///< windows of such calls
  ring,                ///< messages among all ranks, rings in IMB; OMB has none
  collective,          ///< with data
  barrier,
  threaded_messages,  ///< between threads of two ranks or of a ring
  threaded_windows,   ///< windows of messages between threads of two ranks
  threaded_collective,
  threaded_barrier
};

/// What the clock measures: every call, or all calls of the loop. OMB 7.4's one-sided loop also has
/// two readings beside each call, for its plots; they do not affect the result.
enum class Clocking { each_call, whole_loop, whole_loop_with_readings };

/// Which ranks' means over their calls give the printed number.
enum class OverRanks {
  first,        ///< the first rank's; no other rank reads a clock
  mean,         ///< mean of all ranks
  sender_mean,  ///< mean of the first half of the ranks
  largest       ///< the slowest rank's
};

/// How a suite times one operation at one size.
struct SuiteTiming {
  Clocking clocking = Clocking::each_call;
  int barriers_before = 0;         ///< before all calls
  int barriers_after_warm_up = 0;  ///< between untimed and timed calls
  int barriers_after_call = 0;     ///< after each call, outside of the timed region
  OverRanks over_ranks = OverRanks::first;

  friend bool operator==(const SuiteTiming&, const SuiteTiming&) = default;
};

/// The timing of a suite.
///
/// OMB: osu_latency, osu_bw, osu_bibw, osu_mbw_mr, osu_allreduce, osu_barrier, whose headline is a
/// mean ("Avg Latency"). IMB: PingPong, Uniband, Sendrecv, Allreduce, Barrier. The number here is
/// t_max, from which IMB computes its throughput, and the only one where it prints one time. For
/// IMB-MT's windows it is t_avg, the only one printed there.
///
/// Times of threads last until the last thread of a rank has finished. IMB-MT instead takes the
/// slowest thread's own time, and OMB (osu_latency_mt) a thread's calls.
SuiteTiming timing_of(Suite suite, OperationKind kind);

/// How many times a suite calls an operation.
struct Repetitions {
  std::int64_t timed = 1;
  std::int64_t warm_up = 0;

  friend bool operator==(const Repetitions&, const Repetitions&) = default;
};

/// The suite's defaults. OMB: fewer above 8 KiB. IMB: at most 1000, and 40 MiB in total; 100 for
/// one-sided calls that are completed one by one; 1000 for threads.
Repetitions default_repetitions(Suite suite, OperationKind kind, Bytes bytes);

/// As many of `wanted` as fit into `block_seconds`, at least one, with the same share of warm-up.
/// `call_seconds` is the time of one call with the barriers after it. At most 100 if either time is
/// 0, as on a clock that does not advance between events.
Repetitions repetitions_that_fit(const Repetitions& wanted, double call_seconds,
                                 double block_seconds);

/// All parameters of a suite's measurement of one operation at one size.
struct SuiteLoop {
  SuiteTiming timing;
  Repetitions repetitions;
  std::int64_t divisor = 1;  ///< operations in one call: 2 for a round trip
};

/// The calls of a suite with the barriers after them, as one operation; its time gives the number
/// of calls that fit into a block. The data are those of the operation.
class SuiteCalls final : public PreparedOperation {
 public:
  /// Both references must outlive this object.
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

/// Runs the loop and returns the number that the suite would print, as seconds of one operation.
/// Collective over the group, with the same loop on every rank; the same result on every rank.
/// Clocks of the ranks may differ: each time is from a single clock.
double time_like_suite(PreparedOperation& operation, RankGroup& group, TickClock& clock,
                       const SuiteLoop& loop);

}  // namespace hockney::benchmarks
