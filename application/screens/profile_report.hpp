#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "application/analysis/communication.hpp"
#include "application/analysis/replay.hpp"
#include "application/analysis/replay_split.hpp"
#include "application/analysis/time_split.hpp"
#include "application/analysis/waits.hpp"
#include "report/screens/screen.hpp"
#include "report/view.hpp"

namespace hockney::report {

/// What debugging information says of a call site; empty texts where it says nothing.
struct SiteName {
  std::string function;
  std::string place;  ///< "poisson.c:52"
};

/// A profile, and all that is said of it.
struct ProfileView {
  profile::Profile profile;
  std::string file;                  ///< that it came from
  std::vector<SiteName> site_names;  ///< of its sites, or empty: none is known
  applications::TimeSplit split;
  applications::MessageMatrix by_rank;
  applications::Nodes nodes;
  applications::MessageMatrix by_node;
  applications::Pattern pattern;
  std::optional<applications::RecordingPrice> price;
  std::vector<applications::LimitUse> limits;
  std::optional<applications::ReplaySplit> replay;  ///< whose sites and regions are the profile's
  std::optional<applications::WaitStates> clock_waits;  ///< of the same log, by the clocks
  std::vector<std::string> doubts;  ///< about the records that the limits came from
};

/// `records` are those of hockney-protocol, or none.
ProfileView view_of(profile::Profile profile, const std::string& file,
                    std::span<const Record> records = {});

/// "4 ranks on 2 CPUs: times are those of ranks that share CPUs", by the CPUs that ranks may run
/// on; empty where no host has more ranks than CPUs for them.
std::string oversubscription_text(std::span<const profile::Profile> profiles);

/// Splits the time by replays of the profile's log of events, against the limits of
/// hockney-protocol in `records`, and adds what the clocks say of waits. What speaks against it
/// becomes one of the doubts.
void add_replay(ProfileView& view, const applications::TraceAnalysis& run,
                std::span<const Record> records);

/// For each site of a trace, that of the profile.
std::vector<std::optional<int>> sites_of_trace(const ProfileView& view,
                                               const applications::Trace& trace);

/// Those of POP, with what a replay adds to them.
applications::Efficiencies efficiencies_of(const ProfileView& view);

/// "exchange (poisson.c:52)", or what is known of it: "exchange (poisson+0x1234)"; "-" for none.
std::string site_text(const ProfileView& view, const std::optional<int>& site);

/// Where the time went, the pattern, the calls, and sizes against eager limits; what was lost.
Screen screen_of(const ProfileView& view);

/// Calls by time and by bytes, sizes, call sites, regions, nodes and ranks.
void print_profile_tables(std::ostream& out, const ProfileView& view);

/// The keys of `hockney profile show --json` (docs/reference/json-documents.md).
nlohmann::json to_json(const ProfileView& view);

/// Whose messages a line of the matrix adds up.
enum class MatrixRows { ranks, nodes };

/// A line for each pair with messages: from, to, messages, bytes, smallest, mean and largest
/// message, messages and bytes per second of the run.
void write_matrix_csv(std::ostream& out, const ProfileView& view, MatrixRows rows);

/// The text that mpiP writes: header, MPI time of each task, call sites, aggregate time, aggregate
/// sent message size, statistics by call site.
void print_mpip_report(std::ostream& out, const ProfileView& view);

/// The calls of a run on one axis of time, with regions around them and messages as arrows, in
/// the JSON format of trace events that Perfetto and Chrome open: a process is a host, a thread a
/// rank; microseconds from the first rank's end of MPI_Init. `view` names call sites.
void write_timeline(std::ostream& out, const applications::TraceAnalysis& run,
                    const ProfileView& view);

}  // namespace hockney::report
