#pragma once

#include <mpi.h>

#include <optional>
#include <string>

#include "benchmarks/launch/options.hpp"
#include "core/record.hpp"

namespace hockney {

/// One launch from binding to record: places the ranks, plans the workload, measures it epoch by
/// epoch and writes the record, with a journal beside it while it runs. `procedure` is the name of
/// the experiment. Returns the record on rank 0 and nullopt elsewhere. Collective.
std::optional<Record> run_launch(MPI_Comm comm, const std::string& procedure,
                                 const LaunchOptions& options);

}  // namespace hockney
