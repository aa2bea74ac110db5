#include "benchmarks/engine/sync_tree.hpp"

#include <bit>

namespace hockney {

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

}  // namespace hockney
