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

/// Flags the series of the expected sizes, and their record, if the proven path is another one or
/// none is proven. Series without transport counters are left out.
void flag_paths(Record& record, const std::optional<ExpectedPath>& expected);

/// One line about the paths that differ; nullopt if all are as expected.
std::optional<Message> path_difference(const Record& record,
                                       const std::optional<ExpectedPath>& expected);

/// Collects the results on rank 0: in memory for the record, and in the journal in case the launch
/// dies.
class RecordWriter {
 public:
  /// `file` is the record's; empty: none.
  RecordWriter(Record header, std::string file);

  /// The point at this index of the plan is measured from now on.
  void begin(std::size_t point);
  void keep(const MeasurementBlock& block);

  /// Why no more epochs are needed: inside this launch every median is twice as precise as the
  /// campaign requests over all launches. nullopt if more are needed, or if no precision is
  /// requested.
  [[nodiscard]] std::optional<std::string> precise_enough(std::optional<double> requested,
                                                          int epochs) const;

  /// Keeps the memory that the buffers had.
  void keep(std::vector<BufferMemoryUse> buffers);

  /// Keeps what others used on each host, in order of hosts.
  void keep(const std::vector<std::optional<OtherUse>>& others);

  /// Keeps the probes of the machine.
  void keep(std::vector<MachineProbe> machine);

  /// Keeps the clocks' results after measuring.
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

/// Saves a record in `file`. If that fails, saves it under a new name in the working folder or in
/// that for temporary files; the RunError names the file.
void save_or_rescue(const Record& record, const std::string& file);

/// The message about the place of a record that could not be printed: in `file`, or where it is
/// saved without one. Empty without a record.
std::string place_of(const std::optional<Record>& record, const std::string& file);

/// How ranks start together: as requested; else at an agreed time. After a barrier if ranks share
/// CPUs, and under a simulator. InputError for an agreed time under a simulator.
StartScheme choose_start(const LaunchOptions& options, const JobPlacement& job);

/// The time limit of a launch with `points` points (TimeLimit). --limit sets it; else it is ten
/// times the budget plus a minute, plus some seconds for each point. With --epochs it is ten
/// minutes for each block. nullopt, no limit, in a campaign, which has a limit itself, and under a
/// simulator, whose ranks take the time of the simulation.
std::optional<Seconds> time_limit(const LaunchOptions& options, std::size_t points = 0);

/// One launch from binding to record: places the ranks, plans the workload, measures it epoch by
/// epoch and writes the record. While it runs, a journal is beside the record. `procedure` is the
/// name of the experiment. Returns the record on rank 0 and nullopt on others. Collective.
std::optional<Record> run_launch(MPI_Comm comm, const std::string& procedure,
                                 const LaunchOptions& options);

/// Makes the plan of a launch from its options and the places of its ranks; the same on every rank.
using Planning = std::function<LaunchPlan(const LaunchOptions&, const JobPlacement&)>;

/// The same with the plan of `plan` instead of operations from the catalogue.
std::optional<Record> run_launch(MPI_Comm comm, const std::string& procedure,
                                 const LaunchOptions& options, const Planning& plan);

}  // namespace hockney::benchmarks::programs
