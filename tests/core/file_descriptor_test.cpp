#include "core/file_descriptor.hpp"

#include <fcntl.h>

#include <catch2/catch.hpp>

namespace hockney {
namespace {

bool is_open(int number) { return ::fcntl(number, F_GETFD) >= 0; }

FileDescriptor opened() { return FileDescriptor(::open("/dev/null", O_RDONLY | O_CLOEXEC)); }

}  // namespace

TEST_CASE("a file descriptor closes at the end, and earlier when it is reset") {
  int number = -1;
  {
    const FileDescriptor null = opened();
    REQUIRE(null.is_open());
    number = null.get();
    CHECK(is_open(number));
  }
  CHECK_FALSE(is_open(number));
  FileDescriptor null = opened();
  number = null.get();
  null.reset();
  CHECK_FALSE(null.is_open());
  CHECK_FALSE(is_open(number));
}

TEST_CASE("a file descriptor that moves or is released stays open once") {
  FileDescriptor first = opened();
  const int number = first.get();
  FileDescriptor second = std::move(first);
  CHECK(second.get() == number);
  CHECK(second.release() == number);
  CHECK_FALSE(second.is_open());
  CHECK(is_open(number));
  CHECK(::close(number) == 0);
}

}  // namespace hockney
