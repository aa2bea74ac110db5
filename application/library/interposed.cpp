#include <dlfcn.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <memory>

#include "application/library/process.hpp"

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

namespace hockney::profile {
namespace {

constexpr std::array ending{SIGTERM, SIGINT, SIGHUP, SIGXCPU};
constexpr std::array crashing{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
constexpr int most_signals = 65;

std::array<struct sigaction, most_signals> before{};

/// Saves the part, restores the earlier handler and raises the signal again.
void save_and_go_on(int signal, siginfo_t* info, void* /*context*/) {
  if (signal == SIGSEGV || signal == SIGBUS) StackWalk::escape();
  Process::save_part(End::signalled, signal);
  ::sigaction(signal, &before.at(static_cast<std::size_t>(signal)), nullptr);
  const bool comes_again = info != nullptr && info->si_code > 0;  // it faults again
  if (!comes_again) ::raise(signal);
}

void watch(int signal, bool with_handler) {
  struct sigaction& old = before.at(static_cast<std::size_t>(signal));
  if (::sigaction(signal, nullptr, &old) != 0) return;
  const bool is_default = (old.sa_flags & SA_SIGINFO) == 0 && old.sa_handler == SIG_DFL;
  if (!is_default && !with_handler) return;
  struct sigaction action {};
  action.sa_sigaction = save_and_go_on;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  ::sigemptyset(&action.sa_mask);
  ::sigaction(signal, &action, nullptr);
}

/// For processes that end without MPI_Finalize, by exit() or by returning from main().
__attribute__((destructor)) void save_at_exit() { Process::save_part(End::exited, 0); }

}  // namespace

void watch_signals() {
  for (const int signal : ending) watch(signal, false);
  for (const int signal : crashing) watch(signal, true);
}

}  // namespace hockney::profile

// MPI libraries end a program with these functions after a fatal error. Forked children call them,
// too; they write nothing.
// NOLINTBEGIN(cppcoreguidelines-macro-usage)
#define HOCKNEY_EXITS(name)                                                         \
  extern "C" __attribute__((visibility("default"), noreturn)) void name(int code) { \
    hockney::profile::Process::save_part(hockney::profile::End::exited, 0);         \
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

pthread_key_t key_of_sampled_threads() {
  static const pthread_key_t key = [] {
    pthread_key_t made{};
    ::pthread_key_create(&made, end_sampled_thread);
    return made;
  }();
  return key;
}

void* run_sampled(void* data) {
  const ThreadStart start = *std::unique_ptr<ThreadStart>(static_cast<ThreadStart*>(data));
  start.sampler->begin_thread();
  ::pthread_setspecific(key_of_sampled_threads(), start.sampler);
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
  if (sampler == nullptr) return next(thread, given, function, argument);
  StackWalk::set_thread_start(reinterpret_cast<const void*>(&run_sampled));
  auto start = std::make_unique<ThreadStart>(ThreadStart{function, argument, sampler});
  const int error = next(thread, given, run_sampled, start.get());
  if (error == 0) static_cast<void>(start.release());
  return error;
}

// A program may take the signal that the sampler chose, although nobody handled it before.
extern "C" __attribute__((visibility("default"))) int sigaction(int signal,
                                                                const struct sigaction* action,
                                                                struct sigaction* before) {
  using Next = int (*)(int, const struct sigaction*, struct sigaction*);
  static const auto next = reinterpret_cast<Next>(dlsym(RTLD_NEXT, "sigaction"));
  if (action != nullptr) hockney::profile::Process::takes_signal(signal);
  return next(signal, action, before);
}

extern "C" __attribute__((visibility("default"))) sighandler_t signal(int number,
                                                                      sighandler_t handler) {
  using Next = sighandler_t (*)(int, sighandler_t);
  static const auto next = reinterpret_cast<Next>(dlsym(RTLD_NEXT, "signal"));
  hockney::profile::Process::takes_signal(number);
  return next(number, handler);
}
