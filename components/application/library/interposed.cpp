#include <dlfcn.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cstddef>
#include <cstdio>
#include <memory>
#include <optional>

#include "components/application/library/process.hpp"

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

namespace hockney::profile {
namespace {

/// Forked children have another number.
const pid_t loaded_in = ::getpid();

/// Saves the records of a process that ends without MPI_Finalize.
void save_at_end() {
  const int signal = ending_signal();
  Process::save_part(signal == 0 ? End::exited : End::signalled, signal);
}

/// For processes that end by exit() or by returning from main().
__attribute__((destructor)) void save_at_exit() {
  save_at_end();
  if (loaded_in == ::getpid()) Process::explain_absence();
}

}  // namespace
}  // namespace hockney::profile

// MPI libraries end a program with these functions after a fatal error. Forked children call them,
// too; they write nothing.
// NOLINTBEGIN(cppcoreguidelines-macro-usage)
#define HOCKNEY_EXITS(name)                                                         \
  extern "C" __attribute__((visibility("default"), noreturn)) void name(int code) { \
    hockney::profile::save_at_end();                                                \
    ::syscall(SYS_exit_group, code);                                                \
    __builtin_unreachable();                                                        \
  }
// NOLINTEND(cppcoreguidelines-macro-usage)

HOCKNEY_EXITS(_exit)
HOCKNEY_EXITS(_Exit)

// Threads of the program are sampled, too; OpenMP's runtimes make theirs with pthread_create.
namespace hockney::profile {
namespace {

/// What a sampled thread runs.
struct ThreadStart {
  void* (*function)(void*);
  void* argument;
  Sampler* sampler;
};

/// Ends the timer of a thread, however it ends: by return, pthread_exit() or cancellation.
void end_sampled_thread(void* sampler) { static_cast<Sampler*>(sampler)->end_thread(); }

/// nullopt if the program has all keys: then timers of threads end with the sampling.
std::optional<pthread_key_t> key_of_sampled_threads() {
  static const std::optional<pthread_key_t> key = [] {
    pthread_key_t made{};
    const bool is_made = ::pthread_key_create(&made, end_sampled_thread) == 0;
    return is_made ? std::optional(made) : std::nullopt;
  }();
  return key;
}

/// Whether the handler would take too much of a thread's stack.
bool has_small_stack(const pthread_attr_t* given) {
  std::size_t size = 0;
  return given != nullptr && ::pthread_attr_getstacksize(given, &size) == 0 &&
         size < 2 * Sampler::least_stack();
}

void* run_sampled(void* data) {
  const ThreadStart start = *std::unique_ptr<ThreadStart>(static_cast<ThreadStart*>(data));
  start.sampler->begin_thread();
  if (const auto key = key_of_sampled_threads()) ::pthread_setspecific(*key, start.sampler);
  return start.function(start.argument);
}

}  // namespace
}  // namespace hockney::profile

extern "C" __attribute__((visibility("default"))) int pthread_create(pthread_t* thread,
                                                                     const pthread_attr_t* given,
                                                                     void* (*function)(void*),
                                                                     void* argument) {
  using namespace hockney::profile;  // NOLINT(google-build-using-namespace): of one function
  using Next = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  static const auto next = reinterpret_cast<Next>(dlsym(RTLD_NEXT, "pthread_create"));
  Sampler* const sampler = Process::sampler_of_new_thread();
  if (sampler == nullptr || has_small_stack(given)) return next(thread, given, function, argument);
  StackWalk::set_thread_start(reinterpret_cast<const void*>(&run_sampled));
  auto start = std::make_unique<ThreadStart>(ThreadStart{function, argument, sampler});
  const int error = next(thread, given, run_sampled, start.get());
  if (error == 0) static_cast<void>(start.release());
  return error;
}

// Code of another library may be at the same addresses later.
extern "C" __attribute__((visibility("default"))) int dlclose(void* handle) noexcept {
  using Next = int (*)(void*);
  static const auto next = reinterpret_cast<Next>(dlsym(RTLD_NEXT, "dlclose"));
  const hockney::profile::Process::Unloading unloading;
  return next(handle);
}
