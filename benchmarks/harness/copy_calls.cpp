#include "benchmarks/harness/copy_calls.hpp"

#include <dlfcn.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdarg>

namespace {

using SystemCall = long (*)(long, ...);

// Constants from the start, because libraries make system calls before any constructor has run.
// NOLINTBEGIN(cppcoreguidelines-avoid-non-const-global-variables): the functions below have no
// self.
constinit std::atomic<std::int64_t> calls{0};
constinit std::atomic<std::int64_t> bytes{0};
constinit std::atomic<SystemCall> libc_syscall{nullptr};
// NOLINTEND(cppcoreguidelines-avoid-non-const-global-variables)

SystemCall find_libc_syscall() {
  SystemCall found = libc_syscall.load(std::memory_order_relaxed);
  if (found != nullptr) return found;
  found = reinterpret_cast<SystemCall>(::dlsym(RTLD_NEXT, "syscall"));
  libc_syscall.store(found, std::memory_order_relaxed);
  return found;
}

void count(long copied) {
  calls.fetch_add(1, std::memory_order_relaxed);
  if (copied > 0) bytes.fetch_add(copied, std::memory_order_relaxed);
}

}  // namespace

namespace hockney {

CopyCalls copy_calls() {
  return {.calls = calls.load(std::memory_order_relaxed),
          .bytes = bytes.load(std::memory_order_relaxed)};
}

}  // namespace hockney

// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name): libc's names are reserved.

// Intel MPI and libfabric have no other way to the kernel than this one.
extern "C" long syscall(long number, ...) noexcept {
  std::array<long, 6>
      words{};  // more than any system call takes; those not given are not looked at
  std::va_list given;
  va_start(given, number);
  for (long& word : words) word = va_arg(given, long);
  va_end(given);
  const long result =
      find_libc_syscall()(number, words[0], words[1], words[2], words[3], words[4], words[5]);
  if (number == SYS_process_vm_readv || number == SYS_process_vm_writev) count(result);
  return result;
}

extern "C" ssize_t process_vm_readv(pid_t pid, const iovec* local, unsigned long local_count,
                                    const iovec* remote, unsigned long remote_count,
                                    unsigned long flags) noexcept {
  return ::syscall(SYS_process_vm_readv, pid, local, local_count, remote, remote_count, flags);
}

extern "C" ssize_t process_vm_writev(pid_t pid, const iovec* local, unsigned long local_count,
                                     const iovec* remote, unsigned long remote_count,
                                     unsigned long flags) noexcept {
  return ::syscall(SYS_process_vm_writev, pid, local, local_count, remote, remote_count, flags);
}

// NOLINTEND(readability-inconsistent-declaration-parameter-name)
