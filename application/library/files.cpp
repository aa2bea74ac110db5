// Reading, writing and flushing files outside of MPI: the functions of the C library through which
// programs, and the libraries of C++ and Fortran, do it. Sockets and terminals count too where they
// are read or written by these; nothing tells them apart for less than the call costs.

#include <dlfcn.h>
#include <sys/uio.h>
#include <unistd.h>
#include <cstdio>

#include "application/library/process.hpp"

namespace hockney::profile {
namespace {

/// What a call moved [B], from what it returned.
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
  const Recorder::Turn turn(*recorder);
  recorder->header.io_ticks += end - begin;
  recorder->header.io_bytes += moved(static_cast<ssize_t>(result), unit);
  return result;
}

}  // namespace
}  // namespace hockney::profile

// NOLINTBEGIN(cppcoreguidelines-macro-usage,bugprone-macro-parentheses)
#define HOCKNEY_TIMED(result, name, unit, parameters, arguments)              \
  extern "C" __attribute__((visibility("default"))) result name parameters {  \
    using Next = result(*) parameters;                                        \
    static const auto next = reinterpret_cast<Next>(dlsym(RTLD_NEXT, #name)); \
    return hockney::profile::timed([&] { return next arguments; }, unit);     \
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
