#include "benchmarks/harness/handle.hpp"

#include <catch2/catch.hpp>
#include <type_traits>

#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/mpi_error.hpp"

namespace hockney::benchmarks {
namespace {

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

}  // namespace
}  // namespace hockney::benchmarks
