#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "components/application/analysis/communication.hpp"
#include "components/application/analysis/cpu_use.hpp"
#include "components/application/analysis/findings.hpp"
#include "components/application/analysis/functions.hpp"
#include "components/application/analysis/replay.hpp"
#include "components/application/analysis/replay_split.hpp"
#include "components/application/analysis/time_line.hpp"
#include "components/application/analysis/time_split.hpp"
#include "components/application/analysis/waits.hpp"
#include "report/screen.hpp"
#include "report/view.hpp"

namespace hockney::report {

/// Function and line of a call site, from debugging information; empty if unknown.
struct SiteName {
  std::string function;
  std::string place;  ///< "poisson.c:52"
};

/// A profile and the results derived from it.
struct ProfileView {
  profile::Profile profile;
  std::string file;                  ///< path of the profile
  std::vector<SiteName> site_names;  ///< of all sites; empty: not known
  applications::TimeSplit split;
  applications::MessageMatrix by_rank;
  applications::Nodes nodes;
  applications::MessageMatrix by_node;
  applications::Pattern pattern;
  std::optional<applications::RecordingPrice> price;
  std::vector<applications::LimitUse> limits;
  std::optional<applications::ReplaySplit> replay;  ///< sites and regions by the profile's indices
  std::optional<applications::WaitStates> clock_waits;  ///< from the same log, by the hosts' clocks
  std::vector<std::string> doubts;                      ///< about the records with the limits
  std::optional<applications::CpuSummary> cpu;          ///< nullopt: the profile has no CPU times
  /// Other processes while the program ran: "cc1plus (1.6 of 2 CPUs), load 7.5"; empty: not known.
  std::string busy{};
  std::optional<applications::LogFacts> log;                ///< from the same log
  std::vector<applications::Finding> findings;              ///< causes of the time, worst first
  std::optional<applications::SampledFunctions> functions;  ///< nullopt: no samples, or not named
  std::optional<double> most_by_settings;        ///< share of the run; nullopt without a log
  std::optional<applications::TimeLines> lines;  ///< nullopt without a log
};

/// `records`: of hockney-protocol, or none.
ProfileView view_of(profile::Profile profile, const std::string& file,
                    std::span<const Record> records = {});

/// "4 ranks on 2 CPUs: times are those of ranks that share CPUs". Counts the allowed CPUs of the
/// ranks. Empty if no host has more ranks than allowed CPUs.
std::string oversubscription_text(std::span<const profile::Profile> profiles);

/// Splits the time by replays of the profile's log, with the limits of hockney-protocol in
/// `records`. Adds the wait states by the hosts' clocks. On failure adds a doubt.
void add_replay(ProfileView& view, const applications::TraceAnalysis& run,
                std::span<const Record> records);

/// Finds the causes again, after an addition to the view.
void find_causes_again(ProfileView& view);

/// Time of each rank of a trace without a CPU. Empty if it is not known, or less than 0.5 % of the
/// run: a second replay would show nothing.
std::vector<applications::NotScheduled> lost_times(const ProfileView& view,
                                                   const applications::Trace& trace);

/// The profile's site for each site of a trace.
std::vector<std::optional<int>> sites_of_trace(const ProfileView& view,
                                               const applications::Trace& trace);

/// Efficiencies of POP, including those from a replay.
applications::Efficiencies efficiencies_of(const ProfileView& view);

/// "exchange (poisson.c:52)"; without debugging information "exchange (poisson+0x1234)"; "-" for no
/// site.
std::string site_text(const ProfileView& view, const std::optional<int>& site);

/// Shares of the time, pattern, calls, message sizes against eager limits, and missing data.
Screen screen_of(const ProfileView& view);

/// Tables of calls by time and by bytes, sizes, call sites, regions, nodes and ranks.
void print_profile_tables(std::ostream& out, const ProfileView& view);

/// Document of `hockney profile show --json` (docs/reference/json-documents.md).
nlohmann::json to_json(const ProfileView& view);

/// Rows of the matrix: one per rank, or one per node.
enum class MatrixRows { ranks, nodes };

/// One line per pair with messages. Columns: from, to, messages, bytes, smallest, mean and largest
/// message, messages and bytes per second of the run.
void write_matrix_csv(std::ostream& out, const ProfileView& view, MatrixRows rows);

/// Report in mpiP's format: header, MPI time of each task, call sites, aggregate time, aggregate
/// sent message size, statistics by call site.
void print_mpip_report(std::ostream& out, const ProfileView& view);

/// Writes the calls of a run as trace events in JSON, for Perfetto and Chrome. A process is a host,
/// a thread a rank. Regions surround calls; messages are arrows. Times are microseconds since the
/// first rank left MPI_Init. `view` names call sites.
void write_timeline(std::ostream& out, const applications::TraceAnalysis& run,
                    const ProfileView& view);

}  // namespace hockney::report
