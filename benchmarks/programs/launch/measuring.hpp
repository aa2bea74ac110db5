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

/// The schedule of a launch: measures all slots in random order, epoch by epoch.
struct Schedule {
  std::uint64_t seed = 0;
  Pace pace;
  StartScheme start = StartScheme::round_time;
  bool local_times = false;
  bool prove_paths = false;              ///< count how the messages of pairs are carried
  std::optional<Seconds> block_limit{};  ///< for each block (TimeLimit); nullopt: for the launch
  /// Longest first epoch of a launch whose time is given: slots that do not fit are left out.
  /// nullopt: all slots are measured.
  std::optional<Seconds> first_epoch{};
  int simulated_samples = 1;  ///< samples per block if the clock does not advance between events
};

/// The recorded reason of a launch that its time limit ended.
inline constexpr std::string_view time_limit_reason = "the time limit";
inline constexpr std::string_view jumping_clocks_reason = "clocks that jump again and again";

/// Functions that Measuring calls.
struct MeasuringCalls {
  std::function<void(std::size_t)> begin;  ///< on rank 0, before each block: the slot's first point
  std::function<void(const MeasurementBlock&)> deliver;  ///< on rank 0, for every block
  std::function<void()> synchronise;  ///< synchronises the clocks again; collective
};

/// The part of a slot that one rank needs: its own work, and how many ranks take part. On thousands
/// of nodes the plan of a launch is most of a rank's memory; only this part is kept.
struct OwnSlot {
  const CatalogueEntry* operation = nullptr;
  std::size_t round = 0;
  std::vector<std::size_t> points;  ///< of all groups, as in the launch's plan
  std::vector<int> leaders;         ///< of the group of each point: the rank with its block
  int ranks_at_work = 0;            ///< in all groups
  Bytes bytes{};                    ///< at all points
  bool has_deliveries = false;      ///< data arrive that can be checked
  bool is_at_work = false;          ///< a group of this rank measures `own`; false: it waits
  PlannedMeasurement own;
  std::size_t own_point = 0;  ///< index of `own` in the launch's plan
};

/// The order of sizes by importance, as indices into the ascending list of `count` sizes: the ends,
/// the middle, the quarters and so on. The last ones are left out first, so that the rest covers
/// the range.
std::vector<std::size_t> size_order(std::size_t count);

/// The slots of a launch in the order of its plan, as `rank` needs them.
std::vector<OwnSlot> own_slots(const LaunchPlan& workload, int rank);

/// Measures a workload. Keeps only this rank's part of it. Construction and every function are
/// collective over `comm`.
class Measuring {
 public:
  Measuring(MPI_Comm comm, const LaunchPlan& workload, TickClock& clock, const Schedule& schedule,
            MeasuringCalls calls);

  /// Runs every slot twice: warms up and finds the lengths of batches. Keeps no results. Does
  /// nothing if the time of the launch is given; then the first epoch finds the lengths.
  void prepare();
  /// Measures one block of every slot, in the order of `epoch`. If the time of the launch is given,
  /// epoch 0 measures sizes in the order of size_order until the time is up, and later epochs
  /// measure the same sizes. Returns false, on every rank, if the launch must end earlier.
  bool run_epoch(int epoch);
  [[nodiscard]] bool has_ended() const { return next_step_ == NextStep::end; }
  /// The reason, on rank 0.
  [[nodiscard]] static std::string ended_because();
  /// Runs points again without timing, small messages first. Checks as many deliveries of each as
  /// fit into its share of `seconds`; unused time goes to the other points. If the first one uses
  /// all time, the others are left out.
  void check(double seconds);
  /// Since construction: the time of the blocks' starts [s].
  double seconds_since_start();
  /// The memory that this rank has used for buffers so far.
  [[nodiscard]] const BufferPool& buffers() const { return buffers_; }

 private:
  /// What follows a slot.
  enum class NextStep : std::int64_t { go_on, synchronise, end };

  /// After a slot of a limited first epoch, the same on every rank.
  struct Room {
    bool is_left = true;
    bool fits = true;  ///< the slot is measured
  };

  /// What the first calls of a point tell, the same on every rank of its group.
  struct Warmed {
    bool fits = true;                    ///< the point can be measured
    std::optional<double> call_seconds;  ///< set if a call is too long to repeat often [s]
  };

  /// This rank's group's work for one slot; returns a block if it is to be kept.
  using TaskWork = std::function<std::optional<MeasurementBlock>()>;

  /// This rank's group in one round; null if it is in none.
  struct OwnGroup {
    UniqueComm comm;
    std::unique_ptr<MpiRankGroup> group;
    std::unique_ptr<StartSynchroniser> synchroniser;
    double start_seconds = 0;  ///< duration of one start
    NoiseWatch watch;
  };

  /// A slot, the sampling of this rank's point in it, and its results.
  struct Task : OwnSlot {
    Sampling sampling{};
    SuiteLoop loop{};                     ///< for a point that is timed like a suite
    double extra_rounds = 0;              ///< rounds of spin() added to one iteration
    std::int64_t deliveries_checked = 0;  ///< number of consecutive checks
  };

  void make_synchronisers();
  Room agree_on_room(Seconds limit, bool fits);
  [[nodiscard]] std::vector<std::size_t> tasks_by_size() const;
  std::optional<MeasurementBlock> first_block(Task& task);
  bool run_first_epoch(Seconds limit);
  bool goes_on();
  NextStep agree_on_next_step();
  void synchronise();
  std::optional<MeasurementBlock> run_task(const Task& task, const TaskWork& work);
  void collect(const Task& task, const std::optional<MeasurementBlock>& own);
  MeasurementBlock measure_block(Task& task, int epoch);
  MeasurementBlock check_block(const Task& task, Checking checking);
  double plain_rounds(const Task& task, PreparedOperation& operation);
  double wait_until_undisturbed(std::size_t round);
  double work_rounds(const Task& task, PreparedOperation& operation);
  double seconds_of_call(PreparedOperation& operation, RankGroup& group, double longest);
  Warmed warm_up(PreparedOperation& operation, RankGroup& group, const Task& task);
  /// Returns false if the point is to be left out: there is no room for it.
  bool calibrate_task(Task& task);
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
  Schedule schedule_;
  MeasuringCalls calls_;
  std::int64_t start_;  ///< ticks of the common clock; only under a simulator
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  bool keeps_any_ = false;   ///< slots, in a first epoch that is limited
  bool has_jumped_ = false;  ///< in the last slot; on rank 0
  int jumps_ = 0;            ///< number of slots in which a clock jumped; on rank 0
  NextStep next_step_ = NextStep::go_on;
  BufferPool buffers_;
  std::vector<OwnGroup> groups_;               ///< of each round
  std::vector<Task> tasks_;                    ///< of each slot
  std::map<std::string, double> work_rounds_;  ///< rounds of spin() beside one call of a curve
  std::unique_ptr<TickClock> suite_clock_;
};

}  // namespace hockney::benchmarks::programs
