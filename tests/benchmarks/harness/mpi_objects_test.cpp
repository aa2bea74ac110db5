#include <catch2/catch.hpp>
#include <string>
#include <type_traits>

#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/mpi_objects.hpp"
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

/// Counts the frees of a handle that is a plain number, 0 being null.
struct CountingTraits {
  using Handle = int;
  static int& frees() {
    static int count = 0;
    return count;
  }
  static Handle null() { return 0; }
  static void free(Handle* handle) {
    ++frees();
    *handle = 0;
  }
};
using Counted = UniqueHandle<CountingTraits>;

TEST_CASE("a handle is freed once, and never copied") {
  STATIC_REQUIRE_FALSE(std::is_copy_constructible_v<Counted>);
  CountingTraits::frees() = 0;
  {
    Counted first(7);
    Counted second(std::move(first));
    CHECK_FALSE(first);  // NOLINT(bugprone-use-after-move): what is left behind is the point
    CHECK(second.get() == 7);
    Counted third;
    third = std::move(second);
    CHECK(third.get() == 7);
  }
  CHECK(CountingTraits::frees() == 1);
}

TEST_CASE("assigning frees what was owned before, at the latest with the source") {
  CountingTraits::frees() = 0;
  Counted owner(1);
  {
    Counted other(2);
    owner = std::move(other);
  }
  CHECK(CountingTraits::frees() == 1);
  CHECK(owner.get() == 2);
}

TEST_CASE("out() frees before it offers the place") {
  CountingTraits::frees() = 0;
  Counted owner(1);
  *owner.out() = 5;
  CHECK(CountingTraits::frees() == 1);
  CHECK(owner.get() == 5);
}

TEST_CASE("MPI handles of every kind are made, owned and freed") {
  UniqueComm comm;
  CHECK_FALSE(comm);
  mpi_check(MPI_Comm_dup(MPI_COMM_WORLD, comm.out()));
  CHECK(size_of(comm.get()) == size_of(MPI_COMM_WORLD));
  UniqueGroup group;
  mpi_check(MPI_Comm_group(comm.get(), group.out()));
  CHECK(group);
  UniqueDatatype type;
  mpi_check(MPI_Type_contiguous(3, MPI_INT, type.out()));
  CHECK(type);
  UniqueInfo info;
  mpi_check(MPI_Info_create(info.out()));
  CHECK(info);
  UniqueOp op;
  mpi_check(MPI_Op_create([](void*, void*, int*, MPI_Datatype*) {}, 1, op.out()));
  CHECK(op);
  int memory = 0;
  if (size_of(comm.get()) > 1) {  // Open MPI 4 offers no windows to a job of one rank
    UniqueWin window;
    mpi_check(MPI_Win_create(&memory, sizeof memory, 1, MPI_INFO_NULL, comm.get(), window.out()));
    CHECK(window);
  }
  UniqueRequest request;
  mpi_check(MPI_Send_init(&memory, 1, MPI_INT, MPI_PROC_NULL, 0, comm.get(), request.out()));
  CHECK(request);
}

using Catch::Contains;

TEST_CASE("a failing MPI call becomes an error with its text, place and exit code") {
  int value = 0;
  try {
    mpi_check(MPI_Send(&value, 1, MPI_INT, 1 << 20, 0, MPI_COMM_WORLD));
    FAIL("sending to a rank that does not exist must fail");
  } catch (const MpiError& error) {
    CHECK(error.code() == ExitCode::run_failed);
    CHECK_THAT(error.what(), Contains("mpi_objects_test.cpp"));
    CHECK_THAT(error.what(), Contains("rank") || Contains("RANK"));
  }
}

TEST_CASE("duplicates return errors too") {
  MPI_Comm duplicate = MPI_COMM_NULL;
  mpi_check(MPI_Comm_dup(MPI_COMM_WORLD, &duplicate));
  int value = 0;
  CHECK_THROWS_AS(mpi_check(MPI_Send(&value, 1, MPI_INT, 1 << 20, 0, duplicate)), MpiError);
  mpi_check(MPI_Comm_free(&duplicate));
}

TEST_CASE("success passes") { CHECK_NOTHROW(mpi_check(MPI_SUCCESS)); }

}  // namespace
}  // namespace hockney::benchmarks
