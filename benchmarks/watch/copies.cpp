#include "benchmarks/watch/copies.hpp"

#include <dlfcn.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>

#include <atomic>

// Counts copies between processes by any library, in processes that prove paths of messages. The
// dynamic linker finds these functions before libc's functions of the same names; they count and
// call the latter. System calls of libraries that bypass libc are not counted.
namespace {

using SystemCall = long (*)(long, ...);

// Initialised at compile time, because libraries make system calls before any constructor has run.
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

/// Counts the result of a copy.
long counted(long copied) {
  calls.fetch_add(1, std::memory_order_relaxed);
  if (copied > 0) bytes.fetch_add(copied, std::memory_order_relaxed);
  return copied;
}

}  // namespace

// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name): libc's names are reserved.

extern "C" {

void hockney_copies_so_far(hockney::benchmarks::CopyCalls& so_far) {
  so_far = {.calls = calls.load(std::memory_order_relaxed),
            .bytes = bytes.load(std::memory_order_relaxed)};
}

// Intel MPI and libfabric call the kernel only through syscall. Like libc's syscall, which moves
// all registers of a system call, this function always has six arguments: it reads no variadic
// arguments that the caller has not passed.
long hockney_syscall(long number, long a, long b, long c, long d, long e, long f) noexcept
    __asm__("syscall");

long hockney_syscall(long number, long a, long b, long c, long d, long e, long f) noexcept {
  const long result = find_libc_syscall()(number, a, b, c, d, e, f);
  const bool copies = number == SYS_process_vm_readv || number == SYS_process_vm_writev;
  return copies ? counted(result) : result;
}

ssize_t process_vm_readv(pid_t pid, const iovec* local, unsigned long local_count,
                         const iovec* remote, unsigned long remote_count,
                         unsigned long flags) noexcept {
  return counted(find_libc_syscall()(SYS_process_vm_readv, pid, local, local_count, remote,
                                     remote_count, flags));
}

ssize_t process_vm_writev(pid_t pid, const iovec* local, unsigned long local_count,
                          const iovec* remote, unsigned long remote_count,
                          unsigned long flags) noexcept {
  return counted(find_libc_syscall()(SYS_process_vm_writev, pid, local, local_count, remote,
                                     remote_count, flags));
}

}  // extern "C"

// NOLINTEND(readability-inconsistent-declaration-parameter-name)
