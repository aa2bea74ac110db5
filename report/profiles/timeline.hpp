#pragma once

#include <ostream>

#include "models/applications/clocks.hpp"
#include "report/profiles/profile_report.hpp"

namespace hockney::report {

/// The calls of a trace on one axis of time, with regions around them and messages as arrows, in
/// the JSON format of trace events that Perfetto and Chrome open: a process is a host, a thread a
/// rank; microseconds from the first rank's end of MPI_Init. `view` names call sites.
void write_timeline(std::ostream& out, const applications::Trace& trace,
                    const applications::Matching& matching, const ProfileView& view);

}  // namespace hockney::report
