#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/algorithm_use.hpp"
#include "core/guideline.hpp"
#include "core/noise.hpp"
#include "core/point.hpp"
#include "core/protocol.hpp"
#include "core/provenance.hpp"
#include "core/shared_list.hpp"
#include "core/statistics.hpp"
#include "core/transport.hpp"
#include "core/words.hpp"

namespace hockney {

/// Of a series or a protocol: MPI delivered wrong data at least once.
inline constexpr std::string_view corrupt_flag = "corrupt";
/// Of a point that failed: the same, and there is no series to flag.
inline constexpr std::string_view wrong_data_reason = "wrong data were received";

/// Of a record: the clocks of its ranks are proven apart at the end (docs/clock.md).
inline constexpr std::string_view clock_drifted_flag = "clock-drifted";
/// Of a record: the MPI library reported that it could not set up its shared memory.
inline constexpr std::string_view library_degraded_flag = "library-degraded";
/// Of a record: the MPI library reported another fault, such as a slower way to copy.
inline constexpr std::string_view library_warned_flag = "library-warned";
/// Of a series and its record: a rank's clock went back, or left those of the other ranks, in a
/// block of it, which was dropped; the clocks were synchronised anew.
inline constexpr std::string_view clock_jumped_flag = "clock-jumped";

/// Of a series and its record: another path is proven than the one that was expected, or none.
inline constexpr std::string_view path_differs_flag = "path-differs";

/// Of a series: not all of its buffers were in the memory that was asked for.
inline constexpr std::string_view memory_differs_flag = "memory-differs";

// Of a protocol:

/// The library states eager limits, and none of them explains the measured one.
inline constexpr std::string_view limit_differs_flag = "limit-differs";
/// A larger message was handed over than one that was held, or the other way round.
inline constexpr std::string_view limit_not_single_flag = "limit-not-single";
/// Searching again gave another limit.
inline constexpr std::string_view limit_unsteady_flag = "limit-unsteady";
/// MPI_Ssend returned without a receive: the probe or the library is wrong.
inline constexpr std::string_view control_failed_flag = "control-failed";

/// What the algorithm finds between two ranks that read the same clock, where the truth is 0. One
/// that contradicted itself finds nothing: estimate and bound are 0, and it has not passed.
struct ClockSelfTest {
  double estimate_seconds = 0;
  double bound_seconds = 0;
  bool passed = false;  ///< |estimate| <= bound

  friend bool operator==(const ClockSelfTest&, const ClockSelfTest&) = default;
};

/// How the clocks of the ranks were brought together.
struct Synchronisation {
  std::string scheme;        ///< "same-clock", "hca3" or "simulated"
  double bound_seconds = 0;  ///< no rank was farther from rank 0's clock, when it was synchronised
  std::optional<ClockSelfTest> self_test;   ///< the worst; nullopt where no ranks share a clock
  bool slope_used = false;                  ///< whether any rank corrects its drift
  std::optional<double> end_error_seconds;  ///< largest difference found after measuring
  std::optional<double> end_bound_seconds;  ///< how far that itself can be wrong
  double duration_seconds = 0;              ///< of synchronising
  /// Every finding of synchronisations made to test the algorithm; nullopt where none was made, or
  /// no two ranks read the same clock.
  std::optional<std::vector<ClockSelfTest>> checks;

  friend bool operator==(const Synchronisation&, const Synchronisation&) = default;
};

/// `measured` points have a series; every other status carries its reason.
enum class PointStatus { measured, skipped, failed };

constexpr auto words_of(std::type_identity<PointStatus>) {
  return std::to_array<std::string_view>({"measured", "skipped", "failed"});
}

struct PlannedPoint {
  Point point;
  std::int64_t bytes_per_sample = 0;  ///< bytes that count for bandwidth in one operation [B]
  /// That the busiest rank must send or receive in one operation, whatever the algorithm [B].
  std::optional<double> bus_bytes_per_sample{};
  PointStatus status = PointStatus::measured;
  std::string reason;  ///< why it was not measured; empty when it was
  /// The CPU that each thread of each rank that takes part is bound to; empty without threads, and
  /// where they are not bound.
  std::vector<std::vector<int>> thread_cpus{};

  friend bool operator==(const PlannedPoint&, const PlannedPoint&) = default;
};

/// What the samples that count (core/samples.hpp) come to.
struct CountedSamples {
  std::size_t number = 0;
  std::optional<double> median_seconds;

  friend bool operator==(const CountedSamples&, const CountedSamples&) = default;
};

/// High quantiles of the samples that count. Each is nullopt when the launch has not the
/// independent samples (effective_sample_size) to bound it from above: 29 for p90, 299 for p99,
/// 2995 for p999. Where samples are batches, these are quantiles of batches.
struct TailQuantiles {
  std::optional<double> p90_seconds;
  std::optional<double> p99_seconds;
  std::optional<double> p999_seconds;

  friend bool operator==(const TailQuantiles&, const TailQuantiles&) = default;
};

/// Samples far outside of the bulk, which stay among the samples: beyond the third quartile plus
/// three times the distance between the quartiles, and at least a tenth above it.
struct Outliers {
  double limit_seconds = 0;
  int count = 0;                   ///< of the samples that count
  std::vector<double> at_seconds;  ///< when the blocks that met one began, or empty

  friend bool operator==(const Outliers&, const Outliers&) = default;
};

/// What one series says about this one launch. Median, interval, tails, outliers and effective
/// samples are those of the blocks that count (core/samples.hpp), minimum and maximum those of
/// all. `within_seconds` is the interval of the median inside the launch: a diagnostic, never the
/// uncertainty of the latency (that needs launches).
struct Summary {
  std::optional<double> median_seconds;
  std::optional<double> minimum_seconds;
  std::optional<double> maximum_seconds;
  std::optional<Interval> within_seconds;
  std::optional<double> effective_samples;
  TailQuantiles tails;
  std::optional<Outliers> outliers;    ///< nullopt for fewer than four samples
  std::optional<double> skew_seconds;  ///< median over blocks
  std::optional<double> page_faults;   ///< of one operation, median over the blocks that count
  std::optional<int>
      undisturbed_blocks;  ///< whose samples count; nullopt where no control was taken

  friend bool operator==(const Summary&, const Summary&) = default;
};

/// The samples of one point in one launch, in the order they were taken.
struct Series {
  Point point;
  std::vector<double> samples_seconds;  ///< one per batch, already divided: time of one operation
  std::vector<int> blocks;              ///< how many of the samples each epoch contributed
  std::vector<double> starts_seconds;   ///< of each block, since measuring began [s], or empty
  std::vector<double>
      noise_probes_seconds;  ///< time of the control beside each block [s], or empty
  /// Of one operation, on the rank with the most, in each block; or empty.
  std::vector<double> page_faults;
  std::vector<double> skews_seconds;  ///< of the ranks' begins, median of each block [s], or empty
  /// Of each block, of each rank of the team: its own time from begin to end [s]; or empty.
  std::vector<std::vector<double>> locals_seconds;
  /// Iterations whose data were compared with what had been sent; nullopt in records of before.
  std::optional<std::int64_t> deliveries_checked;
  int late_starts = 0;                 ///< that some rank missed; repeated, not among the samples
  int warm_up_blocks = 0;              ///< the first ones, which do not count (core/samples.hpp)
  std::int64_t batch = 1;              ///< operations timed together in one sample
  std::int64_t bytes_per_sample = 0;   ///< bytes that count for bandwidth in one operation [B]
  std::optional<Transport> transport;  ///< what carried the messages, where it was counted
  Summary summary;
  std::vector<std::string> flags;
  std::optional<CountedSamples> counted;  ///< in place of the samples, where these were dropped

  friend bool operator==(const Series&, const Series&) = default;
};

enum class LaunchStatus { complete, interrupted, failed };

constexpr auto words_of(std::type_identity<LaunchStatus>) {
  return std::to_array<std::string_view>({"complete", "interrupted", "failed"});
}

/// Everything one launch leaves behind: document `hockney.record/1`.
struct Record {
  std::string procedure;  ///< the experiment, such as "pingpong"
  LaunchStatus status = LaunchStatus::complete;
  std::string started_utc;     ///< ISO 8601
  double elapsed_seconds = 0;  ///< from the start of the program to the end of measuring
  double measuring_seconds = 0;
  std::string stopped_because;  ///< why the epochs ended: "budget spent", "epochs done"
  std::uint64_t seed = 0;       ///< of the order of points and the draw of buffers
  std::optional<CampaignPlace> campaign;
  Provenance provenance;
  std::vector<RankPlace> ranks;
  Clock clock;
  std::optional<std::string> start;  ///< how ranks began together: "round-time", "barrier", ...
  std::optional<Synchronisation> sync;
  SharedList<PlannedPoint> points;  ///< the same in most launches of a campaign
  std::vector<Series> series;
  std::vector<Protocol> protocols;       ///< of hockney-protocol
  std::vector<MemoryUse> memory;         ///< of hockney-protocol
  std::vector<AlgorithmUse> algorithms;  ///< of collectives, told by a verification run launch
  std::vector<Guideline> guidelines;  ///< of hockney-guidelines: what its points are measured for
  std::vector<BufferMemoryUse> buffers;  ///< of what --memory asked for; nothing of host memory
  std::vector<CoreNoise> noise;          ///< of hockney-noise: of each rank
  std::vector<std::string> flags;

  friend bool operator==(const Record&, const Record&) = default;
};

/// Summary of a series (core/samples.cpp); undefined parts are nullopt.
Summary summarise(const Series& series);

}  // namespace hockney
