#include <catch2/catch.hpp>

#include "core/error.hpp"
#include "models/collectives/replay.hpp"

namespace hockney::collectives {
namespace {

constexpr double near_alpha = 1;
constexpr double far_alpha = 5;

HopCost cost(const std::string& name, double alpha, double beta, double channel = 0) {
  return {.name = name, .segments = {{1 << 30, alpha, beta}}, .channel_seconds_per_byte = channel};
}

/// Two sites of two ranks.
RankNetwork two_sites(double channel = 0) {
  return {{{0, 0, 1, 1}}, {cost("near", near_alpha, 0.1), cost("far", far_alpha, 0.1, channel)}};
}

double time_of(const std::string& operation, const std::string& algorithm,
               const RankNetwork& network, std::int64_t bytes) {
  return replay(schedules::schedule_of(operation, algorithm, {.ranks = 4, .bytes = {bytes}}),
                network);
}

}  // namespace

TEST_CASE("a message costs what its hop class does") {
  // Rounds of recursive doubling: with the neighbour, then with the other site.
  CHECK(time_of("allreduce", "recursive_doubling", two_sites(), 10) == Approx(2 + 6));
  // Dissemination: ranks 1 and 3 leave their site at once, both rounds are far.
  CHECK(time_of("barrier", "bruck", two_sites(), 0) == Approx(10));
}

TEST_CASE("messages between the same sites share a channel") {
  // Both ranks of a site send 10 B across at the same time: the second waits 10 B x 0.1 s/B.
  CHECK(time_of("allreduce", "recursive_doubling", two_sites(0.1), 10) == Approx(2 + 7));
}

TEST_CASE("a port carries one message at a time") {
  // Three messages of 10 B at once: alpha, then 1 s for each.
  CHECK(time_of("bcast", "basic_linear", RankNetwork::uniform(1, 0.1), 10) == Approx(1 + 3));
}

TEST_CASE("single pairs may be farther than their class") {
  RankNetwork network({{0, 1, 2, 3}, {0, 0, 1, 1}},
                      {cost("node", 0, 0), cost("near", 1, 0), cost("far", 5, 0)});
  network.set_offset(0, 1, 2);  // between the two sites of level 1
  network.set_offset(1, 0, 2);
  CHECK(time_of("allreduce", "recursive_doubling", network, 0) == Approx(1 + 7));
}

TEST_CASE("a network wants a cost for every class") {
  CHECK_THROWS_AS(RankNetwork({{0, 0}}, {cost("near", 1, 0)}), InputError);
}

}  // namespace hockney::collectives
