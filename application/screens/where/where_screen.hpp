#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "application/where/faults.hpp"
#include "application/where/mending.hpp"
#include "campaign/launch_command.hpp"
#include "report/screens/screen.hpp"
#include "report/view.hpp"

namespace hockney::where {

/// A node drawn: a line for each part under one L3 cache, in one NUMA node of one package, with its
/// cores and who may be on them: "node1  package 0  NUMA 0  L3 0  cores 0-3: rank 0 threads 0-3".
/// Cores in a row that have the same threads, none, or one thread each in order, are one entry.
std::vector<std::string> picture_of(const Occupancy& node);

/// A launch of the probe and what it found.
struct Probed {
  Words command;  ///< as the program would be started
  Whereabouts found;
  std::vector<Fault> faults;
};

/// What `hockney where` has to say.
struct WhereView {
  campaign::LauncherKind launcher = campaign::LauncherKind::openmpi4;
  std::string program;  ///< the word in whose place the probe was started
  Probed probed;
  Mending mending;
  Words mended;                 ///< the command with its faults mended; empty: nothing to mend
  Words left_out;               ///< options of the user that it is without
  std::optional<Probed> proof;  ///< the probe by `mended`
  std::vector<std::string> notes;
  std::vector<std::string> causes{};  ///< wrappers that bind, a sentence each
  std::string proof_failure{};        ///< why the launch by `mended` failed; empty: it did not
  bool ran_program = false;           ///< and not a probe in its place
};

/// The document hockney.where/2.
nlohmann::json to_json(const WhereView& view);

/// How many ranks and threads where, and whether that is well; what is wrong, each with the option
/// that would mend it; where everything is on the first nodes.
report::Screen screen_of(const WhereView& view);

/// A row for each thread: where it may run and where it was.
report::View view_of(const WhereView& view);

/// All nodes, and all faults.
void print_where_tables(std::ostream& out, const WhereView& view);

}  // namespace hockney::where
