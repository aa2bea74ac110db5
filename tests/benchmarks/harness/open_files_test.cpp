#include <catch2/catch.hpp>

#include "benchmarks/harness/transport_watch.hpp"

namespace hockney::benchmarks {
namespace {

using Names = std::vector<std::string>;

TEST_CASE("memory that is shared and writable is found in the mappings, each object once") {
  const Mappings found = parse_mappings(
      "7f00-7f10 rw-s 00000000 00:19 4711                       /dev/shm/segment.1\n"
      "7f10-7f20 rw-s 00001000 00:19 4711                       /dev/shm/segment.1\n"
      "7f20-7f30 r--s 00000000 00:19 4712                       /dev/shm/read-only\n"
      "7f30-7f40 rw-p 00000000 08:01 99                         /usr/lib/libmpi.so\n"
      "7f40-7f50 rw-s 00000000 00:01 32768                      /SYSV00000000 (deleted)\n"
      "7f50-7f60 rw-p 00000000 00:00 0 \n");
  CHECK(found.shared == Names{"00:19:4711", "00:01:32768"});
  CHECK(found.devices.empty());
}

TEST_CASE("devices that leave no count are known by their files") {
  const Mappings found = parse_mappings(
      "7f00-7f10 rw-s 00000000 00:06 12                         /dev/xpmem\n"
      "7f10-7f20 -w-s 00000000 00:06 13                         /dev/infiniband/uverbs0\n"
      "7f20-7f30 -w-s 00002000 00:06 13                         /dev/infiniband/uverbs0\n"
      "7f30-7f40 rw-s 00000000 00:06 14                         /dev/zero\n");
  CHECK(found.devices == Names{"xpmem", "infiniband"});
}

TEST_CASE("nonsense maps nothing") {
  CHECK(parse_mappings("") == Mappings{});
  CHECK(parse_mappings("no mapping\n\n") == Mappings{});
}

}  // namespace
}  // namespace hockney::benchmarks
