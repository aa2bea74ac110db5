#pragma once

#include <string>
#include <vector>

#include "application/where/command_line.hpp"
#include "application/where/faults.hpp"
#include "application/where/whereabouts.hpp"

namespace hockney::where {

/// Whether words before the launcher keep it to fewer CPUs than this program may use. `own_host`
/// and `own_cpus`, ascending: of this program.
bool launcher_is_bound(const PlacedCommand& command, const Whereabouts& all,
                       const std::string& own_host, const std::vector<int>& own_cpus);

/// Wrappers of a command that brought about its worst fault by binding.
struct Binders {
  std::vector<std::string> wrappers;  ///< as typed
  std::vector<std::string> texts;     ///< "`taskset -c 0` binds both ranks to CPU 0"
  Whereabouts without;                ///< where ranks and threads would be without them
};

/// Finds them, by where ranks were started before and behind each wrapper, and marks them in the
/// command. None where the worst fault would be there without them, too. `bound_launcher`: so are
/// those before the launcher, and its ranks would else start on `own_cpus`.
Binders find_binders(PlacedCommand& command, const Whereabouts& all,
                     const std::vector<Fault>& faults, bool bound_launcher,
                     const std::vector<int>& own_cpus);

}  // namespace hockney::where
