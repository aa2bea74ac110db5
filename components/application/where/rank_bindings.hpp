#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "components/application/where/cpu_limits.hpp"
#include "core/json_functions.hpp"
#include "core/quantities.hpp"
#include "placement/machine.hpp"
#include "placement/topology.hpp"

namespace hockney::where {

/// Place of one thread of a rank. CPUs have the operating system's numbers.
struct ThreadPlace {
  std::vector<int> allowed_cpus;   ///< its affinity, ascending
  int last_cpu = 0;                ///< last CPU when all threads of the rank were at work
  std::optional<int> memory_node;  ///< of a newly touched page; nullopt: unknown

  friend bool operator==(const ThreadPlace&, const ThreadPlace&) = default;
};

/// One rank, as it found itself.
struct RankPlace {
  int rank = 0;
  std::optional<int> of;  ///< number of ranks, if its launcher sets it
  int program = 0;        ///< index of its program in the command
  std::string host;
  std::string mpi_library;     ///< file whose MPI_Init it called; empty: none
  std::string openmp_runtime;  ///< OpenMP runtime of its threads; empty: they were not started
  std::map<std::string, std::string> variables;  ///< that control OpenMP threads
  /// Allowed CPUs at its start, after each wrapper, and last at the begin of its program: "0-1",
  /// "0". Empty if a wrapper clears the environment.
  std::vector<std::string> started_on;
  std::vector<ThreadPlace> threads;  ///< by thread number; at least one
  std::vector<CpuLimit> limits{};    ///< of its control groups

  friend bool operator==(const RankPlace&, const RankPlace&) = default;
};

/// A process of others on a node that uses CPU time.
struct OtherProcess {
  int pid = 0;
  std::string command;
  std::string user;               ///< name, or number without a name
  std::vector<int> allowed_cpus;  ///< of its threads at work, ascending
  std::size_t threads = 1;        ///< number at work

  friend bool operator==(const OtherProcess&, const OtherProcess&) = default;
};

/// CPUs of a node that the job may use, without the bindings of its ranks.
struct NodeCpus {
  std::string host;
  std::string cpu_model;
  std::vector<placement::Pu> pus;  ///< at least one
  /// Allowed CPUs of the launcher's process on the node, ascending; empty: unknown.
  std::vector<int> launcher_cpus;
  std::string list;              ///< variable that restricts the launcher to some CPUs: "NAME=0-3"
  std::vector<int> listed_cpus;  ///< the CPUs of that variable
  std::vector<OtherProcess> others;

  friend bool operator==(const NodeCpus&, const NodeCpus&) = default;
};

// Of parts and documents.

void read_into(const JsonNode& node, NodeCpus& cpus);
void read_into(const JsonNode& node, OtherProcess& process);
void read_into(const JsonNode& node, RankPlace& place);
void to_json(nlohmann::json& json, const NodeCpus& cpus);
void to_json(nlohmann::json& json, const OtherProcess& process);
void to_json(nlohmann::json& json, const RankPlace& place);

/// All ranks of a launch, by number, and their nodes, in order of their first rank.
struct RankBindings {
  std::vector<NodeCpus> nodes;
  std::vector<RankPlace> ranks;
  std::vector<std::string> empty_hosts;  ///< requested hosts without a rank
};

/// Whether a launcher keeps its ranks on its own allowed CPUs: false if a thread may run on others.
bool stays_on_its_cpus(const RankBindings& all, const NodeCpus& node);

/// Restrictions of a job to some CPUs of its nodes, besides bindings of ranks.
struct JobLimits {
  bool launcher = true;  ///< the launcher's own CPUs, if its ranks stay on them
  bool list = true;      ///< the CPUs of a variable
};

/// Removes other CPUs from the nodes. Returns one note per restriction of a node.
std::vector<std::string> keep_job_cpus(RankBindings& all, const JobLimits& limits);

/// The ranks of a host.
std::vector<const RankPlace*> ranks_on(const RankBindings& all, const std::string& host);

/// The largest number of threads that a rank has.
std::size_t most_threads(const RankBindings& all);

// Every rank writes a part to a folder that all nodes see; one rank per node writes the CPUs.

/// Writes a part to the folder. RunError if that fails.
void leave_part(const RankPlace& rank, const std::string& folder);
/// True for the first process of its node that calls it.
bool claims_node(const std::string& host, const std::string& folder);
void leave_node(const NodeCpus& node, const std::string& folder);

/// Reads and merges the parts. `hosts`: requested names, which may differ from the nodes' own names
/// in the domain. RunError if ranks, or the CPUs of a node, are missing.
RankBindings collect_parts(const std::string& folder, const std::vector<std::string>& hosts);

/// State of a thread at one time (proc(5)).
struct ThreadSample {
  std::int64_t ticks = 0;   ///< CPU time used; sysconf(_SC_CLK_TCK) ticks per second
  bool is_running = false;  ///< running or waiting for a CPU
  int last_cpu = 0;
  std::vector<int> allowed_cpus;
};

/// State of a process at one time.
struct ProcessSample {
  int parent = 0;
  std::string command;
  std::string user;
  std::map<int, ThreadSample> threads;  ///< by thread number
};

using ProcessSamples = std::map<int, ProcessSample>;

/// All readable processes of the node, without kernel threads. `proc`: mount point of proc(5).
ProcessSamples sample_processes(const std::string& proc = "/proc");

/// A process and its descendants, from the kernel's lists of children.
ProcessSamples sample_family(int process, const std::string& proc = "/proc");

/// A process and its descendants, by parent.
std::set<int> descendants_of(const ProcessSamples& samples, int process);

/// A process and its ancestors.
std::set<int> ancestors_of(const ProcessSamples& samples, int process);

/// Processes, except `own`, with a thread that used a CPU for at least a fifth of the time between
/// two samples.
std::vector<OtherProcess> busy_processes(const ProcessSamples& before, const ProcessSamples& after,
                                         Seconds between, const std::set<int>& own);

/// Finds the threads of a program that work at the same time, from successive samples. A thread is
/// at work if it ran, or waited for a CPU, in more than half of ten successive samples. Threads of
/// different phases are therefore not added up. The samples with the most threads at work count.
/// For a program that ends earlier, all its samples count.
class ThreadWatch {
 public:
  /// Adds a sample of `root` and its descendants.
  void add(const ProcessSamples& samples, int root);

  /// Threads at work, by number. If none was, the first thread; empty without samples.
  [[nodiscard]] std::vector<ThreadPlace> most() const;

 private:
  struct Seen {
    std::vector<bool> at_work;  ///< in each sample of the window, the latest last
    ThreadSample last;
  };

  [[nodiscard]] std::vector<ThreadPlace> at_work() const;

  static constexpr std::size_t window = 10;  ///< samples
  std::size_t moments_ = 0;                  ///< at most `window`
  std::map<int, Seen> threads_;
  std::vector<ThreadPlace> most_;
};

}  // namespace hockney::where

template <>
inline constexpr bool hockney::has_json_functions<hockney::where::NodeCpus> = true;
template <>
inline constexpr bool hockney::has_json_functions<hockney::where::OtherProcess> = true;
template <>
inline constexpr bool hockney::has_json_functions<hockney::where::RankPlace> = true;
