#include "benchmarks/harness/clock_sync.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <span>
#include <system_error>
#include <type_traits>

#include "benchmarks/engine/clock.hpp"
#include "benchmarks/harness/communicators.hpp"
#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/mpi_objects.hpp"

namespace hockney::benchmarks {
namespace {

constexpr int sync_tag = 11;
constexpr std::int64_t what_time = 0;
constexpr std::int64_t estimate_done = 1;
constexpr std::int64_t unknown = -1;  // a bound is never negative

// Ranks that share a core wait for time slices; a wider bound replaces more waiting.
constexpr double longest_seconds = 0.02;
// Two passes end the synchronisation, so that a disturbed last one leaves a recent offset.
constexpr int closing_passes = 2;

double excess(const ClockSelfTest& found) {
  constexpr double failures_first = 1e6;
  return std::abs(found.estimate_seconds) - found.bound_seconds +
         (found.passed ? 0 : failures_first);
}

/// Compares the result for a clock that is the same as the own one; the true offset is 0.
ClockSelfTest judge_finding(const std::optional<ClockModel>& model, const TickClock& clock) {
  if (!model) return {};
  const Offset& found = model->anchor;
  return {.estimate_seconds = static_cast<double>(found.estimate) * clock.seconds_per_tick(),
          .bound_seconds = static_cast<double>(found.bound) * clock.seconds_per_tick(),
          .passed = std::abs(found.estimate) <= found.bound};
}

constexpr int learning_passes = 20;
constexpr double shortest_horizon_seconds = 1;  // launches last longer than requested
constexpr double learning_share = 0.102;        // share of the horizon; slightly more than a slope
                                                // needs
constexpr double smallest_budget_seconds = 1e-7;

UniqueComm split_comm(MPI_Comm comm, int color) {
  UniqueComm part;
  mpi_check(MPI_Comm_split(comm, color, rank_in(comm), part.out()));
  return part;
}

/// Reduces one number of all ranks with `op`.
template <class Number>
Number reduce(MPI_Comm comm, Number number, MPI_Datatype type, MPI_Op op) {
  mpi_check(MPI_Allreduce(MPI_IN_PLACE, &number, 1, type, op, comm));
  return number;
}

}  // namespace

std::int64_t MpiExchange::answer_to(int parent, std::int64_t question) {
  std::int64_t answer = 0;
  // Both directions are blocking standard sends, so that both use the same protocol.
  const int sent = MPI_Send(&question, 1, MPI_INT64_T, parent, sync_tag, comm_);
  const int received =
      MPI_Recv(&answer, 1, MPI_INT64_T, parent, sync_tag, comm_, MPI_STATUS_IGNORE);
  mpi_check(sent);
  mpi_check(received);
  return answer;
}

std::int64_t MpiExchange::query(int parent) { return answer_to(parent, what_time); }

std::optional<std::int64_t> MpiExchange::finish(int parent) {
  const std::int64_t bound = answer_to(parent, estimate_done);
  return bound == unknown ? std::nullopt : std::optional(bound);
}

void MpiExchange::teach(int child, const std::optional<Offset>& known) {
  const std::int64_t ahead = known ? known->estimate : 0;
  for (std::int64_t question = what_time; question == what_time;) {
    mpi_check(MPI_Recv(&question, 1, MPI_INT64_T, child, sync_tag, comm_, MPI_STATUS_IGNORE));
    std::int64_t answer = clock_.now() - ahead;
    if (question == estimate_done) answer = known ? bound_at(*known, answer + ahead) : unknown;
    mpi_check(MPI_Send(&answer, 1, MPI_INT64_T, child, sync_tag, comm_));
  }
}

std::optional<ClockModel> estimate_clock(MPI_Comm comm, TickClock& clock,
                                         const SyncRounds& rounds) {
  using Moment = std::chrono::steady_clock;
  const double tick = clock.seconds_per_tick();
  const Effort effort{.longest = std::llround(longest_seconds / tick)};
  const int rank = rank_in(comm);
  MpiExchange exchange(comm, clock);
  TreeLearner learner(rank, size_of(comm), effort);
  const Moment::time_point start = Moment::now();
  const int closing = rounds.pause_seconds > 0 ? closing_passes : 0;
  for (int pass = 0; pass < rounds.passes + closing; ++pass) {
    // The first rank sets the pace. The others wait for its reply, which widens only one bound.
    const std::chrono::duration<double> due(std::min(pass, rounds.passes - 1) *
                                            rounds.pause_seconds);
    if (rank == 0) {
      const auto whole = std::chrono::duration_cast<Moment::duration>(due);
      sleep_for(std::min(whole, whole - (Moment::now() - start)));  // also if the clock went back
    }
    learner.pass(exchange);
  }
  return learner.model(rounds.horizon_seconds / tick);
}

std::optional<ClockSelfTest> worst_of(MPI_Comm comm, const std::optional<ClockSelfTest>& own) {
  constexpr double nothing = std::numeric_limits<double>::lowest();
  struct {
    double excess;
    int rank;
  } worst{own ? excess(*own) : nothing, rank_in(comm)};
  mpi_check(MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_DOUBLE_INT, MPI_MAXLOC, comm));
  if (worst.excess == nothing) return std::nullopt;
  const ClockSelfTest mine = own.value_or(ClockSelfTest{});
  std::array numbers{mine.estimate_seconds, mine.bound_seconds, mine.passed ? 1.0 : 0.0};
  mpi_check(
      MPI_Bcast(numbers.data(), static_cast<int>(numbers.size()), MPI_DOUBLE, worst.rank, comm));
  return ClockSelfTest{
      .estimate_seconds = numbers[0], .bound_seconds = numbers[1], .passed = numbers[2] != 0};
}

std::vector<ClockSelfTest> check_clocks(MPI_Comm comm, TickClock& clock, int times) {
  std::vector<ClockSelfTest> findings;
  if (size_of(comm) == 1) return findings;
  for (int i = 0; i < times; ++i) {
    const auto model = estimate_clock(comm, clock, {.passes = 1});
    if (rank_in(comm) != 0) findings.push_back(judge_finding(model, clock));
  }
  return findings;
}

std::vector<ClockSelfTest> gather_findings(MPI_Comm comm, const std::vector<ClockSelfTest>& own) {
  static_assert(std::is_trivially_copyable_v<ClockSelfTest>, "they travel byte by byte");
  std::vector<ClockSelfTest> all;
  for (const auto& bytes : gather_bytes(comm, std::as_bytes(std::span(own)))) {
    const std::size_t before = all.size();
    all.resize(before + bytes.size() / sizeof(ClockSelfTest));
    if (!bytes.empty()) std::memcpy(&all[before], bytes.data(), bytes.size());
  }
  return all;
}

std::string clock_identity() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string boot;
  if (!std::getline(file, boot) || boot.empty()) return {};
  // Kernels before 5.6 have neither time namespaces nor this link, for all processes alike.
  std::error_code missing;
  return fmt::format("{} {}", boot,
                     std::filesystem::read_symlink("/proc/self/ns/time", missing).string());
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

ClockSync::ClockSync(MPI_Comm comm, TickClock& clock, const SyncOptions& options) : clock_(clock) {
  const std::int64_t start = clock.now();
  facts_.scheme = "simulated";
  if (is_simulated()) return;
  mpi_check(MPI_Comm_dup(comm, comm_.out()));
  if (options.grouping == ClockGrouping::each_alone) {
    group_ = split_comm(comm_.get(), rank_in(comm));
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

/// Host names prove nothing about clocks. MPI reports which ranks share memory, and the system
/// which of these read the same clock.
void ClockSync::group_by_node() {
  UniqueComm node;
  mpi_check(MPI_Comm_split_type(comm_.get(), MPI_COMM_TYPE_SHARED, rank_in(comm_.get()),
                                MPI_INFO_NULL, node.out()));
  const auto groups = clock_groups(gather_texts(node.get(), clock_identity()));
  group_ = split_comm(node.get(), groups.at(static_cast<std::size_t>(rank_in(node.get()))));
}

/// Splits a group if a test fails: its ranks do not read the same clock.
void ClockSync::test_group() {
  std::optional<ClockSelfTest> own;
  if (size_of(group_.get()) > 1) {
    const auto model = estimate_clock(group_.get(), clock_, {});
    if (rank_in(group_.get()) != 0) own = judge_finding(model, clock_);
  }
  const int passed = reduce(group_.get(), own && !own->passed ? 0 : 1, MPI_INT, MPI_MIN);
  if (passed == 0) {
    refuted_ = std::move(group_);
    group_ = split_comm(refuted_.get(), rank_in(refuted_.get()));
  }
  facts_.self_test = worst_of(comm_.get(), own);
}

void ClockSync::choose_leaders() {
  const bool leads = rank_in(group_.get()) == 0;
  leaders_ = split_comm(comm_.get(), leads ? 0 : MPI_UNDEFINED);
  groups_ = reduce(comm_.get(), leads ? 1 : 0, MPI_INT, MPI_SUM);
}

void ClockSync::learn(double horizon_seconds) {
  int learnt = 1;
  if (leaders_) {
    const double pause = learning_share * horizon_seconds / (learning_passes - 1);
    const auto model =
        estimate_clock(leaders_.get(), clock_,
                       {.passes = learning_passes,
                        .pause_seconds = pause,
                        .horizon_seconds = std::max(horizon_seconds, shortest_horizon_seconds)});
    learnt = model ? 1 : 0;
    model_ = model.value_or(ClockModel{});
  }
  if (reduce(comm_.get(), learnt, MPI_INT, MPI_MIN) == 0) {
    throw RunError({"the clocks cannot be synchronised",
                    "the readings of one contradict each other all the time",
                    "check the clock source of the hosts"});
  }
  const double bound = leaders_ ? seconds(model_.certain_bound(clock_.now())) : 0;
  facts_.bound_seconds = reduce(comm_.get(), bound, MPI_DOUBLE, MPI_MAX);
  facts_.slope_used = reduce(comm_.get(), model_.slope_used ? 1 : 0, MPI_INT, MPI_MAX) != 0;
}

/// Copies the leader's model unchanged: its group reads the same clock.
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
  // If a fault of the algorithm has split the group, the checks must show it: they use the old
  // group.
  MPI_Comm sharing = refuted_ ? refuted_.get() : group_.get();
  auto findings = gather_findings(comm_.get(), check_clocks(sharing, clock_, times));
  if (!findings.empty()) facts_.checks = std::move(findings);
}

void ClockSync::measure_again() {
  if (is_simulated()) return;
  MPI_Comm comm = groups_ > 1 ? leaders_.get() : group_.get();
  std::optional<ClockSelfTest> own;
  if (comm != MPI_COMM_NULL && size_of(comm) > 1) {
    const auto model = estimate_clock(comm, clock_, {});
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
