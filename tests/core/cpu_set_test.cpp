#include "core/cpu_set.hpp"

#include <catch2/catch.hpp>

namespace hockney {

TEST_CASE("a set of CPUs holds those above 1023") {
  CpuSet set;
  CHECK(set.members().empty());
  for (const int cpu : {8191, 1024, 3}) set.add(cpu);
  CHECK(set.members() == std::vector<int>{3, 1024, 8191});
  set.fill();
  CHECK(set.members().size() == 8192);
}

}  // namespace hockney
