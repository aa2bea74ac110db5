#include "benchmarks/harness/clock_sync.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/gather.hpp"
#include "benchmarks/harness/mpi_error.hpp"
#include "benchmarks/harness/tree_sync.hpp"

namespace hockney::benchmarks {

std::string clock_identity() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string boot;
  if (!std::getline(file, boot) || boot.empty()) return {};
  // Kernels before 5.6 have no time namespaces and no such link, on all processes alike.
  std::error_code missing;
  return boot + " " + std::filesystem::read_symlink("/proc/self/ns/time", missing).string();
}

std::vector<int> clock_groups(const std::vector<std::string>& identities) {
  std::vector<int> groups;
  for (std::size_t i = 0; i < identities.size(); ++i) {
    const auto first = std::ranges::find(identities, identities[i]) - identities.begin();
    groups.push_back(
        static_cast<int>(identities[i].empty() ? static_cast<std::ptrdiff_t>(i) : first));
  }
  return groups;
}

namespace {

constexpr int learning_passes = 20;
constexpr double shortest_horizon_seconds = 1;  // launches last longer than they are asked to
constexpr double learning_share = 0.102;        // of the horizon: a little over what a slope needs
constexpr double smallest_budget_seconds = 1e-7;

UniqueComm split(MPI_Comm comm, int color) {
  UniqueComm part;
  mpi_check(MPI_Comm_split(comm, color, rank_in(comm), part.out()));
  return part;
}

/// One number of all ranks, by `op`.
template <class Number>
Number reduce(MPI_Comm comm, Number number, MPI_Datatype type, MPI_Op op) {
  mpi_check(MPI_Allreduce(MPI_IN_PLACE, &number, 1, type, op, comm));
  return number;
}

}  // namespace

ClockSync::ClockSync(MPI_Comm comm, TickClock& clock, const SyncOptions& options) : clock_(clock) {
  const std::int64_t start = clock.now();
  facts_.scheme = "simulated";
  if (is_simulated()) return;
  mpi_check(MPI_Comm_dup(comm, comm_.out()));
  if (options.grouping == ClockGrouping::each_alone) {
    group_ = split(comm_.get(), rank_in(comm));
  } else {
    group_by_node();
    test_group();
  }
  choose_leaders();
  facts_.scheme = groups_ == 1 ? "same-clock" : "hca3";
  if (groups_ > 1) {
    learn(options.horizon_seconds);
    share_model();
  }
  facts_.duration_seconds = reduce(comm_.get(), seconds(clock.now() - start), MPI_DOUBLE, MPI_MAX);
}

double ClockSync::seconds(std::int64_t ticks) const {
  return static_cast<double>(ticks) * clock_.seconds_per_tick();
}

/// Host names prove nothing about clocks, so MPI says who shares memory, and the system says of
/// those who reads the same clock.
void ClockSync::group_by_node() {
  UniqueComm node;
  mpi_check(MPI_Comm_split_type(comm_.get(), MPI_COMM_TYPE_SHARED, rank_in(comm_.get()),
                                MPI_INFO_NULL, node.out()));
  const auto groups = clock_groups(gather_texts(node.get(), clock_identity()));
  group_ = split(node.get(), groups.at(static_cast<std::size_t>(rank_in(node.get()))));
}

/// Whoever fails where the truth is 0 does not read the same clock after all.
void ClockSync::test_group() {
  std::optional<ClockSelfTest> own;
  if (size_of(group_.get()) > 1) {
    const auto model = learn_clock(group_.get(), clock_, {});
    if (rank_in(group_.get()) != 0) own = judge_finding(model, clock_);
  }
  const int passed = reduce(group_.get(), own && !own->passed ? 0 : 1, MPI_INT, MPI_MIN);
  if (passed == 0) {
    refuted_ = std::move(group_);
    group_ = split(refuted_.get(), rank_in(refuted_.get()));
  }
  facts_.self_test = worst_of(comm_.get(), own);
}

void ClockSync::choose_leaders() {
  const bool leads = rank_in(group_.get()) == 0;
  leaders_ = split(comm_.get(), leads ? 0 : MPI_UNDEFINED);
  groups_ = reduce(comm_.get(), leads ? 1 : 0, MPI_INT, MPI_SUM);
}

void ClockSync::learn(double horizon_seconds) {
  int learnt = 1;
  if (leaders_) {
    const double pause = learning_share * horizon_seconds / (learning_passes - 1);
    const auto model =
        learn_clock(leaders_.get(), clock_,
                    {.passes = learning_passes,
                     .pause_seconds = pause,
                     .horizon_seconds = std::max(horizon_seconds, shortest_horizon_seconds)});
    learnt = model ? 1 : 0;
    model_ = model.value_or(ClockModel{});
  }
  if (reduce(comm_.get(), learnt, MPI_INT, MPI_MIN) == 0) {
    throw RunError({"the clocks cannot be synchronised",
                    "the readings of one contradict each other all the time",
                    "look at the clock source of the hosts"});
  }
  const double bound = leaders_ ? seconds(model_.certain_bound(clock_.now())) : 0;
  facts_.bound_seconds = reduce(comm_.get(), bound, MPI_DOUBLE, MPI_MAX);
  facts_.slope_used = reduce(comm_.get(), model_.slope_used ? 1 : 0, MPI_INT, MPI_MAX) != 0;
}

/// The leader's model, word for word: its group reads the same clock.
void ClockSync::share_model() {
  const Offset& anchor = model_.anchor;
  std::array whole{anchor.at, anchor.estimate, anchor.bound,
                   std::int64_t{model_.slope_used ? 1 : 0}};
  std::array rates{anchor.drift, model_.slope, model_.rate_error};
  mpi_check(MPI_Bcast(whole.data(), static_cast<int>(whole.size()), MPI_INT64_T, 0, group_.get()));
  mpi_check(MPI_Bcast(rates.data(), static_cast<int>(rates.size()), MPI_DOUBLE, 0, group_.get()));
  model_ = {.anchor = {.at = whole[0], .estimate = whole[1], .bound = whole[2], .drift = rates[0]},
            .slope = rates[1],
            .rate_error = rates[2],
            .slope_used = whole[3] != 0};
}

void ClockSync::check(int times) {
  if (is_simulated()) return;
  // A group that was taken apart may have been so by a fault of the algorithm, which must be seen.
  MPI_Comm sharing = refuted_ ? refuted_.get() : group_.get();
  auto findings = gather_findings(comm_.get(), check_clocks(sharing, clock_, times));
  if (!findings.empty()) facts_.checks = std::move(findings);
}

void ClockSync::measure_again() {
  if (is_simulated()) return;
  MPI_Comm comm = groups_ > 1 ? leaders_.get() : group_.get();
  std::optional<ClockSelfTest> own;
  if (comm != MPI_COMM_NULL && size_of(comm) > 1) {
    const auto model = learn_clock(comm, clock_, {});
    if (model && rank_in(comm) != 0) {
      const std::int64_t now = clock_.now();
      own = ClockSelfTest{
          .estimate_seconds = seconds(std::abs(model_.to_global(now) - model->to_global(now))),
          .bound_seconds = seconds(model->certain_bound(now)),
          .passed = true};
    }
  }
  const auto worst = worst_of(comm_.get(), own);
  if (!worst) return;
  facts_.end_error_seconds = worst->estimate_seconds;
  facts_.end_bound_seconds = worst->bound_seconds;
}

bool ClockSync::drifted() const {
  if (!facts_.end_error_seconds || !facts_.end_bound_seconds) return false;
  return *facts_.end_error_seconds - *facts_.end_bound_seconds >
         std::max(smallest_budget_seconds, facts_.bound_seconds);
}

}  // namespace hockney::benchmarks
