#pragma once

#include <mpi.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "benchmarks/harness/clock_sync.hpp"
#include "benchmarks/programs/launch/options.hpp"
#include "benchmarks/programs/launch/workload.hpp"
#include "core/error.hpp"
#include "core/record.hpp"
#include "core/record_file.hpp"
#include "core/samples.hpp"

namespace hockney::benchmarks::programs {

/// A measurement block as bytes, to travel from the rank that measured it to the one that keeps it,
/// both of them processes of this very program.
std::vector<std::byte> pack(const MeasurementBlock& block);

/// The block of `point` that was packed into `bytes`.
MeasurementBlock unpack_block(std::size_t point, const std::vector<std::byte>& bytes);

/// Flags the series of the expected sizes whose path is proven to be another one, or is not
/// proven, and their record. Only series whose messages were counted are asked.
void flag_paths(Record& record, const std::optional<ExpectedPath>& expected);

/// One line about the paths that differ; nullopt when all are as expected.
std::optional<Message> path_difference(const Record& record,
                                       const std::optional<ExpectedPath>& expected);

/// Keeps what rank 0 is given: in memory for the record, in the journal for the worst case.
class Keeper {
 public:
  /// `file` is that of the record; empty: none.
  Keeper(Record header, std::string file);

  void keep(const MeasurementBlock& block);

  /// Why no more epochs are needed: every median is known twice as well, inside this launch, as the
  /// campaign wants to know it over launches. nullopt when more are, or nothing was asked.
  [[nodiscard]] std::optional<std::string> precise_enough(std::optional<double> requested,
                                                          int epochs) const;

  /// What the memory of the buffers turned out to be.
  void keep(std::vector<BufferMemoryUse> buffers);

  /// What the clocks said after measuring.
  void keep(const ClockSync& sync);

  Record finish(const std::string& reason, double elapsed_seconds, double measuring_seconds,
                const std::optional<ExpectedPath>& expected);

 private:
  void flag(std::string_view name);  ///< the launch, once

  Record record_;
  SampleStore store_;
  std::string file_;
  std::unique_ptr<Journal> journal_;
};

/// Saves a record in `file`. Where that cannot be written, it goes into a file of its own in the
/// working folder or in that for temporary files, and the RunError says which.
void save_or_rescue(const Record& record, const std::string& file);

/// The words for where a record is that could not be printed: in `file`, or where it is rescued to
/// when there is none. Empty without a record.
std::string place_of(const std::optional<Record>& record, const std::string& file);

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
