// Collectives of a program as the messages of their algorithms.

#include "application/projection/scheduled_program.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "core/error.hpp"
#include "application/analysis/replay.hpp"
#include "models/collectives/replay.hpp"
#include "application/projection/collective_times.hpp"
#include "tests/support/scripted_trace.hpp"

namespace hockney::projection {
namespace {

using applications::HappensBefore;
using applications::ScriptedTrace;
using applications::Transfer;
using profile::Function;

constexpr double port_alpha = 2e-6;
constexpr double port_beta = 1e-9;

/// Messages start when both ranks are ready, and wait for the ports of their ranks.
class PortNetwork : public applications::ReplayNetwork {
 public:
  double carry(const Transfer& message, double begin_seconds) override {
    return ports_.carry(message.from, message.to, message.bytes, begin_seconds);
  }
  [[nodiscard]] applications::SenderWaits waits(const Transfer& /*message*/) const override {
    return applications::SenderWaits::for_receive;
  }

 private:
  collectives::RankNetwork network_ = collectives::RankNetwork::uniform(port_alpha, port_beta);
  collectives::Ports ports_{network_};
};

/// All ranks in one call; one of them comes late.
HappensBefore one_call(Function function, int ranks, std::int64_t bytes, int root = -1,
                       int late_rank = 0, double late_microseconds = 0) {
  ScriptedTrace script(ranks);
  for (int rank = 0; rank < ranks; ++rank) {
    script.computes(rank, rank == late_rank ? late_microseconds : 0);
    script.collective(function, rank, root, bytes);
  }
  return script.analysis().program();
}

applications::ReplayedTimes replay_scheduled(const HappensBefore& program,
                                             const std::string& algorithm) {
  PortNetwork network;
  return replay(with_schedules(program, Carriers(program.collectives.size(), algorithm)), network);
}

}  // namespace

TEST_CASE("where all ranks come together a collective takes as long as its schedule") {
  for (const Function function :
       {Function::Barrier, Function::Bcast, Function::Reduce, Function::Allreduce, Function::Gather,
        Function::Scatter, Function::Allgather, Function::Alltoall, Function::Scan}) {
    for (const int ranks : {2, 5, 8}) {
      const bool is_rooted = profile::describe(function).at.root >= 0;
      const HappensBefore program = one_call(function, ranks, 8000, is_rooted ? 1 : -1);
      const CollectiveWork work = *work_of(program.collectives.front());
      for (const std::string& algorithm : schedules::algorithms_of(work.operation)) {
        if (unfit(work.operation, algorithm, work.work)) continue;
        CAPTURE(work.operation, algorithm, ranks);
        const double seconds =
            collectives::replay(schedule_of(work.operation, algorithm, work.work),
                                collectives::RankNetwork::uniform(port_alpha, port_beta));
        CHECK(replay_scheduled(program, algorithm).seconds == Approx(seconds));
      }
    }
  }
}

TEST_CASE("a rank that comes late holds up those that its messages go to, and nobody else") {
  constexpr double late = 100e-6;
  // Rank 3 is a leaf of the tree; by the meaning of a broadcast nobody waits for it either.
  const auto leaf = replay_scheduled(one_call(Function::Bcast, 4, 8, 0, 3, 100), "basic_linear");
  CHECK(leaf.rank_seconds[1] < late);
  CHECK(leaf.rank_seconds[3] > late);
  // An allreduce holds up everybody, and its last step less than the whole.
  const auto all =
      replay_scheduled(one_call(Function::Allreduce, 4, 8, -1, 3, 100), "recursive_doubling");
  for (const double seconds : all.rank_seconds) {
    CHECK(seconds == Approx(late + 2 * (port_alpha + 8 * port_beta)));
  }
  // A ring of four ranks whose last comes late: three messages one after the other.
  const auto ring = replay_scheduled(one_call(Function::Allgather, 4, 8, -1, 3, 100), "ring");
  CHECK(ring.seconds == Approx(late + 3 * (port_alpha + 8 * port_beta)));
}

TEST_CASE("computing before, between and after collectives is neither lost nor doubled") {
  ScriptedTrace script(4);
  for (int rank = 0; rank < 4; ++rank) {
    script.computes(rank, 10).collective(Function::Barrier, rank);
    script.computes(rank, 20).collective(Function::Allreduce, rank);
    script.computes(rank, 30);
  }
  const HappensBefore program = script.analysis().program();
  const HappensBefore scheduled = with_schedules(program, {"bruck", "recursive_doubling"});
  CHECK(scheduled.collectives.empty());
  applications::ReplayNetwork ideal;
  CHECK(replay(scheduled, ideal).seconds == Approx(60e-6));
  const HappensBefore one = with_schedules(program, {std::nullopt, "recursive_doubling"});
  REQUIRE(one.collectives.size() == 1);
  CHECK(one.collectives.front().function == Function::Barrier);
  CHECK(replay(one, ideal).seconds == Approx(60e-6));
  CHECK(scheduled_messages(program, {"bruck", "recursive_doubling"}) == 8 + 8);
  CHECK(scheduled_messages(program, {std::nullopt, "recursive_doubling"}) == 8);
}

TEST_CASE("what is unfit for the work is refused") {
  const HappensBefore program = one_call(Function::Allgather, 5, 8);
  CHECK_THROWS_AS(with_schedules(program, {"neighbor"}), InputError);
  ScheduledPrograms programs(program);
  const HappensBefore& bruck = programs.with({"bruck"});
  CHECK_THROWS_AS(programs.with({"neighbor"}), InputError);
  CHECK_THROWS_AS(programs.with({"neighbor"}), InputError);
  CHECK(&programs.with({"bruck"}) == &bruck);
}

TEST_CASE(
    "the same calls are one kind, and what a program was made with first stays beside others") {
  ScriptedTrace script(4);
  for (int i = 0; i < 3; ++i) {
    for (int rank = 0; rank < 4; ++rank) {
      script.collective(Function::Allreduce, rank).collective(Function::Bcast, rank, 0, 8);
      script.collective(Function::Ibarrier, rank);
    }
  }
  const HappensBefore program = script.analysis().program();
  ScheduledPrograms programs(program);
  const collectives::Fits none;
  const Carriers usual = programs.carriers(none, {});
  CHECK(usual == Carriers{"recursive_doubling", "binomial"});
  const Carriers forced = programs.carriers(none, {{"bcast", "basic_linear"}});
  CHECK(forced == Carriers{"recursive_doubling", "basic_linear"});
  const HappensBefore& as_it_was = programs.with(usual);
  CHECK(as_it_was.messages.size() == 3 * (8 + 3));
  CHECK(as_it_was.collectives.size() == 3);  // of MPI_Ibarrier
  for (const Carriers& other : {forced, Carriers{"ring", std::nullopt}, forced}) {
    const HappensBefore& made = programs.with(other);
    CHECK(&made != &as_it_was);
    CHECK(made.messages.size() == (other == forced ? 33U : 3 * 24U));
    CHECK(&programs.with(usual) == &as_it_was);
    CHECK(as_it_was.messages.size() == 33);
    CHECK(&programs.with(other) == &made);
  }
  CHECK(&programs.with({std::nullopt, std::nullopt}) == &program);
}

}  // namespace hockney::projection
