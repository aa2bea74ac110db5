// The order of points in an epoch, and whether another epoch is due.

#include <random>

#include "benchmarks/engine/sampling.hpp"
#include "core/shuffle.hpp"

namespace hockney::benchmarks {

std::vector<std::size_t> epoch_order(std::size_t count, std::uint64_t seed, int epoch) {
  std::mt19937_64 draw(seed + 0x9E3779B97F4A7C15U * static_cast<std::uint64_t>(epoch + 1));
  return random_order(count, draw);
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

}  // namespace hockney::benchmarks
