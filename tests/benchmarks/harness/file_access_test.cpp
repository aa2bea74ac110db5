#include <catch2/catch.hpp>

#include "benchmarks/harness/file_access.hpp"

namespace hockney::benchmarks {

TEST_CASE("the file system of a folder is that of the mount nearest above it") {
  const std::string mounts =
      "21 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw\n"
      "35 21 0:30 / /scratch rw - lustre mgs@tcp:/scratch rw\n"
      "36 35 0:31 / /scratch/fast rw master:2 - tmpfs tmpfs rw\n"
      "37 36 0:32 / /scratch/fast rw - nfs4 server:/fast rw\n"
      "38 21 0:33 / /my\\040disk rw - xfs /dev/sdb rw\n";
  CHECK(file_system_in(mounts, "/home/x") == "ext4 on /");
  CHECK(file_system_in(mounts, "/scratch") == "lustre on /scratch");
  CHECK(file_system_in(mounts, "/scratch/faster") == "lustre on /scratch");
  CHECK(file_system_in(mounts, "/scratch/fast/x") == "nfs4 on /scratch/fast");
  CHECK(file_system_in(mounts, "/my disk/x") == "xfs on /my disk");
  CHECK(file_system_in("", "/x") == "unknown");
}

TEST_CASE("this machine says of a folder what it is on, and how much is free") {
  CHECK(file_system_of("/").ends_with(" on /"));
  CHECK(free_space("/") > 0);
  CHECK(free_space("/no such folder") == 0);
}

}  // namespace hockney::benchmarks
