#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "components/health/detection/noise_tail.hpp"

namespace hockney::health {

TEST_CASE("the tail of noise follows from its pool") {
  std::vector<float> pool;
  for (int i = 1; i <= 1000; ++i) pool.push_back(static_cast<float>(i) / 1000);
  const NoiseTail uniform(pool);
  CHECK(uniform.score(0.5) == Approx(std::log(2)).margin(0.01));
  CHECK(uniform.score(0.9) == Approx(std::log(10)).margin(0.02));
  CHECK(uniform.score(-1) < 0.01);
  // Beyond the 1 % quantile the probability falls with a power: 10 at most.
  CHECK(uniform.score(1.98) == Approx(std::log(100) + 10 * std::log(2)).margin(0.1));
  std::vector<float> heavy;  // P(X > x) = 1 / x
  for (int i = 1; i <= 1000; ++i) heavy.push_back(1000.0F / static_cast<float>(i));
  CHECK(NoiseTail(heavy).score(1000) == Approx(std::log(1000)).margin(0.3));
}

}  // namespace hockney::health
