#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "components/application/analysis/communication.hpp"
#include "components/application/analysis/cpu_use.hpp"
#include "components/application/analysis/findings.hpp"
#include "components/application/analysis/functions.hpp"
#include "components/application/analysis/replay_split.hpp"
#include "components/application/analysis/time_line.hpp"
#include "components/application/analysis/time_split.hpp"
#include "components/application/analysis/trace_analysis.hpp"
#include "components/application/analysis/waits.hpp"
#include "components/application/profile/profile.hpp"
#include "core/record.hpp"

namespace hockney::applications {

/// What a log is read for, beside the replay; each includes the one before.
enum class LogDetail {
  iterations,  ///< of the main loop
  activity,    ///< what ranks do, against time
  levels       ///< each call, for pages
};

/// What is known of a run beside its profile.
struct ProgramSources {
  const TraceAnalysis* log = nullptr;        ///< of the same run
  LogDetail detail = LogDetail::iterations;  ///< of the log
  std::span<const Record> protocols{};       ///< records of hockney-protocol
  const FrameNames* frame_names = nullptr;   ///< of the profile's samples
};

/// A profile and all results derived from it. Sites and regions are indices into the profile's.
struct ProgramReport {
  profile::Profile profile;

  // From sums.
  TimeSplit split;
  Efficiencies efficiencies;  ///< of POP, with those of the replay
  MessageMatrix by_rank;
  Nodes nodes;
  MessageMatrix by_node;
  Pattern pattern;
  std::optional<RecordingOverhead> overhead;
  std::vector<LimitUse> limits;              ///< messages against the eager limits
  std::vector<std::string> limit_libraries;  ///< under which the eager limits were measured
  std::optional<CpuSummary> cpu;             ///< nullopt: the profile has no CPU times

  // From samples.
  std::optional<SampledFunctions> functions;  ///< nullopt: no samples, or not named

  // From the log; empty without one, or if it cannot be replayed.
  std::optional<ReplaySplit> replay;
  std::optional<WaitStates> clock_waits;  ///< by the hosts' clocks
  std::optional<LogFacts> log;
  std::optional<TimeLines> lines;
  std::vector<std::optional<int>> trace_sites;  ///< the profile's site of each of the trace's

  std::vector<Finding> findings;           ///< causes of the time, worst first
  std::optional<double> most_by_settings;  ///< share of the run; nullopt without a replay
  std::vector<std::string> doubts;         ///< about the log, a sentence each
};

/// Derives all results. A log that cannot be replayed is a doubt.
ProgramReport analyse(profile::Profile profile, const ProgramSources& sources = {});

/// Call sites of the findings, and of the parallel region whose threads wait longest: indices,
/// ascending.
std::vector<std::size_t> sites_of_findings(const ProgramReport& report);

}  // namespace hockney::applications
