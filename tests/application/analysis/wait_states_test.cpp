// Waits after Scalasca's definitions, of programs whose times are known.

#include "application/analysis/wait_states.hpp"

#include <catch2/catch.hpp>

#include "application/analysis/replay_split.hpp"
#include "tests/support/scripted_trace.hpp"

namespace hockney::applications {
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
