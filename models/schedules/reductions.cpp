#include <algorithm>
#include <vector>

#include "models/schedules/schedule.hpp"
#include "models/schedules/traffic.hpp"

namespace hockney::schedules {
namespace {

/// The block of each rank in what is reduced and scattered: blocks of one size, or the vector
/// divided evenly.
class EvenBlocks {
 public:
  /// Slots are blocks.
  static EvenBlocks of_ranks(const Workload& workload);
  /// Slots are elements; the first ranks have one more where the division leaves some over.
  static EvenBlocks of_vector(const Workload& workload);

  /// The blocks of the ranks from `first` to `last`, which is not included.
  [[nodiscard]] Slots range(int first, int last) const;

 private:
  EvenBlocks(Slots all, int ranks) : all_(all), ranks_(ranks) {}

  Slots all_;
  int ranks_;
};

// Every rank ends with its block combined over all ranks.

/// The odd rank of each pair of neighbours continues for both.
void fold_pairs(ScheduleBuilder& builder, const Fold& fold, const EvenBlocks& blocks) {
  for (int pair = 0; pair < fold.extra; ++pair) {
    builder.message(2 * pair, 2 * pair + 1, blocks.range(0, fold.ranks), Delivery::combine);
  }
}

/// Where the blocks of member `member` begin: those of the rank that stands aside for it come
/// first.
int first_rank(const Fold& fold, int member) {
  return member < fold.extra ? 2 * member : member + fold.extra;
}

Slots blocks_of_members(const Fold& fold, const EvenBlocks& blocks, int first, int last) {
  return blocks.range(first_rank(fold, first), first_rank(fold, last));
}

void exchange(ScheduleBuilder& builder, int rank, int partner, const Slots& gives,
              const Slots& keeps) {
  if (keeps.count > 0) builder.receive(rank, partner, keeps, Delivery::combine);
  if (gives.count > 0) builder.send(rank, partner, gives);
  builder.wait(rank);
}

int bits_reversed(int member, int power) {
  int reversed = 0;
  for (int bit = 1; bit < power; bit *= 2) {
    reversed = 2 * reversed + ((member & bit) != 0 ? 1 : 0);
  }
  return reversed;
}

/// The owner of a member's blocks sends each to its rank, and receives its own.
void send_home(ScheduleBuilder& builder, const Fold& fold, const EvenBlocks& blocks, int member) {
  const int chunk = bits_reversed(member, fold.power);
  const int owner = fold.odd(member);
  for (int rank = 0; rank < fold.ranks; ++rank) {
    const bool is_in = rank >= first_rank(fold, chunk) && rank < first_rank(fold, chunk + 1);
    const Slots block = blocks.range(rank, rank + 1);
    if (!is_in || rank == owner || block.count == 0) continue;
    builder.receive(rank, owner, block);
    builder.send(owner, rank, block);
  }
}

void scatter_by_halving(ScheduleBuilder& builder, const EvenBlocks& blocks) {
  const Fold fold(builder.ranks());
  fold_pairs(builder, fold, blocks);
  for (int distance = fold.power / 2; distance >= 1; distance /= 2) {
    for (int member = 0; member < fold.power; ++member) {
      const int partner = member ^ distance;
      const int mine = member / distance * distance;
      const int theirs = partner / distance * distance;
      exchange(builder, fold.odd(member), fold.odd(partner),
               blocks_of_members(fold, blocks, theirs, theirs + distance),
               blocks_of_members(fold, blocks, mine, mine + distance));
    }
  }
  for (int pair = 0; pair < fold.extra; ++pair) {
    const Slots block = blocks.range(2 * pair, 2 * pair + 1);
    if (block.count > 0) builder.message(2 * pair + 1, 2 * pair, block);
  }
}

/// Traeff 2005: doubling distances keep the order of non-commutative operators, and leave the
/// blocks where the reversed bits of their place say.
void scatter_by_butterfly(ScheduleBuilder& builder, const EvenBlocks& blocks) {
  const Fold fold(builder.ranks());
  fold_pairs(builder, fold, blocks);
  std::vector<int> begin(static_cast<std::size_t>(fold.power), 0);
  int chunks = fold.power;
  for (int distance = 1; distance < fold.power; distance *= 2) {
    chunks /= 2;
    for (int member = 0; member < fold.power; ++member) {
      int& first = begin[static_cast<std::size_t>(member)];
      const bool lower = (member & distance) == 0;
      const Slots low = blocks_of_members(fold, blocks, first, first + chunks);
      const Slots high = blocks_of_members(fold, blocks, first + chunks, first + 2 * chunks);
      exchange(builder, fold.odd(member), fold.odd(member ^ distance), lower ? high : low,
               lower ? low : high);
      if (!lower) first += chunks;
    }
  }
  for (int member = 0; member < fold.power; ++member) send_home(builder, fold, blocks, member);
  for (int rank = 0; rank < fold.ranks; ++rank) builder.wait(rank);
}

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

/// The part of a member after each round; [0] is the whole vector.
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

/// Pairs of neighbours share the work of combining; the even rank continues with the result.
void fold_pairs(ScheduleBuilder& builder, const Fold& fold) {
  const Halves parts = halves(whole(builder.workload()));
  for (int pair = 0; pair < fold.extra; ++pair) {
    const int even = 2 * pair;
    const int odd = even + 1;
    builder.receive(even, odd, parts.lower, Delivery::combine);
    builder.send(even, odd, parts.upper);
    builder.wait(even);
    builder.receive(odd, even, parts.upper, Delivery::combine);
    builder.send(odd, even, parts.lower);
    builder.wait(odd);
    builder.message(odd, even, parts.upper);
  }
}

void halve(ScheduleBuilder& builder, const Fold& fold, const std::vector<Windows>& windows) {
  std::size_t round = 1;
  for (int distance = 1; distance < fold.power; distance *= 2, ++round) {
    for (int member = 0; member < fold.power; ++member) {
      const int partner = member ^ distance;
      const Slots& keeps = windows[static_cast<std::size_t>(member)][round];
      const Slots& gives = windows[static_cast<std::size_t>(partner)][round];
      builder.receive(fold.even(member), fold.even(partner), keeps, Delivery::combine);
      builder.send(fold.even(member), fold.even(partner), gives);
      builder.wait(fold.even(member));
    }
  }
}

/// The halving backwards: of each pair both get the other's part, or only the member `to`'s side.
enum class Gathering { all, first };

void gather(ScheduleBuilder& builder, const Fold& fold, const std::vector<Windows>& windows,
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
      if (receives) builder.receive(rank, fold.even(partner), theirs);
      if (sends) builder.send(rank, fold.even(partner), mine);
      builder.wait(rank);
    }
  }
}

Schedule allreduce_rabenseifner(const Workload& workload) {
  ScheduleBuilder builder = draw_vector(workload);
  const Fold fold(workload.ranks);
  const std::vector<Windows> windows = all_windows(whole(workload), fold.power);
  fold_pairs(builder, fold);
  halve(builder, fold, windows);
  gather(builder, fold, windows, Gathering::all);
  for (int pair = 0; pair < fold.extra; ++pair) {
    builder.message(2 * pair, 2 * pair + 1, whole(workload));
  }
  return builder.finish();
}

/// Reduce-scatter by recursive halving, then a gather to the root, or an allgather (Rabenseifner
/// 2004).
/// Ranks count from the root, which therefore never stands aside.
Schedule reduce_rabenseifner(const Workload& workload) {
  ScheduleBuilder builder = draw_vector(workload);
  const Fold fold(workload.ranks);
  const std::vector<Windows> windows = all_windows(whole(workload), fold.power);
  fold_pairs(builder, fold);
  halve(builder, fold, windows);
  gather(builder, fold, windows, Gathering::first);
  return builder.finish();
}

constexpr int usual_chains = 4;  // coll_tuned_reduce_algorithm_chain_fanout

Schedule up(const Workload& workload, const Tree& tree) {
  ScheduleBuilder builder = draw_vector(workload);
  combine_up(builder, tree, segments_of(workload));
  return builder.finish();
}

Schedule linear_reduce(const Workload& workload) {
  Workload at_once = workload;
  at_once.segment = {};
  return up(at_once, flat_tree(workload.ranks));
}

Schedule chain(const Workload& workload) {
  const int chains = workload.fanout > 0 ? workload.fanout : usual_chains;
  return up(workload, chain_tree(workload.ranks, chains));
}

Schedule pipeline(const Workload& workload) { return up(workload, chain_tree(workload.ranks, 1)); }

Schedule binary(const Workload& workload) { return up(workload, binary_tree(workload.ranks)); }

Schedule binomial_reduce(const Workload& workload) {
  return up(workload, in_order_binomial_tree(workload.ranks));
}

/// The tree of ranks in their order, independent of the root. Its top is the last rank, which sends
/// the result to the root.
Schedule in_order_binary(const Workload& workload) {
  Workload in_order = workload;
  in_order.root = 0;
  ScheduleBuilder builder = draw_vector(in_order);
  combine_up(builder, in_order_binary_tree(workload.ranks), segments_of(workload));
  const int top = workload.ranks - 1;
  if (workload.root != top) builder.message(top, workload.root, whole(workload));
  return builder.finish();
}

Schedule up_and_down(const Workload& workload, const Tree& up, const Tree& down) {
  ScheduleBuilder builder = draw_vector(workload);
  combine_up(builder, up, {whole(workload)});
  broadcast(builder, down, {whole(workload)});
  return builder.finish();
}

Schedule linear_allreduce(const Workload& workload) {
  return up_and_down(workload, flat_tree(workload.ranks), flat_tree(workload.ranks));
}

/// A reduce, then a bcast; which of their algorithms is the library's choice, here the binomial.
Schedule nonoverlapping(const Workload& workload) {
  return up_and_down(workload, in_order_binomial_tree(workload.ranks),
                     binomial_tree(workload.ranks));
}

Schedule recursive_doubling_allreduce(const Workload& workload) {
  ScheduleBuilder builder = draw_vector(workload);
  const Fold fold(workload.ranks);
  const Slots all = whole(workload);
  for (int pair = 0; pair < fold.extra; ++pair) {
    builder.message(2 * pair, 2 * pair + 1, all, Delivery::combine);
  }
  for (int distance = 1; distance < fold.power; distance *= 2) {
    for (int member = 0; member < fold.power; ++member) {
      const int rank = fold.odd(member);
      const int partner = fold.odd(member ^ distance);
      builder.receive(rank, partner, all, Delivery::combine);
      builder.send(rank, partner, all);
      builder.wait(rank);
    }
  }
  for (int pair = 0; pair < fold.extra; ++pair) {
    builder.message(2 * pair + 1, 2 * pair, all);
  }
  return builder.finish();
}

Schedule recursive_halving_reduce_scatter(const Workload& workload) {
  ScheduleBuilder builder = draw_vector(workload);
  scatter_by_halving(builder, EvenBlocks::of_vector(workload));
  return builder.finish();
}

Schedule butterfly_reduce_scatter(const Workload& workload) {
  ScheduleBuilder builder = draw_vector(workload);
  scatter_by_butterfly(builder, EvenBlocks::of_vector(workload));
  return builder.finish();
}

Schedule ring(const Workload& workload) {
  ScheduleBuilder builder = draw_vector(workload);
  const EvenBlocks blocks = EvenBlocks::of_vector(workload);
  const int ranks = workload.ranks;
  const auto block = [&](int rank) {
    const int place = (rank % ranks + ranks) % ranks;
    return blocks.range(place, place + 1);
  };
  for (int round = 1; round < ranks; ++round) {
    for (int rank = 0; rank < ranks; ++rank) {
      builder.receive(rank, (rank - 1 + ranks) % ranks, block(rank - round - 1), Delivery::combine);
      builder.send(rank, (rank + 1) % ranks, block(rank - round));
      builder.wait(rank);
    }
  }
  return builder.finish();
}

/// Every rank sends each other rank its block; one exchange after the other.
Schedule pairwise(const Workload& workload) {
  ScheduleBuilder builder = draw_vector(workload);
  const EvenBlocks blocks = EvenBlocks::of_vector(workload);
  const int ranks = workload.ranks;
  for (int round = 1; round < ranks; ++round) {
    for (int rank = 0; rank < ranks; ++rank) {
      const int to = (rank + round) % ranks;
      builder.receive(rank, (rank - round + ranks) % ranks, blocks.range(rank, rank + 1),
                      Delivery::combine);
      builder.send(rank, to, blocks.range(to, to + 1));
      builder.wait(rank);
    }
  }
  return builder.finish();
}

Schedule recursive_halving_reduce_scatter_block(const Workload& workload) {
  ScheduleBuilder builder = draw_blocks(workload);
  scatter_by_halving(builder, EvenBlocks::of_ranks(workload));
  return builder.finish();
}

Schedule butterfly_reduce_scatter_block(const Workload& workload) {
  ScheduleBuilder builder = draw_blocks(workload);
  scatter_by_butterfly(builder, EvenBlocks::of_ranks(workload));
  return builder.finish();
}

/// All blocks but those of the sender's own group of `distance` ranks.
Slots blocks_outside(int rank, int distance, int ranks) {
  const int begin = rank / distance * distance;
  const int end = std::min(begin + distance, ranks);
  return {.first = end % ranks, .count = ranks - (end - begin)};
}

/// As in the scatter_allgather bcast: ranks with a partner send to those without.
void notify_the_partnerless(ScheduleBuilder& builder, int begin, int distance) {
  const int ranks = builder.ranks();
  const int informed = ranks - begin - distance;
  if (informed <= 0 || informed >= distance) return;
  const Slots theirs = blocks_outside(begin + distance, distance, ranks);
  for (int half = distance / 2; half >= 1; half /= 2) {
    for (int rank = begin; rank < begin + distance; ++rank) {
      const int known = rank / (2 * half) * 2 * half + informed;
      const bool sends = (rank & half) == 0 && rank < known && (rank | half) >= known;
      if (!sends) continue;
      builder.send_now(rank, rank | half, theirs, Source::received);
      builder.receive_now(rank | half, rank, theirs, Delivery::combine);
    }
  }
}

Schedule recursive_doubling_reduce_scatter_block(const Workload& workload) {
  ScheduleBuilder builder = draw_blocks(workload);
  const int ranks = workload.ranks;
  for (int distance = 1; distance < ranks; distance *= 2) {
    for (int rank = 0; rank < ranks; ++rank) {
      const int partner = rank ^ distance;
      if (partner >= ranks) continue;
      builder.receive(rank, partner, blocks_outside(partner, distance, ranks), Delivery::combine);
      builder.send(rank, partner, blocks_outside(rank, distance, ranks));
      builder.wait(rank);
    }
    for (int begin = 0; begin < ranks; begin += 2 * distance) {
      notify_the_partnerless(builder, begin, distance);
    }
  }
  return builder.finish();
}

// The messages of scan and exscan are the same; they differ in what each rank keeps.

Schedule linear_scan(const Workload& workload) {
  ScheduleBuilder builder = draw_vector(workload);
  for (int rank = 1; rank < workload.ranks; ++rank) {
    builder.message(rank - 1, rank, whole(workload), Delivery::combine_prefix);
  }
  return builder.finish();
}

Schedule recursive_doubling_scan(const Workload& workload) {
  ScheduleBuilder builder = draw_vector(workload);
  for (int distance = 1; distance < workload.ranks; distance *= 2) {
    for (int rank = 0; rank < workload.ranks; ++rank) {
      const int partner = rank ^ distance;
      if (partner >= workload.ranks) continue;
      builder.receive(rank, partner, whole(workload),
                      rank > partner ? Delivery::combine_prefix : Delivery::combine);
      builder.send(rank, partner, whole(workload));
      builder.wait(rank);
    }
  }
  return builder.finish();
}

}  // namespace

EvenBlocks EvenBlocks::of_ranks(const Workload& workload) {
  return {{.first = 0, .count = workload.ranks}, workload.ranks};
}

EvenBlocks EvenBlocks::of_vector(const Workload& workload) {
  return {whole(workload), workload.ranks};
}

Slots EvenBlocks::range(int first, int last) const { return even_parts(all_, ranks_, first, last); }

Family reduce_family() {
  return {{"linear", {"basic_linear", "flat_tree"}, linear_reduce},
          {"chain", {}, chain},
          {"pipeline", {"ompi_pipeline"}, pipeline},
          {"binary", {"ompi_binary"}, binary},
          {"binomial", {}, binomial_reduce},
          {"in-order_binary", {"ompi_in_order_binary"}, in_order_binary},
          {"rabenseifner",
           {"rab", "reduce_scatter_gather", "scatter_gather"},
           reduce_rabenseifner,
           fewer_elements_than_power,
           "linear"}};
}

Family allreduce_family() {
  return {{"basic_linear", {"linear"}, linear_allreduce},
          {"nonoverlapping", {"redbcast"}, nonoverlapping},
          {"recursive_doubling", {"rdb"}, recursive_doubling_allreduce},
          {"ring", {"lr"}, allreduce_ring, fewer_elements_than_ranks, "recursive_doubling"},
          {"segmented_ring",
           {"ompi_ring_segmented"},
           allreduce_segmented_ring,
           fewer_elements_than_ranks,
           "recursive_doubling"},
          {"rabenseifner",
           {"rab1", "rab2", "rab_rdb", "reduce_scatter_allgather"},
           allreduce_rabenseifner,
           fewer_elements_than_power,
           "basic_linear"}};
}

Family reduce_scatter_family() {
  return {{"recursive_halving", {"ompi_basic_recursivehalving"}, recursive_halving_reduce_scatter},
          {"ring", {"ompi_ring"}, ring},
          {"butterfly", {"ompi_butterfly"}, butterfly_reduce_scatter},
          {"pairwise", {"mpich_pair"}, pairwise, nullptr, "", false}};
}

Family reduce_scatter_block_family() {
  return {{"recursive_doubling", {"rdb"}, recursive_doubling_reduce_scatter_block},
          {"recursive_halving", {}, recursive_halving_reduce_scatter_block},
          {"butterfly", {}, butterfly_reduce_scatter_block}};
}

Family scan_family() {
  return {{"linear", {"basic_linear"}, linear_scan},
          {"recursive_doubling", {"rdb"}, recursive_doubling_scan}};
}

Family exscan_family() { return scan_family(); }

}  // namespace hockney::schedules
