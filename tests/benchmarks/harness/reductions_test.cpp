#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <complex>
#include <cstring>
#include <numeric>
#include <vector>

#include "benchmarks/harness/mpi_objects.hpp"
#include "benchmarks/harness/reductions.hpp"
#include "core/error.hpp"

namespace hockney::benchmarks {
namespace {

template <class T>
std::vector<T> contributions(const std::string& type, const std::string& op, int ranks, int rank,
                             std::size_t count) {
  std::vector<T> values(count);
  ReductionData(find_datatype(type), find_operator(op), ranks)
      .fill(std::as_writable_bytes(std::span(values)), 7, rank);
  return values;
}

template <class T>
bool holds(const std::string& type, const std::string& op, int ranks,
           const std::vector<T>& values) {
  const ReductionData data(find_datatype(type), find_operator(op), ranks);
  return data.holds(std::as_bytes(std::span(values)), 7, data.whole());
}

/// Folds contributions of ranks in the given order with `combine`, an independent definition.
template <class T, class Combine>
bool folds(const std::string& type, const std::string& op, const std::vector<int>& order,
           Combine combine) {
  const auto ranks = static_cast<int>(order.size());
  std::vector<T> all = contributions<T>(type, op, ranks, order.front(), 50);
  for (std::size_t i = 1; i < order.size(); ++i) {
    const std::vector<T> next = contributions<T>(type, op, ranks, order[i], 50);
    std::ranges::transform(all, next, all.begin(), combine);
  }
  return holds(type, op, ranks, all);
}

std::vector<int> shuffled(int ranks, int step) {
  std::vector<int> order;
  for (int i = 0; i < ranks; ++i) order.push_back(i * step % ranks);
  return order;
}

TEST_CASE("results are exact in any order, for few and for very many ranks") {
  for (const int ranks : {2, 3, 7, 131, 1009}) {
    INFO(ranks << " ranks");
    for (const int step : {1, ranks - 1, ranks == 2 ? 1 : 2}) {  // coprime to the prime numbers
      const std::vector<int> order = shuffled(ranks, step);
      CHECK(folds<float>("float", "sum", order, std::plus<>()));
      CHECK(folds<float>("float", "prod", order, std::multiplies<>()));
      CHECK(folds<double>("double", "sum", order, std::plus<>()));
      CHECK(folds<long double>("long-double", "prod", order, std::multiplies<>()));
      CHECK(folds<std::complex<float>>("float-complex", "prod", order, std::multiplies<>()));
      CHECK(folds<std::complex<double>>("double-complex", "sum", order, std::plus<>()));
      CHECK(folds<int>("int", "sum", order, std::plus<>()));
      CHECK(folds<unsigned>("uint32", "bxor", order, std::bit_xor<>()));
    }
  }
}

TEST_CASE("sums and products of the smallest integers do not overflow") {
  for (const int ranks : {2, 100, 127, 128, 500}) {
    std::vector<int> sums(50, 0);
    std::vector<int> products(50, 1);
    for (int rank = 0; rank < ranks; ++rank) {
      const auto terms = contributions<std::int8_t>("int8", "sum", ranks, rank, 50);
      const auto factors = contributions<std::int8_t>("int8", "prod", ranks, rank, 50);
      for (std::size_t i = 0; i < 50; ++i) {
        sums[i] += std::abs(terms[i]);
        products[i] *= std::abs(factors[i]);
      }
    }
    CHECK(*std::ranges::max_element(sums) <= 127);
    CHECK(*std::ranges::max_element(products) <= 127);
    CHECK(*std::ranges::min_element(products) >= 1);
  }
}

TEST_CASE("of equal extremes the smaller place wins, and ranks do tie") {
  using Pair = ValueAndPlace<int>;
  const auto better = [](const Pair& a, const Pair& b) {
    if (a.value != b.value) return a.value > b.value ? a : b;
    return Pair{a.value, std::min(a.place, b.place)};
  };
  CHECK(folds<Pair>("2int", "maxloc", shuffled(7, 3), better));
  const auto first = contributions<Pair>("2int", "maxloc", 2, 0, 50);
  const auto second = contributions<Pair>("2int", "maxloc", 2, 1, 50);
  int ties = 0;
  for (std::size_t i = 0; i < 50; ++i) {
    ties += first[i].value == second[i].value ? 1 : 0;
    CHECK(first[i].place != second[i].place);
  }
  CHECK(ties > 0);
}

TEST_CASE("operators are defined for the datatypes of the standard's table") {
  const auto defined = [](const std::string& op, const std::string& type) {
    return is_defined(find_operator(op), find_datatype(type));
  };
  CHECK(defined("sum", "double-complex"));
  CHECK_FALSE(defined("max", "double-complex"));
  CHECK(defined("lor", "bool"));
  CHECK_FALSE(defined("sum", "bool"));
  CHECK(defined("band", "byte"));
  CHECK_FALSE(defined("band", "float"));
  CHECK(defined("minloc", "short-int"));
  CHECK_FALSE(defined("minloc", "int"));
  CHECK_FALSE(defined("sum", "char"));
  CHECK_THROWS_WITH(find_operator("summ"), Catch::Contains("did you mean 'sum'?"));
  CHECK_THROWS_AS(ReductionData(find_datatype("float"), find_operator("band"), 2),
                  std::logic_error);
}

TEST_CASE("a part of a result begins where it begins, and combines as many ranks as it says") {
  const ReductionData data(find_datatype("int"), find_operator("sum"), 3);
  std::vector<int> two = contributions<int>("int", "sum", 3, 0, 10);
  const std::vector<int> second = contributions<int>("int", "sum", 3, 1, 10);
  std::ranges::transform(two, second, two.begin(), std::plus<>());
  const auto from_fourth = std::as_bytes(std::span(two).subspan(4));
  CHECK(data.holds(from_fourth, 7, {.first = 4, .ranks = 2}));
  CHECK_FALSE(data.holds(from_fourth, 7, {.first = 3, .ranks = 2}));
  CHECK_FALSE(data.holds(from_fourth, 7, {.first = 4, .ranks = 3}));
}

TEST_CASE("data are spoilt in every byte") {
  const ReductionData data(find_datatype("int"), find_operator("sum"), 2);
  std::vector<std::byte> poisoned(40);
  data.poison(poisoned, 7, data.whole());
  std::vector<int> right = contributions<int>("int", "sum", 2, 0, 10);
  const std::vector<int> other = contributions<int>("int", "sum", 2, 1, 10);
  std::ranges::transform(right, other, right.begin(), std::plus<>());
  for (std::size_t i = 0; i < 40; ++i) CHECK(poisoned[i] == ~std::as_bytes(std::span(right))[i]);
}

}  // namespace
}  // namespace hockney::benchmarks
