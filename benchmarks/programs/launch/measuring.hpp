#pragma once

#include <mpi.h>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "benchmarks/engine/calibrate.hpp"
#include "benchmarks/engine/prepared.hpp"
#include "benchmarks/engine/spin.hpp"
#include "benchmarks/engine/suites.hpp"
#include "benchmarks/engine/take_samples.hpp"
#include "benchmarks/harness/mpi_team.hpp"
#include "benchmarks/harness/transport_witness.hpp"
#include "benchmarks/programs/launch/workload.hpp"
#include "core/samples.hpp"

namespace hockney {

/// What a launch does over and over: visits all slots, in random order, epoch by epoch.
struct Rhythm {
  std::uint64_t seed = 0;
  Pace pace;
  StartScheme start = StartScheme::round_time;
  bool local_times = false;
  bool prove_paths = false;   ///< count what carries the messages of pairs
  int simulated_samples = 1;  ///< samples per visit where the clock stands still between events
};

/// Measures a workload. Construction and every function are collective over `comm`.
class Measuring {
 public:
  /// `deliver` is called on rank 0 of `comm` with every visit of every team.
  Measuring(MPI_Comm comm, const LaunchPlan& workload, TickClock& clock, const Rhythm& rhythm,
            std::function<void(const Visit&)> deliver);

  /// Runs every slot twice to warm up and to find batch lengths; nothing is kept.
  void prepare();
  /// Visits every slot once, in the order of `epoch`.
  void run_epoch(int epoch);
  /// Visits points once more, small messages first, times nothing, and checks as many deliveries of
  /// each as fit into its share of `seconds`; what it leaves is shared by the others. Where the
  /// first one takes all of it, the others are left out.
  void check(double seconds);

 private:
  /// What this rank's team does for one slot; a visit where it is to be kept.
  using PointWork = std::function<std::optional<Visit>(std::size_t point)>;

  std::optional<Visit> run_slot(const Slot& slot, const PointWork& work);
  Visit visit(const Slot& slot, std::size_t point, int epoch);
  Visit check_visit(const Slot& slot, std::size_t point, Checking checking);
  double seconds_since_start();
  double plain_rounds(const Slot& slot, std::size_t point, PreparedOperation& operation);
  double wait_for_calm(std::size_t round);
  double work_rounds(const Slot& slot, std::size_t point, PreparedOperation& operation);
  void calibrate_point(const Slot& slot, std::size_t point);
  void calibrate_suite(const Slot& slot, std::size_t point, Suite suite,
                       PreparedOperation& operation);
  Taken take(PreparedOperation& operation, MpiTeam& team, std::size_t point, Starter& starter);
  [[nodiscard]] std::int64_t deliveries_kept(std::size_t point,
                                             const PreparedOperation& operation) const;
  [[nodiscard]] bool is_witnessed(const Slot& slot, std::size_t point) const;
  [[nodiscard]] std::int64_t iterations(std::size_t point, const Taken& taken) const;
  [[nodiscard]] Exchanged exchanged(const Slot& slot, std::size_t point, const Taken& taken) const;
  [[nodiscard]] std::optional<std::size_t> own_point(const Slot& slot) const;
  [[nodiscard]] int ranks_at_work(const Slot& slot) const;
  void collect(const Slot& slot, const std::optional<Visit>& own);
  std::unique_ptr<PreparedOperation> make(const Slot& slot, std::size_t point);
  std::unique_ptr<PreparedOperation> make_as_planned(const Slot& slot, std::size_t point);

  MPI_Comm comm_;
  int rank_;
  const LaunchPlan& workload_;
  TickClock& clock_;
  Rhythm rhythm_;
  std::function<void(const Visit&)> deliver_;
  std::int64_t start_;  ///< ticks of the common clock
  BufferPool buffers_;
  std::vector<UniqueComm> comms_;                   ///< of this rank's team in each round
  std::vector<std::unique_ptr<MpiTeam>> teams_;     ///< null where this rank is in no team
  std::vector<std::unique_ptr<Starter>> starters_;  ///< of these teams
  std::vector<double> start_seconds_;               ///< what each of them takes
  std::vector<CalmWatch> watches_;                  ///< over this rank's team in each round
  std::vector<Sampling> samplings_;                 ///< of each point this rank measures
  std::vector<double> extra_rounds_;                ///< of spin(), planted in one iteration
  std::map<std::string, double> work_rounds_;       ///< of spin(), beside one call of a curve
  std::vector<std::int64_t> checked_;  ///< deliveries of each point, one after the other
  std::vector<SuiteLoop> loops_;       ///< of each of these that is timed like a suite
  std::unique_ptr<TickClock> suite_clock_;
};

}  // namespace hockney
