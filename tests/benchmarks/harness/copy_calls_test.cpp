#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cerrno>
#include <vector>

#include "benchmarks/harness/memory_facts.hpp"
#include "benchmarks/harness/transport_watch.hpp"

namespace hockney::benchmarks {
namespace {

/// Calls and bytes since the last time it was asked.
class Difference {
 public:
  CopyCalls operator()() {
    const CopyCalls before = last_;
    last_ = counting_.calls().value();
    return {.calls = last_.calls - before.calls, .bytes = last_.bytes - before.bytes};
  }

 private:
  CopyCounting counting_;
  CopyCalls last_ = counting_.calls().value();
};

TEST_CASE("copies between processes are counted, each call and each byte") {
  std::vector<char> from(5000, 'x');
  std::vector<char> to(5000, '.');
  const iovec local{to.data(), 700};
  const iovec remote{from.data(), 700};
  Difference since;
  CHECK(since() == CopyCalls{});
  for (int i = 0; i < 3; ++i)
    CHECK(::process_vm_readv(::getpid(), &local, 1, &remote, 1, 0) == 700);
  CHECK(since() == CopyCalls{.calls = 3, .bytes = 2100});
  CHECK(std::vector<char>(to.begin(), to.begin() + 701) == std::vector<char>([] {
          std::vector<char> all(701, 'x');
          all.back() = '.';
          return all;
        }()));
  CHECK(::process_vm_writev(::getpid(), &local, 1, &remote, 1, 0) == 700);
  CHECK(since() == CopyCalls{.calls = 1, .bytes = 700});
  CHECK(::syscall(SYS_process_vm_readv, ::getpid(), &local, 1UL, &remote, 1UL, 0UL) == 700);
  CHECK(since() == CopyCalls{.calls = 1, .bytes = 700});
}

TEST_CASE("a call that is refused is a call without bytes, and errno tells why") {
  char byte = 0;
  const iovec local{&byte, 1};
  const iovec remote{&byte, 1};
  Difference since;
  errno = 0;
  CHECK(::process_vm_readv(-1, &local, 1, &remote, 1, 0) == -1);
  CHECK(errno == ESRCH);
  CHECK(since() == CopyCalls{.calls = 1, .bytes = 0});
}

TEST_CASE("counts may overlap, and each begins at nothing") {
  char byte = 0;
  const iovec local{&byte, 1};
  const iovec remote{&byte, 1};
  const auto copy = [&] { CHECK(::process_vm_readv(::getpid(), &local, 1, &remote, 1, 0) == 1); };
  {
    const CopyCounting counting;
    copy();
    {
      const CopyCounting inner;
      copy();
      CHECK(inner.calls()->calls == 1);
    }
    copy();
    CHECK(counting.calls() == CopyCalls{.calls = 3, .bytes = 3});
  }
  const CopyCounting later;
  CHECK(later.calls() == CopyCalls{});
}

TEST_CASE("other system calls pass, and are not counted") {
  Difference since;
  CHECK(::syscall(SYS_getpid) == ::getpid());
  CHECK(::syscall(SYS_close, -1) == -1);
  CHECK(errno == EBADF);
  CHECK(since() == CopyCalls{});
}

TEST_CASE("a peer's memory is read whole, or the error is told") {
  const std::vector<std::byte> from(100'000, std::byte{7});
  std::vector<std::byte> to(from.size());
  const auto address = reinterpret_cast<std::uint64_t>(from.data());
  CHECK(read_peer({.process = ::getpid(), .address = address}, to.data(), to.size()) == 0);
  CHECK(to == from);
  CHECK(read_peer({.process = -1, .address = address}, to.data(), 1) == ESRCH);
  CHECK(read_peer({.process = ::getpid(), .address = 0}, to.data(), 1) == EFAULT);
}

}  // namespace
}  // namespace hockney::benchmarks
