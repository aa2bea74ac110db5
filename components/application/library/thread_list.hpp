#pragma once

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace hockney::profile {

/// Number of this thread in the kernel.
inline int this_thread() { return static_cast<int>(::syscall(SYS_gettid)); }

/// Calls `take` with the number of each thread of this process. System calls alone: this library
/// replaces read(), and signal handlers may allocate nothing.
template <class Take>
void for_each_thread(Take&& take) {
  constexpr std::size_t name_at = 19;  // of linux_dirent64
  constexpr std::size_t length_at = 16;
  const long folder =
      ::syscall(SYS_openat, AT_FDCWD, "/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return;
  alignas(8) std::array<char, 768> letters{};
  for (;;) {
    const long length = ::syscall(SYS_getdents64, folder, letters.data(), letters.size());
    if (length <= 0) break;
    for (std::size_t at = 0; at < static_cast<std::size_t>(length);) {
      std::uint16_t entry = 0;
      std::memcpy(&entry, letters.data() + at + length_at, sizeof entry);
      const int thread = std::atoi(letters.data() + at + name_at);  // 0: "." and ".."
      if (thread > 0) take(thread);
      at += entry;
    }
  }
  ::syscall(SYS_close, folder);
}

}  // namespace hockney::profile
