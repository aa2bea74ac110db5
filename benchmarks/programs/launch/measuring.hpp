#pragma once

#include <mpi.h>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "benchmarks/engine/prepared.hpp"
#include "benchmarks/engine/sampling.hpp"
#include "benchmarks/engine/spin.hpp"
#include "benchmarks/engine/suites.hpp"
#include "benchmarks/harness/mpi_group.hpp"
#include "benchmarks/harness/transport_watch.hpp"
#include "benchmarks/programs/launch/workload.hpp"
#include "core/samples.hpp"

namespace hockney::benchmarks::programs {

/// What a launch does over and over: measures all slots, in random order, epoch by epoch.
struct Rhythm {
  std::uint64_t seed = 0;
  Pace pace;
  StartScheme start = StartScheme::round_time;
  bool local_times = false;
  bool prove_paths = false;   ///< count what carries the messages of pairs
  int simulated_samples = 1;  ///< samples per block where the clock stands still between events
};

/// Measures a workload. Construction and every function are collective over `comm`.
class Measuring {
 public:
  /// `deliver` is called on rank 0 of `comm` with every measurement block of every group.
  Measuring(MPI_Comm comm, const LaunchPlan& workload, TickClock& clock, const Rhythm& rhythm,
            std::function<void(const MeasurementBlock&)> deliver);

  /// Runs every slot twice to warm up and to find batch lengths; nothing is kept.
  void prepare();
  /// Measures one block of every slot, in the order of `epoch`.
  void run_epoch(int epoch);
  /// Runs points once more, small messages first, times nothing, and checks as many deliveries of
  /// each as fit into its share of `seconds`; what it leaves is shared by the others. Where the
  /// first one takes all of it, the others are left out.
  void check(double seconds);
  /// The memory that this rank's buffers were in so far.
  [[nodiscard]] const BufferPool& buffers() const { return buffers_; }

 private:
  /// What this rank's group does for one slot; a block where it is to be kept.
  using PointWork = std::function<std::optional<MeasurementBlock>(std::size_t point)>;

  /// This rank's group in one round; null where it is in none.
  struct OwnGroup {
    UniqueComm comm;
    std::unique_ptr<MpiRankGroup> group;
    std::unique_ptr<StartSynchroniser> synchroniser;
    double start_seconds = 0;  ///< what one start takes
    NoiseWatch watch;
  };

  /// How a point that this rank measures is sampled, and what has become of it.
  struct PointState {
    Sampling sampling;
    SuiteLoop loop;                       ///< of one that is timed like a suite
    double extra_rounds = 0;              ///< of spin(), planted in one iteration
    std::int64_t deliveries_checked = 0;  ///< one after the other
  };

  std::optional<MeasurementBlock> run_slot(const Slot& slot, const PointWork& work);
  MeasurementBlock measure_block(const Slot& slot, std::size_t point, int epoch);
  MeasurementBlock check_block(const Slot& slot, std::size_t point, Checking checking);
  double seconds_since_start();
  double plain_rounds(const Slot& slot, std::size_t point, PreparedOperation& operation);
  double wait_until_undisturbed(std::size_t round);
  double work_rounds(const Slot& slot, std::size_t point, PreparedOperation& operation);
  void calibrate_point(const Slot& slot, std::size_t point);
  void calibrate_suite(const Slot& slot, std::size_t point, Suite suite,
                       PreparedOperation& operation);
  MeasurementBlock take(const Slot& slot, std::size_t point, PreparedOperation& operation);
  [[nodiscard]] bool has_deliveries(const Slot& slot, std::size_t point) const;
  [[nodiscard]] bool has_work(std::size_t point) const;
  [[nodiscard]] std::vector<const Slot*> slots_to_check() const;
  [[nodiscard]] bool is_watched(const Slot& slot, std::size_t point) const;
  [[nodiscard]] std::int64_t iterations(std::size_t point, const MeasurementBlock& block) const;
  [[nodiscard]] Exchanged exchanged(const Slot& slot, std::size_t point,
                                    const MeasurementBlock& block) const;
  [[nodiscard]] std::optional<std::size_t> own_point(const Slot& slot) const;
  [[nodiscard]] int ranks_at_work(const Slot& slot) const;
  void collect(const Slot& slot, const std::optional<MeasurementBlock>& own);
  [[nodiscard]] Memory own_memory(const Slot& slot, std::size_t point) const;
  std::unique_ptr<PreparedOperation> make(const Slot& slot, std::size_t point);
  std::unique_ptr<PreparedOperation> make_as_planned(const Slot& slot, std::size_t point);

  MPI_Comm comm_;
  int rank_;
  const LaunchPlan& workload_;
  TickClock& clock_;
  Rhythm rhythm_;
  std::function<void(const MeasurementBlock&)> deliver_;
  std::int64_t start_;  ///< ticks of the common clock
  BufferPool buffers_;
  std::vector<OwnGroup> groups_;               ///< of each round
  std::vector<PointState> points_;             ///< of each point
  std::map<std::string, double> work_rounds_;  ///< of spin(), beside one call of a curve
  std::unique_ptr<TickClock> suite_clock_;
};

}  // namespace hockney::benchmarks::programs
