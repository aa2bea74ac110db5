#include <sys/syscall.h>
#include <unistd.h>
#include <array>
#include <csignal>
#include <cstddef>

#include "application/library/process.hpp"

namespace hockney::profile {
namespace {

constexpr std::array ending{SIGTERM, SIGINT, SIGHUP, SIGXCPU};
constexpr std::array crashing{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
constexpr int most_signals = 65;

std::array<struct sigaction, most_signals> before{};

/// Saves, puts back what was there before, and lets the signal do what it would have done.
void save_and_go_on(int signal, siginfo_t* info, void* /*context*/) {
  Process::save_part(End::signalled, signal);
  ::sigaction(signal, &before.at(static_cast<std::size_t>(signal)), nullptr);
  const bool comes_again = info != nullptr && info->si_code > 0;  // the instruction is repeated
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

/// Where the process ends, by exit() or by returning from main(), without MPI_Finalize.
__attribute__((destructor)) void save_at_exit() { Process::save_part(End::exited, 0); }

}  // namespace

void watch_signals() {
  for (const int signal : ending) watch(signal, false);
  for (const int signal : crashing) watch(signal, true);
}

}  // namespace hockney::profile

// How MPI libraries end a program after an error that is fatal. Children that a program has forked
// come here too, and leave nothing.
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
