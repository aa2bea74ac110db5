#include "components/application/analysis/call_loop.hpp"

#include <catch2/catch.hpp>
#include <random>

namespace hockney::applications {
namespace {

/// A sequence of calls as a program makes them. Each call takes one second.
class Calls {
 public:
  Calls& add(std::initializer_list<std::uint32_t> calls, std::size_t times = 1) {
    for (std::size_t i = 0; i < times; ++i) calls_.insert(calls_.end(), calls);
    return *this;
  }
  [[nodiscard]] std::size_t size() const { return calls_.size(); }
  [[nodiscard]] CallLoop loop() const {
    return find_loop(calls_, std::vector<double>(calls_.size(), 1));
  }

 private:
  std::vector<std::uint32_t> calls_;
};

}  // namespace

TEST_CASE("the loop between other calls is found, with its first and last call") {
  const CallLoop loop = Calls().add({90, 91, 92}).add({1, 2, 3}, 100).add({93, 94}).loop();
  REQUIRE(loop.count() == 100);
  CHECK(loop.begins.front() == 3);
  CHECK(loop.begins.back() == 300);
  CHECK(loop.end == 303);
  CHECK(!loop.is_folded);
}

TEST_CASE("a loop of one call has as many iterations as calls") {
  CHECK(Calls().add({7}).add({1}, 50).add({8}).loop().count() == 50);
}

TEST_CASE("calls before the loop that are those of its end or begin count no iteration") {
  CHECK(Calls().add({2, 3}).add({1, 2, 3}, 40).loop().count() == 40);
  CHECK(Calls().add({1, 2}).add({1, 2, 3, 4}, 40).loop().count() == 40);
  CHECK(Calls().add({1, 2, 3}).add({1, 2, 3, 4}, 40).loop().count() == 40);
  CHECK(Calls().add({1, 2, 3, 4}, 40).add({1, 2}).loop().count() == 40);
}

TEST_CASE("calls that a body repeats do not shorten its period") {
  // A helper is called three times, then a reduction follows.
  CHECK(Calls().add({1, 2, 1, 2, 1, 2, 3}, 60).loop().count() == 60);
  CHECK(Calls().add({1, 1, 2, 2, 1, 2}, 60).loop().count() == 60);
  CHECK(Calls().add({1, 1, 1, 1, 2, 2, 2, 2}, 60).loop().count() == 60);
  CHECK(Calls().add({1, 2, 1, 3}, 60).loop().count() == 60);
}

TEST_CASE("iterations without one of their calls count") {
  Calls calls;
  calls.add({1, 2, 3, 4}, 20).add({1, 2, 4}).add({1, 2, 3, 4}, 30).add({1, 3, 4}).add({2, 3, 4});
  calls.add({1, 2, 3, 4}, 47);
  const CallLoop loop = calls.loop();
  REQUIRE(loop.count() == 100);
  CHECK(loop.begins[20] == 80);
  CHECK(loop.begins[21] == 83);
}

TEST_CASE("the first and the last iteration may lack a call inside") {
  CHECK(Calls().add({9}).add({1, 2, 4}).add({1, 2, 3, 4}, 50).loop().count() == 51);
  CHECK(Calls().add({1, 2, 3, 4}, 50).add({1, 2, 4}).add({9}).loop().count() == 51);
}

TEST_CASE("every tenth step has other calls, the last one too, and a part of a step comes first") {
  // As molecular dynamics: forces before the first step; positions and forces in each step; where
  // neighbours are sought, other calls take the place of the positions.
  Calls calls;
  calls.add({90, 91}).add({3, 4});
  for (int step = 1; step <= 200; ++step) {
    if (step % 20 == 0) {
      calls.add({5, 6, 6, 7, 8});
    } else {
      calls.add({1, 2});
    }
    calls.add({3, 4});
  }
  CHECK(calls.add({92, 92, 93}).loop().count() == 200);
}

TEST_CASE("calls lost at random change no number") {
  std::mt19937_64 random(7);
  for (const std::uint32_t length : {5U, 12U, 40U}) {
    Calls calls;
    calls.add({1000, 1001, 1002});
    for (int iteration = 0; iteration < 300; ++iteration) {
      const bool lacks_one = random() % 20 == 0;  // not at its ends
      const std::uint64_t lost = lacks_one ? 1 + random() % (length - 2) : length;
      for (std::uint32_t i = 0; i < length; ++i) {
        if (i != lost) calls.add({i});
      }
    }
    INFO(length << " calls");
    CHECK(calls.loop().count() == 300);
  }
}

TEST_CASE("calls that are made now and then belong to the iteration before") {
  Calls calls;
  for (int i = 0; i < 20; ++i) calls.add({1, 2, 3}, 10).add({8, 9});
  const CallLoop loop = calls.loop();
  REQUIRE(loop.count() == 200);
  CHECK(loop.begins[9] == 27);
  CHECK(loop.begins[10] == 32);
}

TEST_CASE("an inner loop is the loop if it is most of the calls and of the time") {
  Calls mostly_inner;
  Calls mostly_outer;
  for (int i = 0; i < 30; ++i) {
    mostly_inner.add({1, 2}, 25).add({3});
    mostly_outer.add({1, 2}, 3).add({3, 4, 5});
  }
  CHECK(mostly_inner.loop().count() == 750);
  CHECK(mostly_outer.loop().count() == 30);
}

TEST_CASE("loops inside with a varying number of calls are folded") {
  std::mt19937_64 random(3);
  Calls single;
  Calls pairs;
  for (int i = 0; i < 80; ++i) {
    single.add({1, 2}).add({3}, 1 + random() % 6).add({4});  // MPI_Waitany until all are done
    pairs.add({1, 2}).add({3, 4}, 1 + random() % 6).add({5});
  }
  for (const Calls& calls : {single, pairs}) {
    const CallLoop loop = calls.loop();
    CHECK(loop.count() == 80);
    CHECK(loop.is_folded);
    CHECK(loop.end == calls.size());
  }
}

TEST_CASE("a sequence without a loop has none, and the reason") {
  std::mt19937_64 random(5);
  Calls calls;
  for (int i = 0; i < 2000; ++i) calls.add({static_cast<std::uint32_t>(random() % 12)});
  CHECK(calls.loop().count() == 0);
  CHECK(calls.loop().why_none == "no sequence of calls repeats through half of the run");
  CHECK(Calls().add({1, 1}).loop().why_none == "fewer than 5 calls");
  CHECK(Calls().add({1, 2, 3, 4, 5, 6, 7, 8}).add({1, 2, 3, 4}).loop().count() == 0);
}

TEST_CASE("a short loop in a long run is not the loop of the program") {
  Calls calls;
  for (std::uint32_t i = 0; i < 300; ++i) calls.add({1000 + i});
  calls.add({1, 2}, 20);
  CHECK(calls.loop().count() == 0);
}

}  // namespace hockney::applications
