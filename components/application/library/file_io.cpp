#include <sys/uio.h>
#include <unistd.h>

#include <cstddef>
#include <cstdio>

#include "components/application/library/process.hpp"
#include "components/application/library/real.hpp"

// Times file I/O outside of MPI. Wraps the functions of the C library that programs, and the C++
// and Fortran libraries, call. Sockets and terminals count, too, if they use these functions: a
// test for them would cost more than the call.
namespace hockney::profile {
namespace {

/// Bytes moved by a call, from its result.
std::int64_t moved(ssize_t result, std::size_t unit = 1) {
  return result > 0 ? static_cast<std::int64_t>(result) * static_cast<std::int64_t>(unit) : 0;
}

template <class Call>
auto timed(Call&& call, std::size_t unit = 1) {
  Recorder* const recorder = Process::recorder();
  if (recorder == nullptr) return call();
  const Process::Inside inside;
  const std::int64_t begin = Ticks::now();
  const auto result = call();
  const std::int64_t end = Ticks::now();
  recorder->io_ticks.fetch_add(end - begin, std::memory_order_relaxed);
  recorder->io_bytes.fetch_add(moved(static_cast<ssize_t>(result), unit),
                               std::memory_order_relaxed);
  return result;
}

}  // namespace
}  // namespace hockney::profile

// NOLINTBEGIN(cppcoreguidelines-macro-usage,bugprone-macro-parentheses)
#define HOCKNEY_TIMED(result, name, unit, parameters, arguments)          \
  HOCKNEY_EXPORT result name parameters {                                 \
    HOCKNEY_NEXT(name, result parameters);                                \
    return hockney::profile::timed([&] { return next arguments; }, unit); \
  }
// NOLINTEND(cppcoreguidelines-macro-usage,bugprone-macro-parentheses)

HOCKNEY_TIMED(ssize_t, read, 1, (int file, void* data, size_t size), (file, data, size))
HOCKNEY_TIMED(ssize_t, write, 1, (int file, const void* data, size_t size), (file, data, size))
HOCKNEY_TIMED(ssize_t, pread, 1, (int file, void* data, size_t size, off_t at),
              (file, data, size, at))
HOCKNEY_TIMED(ssize_t, pwrite, 1, (int file, const void* data, size_t size, off_t at),
              (file, data, size, at))
HOCKNEY_TIMED(ssize_t, pread64, 1, (int file, void* data, size_t size, off64_t at),
              (file, data, size, at))
HOCKNEY_TIMED(ssize_t, pwrite64, 1, (int file, const void* data, size_t size, off64_t at),
              (file, data, size, at))
HOCKNEY_TIMED(ssize_t, readv, 1, (int file, const iovec* parts, int count), (file, parts, count))
HOCKNEY_TIMED(ssize_t, writev, 1, (int file, const iovec* parts, int count), (file, parts, count))
HOCKNEY_TIMED(size_t, fread, size, (void* data, size_t size, size_t count, FILE* file),
              (data, size, count, file))
HOCKNEY_TIMED(size_t, fwrite, size, (const void* data, size_t size, size_t count, FILE* file),
              (data, size, count, file))
HOCKNEY_TIMED(int, fsync, 0, (int file), (file))
HOCKNEY_TIMED(int, fdatasync, 0, (int file), (file))
HOCKNEY_TIMED(int, fflush, 0, (FILE * file), (file))
HOCKNEY_TIMED(int, fclose, 0, (FILE * file), (file))
