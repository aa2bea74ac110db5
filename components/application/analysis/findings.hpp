#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "components/application/analysis/communication.hpp"
#include "components/application/analysis/cpu_use.hpp"
#include "components/application/analysis/functions.hpp"
#include "components/application/analysis/replay_split.hpp"
#include "components/application/analysis/time_split.hpp"
#include "components/application/analysis/trace_analysis.hpp"
#include "components/application/analysis/waits.hpp"
#include "components/application/profile/profile.hpp"
#include "core/text.hpp"

namespace hockney::applications {

// Why a program takes its time: causes, each with its share of the run. Rules and limits:
// docs/explanation/findings.md.

enum class FindingKind {
  starved_cpu,      ///< ranks were ready to run and had no CPU
  imbalance,        ///< one rank computes longer than others; or in turn another one
  slow_node,        ///< the ranks of one node compute longer than others
  io,               ///< files, and ranks that wait for others in files
  serialisation,    ///< ranks compute one after the other
  late_sender,      ///< receivers wait for messages that are sent late
  eager_limit,      ///< senders wait for receives, above the eager limit or in MPI_Ssend
  slow_collective,  ///< collectives take long after the last rank has entered
  transfer,         ///< messages between two ranks take long
  starting,         ///< MPI_Comm_spawn starts processes
  other_job         ///< calls with processes of another MPI_COMM_WORLD, which are not followed
};

constexpr auto words_of(std::type_identity<FindingKind>) {
  return std::to_array<std::string_view>({"starved_cpu", "imbalance", "slow_node", "io",
                                          "serialisation", "late_sender", "eager_limit",
                                          "slow_collective", "transfer", "starting", "other_job"});
}

/// One cause.
struct Finding {
  FindingKind kind = FindingKind::transfer;
  std::optional<int> rank;  ///< world rank that causes it, or that is hit most
  std::optional<int> site;  ///< index into the profile's sites
  double fraction = 0;      ///< of the time of all ranks

  // Evidence; its meaning depends on the kind.
  std::string call;                        ///< at the site
  std::optional<int> region;               ///< index into the profile's regions
  std::optional<CodeFunction> function{};  ///< imbalance: in which the rank computes longer
  std::string node;                        ///< of slow_node
  double ratio = 0;     ///< imbalance, slow_node: computing over that of the median of others
  int ranks_alike = 1;  ///< imbalance: ranks that compute nearly as long
  /// Imbalance of a starved run: CPU time outside of MPI, which does not depend on who else ran, of
  /// the rank and of the median of the others [s].
  double cpu_seconds = 0;
  double other_cpu_seconds = 0;
  Volume volume{};              ///< messages or calls, and their bytes
  double seconds_per_call = 0;  ///< of a collective, mean
  double concurrency = 0;       ///< serialisation: ranks that compute at the same time, mean
  std::optional<ContentionSource> source{};
  int threads = 0;         ///< own threads took the CPU: so many CPUs each rank needs
  bool is_by_log = false;  ///< from a replay; otherwise estimated from sums
  /// Time of the run without it: by replay if there is a log [s].
  double without_seconds = 0;
};

/// The summary names causes from this share of the scheduled time on.
inline constexpr double least_named_finding = 0.05;

/// Part of the run in which ranks had a CPU; 1 if it is not known.
double scheduled_share(const std::optional<CpuSummary>& cpu);

/// What a log says beyond its split. Sites are indices into the profile's sites, or nullopt.
struct LogFacts {
  struct Computing {
    std::optional<int> site;  ///< of the call after it
    std::optional<int> region;
    std::string call;
    double seconds = 0;
  };
  std::vector<Computing> longest;  ///< of each rank: most computing before one call site
  MessageWaits waits;              ///< sites by the profile
  double balanced_seconds = 0;     ///< ideal network, every rank computes for as long as the mean
  /// Waiting of one call site for late receives, and what follows from it, over all ranks [s].
  struct HeldUp {
    std::string call;
    std::optional<int> site;
    double seconds = 0;
  };
  /// By replay with senders that wait above the largest message that was seen to be eager.
  std::vector<HeldUp> held_up{};
  double late_receive_seconds = 0;  ///< the replay's time less that without these waits
};

/// `sites`, `regions`: the profile's index of each of the trace's. `lost`: as in split_by_replay().
LogFacts log_facts(const TraceAnalysis& run, std::span<const std::optional<int>> sites,
                   std::span<const std::optional<int>> regions, std::span<const NotScheduled> lost);

/// Whether MPI itself makes the sender wait for the receive: MPI_Ssend and the like.
bool is_synchronous(const std::string& call);

struct ProgramReport;

/// The causes of a run's time by its other results, worst first. A starved CPU is worst: with it
/// the others are those of a disturbed run.
std::vector<Finding> find_causes(const ProgramReport& report);

/// Share of the run that MPI settings could save at most: transfer, and senders that wait for
/// receives. nullopt without a log.
std::optional<double> most_by_settings(const ProgramReport& report);

}  // namespace hockney::applications
