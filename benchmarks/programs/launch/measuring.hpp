#pragma once

#include <mpi.h>

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "benchmarks/engine/prepared.hpp"
#include "benchmarks/engine/sampling.hpp"
#include "benchmarks/engine/suites.hpp"
#include "benchmarks/harness/communicators.hpp"
#include "benchmarks/harness/rank_work.hpp"
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
  bool prove_paths = false;              ///< count what carries the messages of pairs
  std::optional<Seconds> block_limit{};  ///< of each block anew (TimeLimit); nullopt: of all
  /// For a campaign, which needs many launches more than all points: those that do not fit into so
  /// much time are left out. nullopt: all are measured, however long it takes.
  std::optional<Seconds> room{};
  int simulated_samples = 1;  ///< samples per block where the clock stands still between events
};

/// Why a launch ended before its time: what it is recorded to have stopped for.
inline constexpr std::string_view time_limit_reason = "the time limit";
inline constexpr std::string_view jumping_clocks_reason = "clocks that jump again and again";

/// What Measuring calls.
struct MeasuringCalls {
  std::function<void(const MeasurementBlock&)> deliver;  ///< on rank 0, with every block
  std::function<void()> synchronise;  ///< brings the clocks together anew; collective
};

/// What one rank has to know of a slot: its own part, and how many others there are. On thousands
/// of nodes the plan of a launch is most of a rank's memory, and none of it but this is needed.
struct OwnSlot {
  const CatalogueEntry* operation = nullptr;
  std::size_t round = 0;
  std::vector<std::size_t> points;  ///< of all groups, as in the launch's plan
  std::vector<int> leaders;         ///< of the group of each point: who has its block
  int ranks_at_work = 0;            ///< of all groups
  Bytes bytes{};                    ///< at all points
  bool has_deliveries = false;      ///< data arrive that can be looked at
  bool is_at_work = false;          ///< a group of this rank measures `own`; else it waits
  PlannedMeasurement own;
  std::size_t own_point = 0;  ///< index of `own` in the launch's plan
};

/// The order in which sizes are to be left out last, as places in the ascending list of `count`
/// sizes: the ends, the middle, the quarters and so on, so that what is left covers the range.
std::vector<std::size_t> size_order(std::size_t count);

/// The slots of a launch in the order of its plan, as `rank` needs them.
std::vector<OwnSlot> own_slots(const LaunchPlan& workload, int rank);

/// Measures a workload, of which it keeps this rank's part alone. Construction and every function
/// are collective over `comm`.
class Measuring {
 public:
  Measuring(MPI_Comm comm, const LaunchPlan& workload, TickClock& clock, const Rhythm& rhythm,
            MeasuringCalls calls);

  /// Runs every slot twice to warm up and to find batch lengths; nothing is kept. Where there is
  /// less room than all take, slots are left out, the same sizes of all operations (size_order).
  void prepare();
  /// Measures one block of every slot, in the order of `epoch`. False, on every rank, when the
  /// launch has to end before the others.
  bool run_epoch(int epoch);
  [[nodiscard]] bool has_ended() const { return course_ == Course::end; }
  /// Why it has; on rank 0.
  [[nodiscard]] static std::string ended_because();
  /// Runs points once more, small messages first, times nothing, and checks as many deliveries of
  /// each as fit into its share of `seconds`; what it leaves is shared by the others. Where the
  /// first one takes all of it, the others are left out.
  void check(double seconds);
  /// The memory that this rank's buffers were in so far.
  [[nodiscard]] const BufferPool& buffers() const { return buffers_; }

 private:
  /// What follows a slot.
  enum class Course : std::int64_t { go_on, synchronise, end };

  /// What this rank's group does for one slot; a block where it is to be kept.
  using TaskWork = std::function<std::optional<MeasurementBlock>()>;

  /// This rank's group in one round; null where it is in none.
  struct OwnGroup {
    UniqueComm comm;
    std::unique_ptr<MpiRankGroup> group;
    std::unique_ptr<StartSynchroniser> synchroniser;
    double start_seconds = 0;  ///< what one start takes
    NoiseWatch watch;
  };

  /// A slot, how the point that this rank measures in it is sampled, and what has become of it.
  struct Task : OwnSlot {
    Sampling sampling{};
    SuiteLoop loop{};                     ///< of one that is timed like a suite
    double extra_rounds = 0;              ///< of spin(), planted in one iteration
    std::int64_t deliveries_checked = 0;  ///< one after the other
  };

  void make_synchronisers();
  bool still_has_room(Seconds room);
  void calibrate_within(Seconds room);
  Course agree_on_course();
  void synchronise();
  std::optional<MeasurementBlock> run_task(const Task& task, const TaskWork& work);
  void collect(const Task& task, const std::optional<MeasurementBlock>& own);
  MeasurementBlock measure_block(Task& task, int epoch);
  MeasurementBlock check_block(const Task& task, Checking checking);
  double seconds_since_start();
  double plain_rounds(const Task& task, PreparedOperation& operation);
  double wait_until_undisturbed(std::size_t round);
  double work_rounds(const Task& task, PreparedOperation& operation);
  void calibrate_task(Task& task);
  void calibrate_suite(Task& task, Suite suite, PreparedOperation& operation);
  MeasurementBlock take(const Task& task, PreparedOperation& operation);
  static bool has_work(const Task& task) {
    return task.own.point.parameters[work_parameter] != Work::none;
  }
  std::vector<Task*> tasks_to_check();
  [[nodiscard]] bool is_watched(const Task& task) const;
  static std::int64_t iterations(const Task& task, const MeasurementBlock& block);
  static Exchanged exchanged(const Task& task, const MeasurementBlock& block);
  [[nodiscard]] Memory own_memory(const Task& task) const;
  std::unique_ptr<PreparedOperation> make(const Task& task);
  std::unique_ptr<PreparedOperation> make_as_planned(const Task& task);

  MPI_Comm comm_;
  int rank_;
  TickClock& clock_;
  Rhythm rhythm_;
  MeasuringCalls calls_;
  std::int64_t start_;  ///< ticks of the common clock; under a simulator alone
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  bool has_jumped_ = false;  ///< a clock, in the last slot; on rank 0
  int jumps_ = 0;            ///< slots with one; on rank 0
  Course course_ = Course::go_on;
  BufferPool buffers_;
  std::vector<OwnGroup> groups_;               ///< of each round
  std::vector<Task> tasks_;                    ///< of each slot
  std::map<std::string, double> work_rounds_;  ///< of spin(), beside one call of a curve
  std::unique_ptr<TickClock> suite_clock_;
};

}  // namespace hockney::benchmarks::programs
