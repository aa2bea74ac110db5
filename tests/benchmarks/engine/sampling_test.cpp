#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <set>

#include "benchmarks/engine/sampling.hpp"

namespace hockney::benchmarks {
namespace {
using Order = std::vector<std::size_t>;
}

TEST_CASE("an order is a permutation") {
  for (const std::size_t count : {0U, 1U, 2U, 7U, 100U}) {
    Order order = epoch_order(count, 42, 3);
    REQUIRE(order.size() == count);
    std::ranges::sort(order);
    for (std::size_t i = 0; i < count; ++i) CHECK(order[i] == i);
  }
}

TEST_CASE("equal seeds give equal orders, other seeds and epochs give others") {
  CHECK(epoch_order(50, 42, 3) == epoch_order(50, 42, 3));
  std::set<Order> orders;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    for (int epoch = 0; epoch < 10; ++epoch) orders.insert(epoch_order(50, seed, epoch));
  }
  CHECK(orders.size() == 100);
}

TEST_CASE("every point comes first equally often") {
  // 6000 epochs of 6 points: 1000 each, standard deviation 29; 150 is five of them.
  std::vector<int> firsts(6);
  for (int epoch = 0; epoch < 6000; ++epoch) ++firsts[epoch_order(6, 1, epoch).front()];
  for (const int count : firsts) CHECK(std::abs(count - 1000) < 150);
}

TEST_CASE("a number of epochs ends them, whatever the budget") {
  const EpochRule rule(3, 1.0);
  CHECK_FALSE(rule.finished(1e9, 2));
  CHECK(rule.finished(0, 3) == "epochs done");
  CHECK(rule.finished(0, 4) == "epochs done");
  CHECK(EpochRule(1, 1.0, 5).finished(0, 1) == "epochs done");
}

TEST_CASE("a budget ends when the next epoch would overrun it") {
  const EpochRule rule(std::nullopt, 10.0);
  CHECK_FALSE(rule.finished(7.5, 3));  // 2.5 each: the next ends at 10 exactly
  CHECK(rule.finished(7.6875, 3) == "budget spent");
  CHECK_FALSE(rule.finished(8, 4));
  CHECK_FALSE(rule.finished(9, 9));
  CHECK(rule.finished(10, 10) == "budget spent");
}

TEST_CASE("the fewest epochs are run however long they take") {
  const EpochRule rule(std::nullopt, 10.0, 2);
  CHECK_FALSE(rule.finished(1000, 0));
  CHECK_FALSE(rule.finished(1000, 1));
  CHECK(rule.finished(1000, 2) == "budget spent");
}

TEST_CASE("half of the epochs, or of the budget, is the middle of a launch") {
  const EpochRule of_epochs(3, 1.0);
  CHECK_FALSE(of_epochs.is_half_over(1e9, 1));
  CHECK(of_epochs.is_half_over(0, 2));
  const EpochRule of_budget(std::nullopt, 10.0);
  CHECK_FALSE(of_budget.is_half_over(4.9, 40));
  CHECK(of_budget.is_half_over(5, 1));
}

TEST_CASE("a launch looks at itself seldom") {
  std::vector<int> looks;
  for (int epochs = 0; epochs <= 60; ++epochs) {
    if (is_time_to_look(epochs)) looks.push_back(epochs);
  }
  CHECK(looks == std::vector<int>{8, 12, 18, 27, 40, 60});
}

}  // namespace hockney::benchmarks
