#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "models/collectives/measured_network.hpp"
#include "models/collectives/replay.hpp"
#include "models/schedules/schedule.hpp"

namespace hockney::collectives {
namespace {

constexpr double beta_seconds_per_byte = 1e-10;
constexpr int router = 4;  // hosts

HopCost cost(const std::string& name, double alpha_seconds) {
  return {.name = name,
          .segments = {
              {std::numeric_limits<std::int64_t>::max(), alpha_seconds, beta_seconds_per_byte}}};
}

/// One rank on each host; routers are joined by channels that nobody knows.
RankNetwork network(int ranks) {
  std::vector<std::vector<int>> sites(2);
  for (int rank = 0; rank < ranks; ++rank) {
    sites[0].push_back(rank);
    sites[1].push_back(rank / router);
  }
  return {sites, {cost("same-node", 1e-7), cost("same-router", 1e-6), cost("other-router", 2e-6)}};
}

/// Times as replays have them when these channels are shared, all longer by the same factor, with
/// this relative error up and down in turn.
Curve curve(const std::string& operation, const std::string& algorithm,
            const std::vector<Channel>& channels, double error = 0) {
  Curve curve{.operation = operation, .algorithm = algorithm, .proven = true};
  for (const int ranks : {4, 8, 16}) {
    RankNetwork known = network(ranks);
    share_channels(known, channels);
    for (const std::int64_t bytes : {8, 4096, 65536}) {
      const schedules::Workload work{.ranks = ranks, .bytes = {bytes}};
      const double sign = curve.works.size() % 2 == 0 ? 1 : -1;
      curve.works.push_back(work);
      curve.medians_seconds.push_back(
          {1.3 * (1 + sign * error) * replay(schedule_of(operation, algorithm, work), known)});
    }
  }
  return curve;
}

std::vector<Curve> curves(const std::vector<Channel>& channels, double error = 0) {
  return {curve("allreduce", "recursive_doubling", channels, error),
          curve("allgather", "bruck", channels, error),
          curve("alltoall", "pairwise", channels, error)};
}

}  // namespace

TEST_CASE("the channel that messages between two routers share is found") {
  for (const double truth : {1.0, 0.5, 0.4, 1.0 / 12}) {
    const std::vector<Channel> planted{
        {.hop = "other-router", .seconds_per_byte = truth * beta_seconds_per_byte}};
    const auto found = fit_channels(curves(planted), network);
    REQUIRE(found.size() == 2);
    INFO(truth);
    CHECK(found[0].hop == "same-router");
    CHECK(found[0].seconds_per_byte == 0);
    CHECK(found[1].hop == "other-router");
    CHECK(found[1].seconds_per_byte == Approx(truth * beta_seconds_per_byte).epsilon(0.04));
    CHECK(found[1].error_with < found[1].error_without / 10);
  }
}

TEST_CASE("a channel is found among errors of the times") {
  const std::vector<Channel> planted{
      {.hop = "other-router", .seconds_per_byte = beta_seconds_per_byte}};
  const auto found = fit_channels(curves(planted, 0.02), network);
  REQUIRE(found.size() == 2);
  CHECK(found[1].seconds_per_byte == Approx(beta_seconds_per_byte).epsilon(0.15));
}

TEST_CASE("errors of the times make no channel") {
  const auto found = fit_channels(curves({}, 0.02), network);
  CHECK(found.size() == 2);
  for (const Channel& channel : found) {
    INFO(channel.hop << " " << channel.error_with << " " << channel.error_without);
    CHECK(channel.seconds_per_byte == 0);
  }
}

TEST_CASE("without a schedule or a network there are no channels") {
  const Curve unknown{.operation = "allreduce",
                      .algorithm = std::nullopt,
                      .works = {{.ranks = 4, .bytes = {8}}},
                      .medians_seconds = {{1e-6}}};
  CHECK(fit_channels({unknown}, network).empty());
  CHECK(fit_channels(curves({}), [](int) { return std::optional<RankNetwork>(); }).empty());
}

}  // namespace hockney::collectives
