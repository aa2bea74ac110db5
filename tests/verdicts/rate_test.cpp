#include <catch2/catch.hpp>
#include <cmath>

#include "verdicts/self_test.hpp"

namespace hockney::verdicts {

TEST_CASE("a rate knows its exact interval") {
  CHECK_FALSE(Rate{}.share());
  CHECK_FALSE(Rate{}.interval());
  const Rate none{0, 200};
  CHECK(none.share() == 0.0);
  CHECK(none.interval()->low == 0);
  CHECK(none.interval()->high == Approx(1 - std::pow(0.025, 1.0 / 200)));  // Clopper-Pearson
  CHECK(Rate{5, 10}.interval()->low == Approx(0.1871).epsilon(1e-3));
  CHECK(Rate{5, 10}.interval()->high == Approx(0.8129).epsilon(1e-3));
}

}  // namespace hockney::verdicts
