#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "core/quantities.hpp"

namespace hockney {

template <class A, class B>
concept Addable = requires(A a, B b) {
  a + b;
};
template <class A, class B>
concept Comparable = requires(A a, B b) {
  a < b;
};

static_assert(Addable<Seconds, Seconds>);
static_assert(!Addable<Seconds, Bytes>);
static_assert(!Addable<Seconds, double>);
static_assert(!Comparable<Seconds, BytesPerSecond>);
static_assert(!std::is_convertible_v<Seconds, double>);
static_assert(!std::is_convertible_v<double, Seconds>);
static_assert(sizeof(Seconds) == sizeof(double));

TEST_CASE("quantities of one unit add, scale and compare") {
  CHECK(Seconds{1.5} + Seconds{0.25} == Seconds{1.75});
  CHECK(Bytes{5} - Bytes{7} == Bytes{-2});
  CHECK(Seconds{1.5} * 2.0 == Seconds{3});
  CHECK(Bytes{9} / std::int64_t{2} == Bytes{4});
  CHECK(Bytes{3} < Bytes{4});
  CHECK(Seconds{} == Seconds{0});
}

TEST_CASE("a ratio of quantities of one unit is a number") {
  static_assert(std::is_same_v<decltype(Seconds{} / Seconds{}), double>);
  CHECK(Seconds{3} / Seconds{2} == 1.5);
}

TEST_CASE("bytes, time and slope combine") {
  CHECK(Bytes{1000} / Seconds{0.5} == BytesPerSecond{2000});
  CHECK(SecondsPerByte{0.25} * Bytes{8} == Seconds{2});
}

TEST_CASE("a double becomes the nearest whole number") {
  CHECK(whole_number<int>(2.4) == 2);
  CHECK(whole_number<int>(-2.6) == -3);
  CHECK(whole_number<std::int64_t>(9007199254740992.0) == 9007199254740992);
  CHECK(whole_number<std::size_t>(-0.4) == 0);
}

TEST_CASE(
    "what its type cannot hold becomes the largest or smallest one, and no number becomes 0") {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const double large : {9.3e18, 1e300, infinity}) {
    CHECK(whole_number<std::int64_t>(large) == std::numeric_limits<std::int64_t>::max());
    CHECK(whole_number<std::int64_t>(-large) == std::numeric_limits<std::int64_t>::min());
    CHECK(whole_number<int>(large) == std::numeric_limits<int>::max());
    CHECK(whole_number<std::size_t>(-large) == 0);
  }
  CHECK(whole_number<int>(2147483647.0) == 2147483647);
  CHECK(whole_number<std::int64_t>(9223372036854775808.0) ==
        std::numeric_limits<std::int64_t>::max());
  CHECK(whole_number<int>(std::numeric_limits<double>::quiet_NaN()) == 0);
}

}  // namespace hockney
