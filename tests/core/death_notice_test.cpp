#include <catch2/catch.hpp>

#include "core/death_notice.hpp"

namespace hockney {

TEST_CASE("the first death at a point is found among what others print") {
  const auto death = death_in(
      "some line\n"
      "[1,1]<stderr>:rank 1: died of SIGSEGV (at bcast ranks=2 at 8 bytes) leave it out with "
      "--leave-out 'bcast ranks=2 at 8 bytes'\n"
      "rank 0: died of SIGABRT (at reduce at 1 bytes) leave it out with --leave-out 'reduce at 1 "
      "bytes'\n"
      "[node3:812] *** Process received signal ***\n"
      "rank 1: died of SIGSEGV in libmpi.so.40\n"
      "mpirun noticed that\n");
  REQUIRE(death);
  CHECK(death->signal == "SIGSEGV");
  CHECK(death->point == "bcast ranks=2 at 8 bytes");
  CHECK(death->library == "libmpi.so.40");
}

TEST_CASE("a death between points, or a line that is cut short, is none at a point") {
  CHECK_FALSE(death_in("rank 1: died of SIGSEGV between two points\n"));
  CHECK_FALSE(death_in("rank 1: died of SIGSEGV (at bcast ranks=2 at 8 bytes) leave it out wi"));
  CHECK_FALSE(death_in(""));
}

}  // namespace hockney
