#include "benchmarks/harness/tree_sync.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <span>
#include <type_traits>

#include "benchmarks/engine/clock_tree.hpp"
#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/gather.hpp"
#include "benchmarks/harness/mpi_error.hpp"
#include "benchmarks/harness/mpi_group.hpp"

namespace hockney::benchmarks {
namespace {

constexpr int lesson_tag = 11;
constexpr std::int64_t what_time = 0;
constexpr std::int64_t lesson_over = 1;
constexpr std::int64_t unknown = -1;  // a bound is never negative

// Ranks that share a core wait for each other's time slices; they get a wider bound, not a wait.
constexpr double longest_seconds = 0.02;
// At the end in quick succession, lest one that is disturbed leaves the offset to an older one.
constexpr int closing_passes = 2;

double excess(const ClockSelfTest& found) {
  constexpr double failures_first = 1e6;
  return std::abs(found.estimate_seconds) - found.bound_seconds +
         (found.passed ? 0 : failures_first);
}

}  // namespace

std::int64_t MpiExchange::answer_to(int parent, std::int64_t question) {
  std::int64_t answer = 0;
  // Both directions are blocking standard sends, so that neither is slower by its protocol.
  const int sent = MPI_Send(&question, 1, MPI_INT64_T, parent, lesson_tag, comm_);
  const int received =
      MPI_Recv(&answer, 1, MPI_INT64_T, parent, lesson_tag, comm_, MPI_STATUS_IGNORE);
  mpi_check(sent);
  mpi_check(received);
  return answer;
}

std::int64_t MpiExchange::ask(int parent) { return answer_to(parent, what_time); }

std::optional<std::int64_t> MpiExchange::finish(int parent) {
  const std::int64_t bound = answer_to(parent, lesson_over);
  return bound == unknown ? std::nullopt : std::optional(bound);
}

void MpiExchange::teach(int child, const std::optional<Offset>& known) {
  const std::int64_t ahead = known ? known->estimate : 0;
  for (std::int64_t question = what_time; question == what_time;) {
    mpi_check(MPI_Recv(&question, 1, MPI_INT64_T, child, lesson_tag, comm_, MPI_STATUS_IGNORE));
    std::int64_t answer = clock_.now() - ahead;
    if (question == lesson_over) answer = known ? bound_at(*known, answer + ahead) : unknown;
    mpi_check(MPI_Send(&answer, 1, MPI_INT64_T, child, lesson_tag, comm_));
  }
}

std::optional<ClockModel> learn_clock(MPI_Comm comm, TickClock& clock, const Lessons& lessons) {
  using Moment = std::chrono::steady_clock;
  const double tick = clock.seconds_per_tick();
  const Effort effort{.longest = std::llround(longest_seconds / tick)};
  const int rank = rank_in(comm);
  MpiExchange exchange(comm, clock);
  TreeLearner learner(rank, size_of(comm), effort);
  const Moment::time_point start = Moment::now();
  const int closing = lessons.pause_seconds > 0 ? closing_passes : 0;
  for (int pass = 0; pass < lessons.passes + closing; ++pass) {
    // The first rank sets the pace; the others wait for its answer, which only widens one bound.
    const std::chrono::duration<double> due(std::min(pass, lessons.passes - 1) *
                                            lessons.pause_seconds);
    if (rank == 0) {
      const auto whole = std::chrono::duration_cast<Moment::duration>(due);
      sleep_for(std::min(whole, whole - (Moment::now() - start)));  // also if the clock went back
    }
    learner.pass(exchange);
  }
  return learner.model(lessons.horizon_seconds / tick);
}

ClockSelfTest judge_finding(const std::optional<ClockModel>& model, const TickClock& clock) {
  if (!model) return {};
  const Offset& found = model->anchor;
  return {.estimate_seconds = static_cast<double>(found.estimate) * clock.seconds_per_tick(),
          .bound_seconds = static_cast<double>(found.bound) * clock.seconds_per_tick(),
          .passed = std::abs(found.estimate) <= found.bound};
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
    const auto model = learn_clock(comm, clock, {.passes = 1});
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

}  // namespace hockney::benchmarks
