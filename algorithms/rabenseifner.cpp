#include "algorithms/rabenseifner.hpp"

#include <vector>

#include "algorithms/division.hpp"
#include "algorithms/drawing.hpp"
#include "algorithms/fold.hpp"

namespace hockney {
namespace {

/// The halves of a window; the lower one is the smaller where they differ.
struct Halves {
  Slots lower;
  Slots upper;
};

Halves halves(const Slots& slots) {
  const std::int64_t lower = slots.count / 2;
  return {{.first = slots.first, .count = lower},
          {.first = slots.first + lower, .count = slots.count - lower}};
}

/// What a member still works on after each round; [0] is everything.
using Windows = std::vector<Slots>;

std::vector<Windows> all_windows(const Slots& everything, int power) {
  std::vector<Windows> windows(static_cast<std::size_t>(power), Windows{everything});
  for (int distance = 1; distance < power; distance *= 2) {
    for (int member = 0; member < power; ++member) {
      Windows& mine = windows[static_cast<std::size_t>(member)];
      const Halves parts = halves(mine.back());
      mine.push_back((member & distance) == 0 ? parts.lower : parts.upper);
    }
  }
  return windows;
}

/// Pairs of neighbours share the work of combining; the even ones go on with the result.
void fold_pairs(Drawing& drawing, const Fold& fold) {
  const Halves parts = halves(whole(drawing.workload()));
  for (int pair = 0; pair < fold.extra; ++pair) {
    const int even = 2 * pair;
    const int odd = even + 1;
    drawing.receive(even, odd, parts.lower, Delivery::combine);
    drawing.send(even, odd, parts.upper);
    drawing.wait(even);
    drawing.receive(odd, even, parts.upper, Delivery::combine);
    drawing.send(odd, even, parts.lower);
    drawing.wait(odd);
    drawing.message(odd, even, parts.upper);
  }
}

void halve(Drawing& drawing, const Fold& fold, const std::vector<Windows>& windows) {
  std::size_t round = 1;
  for (int distance = 1; distance < fold.power; distance *= 2, ++round) {
    for (int member = 0; member < fold.power; ++member) {
      const int partner = member ^ distance;
      const Slots& keeps = windows[static_cast<std::size_t>(member)][round];
      const Slots& gives = windows[static_cast<std::size_t>(partner)][round];
      drawing.receive(fold.even(member), fold.even(partner), keeps, Delivery::combine);
      drawing.send(fold.even(member), fold.even(partner), gives);
      drawing.wait(fold.even(member));
    }
  }
}

/// The halving backwards: of each pair both get the other's part, or only the member `to`'s side.
enum class Gathering { all, first };

void gather(Drawing& drawing, const Fold& fold, const std::vector<Windows>& windows,
            Gathering gathering) {
  std::size_t round = windows.front().size() - 1;
  for (int distance = fold.power / 2; distance >= 1; distance /= 2, --round) {
    // In a gather only members below 2 * distance still have something to do.
    const int members = gathering == Gathering::all ? fold.power : 2 * distance;
    for (int member = 0; member < members; ++member) {
      const int partner = member ^ distance;
      const bool receives = gathering == Gathering::all || (member & distance) == 0;
      const bool sends = gathering == Gathering::all || !receives;
      const int rank = fold.even(member);
      const Slots& theirs = windows[static_cast<std::size_t>(partner)][round];
      const Slots& mine = windows[static_cast<std::size_t>(member)][round];
      if (receives) drawing.receive(rank, fold.even(partner), theirs);
      if (sends) drawing.send(rank, fold.even(partner), mine);
      drawing.wait(rank);
    }
  }
}

}  // namespace

Schedule allreduce_rabenseifner(const Workload& workload) {
  Drawing drawing = draw_vector(workload);
  const Fold fold(workload.ranks);
  const std::vector<Windows> windows = all_windows(whole(workload), fold.power);
  fold_pairs(drawing, fold);
  halve(drawing, fold, windows);
  gather(drawing, fold, windows, Gathering::all);
  for (int pair = 0; pair < fold.extra; ++pair) {
    drawing.message(2 * pair, 2 * pair + 1, whole(workload));
  }
  return drawing.finish();
}

/// Ranks count from the root, which therefore never stands aside.
Schedule reduce_rabenseifner(const Workload& workload) {
  Drawing drawing = draw_vector(workload);
  const Fold fold(workload.ranks);
  const std::vector<Windows> windows = all_windows(whole(workload), fold.power);
  fold_pairs(drawing, fold);
  halve(drawing, fold, windows);
  gather(drawing, fold, windows, Gathering::first);
  return drawing.finish();
}

}  // namespace hockney
