#include <catch2/catch.hpp>

#include "core/quantities.hpp"
#include "tests/support/error_line.hpp"

namespace hockney {

TEST_CASE("a share is written with a percent sign or as a fraction") {
  CHECK(parse_fraction("--precision", "5%") == Approx(0.05));
  CHECK(parse_fraction("--precision", "0.05") == 0.05);
  CHECK(parse_fraction("--precision", "2.5%") == Approx(0.025));
  CHECK(parse_fraction("--precision", "99%") == Approx(0.99));
}

TEST_CASE("what is no share is rejected in one line") {
  for (const char* text :
       {"", "%", "0", "0%", "1", "100%", "-5%", "5 %", "nan", "inf", "5%%", "a"}) {
    CAPTURE(text);
    CHECK(input_error_of([&] { parse_fraction("--precision", text); }) ==
          "bad value '" + std::string(text) +
              "' for --precision (it must be a share above 0 and below 1) write it like 5% or "
              "0.05");
  }
}

TEST_CASE("a share is printed with two digits") {
  CHECK(format_fraction(0.05) == "5 %");
  CHECK(format_fraction(0.0025) == "0.25 %");
  CHECK(format_fraction(0.123) == "12 %");
  CHECK(format_fraction(0.994) == "99 %");
  CHECK(format_fraction(0.995) == "100 %");
  CHECK(format_fraction(1) == "100 %");
  CHECK(format_fraction(2.35) == "235 %");
}

}  // namespace hockney
