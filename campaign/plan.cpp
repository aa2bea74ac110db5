#include "campaign/plan.hpp"

#include <numeric>
#include <random>
#include <utility>

namespace hockney {
namespace {

/// Independent streams from one seed: the finaliser of SplitMix64 (Steele, Lea, Flood 2014).
std::uint64_t mix(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15ULL;
  value = (value ^ (value >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  value = (value ^ (value >> 27U)) * 0x94d049bb133111ebULL;
  return value ^ (value >> 31U);
}

/// Fisher-Yates with our own draw: std::shuffle and std::uniform_int_distribution may differ from
/// one standard library to the next. The bias of the remainder is below 2^-50 here.
std::vector<std::size_t> random_order(std::size_t count, std::uint64_t seed) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::mt19937_64 random(seed);
  for (std::size_t left = count; left > 1; --left) {
    std::swap(order[left - 1], order[random() % left]);
  }
  return order;
}

}  // namespace

std::vector<PlannedLaunch> plan_launches(std::size_t settings, int launches, std::uint64_t seed) {
  std::vector<PlannedLaunch> plan;
  for (int launch = 1; launch <= launches; ++launch) {
    const std::uint64_t block_seed = mix(seed ^ mix(static_cast<std::uint64_t>(launch)));
    for (const std::size_t setting : random_order(settings, block_seed)) {
      // 32 bits, so that every program and every JSON reader takes the number whole.
      plan.push_back({setting, launch, mix(block_seed + setting) >> 32U});
    }
  }
  return plan;
}

std::string launch_name(const std::string& setting, int launch) {
  std::string number = std::to_string(launch);
  if (number.size() < 3) number.insert(0, 3 - number.size(), '0');
  return setting + "-" + number;
}

}  // namespace hockney
