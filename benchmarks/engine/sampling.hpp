#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "benchmarks/engine/clock.hpp"
#include "benchmarks/engine/prepared.hpp"
#include "core/samples.hpp"

namespace hockney::benchmarks {

/// How the ranks of a group are made to begin together.
enum class StartScheme {
  round_time,    ///< at an agreed time of the common clock, for which every rank spins
  barrier,       ///< after the library's barrier, which ranks leave one after the other
  dissemination  ///< after a barrier of our own, the same under every library
};

constexpr auto words_of(std::type_identity<StartScheme>) {
  return std::to_array<std::string_view>({"round-time", "barrier", "dissemination"});
}

/// "round-time", "barrier", "dissemination".
std::string start_name(StartScheme scheme);

/// InputError naming the nearest scheme when there is none called `name`.
StartScheme parse_start(const std::string& name);

/// One start as one rank saw it, in ticks of a clock that the whole group shares.
struct Start {
  std::int64_t begun = 0;              ///< this rank's last reading before it begins
  std::optional<std::int64_t> agreed;  ///< the time agreed on; nullopt after barriers
  bool late = false;                   ///< the agreed time had passed when this rank first looked
  bool jumped = false;  ///< this clock is no longer that of the group: no wait was made
};

/// Starts the operations of one group, again and again.
class StartSynchroniser {
 public:
  virtual ~StartSynchroniser() = default;

  /// Returns when this rank may begin. Collective over the group.
  virtual Start start() = 0;
  /// Told after some starts how many of them were late on any rank, the same on every rank.
  virtual void learn(int starts, int late) = 0;
};

/// A synchroniser for a group. `clock` shows the same time on all its ranks. Collective.
std::unique_ptr<StartSynchroniser> make_start_synchroniser(StartScheme scheme, RankGroup& group,
                                                           TickClock& clock);

/// What one start takes the slowest rank [s], the median of a few; the same on every rank.
/// Collective over the synchroniser's group.
double seconds_of_start(StartSynchroniser& synchroniser, RankGroup& group, TickClock& clock);

/// Whose clock a sample comes from.
enum class Timing {
  first_rank,  ///< the initiator sees its operation begin and end: nobody's start skew is inside
  last_rank    ///< from the common start of all ranks to the end of the last one
};

/// How the samples of one point are taken.
struct Sampling {
  Timing timing = Timing::first_rank;
  std::int64_t divisor = 1;      ///< operations in one iteration: 2 for a round trip
  std::int64_t batch = 1;        ///< iterations in one sample
  int samples = 1;               ///< samples in one block
  double iteration_seconds = 0;  ///< as calibrate found it, the same on every rank [s]
  double start_seconds = 0;      ///< what it takes that all ranks begin a sample together [s]
  bool local_times = false;      ///< each rank's own time too, where the last one counts
  bool single = false;           ///< batches of one: operations in a row would overlap
  bool needs_ready = false;      ///< no two iterations may follow each other without ready()
  std::optional<int> spares;     ///< starts that may replace late ones; otherwise `late_rounds`
};

/// The time budget from which a sampling is chosen.
struct Pace {
  double shortest_sample_seconds = 0;  ///< a sample is at least this long, for the timer's sake
  double block_seconds = 0;            ///< what one block should take
  int most_samples = 100;              ///< a longer block takes longer samples, not more
};

/// One sample must be a thousand times longer than what the clock itself costs or cannot see [s].
double shortest_sample(const Clock& clock);

/// A block that is timed to the last rank repeats its late starts, but not for ever: it has so many
/// rounds of starts.
inline constexpr int late_rounds = 3;

/// Starts of one block at most, late ones among them.
int most_starts(const Sampling& sampling);

/// Iterations of one block at most, the one in which the ranks gather among them.
std::int64_t iterations_of_block(const Sampling& sampling);

/// Chooses batch and samples by running the operation in growing batches until one is long enough
/// to judge. Collective over the group, with the same pace on every rank; every rank gets the same
/// answer. A clock that stands still gives batches of one. Where the operation has memory for so
/// many iterations only, blocks are shorter: fewer samples, and at last shorter batches. So they
/// are where starts take longer than samples: more blocks tell more than longer ones.
Sampling calibrate(PreparedOperation& operation, RankGroup& group, TickClock& clock,
                   Sampling sampling, const Pace& pace);

/// The indices 0 .. count-1 in the random order of one epoch; the same on every rank that gives the
/// same seed.
std::vector<std::size_t> epoch_order(std::size_t count, std::uint64_t seed, int epoch);

/// Decides after every epoch whether another one is due.
class EpochRule {
 public:
  /// Ends after `epochs` epochs if given; otherwise when the next epoch would overrun
  /// `budget_seconds`, but not before `fewest` epochs.
  EpochRule(std::optional<int> epochs, double budget_seconds, int fewest = 3);

  /// `elapsed_seconds` since measuring began, `done` epochs finished. nullopt: go on; otherwise why
  /// it ends.
  [[nodiscard]] std::optional<std::string> finished(double elapsed_seconds, int done) const;

 private:
  std::optional<int> epochs_;
  double budget_seconds_;
  int fewest_;
};

/// Whether a launch should look, after so many epochs, how well it knows its medians: after 8, and
/// then each time it has half as many more, since looking takes time itself.
bool is_time_to_look(int epochs);

/// Makes it a block in which nothing was timed, since a clock jumped, and flags it.
void end_by_jump(MeasurementBlock& block);

/// Takes the samples of one measurement block. It has these, the skew (median over the samples),
/// on request the ranks' own times (each from its own begin to its own end, median over the
/// samples), and how many starts some rank missed, which are repeated; the rest is the caller's.
/// Collective over the group, whose ranks share `clock`. Timed on the first rank, the answer is for
/// that rank, and ranks gather once, by an untimed iteration. Timed to the last rank, the answer is
/// the same on every rank: each sample lasts from the common start (the agreed time, or the first
/// rank's begin after a barrier) to the last rank's end. A clock that jumped meanwhile ends the
/// block (end_by_jump).
MeasurementBlock take_samples(PreparedOperation& operation, RankGroup& group, TickClock& clock,
                              const Sampling& sampling, StartSynchroniser& synchroniser);

/// How long a probe waits before it believes that a message is held.
enum class Patience { short_wait, long_wait };

/// Whether a message of so many bytes was handed over within the wait. True is a proof; false may
/// be a sender that the system did not run.
using HandOverProbe = std::function<bool(std::int64_t bytes, Patience patience)>;

struct LimitFound {
  std::optional<std::int64_t> limit_bytes;  ///< largest handed over; nullopt: not even 0
  std::optional<std::int64_t> held_bytes;   ///< limit + 1; nullopt: none up to the most was held
  std::vector<std::int64_t> exceptions;     ///< sizes that speak against one limit, ascending
  int probes = 0;
  int corrections = 0;  ///< sizes believed to be held that were not

  friend bool operator==(const LimitFound&, const LimitFound&) = default;
};

/// The limit to the byte, by doubling and halving. The size after it must be held in each of three
/// long waits; if it is not, the search goes on from there, so that a sender that was late once
/// costs time and not the answer. Then sizes on both sides, up to `most_bytes`, are asked whether
/// there is one limit at all.
LimitFound find_limit(const HandOverProbe& probe, std::int64_t most_bytes);

}  // namespace hockney::benchmarks
