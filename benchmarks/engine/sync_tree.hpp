#pragma once

#include <vector>

namespace hockney {

/// Who learns the global time from whom.
struct Lesson {
  int parent = 0;
  int child = 0;

  friend bool operator==(const Lesson&, const Lesson&) = default;
};

/// Lessons that go on at the same time.
using LessonRound = std::vector<Lesson>;

/// The top-down binomial tree of HCA3 (Hunold, Carpen-Amarie: Hierarchical clock synchronization in
/// MPI, CLUSTER 2018): in each round everybody who knows the time teaches one who does not, so that
/// ceil(log2 p) rounds do for p participants. Those beyond the largest power of two learn in the
/// last one. Participant 0 is the global clock; a parent has a lower number than its child.
std::vector<LessonRound> lesson_rounds(int participants);

}  // namespace hockney
