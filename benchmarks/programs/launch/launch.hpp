#pragma once

#include <mpi.h>

#include <functional>
#include <optional>
#include <string>

#include "benchmarks/programs/launch/options.hpp"
#include "benchmarks/programs/launch/record_keeping.hpp"
#include "benchmarks/programs/launch/workload.hpp"
#include "core/record.hpp"

namespace hockney::benchmarks::programs {

/// How ranks begin together: as requested; else at an agreed time, or after a barrier where ranks
/// share CPUs and under a simulator. InputError for an agreed time under a simulator.
StartScheme choose_start(const LaunchOptions& options, const JobPlacement& job);

/// How long a launch of so many points may take (TimeLimit): what --limit says; else ten times the
/// budget and a minute, and some seconds for each point. With --epochs it is ten minutes, for each
/// block. nullopt: without end, in a campaign, which has a limit of its own, and under a simulator,
/// whose ranks take as long as it computes.
std::optional<Seconds> time_limit(const LaunchOptions& options, std::size_t points = 0);

/// One launch from binding to record: places the ranks, plans the workload, measures it epoch by
/// epoch and writes the record, with a journal beside it while it runs. `procedure` is the name of
/// the experiment. Returns the record on rank 0 and nullopt elsewhere. Collective.
std::optional<Record> run_launch(MPI_Comm comm, const std::string& procedure,
                                 const LaunchOptions& options);

/// What a launch measures, from its options and the places of its ranks; the same on every rank.
using Planning = std::function<LaunchPlan(const LaunchOptions&, const JobPlacement&)>;

/// The same of what `plan` says, in place of operations from the catalogue.
std::optional<Record> run_launch(MPI_Comm comm, const std::string& procedure,
                                 const LaunchOptions& options, const Planning& plan);

}  // namespace hockney::benchmarks::programs
