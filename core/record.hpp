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
#include "core/machine.hpp"
#include "core/noise.hpp"
#include "core/point.hpp"
#include "core/provenance.hpp"
#include "core/shared_list.hpp"
#include "core/statistics.hpp"
#include "core/text.hpp"

namespace hockney {

/// Which sizes or teams of the two sides of a guideline are compared.
enum class SizeRelation {
  same,             ///< the same bytes and ranks on both sides
  next_size,        ///< right: the next larger size that was measured
  parts,            ///< left: the next larger size that is k times right's; right counts k times
  more_ranks,       ///< right: the next larger number of ranks that was measured
  threads_as_ranks  ///< right: as many ranks of one thread as left has threads on all ranks
};

constexpr auto words_of(std::type_identity<SizeRelation>) {
  return std::to_array<std::string_view>(
      {"same", "next_size", "parts", "more_ranks", "threads_as_ranks"});
}

/// One side of a guideline: the points of an operation with these parameters.
struct GuidelineSide {
  std::string operation;
  std::map<std::string, std::string> parameters;

  friend bool operator==(const GuidelineSide&, const GuidelineSide&) = default;
};

/// A self-consistent performance guideline (Traeff, Gropp, Thakur 2010): the left side must not
/// take longer than `factor` times the right side. It applies wherever both sides were measured.
struct Guideline {
  std::string name;  ///< such as "allgather <= gather + bcast"
  GuidelineSide left;
  GuidelineSide right;
  SizeRelation map = SizeRelation::same;
  double factor = 1;  ///< > 0

  friend bool operator==(const Guideline&, const Guideline&) = default;
};

/// The guidelines between two MPI calls that are measured anyway, without mock-ups.
std::vector<Guideline> guidelines_between_calls();

/// Guidelines of one operation with itself: between sizes, and between numbers of ranks. With
/// `has_in_place` also in place against out of place.
std::vector<Guideline> unary_guidelines(const std::string& operation, bool has_in_place);

/// How the messages between a pair of ranks were carried, from counters of both ranks and their
/// kernel during the messages.
struct Transport {
  std::int64_t messages = 0;
  std::int64_t payload_bytes = 0;    ///< of these messages; an empty one counts as one byte [B]
  std::int64_t copy_calls = 0;       ///< calls of process_vm_readv and process_vm_writev
  std::int64_t copied_bytes = 0;     ///< by these calls [B]
  std::int64_t tcp_bytes = 0;        ///< acknowledged to the ranks' sockets [B]
  bool shares_memory = false;        ///< both ranks map the same memory and may write to it
  std::vector<std::string> devices;  ///< open devices that no counter covers (silent_devices)

  friend bool operator==(const Transport&, const Transport&) = default;
};

/// A device that moves data without a counter, and the paths below /dev that identify it.
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

/// The proven path, or the reason why none is proven.
struct PathProof {
  std::optional<std::string> path;  ///< "cma", "shm" or "tcp"
  std::string reason;               ///< empty with a path

  friend bool operator==(const PathProof&, const PathProof&) = default;
};

/// Proves one of three paths:
/// - "cma": the ranks copied at least half of the payload from each other's memory. Each byte
///   counts on one side, as the receiver reads it or the sender writes it.
/// - "tcp": the ranks' sockets carried at least half of the payload.
/// - "shm": both carried less than a tenth, the ranks share memory, and no device is open that
///   could have carried the rest without a counter.
PathProof prove_path(const Transport& transport);

/// Adds the counts of another block.
void add(Transport& sum, const Transport& more);

/// The largest message that one send call hands over before the receiver has posted a receive.
struct EagerLimit {
  std::string call;      ///< "send", "isend", "persistent" or "ssend"
  std::string receiver;  ///< "progressing": inside MPI without the receive; "asleep": outside MPI
  std::string datatype;  ///< "bytes", or "contiguous" or "strided" elements of one byte
  std::optional<std::int64_t> limit_bytes;  ///< handed over; nullopt: not even an empty message
  std::optional<std::int64_t> held_bytes;   ///< smallest size not handed over, limit + 1; nullopt:
                                            ///< every size tried was
  std::int64_t most_bytes = 0;              ///< largest size tried
  std::vector<std::int64_t> exceptions;     ///< sizes that contradict a single limit
  int probes = 0;                           ///< messages needed
  int corrections = 0;                      ///< sizes first taken for not handed over

  friend bool operator==(const EagerLimit&, const EagerLimit&) = default;
};

/// How many unreceived messages a sender can hand over.
struct Unexpected {
  std::int64_t bytes = 0;       ///< of each message
  std::string receiver;         ///< as in EagerLimit
  std::optional<int> accepted;  ///< messages until a send blocked; nullopt: all `most` were
                                ///< accepted
  int most = 0;                 ///< limit of the number of messages

  friend bool operator==(const Unexpected&, const Unexpected&) = default;
};

/// A limit that the library states in an MPI_T control variable.
struct StatedLimit {
  std::string variable;
  std::int64_t value_bytes = 0;
  std::int64_t header_bytes = 0;  ///< stated - measured: header of the library

  friend bool operator==(const StatedLimit&, const StatedLimit&) = default;
};

/// Results for the two ranks of a pair.
struct Protocol {
  std::optional<std::string> hop;  ///< hop class of the pair
  std::vector<int> pair;           ///< world ranks: sender, receiver
  std::optional<std::string> path;
  std::optional<std::int64_t> eager_limit_bytes;  ///< of MPI_Send to a progressing receiver
  std::string reason;                             ///< why there is no limit; empty if there is one
  std::vector<EagerLimit> eager_probes;
  std::vector<Unexpected> unexpected;
  std::vector<StatedLimit> stated;  ///< variables that explain the limit
  std::vector<std::string> flags;

  friend bool operator==(const Protocol&, const Protocol&) = default;
};

/// Names and values of MPI_T control variables.
using Settings = std::map<std::string, std::string>;

/// Largest header of an eager message in any library [B].
inline constexpr std::int64_t largest_header_bytes = 256;

/// The library's variables about eager messages that explain a measured limit: their value is the
/// limit, or larger by a header.
std::vector<StatedLimit> explain_limit(const Settings& settings, std::int64_t limit_bytes);

/// The variables about eager messages that may explain a limit between `least_bytes` and
/// `most_bytes`. Their header_bytes are 0, as the limit is not known.
std::vector<StatedLimit> stated_limits(const Settings& settings, std::int64_t least_bytes,
                                       std::int64_t most_bytes);

/// Whether a variable's name suggests a message size at which the library changes its protocol.
bool is_message_size(std::string_view name);

/// Whether a variable's name suggests eager messages between two ranks.
bool is_about_eager(std::string_view name);

/// Whether these functions may use a variable with this value; they ignore all others.
bool may_explain_limit(std::string_view name, std::string_view value);

/// Whether the library states any eager limit above 0.
bool states_eager_limits(const Settings& settings);

/// Flag of a series or a protocol: MPI delivered wrong data at least once.
inline constexpr std::string_view corrupt_flag = "corrupt";
/// Reason of a failed point with wrong data. It has no series that could carry the flag.
inline constexpr std::string_view wrong_data_reason = "wrong data were received";

/// Flag of a record: the ranks' clocks had provably drifted apart by the end
/// (docs/explanation/clocks.md).
inline constexpr std::string_view clock_drifted_flag = "clock-drifted";
/// Flag of a record: the MPI library reported that it could not set up its shared memory.
inline constexpr std::string_view library_degraded_flag = "library-degraded";
/// Flag of a record: the MPI library reported another fault, such as a slower way to copy.
inline constexpr std::string_view library_warned_flag = "library-warned";
/// Flag of a series and its record: during a block a rank's clock went back or jumped away from the
/// others. The block was dropped and the clocks were synchronised again.
inline constexpr std::string_view clock_jumped_flag = "clock-jumped";

/// Flag of a series and its record: the proven path is not the expected one, or none is proven.
inline constexpr std::string_view path_differs_flag = "path-differs";

/// Flag of a series: not all of its buffers were in the requested memory.
inline constexpr std::string_view memory_differs_flag = "memory-differs";

// Flags of a protocol:

/// The library states eager limits, and none of them explains the measured one.
inline constexpr std::string_view limit_differs_flag = "limit-differs";
/// Sizes contradict a single limit: a message was handed over that is larger than one that was not.
inline constexpr std::string_view limit_not_single_flag = "limit-not-single";
/// A second search found another limit.
inline constexpr std::string_view limit_unsteady_flag = "limit-unsteady";
/// MPI_Ssend returned without a receive: the probe or the library is wrong.
inline constexpr std::string_view control_failed_flag = "control-failed";

/// Result of synchronising two ranks that read the same clock; the true offset is 0. If the
/// readings contradict each other, estimate and bound are 0 and `passed` is false.
struct ClockSelfTest {
  double estimate_seconds = 0;
  double bound_seconds = 0;
  bool passed = false;  ///< |estimate| <= bound

  friend bool operator==(const ClockSelfTest&, const ClockSelfTest&) = default;
};

/// How the ranks' clocks were synchronised.
struct Synchronisation {
  std::string scheme;        ///< "same-clock", "hca3" or "simulated"
  double bound_seconds = 0;  ///< largest distance from rank 0's clock after synchronising
  std::optional<ClockSelfTest> self_test;   ///< the worst one; nullopt if no ranks share a clock
  bool slope_used = false;                  ///< whether any rank corrects its drift
  std::optional<double> end_error_seconds;  ///< largest difference after measuring
  std::optional<double> end_bound_seconds;  ///< bound on the error of that difference
  double duration_seconds = 0;              ///< time needed to synchronise
  /// All results of synchronisations that only test the algorithm; nullopt if there were none, or
  /// if no two ranks read the same clock.
  std::optional<std::vector<ClockSelfTest>> checks;

  friend bool operator==(const Synchronisation&, const Synchronisation&) = default;
};

/// `measured` points have a series; all others have a reason.
enum class PointStatus { measured, skipped, failed };

constexpr auto words_of(std::type_identity<PointStatus>) {
  return std::to_array<std::string_view>({"measured", "skipped", "failed"});
}

struct PlannedPoint {
  Point point;
  std::int64_t bytes_per_sample = 0;  ///< bytes of one operation that bandwidth counts [B]
  /// Least bytes that the busiest rank must send or receive in one operation [B].
  std::optional<double> bus_bytes_per_sample{};
  PointStatus status = PointStatus::measured;
  std::string reason;  ///< why it was not measured; empty if it was
  /// The CPU of each thread of each rank of the team; empty without threads, or if they are not
  /// bound.
  std::vector<std::vector<int>> thread_cpus{};

  friend bool operator==(const PlannedPoint&, const PlannedPoint&) = default;
};

/// Number and median of the samples that count (core/samples.hpp).
struct CountedSamples {
  std::size_t number = 0;
  std::optional<double> median_seconds;

  friend bool operator==(const CountedSamples&, const CountedSamples&) = default;
};

/// High quantiles of the samples that count. nullopt if the launch has too few independent samples
/// (effective_sample_size) for an upper bound: 29 for p90, 299 for p99, 2995 for p999. If samples
/// are batches, the quantiles are those of batches.
struct TailQuantiles {
  std::optional<double> p90_seconds;
  std::optional<double> p99_seconds;
  std::optional<double> p999_seconds;

  friend bool operator==(const TailQuantiles&, const TailQuantiles&) = default;
};

/// Samples beyond Q3 + 3 IQR and at least 10 % above Q3. They remain among the samples.
struct Outliers {
  double limit_seconds = 0;
  int count = 0;                   ///< among the samples that count
  std::vector<double> at_seconds;  ///< start of each block with an outlier, or empty

  friend bool operator==(const Outliers&, const Outliers&) = default;
};

/// Statistics of one series in this one launch. Minimum, maximum and mean are those of all blocks;
/// all others are those of the blocks that count (core/samples.hpp). `within_seconds` is the
/// interval of the median inside the launch: a diagnostic, not the uncertainty of the latency,
/// which needs several launches.
struct Summary {
  std::optional<double> median_seconds;
  std::optional<double> minimum_seconds;
  std::optional<double> maximum_seconds;
  std::optional<double> mean_seconds;  ///< the figure of OMB and IMB
  std::optional<Interval> within_seconds;
  std::optional<double> effective_samples;
  TailQuantiles tails;
  std::optional<Outliers> outliers;    ///< nullopt for fewer than four samples
  std::optional<double> skew_seconds;  ///< median over blocks
  std::optional<double> page_faults;   ///< of one operation, median over counted blocks
  std::optional<int>
      undisturbed_blocks;  ///< number of undisturbed blocks; nullopt without noise probes

  friend bool operator==(const Summary&, const Summary&) = default;
};

/// The samples of one point in one launch, in the order of measuring.
struct Series {
  Point point;
  std::vector<double> samples_seconds;  ///< one per batch: time of one operation
  std::vector<int> blocks;              ///< number of samples of each block
  std::vector<double> starts_seconds;   ///< of each block, since measuring began [s], or empty
  std::vector<double>
      noise_probes_seconds;  ///< time of the noise probe beside each block [s], or empty
  /// Page faults of one operation in each block, on the rank with the most; or empty.
  std::vector<double> page_faults;
  std::vector<double> skews_seconds;  ///< of the starts of ranks, median of each block [s], or
                                      ///< empty
  /// For each block, the time of each rank of the team from its start to its end [s]; or empty.
  std::vector<std::vector<double>> locals_seconds;
  /// Iterations whose data were compared with the sent data; nullopt in records of older versions.
  std::optional<std::int64_t> deliveries_checked;
  int late_starts = 0;                 ///< starts that some rank missed; repeated, not sampled
  int warm_up_blocks = 0;              ///< first blocks, which do not count (core/samples.hpp)
  std::int64_t batch = 1;              ///< operations timed together in one sample
  std::int64_t bytes_per_sample = 0;   ///< bytes of one operation that bandwidth counts [B]
  std::optional<Transport> transport;  ///< counts of the carried messages, if available
  Summary summary;
  std::vector<std::string> flags;
  std::optional<CountedSamples> counted;  ///< if the samples were dropped
  CampaignJudgement judgement;            ///< no part of the document

  friend bool operator==(const Series&, const Series&) = default;
};

enum class LaunchStatus { complete, interrupted, failed };

constexpr auto words_of(std::type_identity<LaunchStatus>) {
  return std::to_array<std::string_view>({"complete", "interrupted", "failed"});
}

/// All results of one launch: document `hockney.record/2`.
struct Record {
  std::string procedure;  ///< the experiment, such as "pingpong"
  LaunchStatus status = LaunchStatus::complete;
  std::string started_utc;     ///< ISO 8601
  double elapsed_seconds = 0;  ///< from the start of the program to the end of measuring
  double measuring_seconds = 0;
  std::string stopped_because;  ///< why measuring ended: "budget spent", "epochs done"
  std::string under_way;   ///< the point at which the launch died (PointChoice); empty: at none
  std::uint64_t seed = 0;  ///< of the random order of points and of buffers
  std::optional<CampaignPlace> campaign;
  Provenance provenance;
  std::vector<RankPlace> ranks;
  Clock clock;
  std::optional<std::string> start;  ///< how the start is synchronised: "round-time", "barrier",
                                     ///< ...
  std::optional<Synchronisation> sync;
  SharedList<PlannedPoint> points;  ///< the same in most launches of a campaign
  std::vector<Series> series;
  std::vector<Protocol> protocols;       ///< of hockney-protocol
  std::vector<MemoryUse> memory;         ///< of hockney-protocol
  std::vector<AlgorithmUse> algorithms;  ///< of collectives, from a verification launch
  std::vector<Guideline> guidelines;     ///< of hockney-guidelines: its plan
  std::vector<BufferMemoryUse> buffers;  ///< requested by --memory; without host memory
  std::vector<CoreNoise> noise;          ///< of hockney-noise: one for each rank
  std::vector<MachineProbe> machine;     ///< in order of time; empty under a simulator
  std::vector<std::string> flags;

  friend bool operator==(const Record&, const Record&) = default;
};

/// Marks windows as automatic where an operation has at each size the window of that size
/// (default_window). Records of earlier versions do not say whether --window was given.
void mark_automatic(Record& record);

/// Summary of a series (core/samples.cpp); undefined members are nullopt.
Summary summarise(const Series& series);

/// Flag of launches whose ranks share CPUs, and of series whose threads do. Their times show the
/// scheduler of the operating system more than MPI.
inline constexpr std::string_view oversubscribed_flag = "oversubscribed";

/// Numbers of ranks and CPUs, if there are fewer CPUs.
struct CpuSharing {
  std::size_t ranks = 0;
  std::size_t cpus = 0;

  friend auto operator<=>(const CpuSharing&, const CpuSharing&) = default;
};

/// Ranks and CPUs, summed over the hosts with more ranks than CPUs available to them; nullopt if
/// there is no such host. Ranks without CPUs, such as simulated ones, do not count.
std::optional<CpuSharing> cpu_sharing(std::span<const RankPlace> places);

/// "4 ranks on 2 CPUs: times are those of ranks that share CPUs".
std::string oversubscription_text(const CpuSharing& sharing);

/// The same for some of `launches`, grouped by their sharing; empty if none share CPUs.
std::string oversubscription_text(const std::map<CpuSharing, std::size_t>& sharing,
                                  std::size_t launches);

/// The same for the complete launches of both sides together. If threads share CPUs: "threads share
/// CPUs".
std::string oversubscription_text(std::span<const Record> launches,
                                  std::span<const Record> other_side = {});

}  // namespace hockney
