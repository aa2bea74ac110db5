#include <catch2/catch.hpp>
#include <cmath>
#include <set>

#include "benchmarks/engine/clock.hpp"

namespace hockney::benchmarks {

TEST_CASE("the tree of eight, by hand") {
  const std::vector<LessonRound> expected{
      {{0, 4}}, {{0, 2}, {4, 6}}, {{0, 1}, {2, 3}, {4, 5}, {6, 7}}};
  CHECK(lesson_rounds(8) == expected);
}

TEST_CASE("those beyond the power of two learn last") {
  const std::vector<LessonRound> expected{{{0, 2}}, {{0, 1}, {2, 3}}, {{0, 4}, {1, 5}}};
  CHECK(lesson_rounds(6) == expected);
}

TEST_CASE("alone there is nothing to learn") { CHECK(lesson_rounds(1).empty()); }

TEST_CASE("everybody learns once, from somebody who knows, in the fewest rounds") {
  for (int participants = 1; participants <= 70; ++participants) {
    CAPTURE(participants);
    std::set<int> know{0};
    const auto rounds = lesson_rounds(participants);
    CHECK(static_cast<double>(rounds.size()) == std::ceil(std::log2(participants)));
    for (const LessonRound& round : rounds) {
      std::set<int> busy;
      std::set<int> learnt;
      for (const Lesson& lesson : round) {
        CHECK(know.contains(lesson.parent));
        CHECK_FALSE(know.contains(lesson.child));
        CHECK(lesson.parent < lesson.child);
        CHECK(busy.insert(lesson.parent).second);
        CHECK(busy.insert(lesson.child).second);
        learnt.insert(lesson.child);
      }
      know.merge(learnt);
    }
    CHECK(know.size() == static_cast<std::size_t>(participants));
    CHECK(*know.rbegin() == participants - 1);
  }
}

}  // namespace hockney::benchmarks
