#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "benchmarks/engine/clock.hpp"
#include "benchmarks/engine/prepared.hpp"
#include "benchmarks/engine/start_synchroniser.hpp"
#include "core/samples.hpp"

namespace hockney::benchmarks {

/// Which ranks determine a sample.
enum class Timing {
  first_rank,  ///< from the initiator's start to its end, so that no start skew is included
  last_rank    ///< from the common start of all ranks to the end of the last rank
};

/// How the samples of one point are taken.
struct Sampling {
  Timing timing = Timing::first_rank;
  std::int64_t divisor = 1;      ///< operations in one iteration: 2 for a round trip
  std::int64_t batch = 1;        ///< iterations in one sample
  int samples = 1;               ///< samples in one block
  double iteration_seconds = 0;  ///< from calibrate, the same on every rank [s]
  double start_seconds = 0;      ///< duration of one synchronised start of all ranks [s]
  bool local_times = false;      ///< also record each rank's own time, for Timing::last_rank
  bool single = false;           ///< batches of one: back-to-back operations would overlap
  bool needs_ready = false;      ///< each iteration needs ready() before it
  std::optional<int> spares;     ///< extra starts to replace late ones; nullopt: by `late_rounds`
};

/// The time budget that determines a sampling.
struct Pace {
  double shortest_sample_seconds = 0;  ///< least length of a sample, because of the timer
  double block_seconds = 0;            ///< target length of one block
  int most_samples = 100;              ///< a longer block has longer samples, not more
};

/// Least length of a sample: a thousand times the clock's cost and resolution [s].
double shortest_sample(const Clock& clock);

/// A block that is timed to the last rank repeats late starts, but at most this many rounds of
/// starts.
inline constexpr int late_rounds = 3;

/// Most starts of one block, including late ones.
int most_starts(const Sampling& sampling);

/// Most iterations of one block, including the untimed one that gathers the ranks.
std::int64_t iterations_of_block(const Sampling& sampling);

/// Chooses batch and number of samples: runs the operation in growing batches until one is long
/// enough. Collective over the group, with the same pace on every rank; the same result on every
/// rank. A clock that does not advance gives batches of one. If the operation has memory for few
/// iterations, blocks have fewer samples, then shorter batches. If starts take longer than samples,
/// blocks are shorter too: more blocks give more information than longer ones. Runs nothing if the
/// time of an iteration is known, the same on every rank [s].
Sampling calibrate(PreparedOperation& operation, RankGroup& group, TickClock& clock,
                   Sampling sampling, const Pace& pace,
                   std::optional<double> known_seconds = std::nullopt);

/// The indices 0 .. count-1 in the random order of one epoch; the same on all ranks with the same
/// seed.
std::vector<std::size_t> epoch_order(std::size_t count, std::uint64_t seed, int epoch);

/// Decides after every epoch whether another one follows.
class EpochRule {
 public:
  /// Ends after `epochs` epochs if given. Otherwise ends, after at least `fewest` epochs, if the
  /// next one would exceed `budget_seconds`.
  EpochRule(std::optional<int> epochs, double budget_seconds, int fewest = 3);

  /// The reason to end, after `done` epochs and `elapsed_seconds` since measuring began; nullopt:
  /// continue.
  [[nodiscard]] std::optional<std::string> finished(double elapsed_seconds, int done) const;
  /// Whether half of the epochs or of the budget are over.
  [[nodiscard]] bool is_half_over(double elapsed_seconds, int done) const;

 private:
  std::optional<int> epochs_;
  double budget_seconds_;
  int fewest_;
};

/// Whether a launch should compute the precision of its medians after this epoch: after 8, and then
/// each time their number has grown by half, as the computation itself takes time.
bool is_time_to_look(int epochs);

/// Makes it a block without samples and flags it, because a clock jumped.
void end_by_jump(MeasurementBlock& block);

/// Takes the samples of one measurement block. Collective over the group, whose ranks share
/// `clock`.
///
/// The block has the samples, the skew (median over the samples) and the number of starts that some
/// rank missed, which are repeated. On request it has the ranks' own times, from each rank's start
/// to its end, as medians over the samples. The caller sets its other members.
///
/// Timed on the first rank, the result is valid on that rank. One untimed iteration gathers the
/// ranks. Timed to the last rank, the result is the same on every rank. Each sample then lasts from
/// the common start to the last rank's end. The common start is the agreed time, or the first
/// rank's start after a barrier. If a clock jumps, the block ends without samples (end_by_jump).
MeasurementBlock take_samples(PreparedOperation& operation, RankGroup& group, TickClock& clock,
                              const Sampling& sampling, StartSynchroniser& synchroniser);

}  // namespace hockney::benchmarks
