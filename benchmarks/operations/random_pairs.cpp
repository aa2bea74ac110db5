#include <random>
#include <vector>

#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/traffic.hpp"
#include "core/shuffle.hpp"

/// Messages of pairs that chance has drawn, all at the same time: what a program finds that does
/// not care where its ranks are. Beside message-rate, whose pairs are rank i and rank i + n/2, they
/// show what that is worth. The point's parameter "pairing" is the number that the pairs are drawn
/// by, on every rank alike and on every machine.
namespace hockney::benchmarks {
namespace {

/// A rank's part in a random pair.
struct RandomPart {
  int partner;
  bool is_first;
};

/// Of the ranks in random order (core/shuffle.hpp; the engine is std::mt19937_64), the first two
/// are a pair, the next two, and so on.
RandomPart random_part(const Context& context, const Point& point) {
  std::mt19937_64 draw(std::stoull(parameter_of(point, pairing_parameter, "1")));
  const std::vector<std::size_t> order = random_order(static_cast<std::size_t>(context.size), draw);
  for (std::size_t i = 0; i < order.size(); i += 2) {
    const auto first = static_cast<int>(order[i]);
    const auto second = static_cast<int>(order[i + 1]);
    if (first == context.rank) return {.partner = second, .is_first = true};
    if (second == context.rank) return {.partner = first, .is_first = false};
  }
  throw std::logic_error("a rank without a partner");
}

/// The first of each pair sends.
class RandomPairs : public OneWayWindow {
 public:
  static constexpr Descriptor descriptor{
      .name = "random-pairs",
      .summary = "one message of every random pair, one way, by windows of MPI_Isend",
      .counts = "one message of every pair (IMB Unirandom: the same)",
      .shape = GroupShape::pairs,
      .timing = Timing::last_rank,
      .windowed = true,
      .draws_pairs = true};

  static Volume volume(const Point& point) {
    return {.operations = window_of(point), .bytes = point.bytes * (point.ranks / 2)};
  }

  RandomPairs(const Context& context, const Point& point)
      : RandomPairs(context, point, random_part(context, point)) {}

 private:
  RandomPairs(const Context& context, const Point& point, const RandomPart& part)
      : OneWayWindow(context, point, part.is_first, part.partner) {}
};

const Registration<RandomPairs> random_pairs;

/// Both of each pair send at the same time.
class RandomPairsBothWays : public Window {
 public:
  static constexpr Descriptor descriptor{
      .name = "random-pairs-both-ways",
      .summary = "one message each way of every random pair, by windows of MPI_Isend and MPI_Irecv",
      .counts = "two messages of every pair (IMB Birandom: the same)",
      .shape = GroupShape::pairs,
      .timing = Timing::last_rank,
      .windowed = true,
      .draws_pairs = true};

  static Volume volume(const Point& point) {
    return {.operations = window_of(point), .bytes = point.bytes * point.ranks};
  }

  RandomPairsBothWays(const Context& context, const Point& point)
      : Window(context, point, random_part(context, point).partner) {}

  void run() { pass_both_ways(); }
};

const Registration<RandomPairsBothWays> random_pairs_both_ways;

}  // namespace
}  // namespace hockney::benchmarks
