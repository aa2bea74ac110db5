#include <catch2/catch.hpp>

#include "components/application/analysis/replay_split.hpp"
#include "components/application/analysis/waits.hpp"
#include "tests/support/scripted_trace.hpp"
#include "tests/support/synthetic_program.hpp"

// Waits after Scalasca's definitions, of programs whose times are known.
namespace hockney::applications {
namespace {

/// What hockney-protocol found between two ranks of one node, or of two.
Record found_limit(std::optional<std::int64_t> limit, Reach reach,
                   LaunchStatus status = LaunchStatus::complete) {
  Record record;
  record.status = status;
  record.ranks = {{.rank = 0, .host = "a"},
                  {.rank = 1, .host = reach == Reach::in_node ? "a" : "b"}};
  record.protocols = {{.hop = "l3", .pair = {0, 1}, .eager_limit_bytes = limit}};
  return record;
}

std::vector<LimitUse> uses_of(const SyntheticProgram& program, const std::vector<Record>& records) {
  return limit_uses(program.profile(), eager_limits(records));
}

}  // namespace

TEST_CASE("limits are those of ranks in one node and of two, from complete launches") {
  const auto limits = eager_limits(std::vector<Record>{
      found_limit(4040, Reach::in_node), found_limit(4040, Reach::in_node),
      found_limit(65536, Reach::between_nodes),
      found_limit(17, Reach::in_node, LaunchStatus::failed), found_limit({}, Reach::in_node)});
  REQUIRE(limits.size() == 2);
  CHECK(limits[0].reach == Reach::in_node);
  CHECK(limits[0].limits_bytes == std::set<std::int64_t>{4040});
  CHECK(limits[0].hops == std::set<std::string>{"l3"});
  CHECK(limits[1].limits_bytes == std::set<std::int64_t>{65536});
  CHECK(eager_limits({}).empty());
}

TEST_CASE("messages are held against the limit of their own reach") {
  SyntheticProgram program(4, 2);
  program.send(0, 1, 4040, 10).send(1, 0, 4041, 5);   // in node 0
  program.send(1, 2, 60000, 7).send(2, 1, 70000, 1);  // between nodes
  const auto uses = uses_of(
      program, {found_limit(4040, Reach::in_node), found_limit(65536, Reach::between_nodes)});
  REQUIRE(uses.size() == 2);
  CHECK(uses[0].messages.count == 15);
  CHECK(uses[0].above == Volume{5, 5 * 4041, 4041, 4041});
  CHECK(uses[0].perhaps_above.count == 0);
  CHECK(uses[1].messages.count == 8);
  CHECK(uses[1].above == Volume{1, 70000, 70000, 70000});
}

TEST_CASE("a row that the limit parts may be above, and so may one between two limits") {
  SyntheticProgram program(2);
  program.send(0, 1, 4000, 3).send(0, 1, 4090, 2);  // one size class: 2048 to 4095
  auto uses = uses_of(program, {found_limit(4040, Reach::in_node)});
  REQUIRE(uses.size() == 1);
  CHECK(uses[0].above.count == 0);
  CHECK(uses[0].perhaps_above.count == 5);

  uses = uses_of(SyntheticProgram(2).send(0, 1, 5000),
                 {found_limit(4040, Reach::in_node), found_limit(8000, Reach::in_node)});
  CHECK(uses[0].above.count == 0);
  CHECK(uses[0].perhaps_above.count == 1);
}

TEST_CASE("calls just above a limit are those that twice the limit would take") {
  const SyntheticProgram program = SyntheticProgram(2)
                                       .send(0, 1, 8)
                                       .calls("MPI_Send", 4, 4041, 1)
                                       .calls("MPI_Sendrecv", 2, 8080, 1)
                                       .calls("MPI_Ssend", 1, 8081, 1)
                                       .calls("MPI_Bcast", 9, 5000, 1);
  const auto uses = uses_of(program, {found_limit(4040, Reach::in_node)});
  REQUIRE(uses.size() == 1);
  REQUIRE(uses[0].just_above.size() == 2);
  CHECK(uses[0].just_above[0].call == "MPI_Send");
  CHECK(uses[0].just_above[0].volume.count == 4);
  CHECK(uses[0].just_above[1].call == "MPI_Sendrecv");
}

TEST_CASE("what is no message, or goes nowhere, is held against no limit") {
  SyntheticProgram program(2);
  program.send(0, 0, 100000);
  program.with([](profile::Profile& all) {
    all.messages.push_back({.from = 0, .to = 1, .carrier = profile::Carrier::put, .messages = 1});
    all.messages.push_back({.from = 0, .to = {}, .messages = 1});
  });
  CHECK(uses_of(program, {found_limit(4040, Reach::in_node)}).empty());
}

namespace {

using profile::Function;

WaitStates states_of(const Trace& trace) {
  const Matching matching = match(trace);
  return wait_states(trace, matching, align_clocks(trace, matching));
}

}  // namespace

TEST_CASE("a receiver waits for a late sender until the send is called") {
  ScriptedTrace script(2);
  script.computes(0, 100).sends(0, 1, 8).takes(2);
  script.computes(1, 40).receives(1, 0, 8).takes(65);
  const WaitStates states = states_of(script.trace());
  CHECK(states.late_sender.seconds == Approx(60 * microsecond));
  CHECK(states.late_receiver.seconds == 0);
  CHECK(states.late_sender.bound_seconds == 0);
}

TEST_CASE("a call that completes several messages waits for the latest of them") {
  ScriptedTrace script(3);
  script.starts_receive(0, 1).starts_receive(0, 2).computes(0, 10);
  script.waits(0, {{1, {1, 0, 8}}, {2, {2, 0, 8}}}).takes(100);
  script.computes(1, 50).sends(1, 0, 8);
  script.computes(2, 100).sends(2, 0, 8);
  CHECK(states_of(script.trace()).late_sender.seconds == Approx(90 * microsecond));
}

TEST_CASE("a sender waits for a late receiver where it does not return before") {
  const auto late = [](double sending) {
    ScriptedTrace script(2);
    script.computes(0, 20).sends(0, 1, 9000).takes(sending);
    script.computes(1, 100).receives(1, 0, 9000).takes(5);
    return states_of(script.trace());
  };
  CHECK(late(85).late_receiver.seconds == Approx(80 * microsecond));
  CHECK(late(85).late_sender.seconds == 0);
  CHECK(late(5).late_receiver.seconds == 0);  // eager: it left before the receive was posted
  // What waits is the call that completes the send.
  ScriptedTrace script(2);
  script.computes(0, 20).starts_send(0, 1, 9000).computes(0, 30).waits(0, {{1, {}}}).takes(55);
  script.computes(1, 100).receives(1, 0, 9000).takes(5);
  CHECK(states_of(script.trace()).late_receiver.seconds == Approx(50 * microsecond));
}

TEST_CASE("collectives wait for the last one, roots for the last one, others for the root") {
  const auto waits_in = [](Function function, int root) {
    ScriptedTrace script(3);
    script.computes(0, 10).collective(function, 0, root).takes(200);
    script.computes(1, 30).collective(function, 1, root).takes(200);
    script.computes(2, 90).collective(function, 2, root).takes(200);
    return states_of(script.trace());
  };
  CHECK(waits_in(Function::Barrier, -1).barrier.seconds == Approx(140 * microsecond));
  CHECK(waits_in(Function::Alltoall, -1).all_to_all.seconds == Approx(140 * microsecond));
  CHECK(waits_in(Function::Reduce, 1).early_reduce.seconds == Approx(60 * microsecond));
  CHECK(waits_in(Function::Reduce, 2).early_reduce.seconds == 0);
  CHECK(waits_in(Function::Bcast, 2).late_broadcast.seconds == Approx(140 * microsecond));
  CHECK(waits_in(Function::Bcast, 0).late_broadcast.seconds == 0);
  CHECK(waits_in(Function::Barrier, -1).all().seconds == Approx(140 * microsecond));
  CHECK(waits_in(Function::Comm_dup, -1).all().seconds == 0);
}

TEST_CASE("nobody waits longer than in the call") {
  ScriptedTrace script(2);
  script.collective(Function::Bcast, 0, 1).takes(5);
  script.computes(1, 100).collective(Function::Bcast, 1, 1);
  CHECK(states_of(script.trace()).late_broadcast.seconds == Approx(5 * microsecond));
}

TEST_CASE(
    "between hosts the bound of the clocks is said, and clocks that nothing joins count for no "
    "wait") {
  // Messages both ways, 2 us under way each: the clocks are known within 2 us.
  ScriptedTrace script(2, 1);
  script.computes(0, 50).sends(0, 1, 8);
  script.receives(1, 0, 8).takes(52).sends(1, 0, 8);
  script.receives(0, 1, 8).takes(4);
  const WaitStates known = states_of(script.trace());
  CHECK(known.clocks_not_known == 0);
  CHECK(known.late_sender.bound_seconds == Approx(2 * 2 * microsecond));
  CHECK(std::abs(known.late_sender.seconds - 52 * microsecond) <= known.late_sender.bound_seconds);

  ScriptedTrace alone(2, 1);
  alone.computes(0, 50).sends(0, 1, 8);
  alone.receives(1, 0, 8).takes(52);
  const WaitStates unknown = states_of(alone.trace());
  CHECK(unknown.clocks_not_known == 1);
  CHECK(unknown.all().seconds == 0);
}

}  // namespace hockney::applications
