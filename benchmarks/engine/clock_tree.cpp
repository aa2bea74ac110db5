#include "benchmarks/engine/clock_tree.hpp"

#include <algorithm>
#include <bit>
#include <iterator>

namespace hockney::benchmarks {

std::vector<LessonRound> lesson_rounds(int participants) {
  std::vector<LessonRound> rounds;
  if (participants < 2) return rounds;
  const int power = static_cast<int>(std::bit_floor(static_cast<unsigned>(participants)));
  for (int distance = power / 2; distance > 0; distance /= 2) {
    LessonRound& round = rounds.emplace_back();
    for (int parent = 0; parent < power; parent += 2 * distance) {
      round.push_back({parent, parent + distance});
    }
  }
  if (participants == power) return rounds;
  LessonRound& rest = rounds.emplace_back();
  for (int child = power; child < participants; ++child) rest.push_back({child - power, child});
  return rounds;
}

namespace {

/// Whether a round trip is about as quick as the quickest: within a tenth, as in SKaMPI.
bool near(std::int64_t round_trip, std::int64_t quickest) {
  return round_trip - quickest <= quickest / 10;
}

}  // namespace

TreeLearner::TreeLearner(int number, int participants, const Effort& effort)
    : number_(number), effort_(effort) {
  for (const LessonRound& round : lesson_rounds(participants)) {
    std::ranges::copy_if(round, std::back_inserter(lessons_), [&](const Lesson& lesson) {
      return lesson.parent == number_ || lesson.child == number_;
    });
  }
}

void TreeLearner::pass(Exchange& exchange) {
  known_.reset();
  if (number_ == 0) known_ = Offset{.at = exchange.now(), .drift = 0};
  for (const Lesson& lesson : lessons_) {
    if (lesson.child == number_) known_ = learn(exchange, lesson.parent);
    if (lesson.parent == number_) exchange.teach(lesson.child, known_);
  }
  if (known_) offsets_.push_back(*known_);
}

std::optional<ClockModel> TreeLearner::model(double horizon) const {
  if (number_ == 0) return ClockModel{};
  return fit_clock(offsets_, horizon);
}

/// Errors add up along the way from the global clock.
std::optional<Offset> TreeLearner::learn(Exchange& exchange, int parent) {
  std::optional<Offset> found;
  for (int attempt = 0; attempt < effort_.attempts && !found; ++attempt) {
    found = measure(exchange, parent);
  }
  const auto parent_bound = exchange.finish(parent);
  if (!found || !parent_bound) return std::nullopt;
  found->bound += *parent_bound;
  return found;
}

std::optional<Offset> TreeLearner::measure(Exchange& exchange, int parent) {
  OffsetBounds bounds;
  std::int64_t start = 0;  // the first answer: it may have had to wait for the parent's own lesson
  std::int64_t end = 0;
  for (int done = 1; done <= effort_.most; ++done) {
    const std::int64_t before = exchange.now();
    const std::int64_t answer = exchange.ask(parent);
    end = exchange.now();
    bounds.add({before, answer, end});
    quickest_ = std::min(quickest_, end - before);
    if (done == 1) start = end;
    const bool enough = done >= effort_.least && near(end - before, quickest_);
    if (enough || end - start > effort_.longest) break;
  }
  return bounds.offset(end);
}

}  // namespace hockney::benchmarks
