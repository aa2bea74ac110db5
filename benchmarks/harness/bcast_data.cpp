#include "benchmarks/harness/bcast_data.hpp"

#include "benchmarks/harness/pattern.hpp"

namespace hockney {
namespace {

constexpr int sender = 0;  // whose message it is, whoever sends it

}  // namespace

void BcastData::refill(std::uint64_t seed) {
  const std::uint64_t right = pattern_seed(seed, sender);
  rank_ == roots_.coming() ? fill_pattern(data_.bytes(), right)
                           : fill_wrong_pattern(data_.to_spoil(), right);
}

bool BcastData::verify(std::uint64_t seed) const {
  return holds_message(data_.bytes(), *message_.type, pattern_seed(seed, sender));
}

}  // namespace hockney
