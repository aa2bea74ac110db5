#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "components/application/analysis/program_report.hpp"
#include "report/screen.hpp"
#include "report/view.hpp"

namespace hockney::report {

/// Function and line of a call site, from debugging information; empty if unknown.
struct SiteName {
  std::string function;
  std::string place;  ///< "poisson.c:52"
};

/// The report of a run, with what its texts need.
struct ProfileView {
  applications::ProgramReport report;
  std::string file;                    ///< path of the profile
  std::vector<SiteName> site_names{};  ///< of all sites; empty: not known
  std::vector<std::string> doubts{};   ///< about files that were not read, a sentence each
  /// Other processes while the program ran: "cc1plus (1.6 of 2 CPUs), load 7.5"; empty: not known.
  std::string busy{};
};

/// "4 ranks on 2 CPUs: times are those of ranks that share CPUs". Counts the allowed CPUs of the
/// ranks. Empty if no host has more ranks than allowed CPUs.
std::string oversubscription_text(std::span<const profile::Profile> profiles);

/// "node1, node2  Open MPI v4.1.4  ./app 100  12 s": hosts, library and command line of a run, and
/// `last`. Hosts may repeat; empty texts are left out.
std::string run_line(const std::vector<std::string>& hosts, const profile::Profile& profile,
                     const std::string& last = {});

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
