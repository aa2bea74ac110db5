#include <catch2/catch.hpp>
#include <limits>
#include <sstream>
#include <stdexcept>

#include "report/table.hpp"

namespace hockney::report {

TEST_CASE("amounts of data are told in the unit that suits them") {
  CHECK(short_bytes(0) == "0 B");
  CHECK(short_bytes(1503) == "1503 B");
  CHECK(short_bytes(28800) == "28.8 KB");
  CHECK(short_bytes(1.05e6) == "1.05 MB");
  CHECK(short_bytes(6.45e9) == "6.45 GB");
}

TEST_CASE("numbers have so many significant digits and no exponent") {
  CHECK(significant(0.12344) == "0.1234");
  CHECK(significant(1.25) == "1.250");
  CHECK(significant(12.344) == "12.34");
  CHECK(significant(1234) == "1234");
  CHECK(significant(123456) == "123456");
  CHECK(significant(0.00012344) == "0.0001234");
  CHECK(significant(-12.344) == "-12.34");
  CHECK(significant(0) == "0.000");
  CHECK(significant(98.4375, 3) == "98.4");
  CHECK(significant(7.0, 1) == "7");
}

TEST_CASE("rounding up to the next power of ten adds no digit") {
  CHECK(significant(9.99996) == "10.00");
  CHECK(significant(999.96) == "1000");
  CHECK(significant(0.099999) == "0.1000");
  CHECK(significant(9.994) == "9.994");
}

TEST_CASE("what is not finite is a dash") {
  CHECK(significant(std::numeric_limits<double>::quiet_NaN()) == "-");
  CHECK(significant(std::numeric_limits<double>::infinity()) == "-");
}

TEST_CASE("an interval is two numbers of one scale, or a dash") {
  CHECK(interval_text(Interval{1e-6, 2.5e-6, 0.95}, 1e6) == "1.000 .. 2.500");
  CHECK(interval_text(Interval{1e-6, 2.5e-6, 0.95}, 1e6, 2) == "1.0 .. 2.5");
  CHECK(interval_text(std::nullopt, 1e6) == "-");
}

TEST_CASE("what is not known is a dash, in any unit") {
  CHECK(significant(std::optional(0.0123), per_cent, 2) == "1.2");
  CHECK(significant(std::optional<double>(), per_cent, 2) == "-");
  CHECK(fixed_text(-1.005, 1) == "-1.0");
  CHECK(error_text(0.01234) == "1.23 %");
  CHECK(error_text(0.01234, 1) == "1.2 %");
  CHECK(error_text(std::nullopt) == "-");
}

TEST_CASE("counts have their plural") {
  CHECK(count_text(1, "launch") == "1 launch");
  CHECK(count_text(2, "launch") == "2 launches");
  CHECK(count_text(14, "series") == "14 series");
  CHECK(count_text(0, "size") == "0 sizes");
}

}  // namespace hockney::report
