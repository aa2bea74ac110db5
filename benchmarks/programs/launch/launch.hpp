#pragma once

#include <mpi.h>

#include <functional>
#include <optional>
#include <string>

#include "benchmarks/programs/launch/options.hpp"
#include "benchmarks/programs/launch/workload.hpp"
#include "core/record.hpp"

namespace hockney::benchmarks::programs {

/// How ranks begin together: as requested; else at an agreed time, or after a barrier where ranks
/// share CPUs and under a simulator. InputError for an agreed time under a simulator.
StartScheme choose_start(const LaunchOptions& options, const JobPlacement& job);

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

/// Saves a record in `file`. Where that cannot be written, it goes into a file of its own in the
/// working folder or in that for temporary files, and the RunError says which.
void save_or_rescue(const Record& record, const std::string& file);

/// The words for where a record is that could not be printed: in `file`, or where it is rescued to
/// when there is none. Empty without a record.
std::string place_of(const std::optional<Record>& record, const std::string& file);

}  // namespace hockney::benchmarks::programs
