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
  /// "before-init", "after-init", "after-peer", "flooded" (messages wait), "after-flood",
  /// "communicators" (so many are held)
  std::string moment;
  std::optional<int> peers;                   ///< ranks it had exchanged a message with by then
  std::optional<int> communicators;           ///< it had made, and held, beside its first ones
  std::optional<std::int64_t> messages;       ///< of a flood: waiting unreceived
  std::optional<std::int64_t> message_bytes;  ///< of each of them
  std::int64_t rss_bytes = 0;                 ///< resident
  std::int64_t pss_bytes = 0;     ///< resident, shared pages divided by those who share them
  std::int64_t shared_bytes = 0;  ///< resident in shared-memory segments and files on tmpfs

  friend bool operator==(const MemoryUse&, const MemoryUse&) = default;
};

/// What buffers of a kind of memory turned out to be in, on some ranks.
struct BufferMemoryUse {
  std::string memory;      ///< as in the points' parameters, of one side: "huge", "cuda" ...
  std::vector<int> ranks;  ///< ascending
  std::string evidence;    ///< what was read back
  bool is_proven = false;  ///< all of it is what was asked for
  std::optional<std::string> gpu_aware;  ///< who says that MPI takes it: "library", "asserted"

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

/// Whether a setting took effect: the value in force is the one asked for; it is not, or the
/// library has no such setting; or the library does not let us see.
enum class Proof { proven, ignored, unproven };

constexpr auto words_of(std::type_identity<Proof>) {
  return std::to_array<std::string_view>({"proven", "ignored", "unproven"});
}

/// A variable of the environment that asks the MPI library for something, and what became of it.
struct RequestedSetting {
  std::string variable;                  ///< such as "OMPI_MCA_btl_vader_eager_limit"
  std::string requested;                 ///< its value
  std::optional<std::string> effective;  ///< as the library says; nullopt when it does not
  Proof proof = Proof::unproven;
  std::string reason;  ///< why it is not proven; empty when it is

  friend bool operator==(const RequestedSetting&, const RequestedSetting&) = default;
};

/// The MPI library as it describes itself at run time.
struct MpiLibrary {
  std::string library;                          ///< MPI_Get_library_version, first line
  std::string standard;                         ///< MPI_Get_version, "3.1"
  std::map<std::string, std::string> settings;  ///< MPI_T control variables with values in force
  std::vector<RequestedSetting> requested;      ///< of the environment, each with its proof
  std::vector<std::string> messages;            ///< faults that the library reported in the log

  friend bool operator==(const MpiLibrary&, const MpiLibrary&) = default;
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
  double load_average = 0;  ///< one-minute load at the start of the launch
  /// What tells its place in the network: "slurm_address" and "slurm_pattern" (SLURM_TOPOLOGY_ADDR
  /// and its _PATTERN), "cray_name", "infiniband_guids" (separated by blanks); those there are.
  std::map<std::string, std::string> network{};

  friend bool operator==(const Host&, const Host&) = default;
};

/// What told where hosts are in the network.
struct SiteOrigin {
  std::string source;     ///< "slurm-topology", "infiniband", ...
  std::string detail;     ///< the file, command or records that it was read from
  bool inferred = false;  ///< guessed from measured latencies: nothing stated it

  friend bool operator==(const SiteOrigin&, const SiteOrigin&) = default;
};

struct Provenance {
  std::vector<std::string> command_line;
  std::map<std::string, std::string> environment;  ///< variables that steer MPI, with values
  Build build;
  MpiLibrary mpi;
  std::vector<Host> hosts;
  std::optional<SiteOrigin> network{};  ///< of the hop classes between nodes; nullopt: not known

  friend bool operator==(const Provenance&, const Provenance&) = default;
};

/// Where a rank was asked to run and where it was found: operating-system CPU numbers.
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

/// Which launch of which campaign a record belongs to.
struct CampaignPlace {
  std::string name;
  std::string setting;
  int launch = 0;
  std::map<std::string, std::string> axes;  ///< of a sweep: where on each axis the setting lies

  friend bool operator==(const CampaignPlace&, const CampaignPlace&) = default;
};

// Documents keep no secrets: the value of a variable or option whose name ends as those of secrets
// do is kept as "set". All that keeps variables or command lines goes through these functions.

inline constexpr std::string_view kept_of_secret = "set";

/// Whether a name ends in TOKEN, SECRET, KEY, PASSWORD, PASSWD, PASSPHRASE, JWT, UUID, CREDENTIAL
/// or CREDENTIALS, in letters of any case. Names that end in _FILE do not: a path is no secret.
bool is_secret(std::string_view name);

/// The value of a variable, or "set".
std::string without_secret(std::string_view name, const std::string& value);

/// Of variables by their names.
std::map<std::string, std::string> without_secrets(std::map<std::string, std::string> variables);

/// Of what became of variables.
std::vector<RequestedSetting> without_secrets(std::vector<RequestedSetting> settings);

/// Of the words of a command line: NAME=value and --name=value; the word after --name; -genv NAME
/// value, -env NAME value and --mca NAME value; the variables in --export=NAME=value,...; and all
/// of these within a word that is a command line itself, as that of sh -c.
std::vector<std::string> without_secrets(std::vector<std::string> words);

}  // namespace hockney
