#include "verdicts/multiplicity.hpp"

#include <catch2/catch.hpp>

namespace hockney::verdicts {

using Values = std::vector<double>;

TEST_CASE("Holm multiplies the smallest p most, and never lets a larger one overtake") {
  // Ascending 0.005, 0.01, 0.03, 0.04 times 4, 3, 2, 1: 0.02, 0.03, 0.06, 0.04 -> 0.06.
  const Values adjusted = holm(Values{0.01, 0.04, 0.03, 0.005});
  CHECK(adjusted[0] == Approx(0.03));
  CHECK(adjusted[1] == Approx(0.06));
  CHECK(adjusted[2] == Approx(0.06));
  CHECK(adjusted[3] == Approx(0.02));
  CHECK(holm(Values{0.5, 0.9}) == Values{1, 1});
  CHECK(holm(Values{0.04}) == Values{0.04});
  CHECK(holm(Values{}).empty());
}

TEST_CASE("Benjamini and Hochberg weigh each p by its rank") {
  // Ascending 0.005, 0.01, 0.03, 0.04 times 4, 2, 4/3, 1: 0.02, 0.02, 0.04, 0.04.
  const Values adjusted = benjamini_hochberg(Values{0.01, 0.04, 0.03, 0.005});
  CHECK(adjusted[0] == Approx(0.02));
  CHECK(adjusted[1] == Approx(0.04));
  CHECK(adjusted[2] == Approx(0.04));
  CHECK(adjusted[3] == Approx(0.02));
  // A larger one with a smaller product takes the smaller ones along: 0.09, 0.06 -> 0.05, 0.05.
  const Values taken = benjamini_hochberg(Values{0.03, 0.04, 0.05});
  for (const double p : taken) CHECK(p == Approx(0.05));
  CHECK(benjamini_hochberg(Values{}).empty());
}

TEST_CASE("ties get the same adjusted p") {
  const Values h = holm(Values{0.02, 0.02, 0.02});
  for (const double p : h) CHECK(p == Approx(0.06));
  const Values bh = benjamini_hochberg(Values{0.02, 0.02, 0.02});
  for (const double p : bh) CHECK(p == Approx(0.02));
}

TEST_CASE("a correction is chosen by its name") {
  const Values p{0.01, 0.02};
  CHECK(adjust(p, Correction::none) == p);
  CHECK(adjust(p, Correction::holm) == holm(p));
  CHECK(adjust(p, Correction::benjamini_hochberg) == benjamini_hochberg(p));
}

}  // namespace hockney::verdicts
