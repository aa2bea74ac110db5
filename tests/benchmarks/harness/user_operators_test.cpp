#include <array>
#include <catch2/catch.hpp>
#include <cstdint>

#include "benchmarks/harness/datatypes.hpp"
#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/mpi_objects.hpp"
#include "benchmarks/harness/reductions.hpp"

namespace hockney::benchmarks {
namespace {

TEST_CASE("the ordered product is associative, not commutative, and has inverses") {
  using Word = std::uint16_t;
  // A reflection and a turn: (1, 5)(0, 3) = (1, 5 - 3), (0, 3)(1, 5) = (1, 3 + 5).
  const Word reflection = 0x8005;
  const Word turn = 0x0003;
  CHECK(ordered_product<Word>(reflection, turn) == 0x8002);
  CHECK(ordered_product<Word>(turn, reflection) == 0x8008);
  CHECK(ordered_product<Word>(reflection, reflection) == 0);
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const auto a = ordered_element<Word>(i * 40503);
    const auto b = ordered_element<Word>(i * 9973 + 1);
    const auto c = ordered_element<Word>(i * 31337 + 2);
    CHECK(ordered_product(ordered_product(a, b), c) == ordered_product(a, ordered_product(b, c)));
  }
}

TEST_CASE("MPI applies our operators to its datatypes, and knows which one commutes") {
  const UniqueOp sum = make_user_operator(find_operator("user-sum"));
  const UniqueOp ordered = make_user_operator(find_operator("user-ordered"));
  CHECK_FALSE(make_user_operator(find_operator("sum")));
  int commutes = 0;
  mpi_check(MPI_Op_commutative(sum.get(), &commutes));
  CHECK(commutes != 0);
  mpi_check(MPI_Op_commutative(ordered.get(), &commutes));
  CHECK(commutes == 0);
  const std::array<double, 3> left{1, 2, 3};
  std::array<double, 3> right{10, 20, 30};
  mpi_check(MPI_Reduce_local(left.data(), right.data(), 3, MPI_DOUBLE, sum.get()));
  CHECK(right == std::array<double, 3>{11, 22, 33});
  const std::array<std::uint16_t, 1> first{0x8005};
  std::array<std::uint16_t, 1> second{0x0003};
  mpi_check(MPI_Reduce_local(first.data(), second.data(), 1, MPI_UINT16_T, ordered.get()));
  CHECK(second[0] == 0x8002);
}

TEST_CASE("ordered reductions are for elements whose bits fill a word") {
  const Operator& ordered = find_operator("user-ordered");
  CHECK(is_defined(ordered, find_datatype("double")));
  CHECK(is_defined(ordered, find_datatype("int8")));
  CHECK_FALSE(is_defined(ordered, find_datatype("long-double")));
  CHECK_FALSE(is_defined(ordered, find_datatype("double-int")));
  CHECK(is_defined(find_operator("user-sum"), find_datatype("double-complex")));
}

}  // namespace
}  // namespace hockney::benchmarks
