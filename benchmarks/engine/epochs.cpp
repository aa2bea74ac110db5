#include "benchmarks/engine/epochs.hpp"

#include <numeric>
#include <random>
#include <utility>

namespace hockney {

std::vector<std::size_t> epoch_order(std::size_t count, std::uint64_t seed, int epoch) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::mt19937_64 draw(seed + 0x9E3779B97F4A7C15U * static_cast<std::uint64_t>(epoch + 1));
  // Fisher and Yates by hand: std::shuffle may differ between standard libraries, and with it the
  // order on ranks of a mixed cluster.
  for (std::size_t left = count; left > 1; --left) std::swap(order[left - 1], order[draw() % left]);
  return order;
}

EpochRule::EpochRule(std::optional<int> epochs, double budget_seconds, int fewest)
    : epochs_(epochs), budget_seconds_(budget_seconds), fewest_(fewest) {}

std::optional<std::string> EpochRule::finished(double elapsed_seconds, int done) const {
  if (epochs_) return done >= *epochs_ ? std::optional("epochs done") : std::nullopt;
  if (done < fewest_) return std::nullopt;
  const double next = elapsed_seconds / done;
  return elapsed_seconds + next > budget_seconds_ ? std::optional("budget spent") : std::nullopt;
}

bool is_time_to_look(int epochs) {
  int look = 8;
  while (look < epochs) look += look / 2;
  return look == epochs;
}

}  // namespace hockney
