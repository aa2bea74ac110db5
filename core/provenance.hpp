#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/text.hpp"

namespace hockney {

/// Memory of one rank's process at one moment of a launch.
struct MemoryUse {
  int rank = 0;
  /// "before-init", "after-init", "after-peer", "flooded" (with unreceived messages),
  /// "after-flood", "communicators" (with that many of them)
  std::string moment;
  std::optional<int> peers;                   ///< ranks with which it had exchanged a message
  std::optional<int> communicators;           ///< communicators beyond the first ones
  std::optional<std::int64_t> messages;       ///< of a flood: sent, not yet received
  std::optional<std::int64_t> message_bytes;  ///< of each message
  std::int64_t rss_bytes = 0;                 ///< resident
  std::int64_t pss_bytes = 0;     ///< resident; shared pages divided by the number of sharers
  std::int64_t shared_bytes = 0;  ///< resident in shared-memory segments and files on tmpfs

  friend bool operator==(const MemoryUse&, const MemoryUse&) = default;
};

/// The memory in which buffers of one kind really were, on some ranks.
struct BufferMemoryUse {
  std::string memory;      ///< parameter `memory` of the points, one side: "huge", "cuda" ...
  std::vector<int> ranks;  ///< ascending
  std::string evidence;    ///< what was read back
  bool is_proven = false;  ///< all of it is the requested memory
  std::optional<std::string> gpu_aware;  ///< why MPI accepts GPU memory: "library", "asserted"

  friend bool operator==(const BufferMemoryUse&, const BufferMemoryUse&) = default;
};

/// How this program was built.
struct Build {
  std::string version;
  std::string git_revision;
  std::string compiler;
  std::string flags;

  friend bool operator==(const Build&, const Build&) = default;
};

/// Whether a setting took effect. Proven: the effective value is the requested one. Ignored: it is
/// another, or the library has no such setting. Unproven: the library does not report it.
enum class Proof { proven, ignored, unproven };

constexpr auto words_of(std::type_identity<Proof>) {
  return std::to_array<std::string_view>({"proven", "ignored", "unproven"});
}

/// An environment variable that requests a setting of the MPI library, and the result.
struct RequestedSetting {
  std::string variable;                  ///< such as "OMPI_MCA_btl_vader_eager_limit"
  std::string requested;                 ///< its value
  std::optional<std::string> effective;  ///< as the library reports it; nullopt if it does not
  Proof proof = Proof::unproven;
  std::string reason;  ///< why it is not proven; empty if it is

  friend bool operator==(const RequestedSetting&, const RequestedSetting&) = default;
};

/// The MPI library as reported at run time.
struct MpiLibrary {
  std::string library;                          ///< MPI_Get_library_version, first line
  std::string standard;                         ///< MPI_Get_version, "3.1"
  std::map<std::string, std::string> settings;  ///< MPI_T control variables with effective values
  std::vector<RequestedSetting> requested;      ///< from the environment, each with its proof
  std::vector<std::string> messages;            ///< faults that the library printed to the log

  friend bool operator==(const MpiLibrary&, const MpiLibrary&) = default;
};

/// CPU time that others used of the job's CPUs on a host while a launch measured, as a number of
/// CPUs (core/cpu_use.hpp).
struct OtherUse {
  double cpus = 0;        ///< by processes and interrupts
  double steal_cpus = 0;  ///< by the hypervisor
  std::string command{};  ///< that used most; empty: none is known
  double command_cpus = 0;

  friend bool operator==(const OtherUse&, const OtherUse&) = default;
};

/// One machine of the job.
struct Host {
  std::string name;
  std::string cpu_model;
  std::string kernel;
  std::string governor;     ///< frequency governor; empty when the kernel offers none
  std::string clocksource;  ///< the kernel's current clock source
  std::string topology_digest;
  int cpus = 0;
  double load_average = 0;           ///< one-minute load average when the launch starts
  std::optional<OtherUse> others{};  ///< nullopt in records of before, and where proc(5) is missing
  /// Its place in the network: "slurm_address" and "slurm_pattern" (SLURM_TOPOLOGY_ADDR and its
  /// _PATTERN), "cray_name", "infiniband_guids" (separated by blanks). Only the known ones.
  std::map<std::string, std::string> network{};
  std::optional<std::int64_t> memory_bytes{};  ///< usable by the kernel; nullopt: unknown
  /// Model of each GPU, with its PCI vendor and device: "NVIDIA H200 [10de:2335]".
  std::vector<std::string> gpus{};
  std::string serial{};  ///< of the board; empty: unknown, as it is to all users but root

  friend bool operator==(const Host&, const Host&) = default;
};

/// The source of the hosts' places in the network.
struct SiteOrigin {
  std::string source;     ///< "slurm-topology", "infiniband", ...
  std::string detail;     ///< the file, command or records it was read from
  bool inferred = false;  ///< derived from measured latencies

  friend bool operator==(const SiteOrigin&, const SiteOrigin&) = default;
};

struct Provenance {
  std::vector<std::string> command_line;
  std::map<std::string, std::string> environment;  ///< variables that steer MPI, with values
  Build build;
  MpiLibrary mpi;
  std::vector<Host> hosts;
  std::optional<SiteOrigin> network{};  ///< source of the hop classes between nodes; nullopt: none

  friend bool operator==(const Provenance&, const Provenance&) = default;
};

/// Requested and actual CPUs of a rank, as the operating system numbers them.
struct RankPlace {
  int rank = 0;
  std::string host;
  std::optional<int> requested_cpu;  ///< nullopt when no binding was asked for
  std::vector<int> actual_cpus;      ///< read back after binding; several when the rank may move

  friend bool operator==(const RankPlace&, const RankPlace&) = default;
};

/// The clock the samples were taken with.
struct Clock {
  std::string source;             ///< "CLOCK_MONOTONIC_RAW" or "MPI_Wtime"
  double resolution_seconds = 0;  ///< smallest positive step seen
  double cost_seconds = 0;        ///< median time of one reading

  friend bool operator==(const Clock&, const Clock&) = default;
};

/// The campaign and launch of a record.
struct CampaignPlace {
  std::string name;
  std::string setting;
  int launch = 0;
  std::map<std::string, std::string> axes;  ///< of a sweep: the setting's value on each axis

  friend bool operator==(const CampaignPlace&, const CampaignPlace&) = default;
};

// Documents contain no secrets: if the name of a variable or option ends like that of a secret, its
// value is stored as "set". Every writer of variables or command lines calls these functions.

inline constexpr std::string_view kept_of_secret = "set";

/// Whether a name ends in TOKEN, SECRET, KEY, PASSWORD, PASSWD, PASSPHRASE, JWT, UUID, CREDENTIAL
/// or CREDENTIALS, in any case. Not PKEY, the partition of an InfiniBand fabric, nor names that end
/// in _FILE: a path is no secret.
bool is_secret(std::string_view name);

/// The value of a variable, or "set"; secrets within the value, as in NAME=value and
/// scheme://user:secret@host, are masked too.
std::string without_secret(std::string_view name, const std::string& value);

/// The same for variables by name.
std::map<std::string, std::string> without_secrets(std::map<std::string, std::string> variables);

/// The same for requested settings, in their requested and effective values and reasons.
std::vector<RequestedSetting> without_secrets(std::vector<RequestedSetting> settings);

/// The same for the words of a command line: NAME=value and --name=value; the word after --name;
/// -genv NAME value, -env NAME value and --mca NAME value; the variables in --export=NAME=value,...
/// ; -H NAME:value; curl's -u user:value. Also for a word that is itself a command line, as that of
/// sh -c.
std::vector<std::string> without_secrets(std::vector<std::string> words);

}  // namespace hockney
