#include "models/schedules/scattered_reduction.hpp"

#include <vector>

#include "models/schedules/common_steps.hpp"
#include "models/schedules/traffic.hpp"

namespace hockney::schedules {
namespace {

/// Of each pair of neighbours the odd rank goes on for both.
void fold_pairs(Drawing& drawing, const Fold& fold, const Blocks& blocks) {
  for (int pair = 0; pair < fold.extra; ++pair) {
    drawing.message(2 * pair, 2 * pair + 1, blocks.range(0, fold.ranks), Delivery::combine);
  }
}

/// Where the blocks of member `member` begin: those of the rank that stands aside for it come
/// first.
int first_rank(const Fold& fold, int member) {
  return member < fold.extra ? 2 * member : member + fold.extra;
}

Slots blocks_of_members(const Fold& fold, const Blocks& blocks, int first, int last) {
  return blocks.range(first_rank(fold, first), first_rank(fold, last));
}

void exchange(Drawing& drawing, int rank, int partner, const Slots& gives, const Slots& keeps) {
  if (keeps.count > 0) drawing.receive(rank, partner, keeps, Delivery::combine);
  if (gives.count > 0) drawing.send(rank, partner, gives);
  drawing.wait(rank);
}

int bits_reversed(int member, int power) {
  int reversed = 0;
  for (int bit = 1; bit < power; bit *= 2) {
    reversed = 2 * reversed + ((member & bit) != 0 ? 1 : 0);
  }
  return reversed;
}

/// The owner of a member's blocks sends each to its rank, and receives its own.
void send_home(Drawing& drawing, const Fold& fold, const Blocks& blocks, int member) {
  const int chunk = bits_reversed(member, fold.power);
  const int owner = fold.odd(member);
  for (int rank = 0; rank < fold.ranks; ++rank) {
    const bool is_in = rank >= first_rank(fold, chunk) && rank < first_rank(fold, chunk + 1);
    const Slots block = blocks.range(rank, rank + 1);
    if (!is_in || rank == owner || block.count == 0) continue;
    drawing.receive(rank, owner, block);
    drawing.send(owner, rank, block);
  }
}

}  // namespace

Blocks Blocks::of_ranks(const Workload& workload) {
  return {{.first = 0, .count = workload.ranks}, workload.ranks};
}

Blocks Blocks::of_vector(const Workload& workload) { return {whole(workload), workload.ranks}; }

Slots Blocks::range(int first, int last) const { return even_parts(all_, ranks_, first, last); }

void scatter_by_halving(Drawing& drawing, const Blocks& blocks) {
  const Fold fold(drawing.ranks());
  fold_pairs(drawing, fold, blocks);
  for (int distance = fold.power / 2; distance >= 1; distance /= 2) {
    for (int member = 0; member < fold.power; ++member) {
      const int partner = member ^ distance;
      const int mine = member / distance * distance;
      const int theirs = partner / distance * distance;
      exchange(drawing, fold.odd(member), fold.odd(partner),
               blocks_of_members(fold, blocks, theirs, theirs + distance),
               blocks_of_members(fold, blocks, mine, mine + distance));
    }
  }
  for (int pair = 0; pair < fold.extra; ++pair) {
    const Slots block = blocks.range(2 * pair, 2 * pair + 1);
    if (block.count > 0) drawing.message(2 * pair + 1, 2 * pair, block);
  }
}

/// Traeff 2005: doubling distances keep the order of non-commutative operators, and leave the
/// blocks where the reversed bits of their place say.
void scatter_by_butterfly(Drawing& drawing, const Blocks& blocks) {
  const Fold fold(drawing.ranks());
  fold_pairs(drawing, fold, blocks);
  std::vector<int> begin(static_cast<std::size_t>(fold.power), 0);
  int chunks = fold.power;
  for (int distance = 1; distance < fold.power; distance *= 2) {
    chunks /= 2;
    for (int member = 0; member < fold.power; ++member) {
      int& first = begin[static_cast<std::size_t>(member)];
      const bool lower = (member & distance) == 0;
      const Slots low = blocks_of_members(fold, blocks, first, first + chunks);
      const Slots high = blocks_of_members(fold, blocks, first + chunks, first + 2 * chunks);
      exchange(drawing, fold.odd(member), fold.odd(member ^ distance), lower ? high : low,
               lower ? low : high);
      if (!lower) first += chunks;
    }
  }
  for (int member = 0; member < fold.power; ++member) send_home(drawing, fold, blocks, member);
  for (int rank = 0; rank < fold.ranks; ++rank) drawing.wait(rank);
}

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

}  // namespace hockney::schedules
