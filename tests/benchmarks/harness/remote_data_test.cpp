#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "benchmarks/harness/remote_data.hpp"

namespace hockney::benchmarks {
namespace {

constexpr std::size_t elements = 50;
constexpr std::uint64_t remote_seed = 3;
constexpr int giver = 1;

Accumulated accumulated(const std::string& type, const std::string& op) {
  return {find_datatype(type), find_operator(op), remote_seed, giver};
}

template <class T>
std::vector<T> given(const Accumulated& data) {
  std::vector<T> values(elements);
  data.fill_contribution(std::as_writable_bytes(std::span(values)));
  return values;
}

template <class T>
std::vector<T> after(const Accumulated& data, std::uint64_t calls) {
  std::vector<T> values(elements);
  data.fill_result(std::as_writable_bytes(std::span(values)), calls);
  return values;
}

/// Does what so many calls do, one after the other, with `combine`, an independent definition.
template <class T, class Combine>
void check_calls(const std::string& type, const std::string& op, Combine combine) {
  INFO(op << " of " << type);
  const Accumulated data = accumulated(type, op);
  const std::vector<T> given_values = given<T>(data);
  std::vector<T> memory = after<T>(data, 0);
  for (std::uint64_t calls = 1; calls < 40; ++calls) {
    std::transform(memory.begin(), memory.end(), given_values.begin(), memory.begin(), combine);
    CHECK(memory == after<T>(data, calls));
    CHECK(data.holds_result(std::as_bytes(std::span(memory)), calls));
  }
}

TEST_CASE("memory holds what calls leave that are made one after the other") {
  check_calls<double>("double", "sum", [](double a, double b) { return a + b; });
  check_calls<float>("float", "prod", [](float a, float b) { return a * b; });
  check_calls<long double>("long-double", "max",
                           [](long double a, long double b) { return std::max(a, b); });
  check_calls<std::uint32_t>("uint32", "sum", [](auto a, auto b) { return a + b; });
  check_calls<std::uint64_t>("uint64", "prod", [](auto a, auto b) { return a * b; });
  check_calls<std::int32_t>("int32", "min", [](auto a, auto b) { return std::min(a, b); });
  check_calls<std::uint32_t>("uint32", "bxor", [](auto a, auto b) { return a ^ b; });
  check_calls<std::uint32_t>("uint32", "band", [](auto a, auto b) { return a & b; });
  check_calls<std::int32_t>("int32", "lxor", [](auto a, auto b) { return (a != 0) != (b != 0); });
}

TEST_CASE("one call leaves exactly what was given where an operator chooses") {
  for (const char* op : {"max", "min"}) {
    INFO(op);
    const Accumulated data = accumulated("double", op);
    CHECK(after<double>(data, 1) == given<double>(data));
    CHECK(after<double>(data, 0) != given<double>(data));
  }
  const Accumulated data = accumulated("uint64", "bor");
  CHECK(after<std::uint64_t>(data, 1) == given<std::uint64_t>(data));
}

TEST_CASE("sums of floating numbers are exact up to the largest number of calls") {
  const Accumulated data = accumulated("float", "sum");
  const std::vector<float> summands = given<float>(data);
  const std::vector<float> before = after<float>(data, 0);
  const std::vector<float> sums = after<float>(data, most_accumulated);
  for (std::size_t i = 0; i < elements; ++i) {
    const double right = static_cast<double>(summands[i]) * most_accumulated;
    CHECK(static_cast<double>(sums[i]) == right + static_cast<double>(before[i]));
  }
}

TEST_CASE("the last bit of a summand is in the sum") {
  const Accumulated data = accumulated("double", "sum");
  const std::vector<double> summands = given<double>(data);
  const std::vector<double> before = after<double>(data, 0);
  const std::vector<double> sums = after<double>(data, 1);
  for (std::size_t i = 0; i < elements; ++i) {
    CHECK(before[i] != 0);
    CHECK(before[i] + std::nextafter(summands[i], 100.0) != sums[i]);
    CHECK(before[i] + std::nextafter(summands[i], -100.0) != sums[i]);
  }
}

TEST_CASE("another number of calls, and any other bit, is noticed") {
  const Accumulated data = accumulated("float", "sum");
  std::vector<float> memory = after<float>(data, 5);
  CHECK(data.holds_result(std::as_bytes(std::span(memory)), 5));
  CHECK_FALSE(data.holds_result(std::as_bytes(std::span(memory)), 4));
  const auto bytes = std::as_writable_bytes(std::span(memory));
  for (std::byte& byte : bytes) {
    byte ^= std::byte{1};
    CHECK_FALSE(data.holds_result(bytes, 5));
    byte ^= std::byte{1};
  }
}

}  // namespace
}  // namespace hockney::benchmarks
