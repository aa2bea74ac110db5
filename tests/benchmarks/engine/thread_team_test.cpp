#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>
#include <set>
#include <stdexcept>

#include "benchmarks/engine/thread_team.hpp"

namespace hockney::benchmarks {
namespace {

constexpr int rounds = 200;

TEST_CASE("every thread of a team does its part of every round, and no other") {
  for (const Waiting waiting : {Waiting::spinning, Waiting::yielding}) {
    for (const int threads : {1, 2, 5}) {
      ThreadTeam team(threads, waiting, {});
      REQUIRE(team.size() == threads);
      std::vector<int> done(static_cast<std::size_t>(threads), 0);  // plain: a race would show
      for (int round = 1; round <= rounds; ++round) {
        if (round % 3 == 0) team.get_set();
        if (round % 6 == 0) team.get_set();
        team.run([&](int thread) { ++done[static_cast<std::size_t>(thread)]; });
        CHECK(std::ranges::count(done, round) == threads);
      }
    }
  }
}

TEST_CASE("thread 0 is the one that made the team, the others are others") {
  ThreadTeam team(4, Waiting::yielding, {});
  std::vector<std::thread::id> ids(4);
  team.run([&](int thread) { ids[static_cast<std::size_t>(thread)] = std::this_thread::get_id(); });
  CHECK(ids.front() == std::this_thread::get_id());
  CHECK(std::set(ids.begin(), ids.end()).size() == 4);
}

TEST_CASE("what a thread wrote before the team met, all of them read behind it") {
  constexpr int threads = 3;
  ThreadTeam team(threads, Waiting::yielding, {});
  std::vector<int> written(threads, 0);
  std::vector<int> sums(threads, 0);
  team.run([&](int thread) {
    for (int round = 1; round <= rounds; ++round) {
      written[static_cast<std::size_t>(thread)] = round;
      team.meet();
      sums[static_cast<std::size_t>(thread)] += std::accumulate(written.begin(), written.end(), 0);
      team.meet();
    }
  });
  CHECK(sums == std::vector<int>(threads, threads * rounds * (rounds + 1) / 2));
}

TEST_CASE("every thread but the first begins once, and what it throws the team throws") {
  std::vector<int> begun(3, 0);
  const ThreadTeam team(3, Waiting::yielding,
                        [&](int thread) { ++begun[static_cast<std::size_t>(thread)]; });
  CHECK(begun == std::vector<int>{0, 1, 1});
  const auto refuse = [](int thread) {
    if (thread == 2) throw std::runtime_error("no CPU for thread 2");
  };
  CHECK_THROWS_WITH(ThreadTeam(4, Waiting::yielding, refuse), "no CPU for thread 2");
}

TEST_CASE("a team may end before and between rounds, and when it is set for one") {
  { const ThreadTeam team(3, Waiting::yielding, {}); }
  {
    ThreadTeam team(3, Waiting::yielding, {});
    team.run([](int) {});
  }
  ThreadTeam team(3, Waiting::yielding, {});
  team.get_set();
}

}  // namespace
}  // namespace hockney::benchmarks
