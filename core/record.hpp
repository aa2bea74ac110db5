#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/algorithm_use.hpp"
#include "core/noise.hpp"
#include "core/point.hpp"
#include "core/provenance.hpp"
#include "core/shared_list.hpp"
#include "core/statistics.hpp"
#include "core/text.hpp"

namespace hockney {

/// Which sizes or teams of the two sides of a guideline belong together.
enum class SideMap {
  same,       ///< the same bytes and ranks on both sides
  next_size,  ///< right: the next larger size that was measured
  parts,  ///< left: the next larger size that is a multiple, k times right's; right counts k times
  more_ranks,       ///< right: the next larger number of ranks that was measured
  threads_as_ranks  ///< right: as many ranks of one thread as left has threads on all ranks
};

constexpr auto words_of(std::type_identity<SideMap>) {
  return std::to_array<std::string_view>(
      {"same", "next_size", "parts", "more_ranks", "threads_as_ranks"});
}

/// One side of a guideline: the points of an operation that have these parameters.
struct GuidelineSide {
  std::string operation;
  std::map<std::string, std::string> parameters;

  friend bool operator==(const GuidelineSide&, const GuidelineSide&) = default;
};

/// A self-consistent performance guideline (Traeff, Gropp, Thakur 2010): the left side must not
/// take longer than `factor` times the right one. Wherever both sides were measured it applies.
struct Guideline {
  std::string name;  ///< such as "allgather <= gather + bcast"
  GuidelineSide left;
  GuidelineSide right;
  SideMap map = SideMap::same;
  double factor = 1;  ///< > 0

  friend bool operator==(const Guideline&, const Guideline&) = default;
};

/// The guidelines between two calls of MPI that are timed anyway, without mock-ups.
std::vector<Guideline> guidelines_between_calls();

/// Those of one operation with itself: between sizes, and between numbers of ranks. One that can
/// work in place is held against itself out of place.
std::vector<Guideline> unary_guidelines(const std::string& operation, bool has_in_place);

/// What carried the messages of a pair of ranks, as both of them and their kernel counted it while
/// the messages were under way.
struct Transport {
  std::int64_t messages = 0;
  std::int64_t payload_bytes = 0;    ///< of these messages; one byte for each empty one [B]
  std::int64_t copy_calls = 0;       ///< of process_vm_readv and process_vm_writev
  std::int64_t copied_bytes = 0;     ///< by these calls [B]
  std::int64_t tcp_bytes = 0;        ///< acknowledged to the ranks' sockets [B]
  bool shares_memory = false;        ///< both ranks map the same memory, and may write to it
  std::vector<std::string> devices;  ///< open, of those that leave no count (silent_devices)

  friend bool operator==(const Transport&, const Transport&) = default;
};

/// A device that moves data past every count, and the paths below /dev by which it is known.
struct SilentDevice {
  std::string_view name;
  std::string_view path;
};

inline constexpr std::array<SilentDevice, 7> silent_devices{{{"xpmem", "/dev/xpmem"},
                                                             {"knem", "/dev/knem"},
                                                             {"infiniband", "/dev/infiniband/"},
                                                             {"omni-path", "/dev/hfi1"},
                                                             {"slingshot", "/dev/cxi"},
                                                             {"gdrcopy", "/dev/gdrdrv"},
                                                             {"nvidia", "/dev/nvidia"}}};

/// The path that is proven, or why none is.
struct PathProof {
  std::optional<std::string> path;  ///< "cma", "shm" or "tcp"
  std::string reason;               ///< empty with a path

  friend bool operator==(const PathProof&, const PathProof&) = default;
};

/// "cma" where the ranks copied at least half of the payload from each other's memory (each byte is
/// counted on one side: the receiver reads it or the sender writes it), "tcp" where their sockets
/// carried as much; "shm" where both carried less than a tenth, the ranks share memory, and no
/// device is open that could have carried the rest unseen. Nothing else is proven.
PathProof prove_path(const Transport& transport);

/// Adds what happened in another block.
void add(Transport& sum, const Transport& more);

/// How far one way of sending goes without a matching receive: the largest message that the call
/// hands over before the receiver has posted anything.
struct HandOver {
  std::string call;      ///< "send", "isend", "persistent" or "ssend"
  std::string receiver;  ///< "progressing": inside MPI, without the receive; "asleep": outside MPI
  std::string datatype;  ///< "bytes", or "contiguous" or "strided" elements of one byte
  std::optional<std::int64_t> limit_bytes;  ///< handed over; nullopt: not even an empty message
  std::optional<std::int64_t> held_bytes;   ///< limit + 1, which is not; nullopt: none was held
  std::int64_t most_bytes = 0;              ///< the largest that was tried
  std::vector<std::int64_t> exceptions;     ///< sizes that speak against one limit
  int probes = 0;                           ///< messages that it took
  int corrections = 0;                      ///< sizes believed to be held that were not

  friend bool operator==(const HandOver&, const HandOver&) = default;
};

/// How many messages a sender gets rid of although none of them is received.
struct Unexpected {
  std::int64_t bytes = 0;       ///< of each message
  std::string receiver;         ///< as in HandOver
  std::optional<int> accepted;  ///< messages until one was held; nullopt: none of `most` was
  int most = 0;                 ///< messages that were tried at most

  friend bool operator==(const Unexpected&, const Unexpected&) = default;
};

/// A limit that the library itself states, in a control variable of MPI_T.
struct StatedLimit {
  std::string variable;
  std::int64_t value_bytes = 0;
  std::int64_t header_bytes = 0;  ///< stated - measured: what the library needs for itself

  friend bool operator==(const StatedLimit&, const StatedLimit&) = default;
};

/// What was found between the two ranks of a pair.
struct Protocol {
  std::optional<std::string> hop;  ///< hop class of the pair
  std::vector<int> pair;           ///< world ranks: sender, receiver
  std::optional<std::string> path;
  std::optional<std::int64_t> eager_limit_bytes;  ///< of MPI_Send to a receiver that progresses
  std::string reason;                             ///< why there is none; empty when there is
  std::vector<HandOver> hand_overs;
  std::vector<Unexpected> unexpected;
  std::vector<StatedLimit> stated;  ///< that explain the limit
  std::vector<std::string> flags;

  friend bool operator==(const Protocol&, const Protocol&) = default;
};

/// Names and values of MPI_T control variables.
using Settings = std::map<std::string, std::string>;

/// No library needs more than this beside the data of an eager message [B].
inline constexpr std::int64_t largest_header_bytes = 256;

/// The variables about eager messages whose value is the limit, or more by a header: what the
/// library itself states about a limit that was measured.
std::vector<StatedLimit> explain_limit(const Settings& settings, std::int64_t limit_bytes);

/// The variables about eager messages that may explain any limit from `least` to `most` [B], whose
/// headers are not known (0).
std::vector<StatedLimit> stated_limits(const Settings& settings, std::int64_t least_bytes,
                                       std::int64_t most_bytes);

/// Whether a variable is, by its name, a size at which messages are treated otherwise.
bool is_message_size(std::string_view name);

/// Whether a variable is, by its name, about eager messages between two ranks.
bool is_about_eager(std::string_view name);

/// Whether a variable with this value may be of use to any of these: no other one is.
bool may_explain_limit(std::string_view name, std::string_view value);

/// Whether the library states any eager limit above 0.
bool states_eager_limits(const Settings& settings);

/// Of a series or a protocol: MPI delivered wrong data at least once.
inline constexpr std::string_view corrupt_flag = "corrupt";
/// Of a point that failed: the same, and there is no series to flag.
inline constexpr std::string_view wrong_data_reason = "wrong data were received";

/// Of a record: the clocks of its ranks are proven apart at the end (docs/explanation/clocks.md).
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

/// Everything one launch leaves behind: document `hockney.record/2`.
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

/// Flag of launches whose ranks share CPUs, and of series whose threads do. Such times tell about
/// the scheduler of the operating system more than about MPI.
inline constexpr std::string_view oversubscribed_flag = "oversubscribed";

/// More ranks than there are CPUs for them.
struct CpuSharing {
  std::size_t ranks = 0;
  std::size_t cpus = 0;

  friend auto operator<=>(const CpuSharing&, const CpuSharing&) = default;
};

/// Ranks and CPUs of all hosts with more ranks than CPUs that these may run on; nullopt where no
/// host is such. Ranks without CPUs, such as simulated ones, do not count.
std::optional<CpuSharing> cpu_sharing(std::span<const RankPlace> places);

/// "4 ranks on 2 CPUs: times are those of ranks that share CPUs".
std::string oversubscription_text(const CpuSharing& sharing);

/// The same of some of `launches`, by what they share; empty where none do.
std::string oversubscription_text(const std::map<CpuSharing, std::size_t>& sharing,
                                  std::size_t launches);

/// The same of the complete ones among some launches, of two sides together; of threads that share
/// CPUs, "threads share CPUs".
std::string oversubscription_text(std::span<const Record> launches,
                                  std::span<const Record> other_side = {});

}  // namespace hockney
