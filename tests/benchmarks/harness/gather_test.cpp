#include "benchmarks/harness/gather.hpp"

#include <catch2/catch.hpp>

#include "benchmarks/harness/environment.hpp"
#include "core/error.hpp"
#include "tests/support/mpi_test_cases.hpp"

namespace hockney::benchmarks {
namespace {

TEST_CASE("texts of all lengths come to every rank in order") {
  const int rank = rank_in(MPI_COMM_WORLD);
  const std::string own(static_cast<std::size_t>(rank * 1000), static_cast<char>('a' + rank));
  const auto texts = gather_texts(MPI_COMM_WORLD, own);
  REQUIRE(static_cast<int>(texts.size()) == size_of(MPI_COMM_WORLD));
  CHECK(texts[static_cast<std::size_t>(rank)] == own);
  CHECK(texts.front().empty());
}

TEST_CASE("a number that a rank has sent is whole, or the run fails") {
  CHECK(sent_number<int>("-12") == -12);
  CHECK(sent_number<double>("0.5") == 0.5);
  for (const char* text : {"", "x", "1x", " 1", "99999999999999999999"}) {
    CHECK_THROWS_AS(sent_number<int>(text), RunError);
  }
}

}  // namespace
}  // namespace hockney::benchmarks
