#include "core/units.hpp"

#include <catch2/catch.hpp>
#include <type_traits>

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

}  // namespace hockney
