#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/json_fields.hpp"
#include "core/quantities.hpp"
#include "placement/machine.hpp"
#include "placement/topology_fields.hpp"

namespace hockney::where {

/// CPUs as the kernel lists them: "0-7,16".
inline constexpr FieldCodec<std::vector<int>, std::string> cpu_list_codec{
    [](const JsonNode& node) { return placement::parse_cpus(node.text()); },
    [](const std::vector<int>& cpus) { return placement::format_cpus(cpus); }};

/// Where a thread of a rank runs. CPUs have the numbers of the operating system.
struct ThreadPlace {
  std::vector<int> allowed_cpus;   ///< its affinity, ascending
  int last_cpu = 0;                ///< where it was when all threads of the rank were at work
  std::optional<int> memory_node;  ///< of a page it touched first; nullopt: the kernel tells none

  friend bool operator==(const ThreadPlace&, const ThreadPlace&) = default;
};

constexpr auto fields_of(std::type_identity<ThreadPlace>) {
  return object_of(key("allowed_cpus", &ThreadPlace::allowed_cpus, cpu_list_codec),
                   key("last_cpu", &ThreadPlace::last_cpu),
                   key("memory_node", &ThreadPlace::memory_node));
}

/// One rank, as it found itself.
struct RankPlace {
  int rank = 0;
  std::optional<int> of;  ///< ranks that its launcher says there are
  std::string host;
  std::string mpi_library;     ///< file that it called MPI_Init of; empty: of none
  std::string openmp_runtime;  ///< file that its threads are of; empty: they were not started
  std::map<std::string, std::string> variables;  ///< that steer threads of OpenMP
  /// CPUs that it might use where its launcher started it, behind each wrapper, and last where its
  /// program began: "0-1", "0". Empty where a wrapper keeps the environment from it.
  std::vector<std::string> started_on;
  std::vector<ThreadPlace> threads;  ///< by their number; at least one

  friend bool operator==(const RankPlace&, const RankPlace&) = default;
};

constexpr auto fields_of(std::type_identity<RankPlace>) {
  return object_of(key("rank", &RankPlace::rank), key("of", &RankPlace::of),
                   key("host", &RankPlace::host),
                   key("mpi_library", &RankPlace::mpi_library, KeyUse::null_if_empty),
                   key("openmp_runtime", &RankPlace::openmp_runtime, KeyUse::null_if_empty),
                   key("variables", &RankPlace::variables),
                   key("started_on", &RankPlace::started_on), key("threads", &RankPlace::threads));
}

/// A process of others on a node that uses CPU time.
struct OtherProcess {
  int pid = 0;
  std::string command;
  std::string user;               ///< its number where it has no name
  std::vector<int> allowed_cpus;  ///< of its threads at work, ascending
  std::size_t threads = 1;        ///< at work

  friend bool operator==(const OtherProcess&, const OtherProcess&) = default;
};

constexpr auto fields_of(std::type_identity<OtherProcess>) {
  return object_of(key("pid", &OtherProcess::pid), key("command", &OtherProcess::command),
                   key("user", &OtherProcess::user),
                   key("allowed_cpus", &OtherProcess::allowed_cpus, cpu_list_codec),
                   key("threads", &OtherProcess::threads));
}

/// What the job may use of a node, whatever its ranks are bound to.
struct NodeCpus {
  std::string host;
  std::string cpu_model;
  std::vector<placement::Pu> pus;  ///< at least one
  /// That the launcher's own process there may use, ascending; empty: not known.
  std::vector<int> launcher_cpus;
  std::string list;              ///< variable that keeps the launcher to some CPUs: "NAME=0-3"
  std::vector<int> listed_cpus;  ///< these
  std::vector<OtherProcess> others;

  friend bool operator==(const NodeCpus&, const NodeCpus&) = default;
};

constexpr auto fields_of(std::type_identity<NodeCpus>) {
  return object_of(key("host", &NodeCpus::host), key("cpu_model", &NodeCpus::cpu_model),
                   key("pus", &NodeCpus::pus), key("launcher_cpus", &NodeCpus::launcher_cpus),
                   key("list", &NodeCpus::list, KeyUse::null_if_empty),
                   key("listed_cpus", &NodeCpus::listed_cpus), key("others", &NodeCpus::others));
}

/// Every rank of a launch, by number, and the nodes they are on, in order of their first rank.
struct Whereabouts {
  std::vector<NodeCpus> nodes;
  std::vector<RankPlace> ranks;
  std::vector<std::string> empty_hosts;  ///< that were asked for and have no rank
};

/// Whether a launcher stays on the CPUs that it may use itself: it does not where a rank may be on
/// others.
bool stays_on_its_cpus(const Whereabouts& all, const NodeCpus& node);

/// What keeps a job to some CPUs of its nodes, besides bindings of ranks.
struct JobLimits {
  bool launcher = true;  ///< the CPUs that its launcher may use, where that stays on them
  bool list = true;      ///< those of a variable
};

/// Takes other CPUs from the nodes. Says of each node what keeps the job.
std::vector<std::string> keep_job_cpus(Whereabouts& all, const JobLimits& limits);

/// The ranks of a host.
std::vector<const RankPlace*> ranks_on(const Whereabouts& all, const std::string& host);

/// The largest number of threads that a rank has.
std::size_t most_threads(const Whereabouts& all);

// Every rank leaves a part in a folder that all nodes see, and one rank of each node its CPUs.

/// Leaves them there. RunError when they cannot be written.
void leave_part(const RankPlace& rank, const std::string& folder);
/// Whether this process is the first of its node to ask.
bool claims_node(const std::string& host, const std::string& folder);
void leave_node(const NodeCpus& node, const std::string& folder);

/// Puts parts together. `hosts`: those that were asked for, which may have domains where the nodes'
/// own names have none, or the reverse. RunError when ranks or the CPUs of a node are missing.
Whereabouts collect_parts(const std::string& folder, const std::vector<std::string>& hosts);

/// A thread at one moment (proc(5)).
struct ThreadSample {
  std::int64_t ticks = 0;   ///< of CPU time that it has used, sysconf(_SC_CLK_TCK) in a second
  bool is_running = false;  ///< or waits for a CPU
  int last_cpu = 0;
  std::vector<int> allowed_cpus;
};

/// A process at one moment.
struct ProcessSample {
  int parent = 0;
  std::string command;
  std::string user;
  std::map<int, ThreadSample> threads;  ///< by their number
};

using ProcessSamples = std::map<int, ProcessSample>;

/// All processes of the node that can be read, but the kernel's. `proc`: where the kernel tells.
ProcessSamples sample_processes(const std::string& proc = "/proc");

/// A process and all that it started, as far as the kernel tells whose children they are.
ProcessSamples sample_family(int process, const std::string& proc = "/proc");

/// A process and all that it started, by their parents.
std::set<int> descendants_of(const ProcessSamples& samples, int process);

/// A process and those that it comes from.
std::set<int> ancestors_of(const ProcessSamples& samples, int process);

/// Processes that used a CPU for a fifth of the time between two moments or more, without `own`.
std::vector<OtherProcess> busy_processes(const ProcessSamples& before, const ProcessSamples& after,
                                         Seconds between, const std::set<int>& own);

/// Which threads of a program are at work, by moments that follow each other: those that ran, or
/// waited for a CPU, in more than half of ten moments in a row, so that threads of one phase and
/// the next do not count together. Of several such times that with the most threads counts; of a
/// program that ends earlier, all its moments.
class ThreadWatch {
 public:
  /// Takes one more moment, of the processes that `root` started and itself.
  void add(const ProcessSamples& samples, int root);

  /// In order of their numbers; the first thread where none was at work, none where no moment was
  /// taken.
  [[nodiscard]] std::vector<ThreadPlace> most() const;

 private:
  struct Seen {
    std::vector<bool> at_work;  ///< in each moment of the window, the latest last
    ThreadSample last;
  };

  [[nodiscard]] std::vector<ThreadPlace> at_work() const;

  static constexpr std::size_t window = 10;  ///< moments
  std::size_t moments_ = 0;                  ///< at most as many
  std::map<int, Seen> threads_;
  std::vector<ThreadPlace> most_;
};

}  // namespace hockney::where
