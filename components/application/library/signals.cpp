#include <dlfcn.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <cstdarg>
#include <cstddef>
#include <span>
#include <string_view>

#include "components/application/library/process.hpp"
#include "components/application/library/real.hpp"

// Signals: of the end, of the program and of the sampler. The program must meet none but its own.
namespace hockney::profile {
namespace {

constexpr std::array ending{SIGTERM, SIGINT, SIGHUP, SIGXCPU};
constexpr std::array crashing{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
constexpr std::size_t most_signals = 65;
constexpr auto reset = static_cast<int>(SA_RESETHAND);

bool is_any_of(const auto& signals, int signal) { return std::ranges::count(signals, signal) > 0; }

bool has_no_handler(const struct sigaction& action, sighandler_t disposition) {
  return (action.sa_flags & SA_SIGINFO) == 0 && action.sa_handler == disposition;
}

/// The program's action of a signal that this library handles first. A handler reads it while
/// another thread may write it, so there are two.
class ProgramAction {
 public:
  [[nodiscard]] bool is_watched() const { return is_watched_; }
  void watch(bool is_watched) { is_watched_ = is_watched; }
  [[nodiscard]] struct sigaction get() const { return actions_[now_]; }
  void set(const struct sigaction& action) {
    const std::size_t next = 1 - now_;
    actions_[next] = action;
    now_ = next;
  }

 private:
  std::atomic<bool> is_watched_{false};
  std::atomic<std::size_t> now_{0};
  std::array<struct sigaction, 2> actions_{};
};

// NOLINTBEGIN(cppcoreguidelines-avoid-non-const-global-variables): of a process, and of a thread
std::array<ProgramAction, most_signals> program_actions{};
std::atomic<bool> watches_signals{false};
/// The signal whose handler of the program runs; another one after a jump out of it.
thread_local int handled __attribute__((tls_model("initial-exec"))) = 0;
// NOLINTEND(cppcoreguidelines-avoid-non-const-global-variables)

ProgramAction& action_of(int signal) {
  return program_actions.at(static_cast<std::size_t>(signal));
}

bool is_watched(int signal) {
  return signal > 0 && static_cast<std::size_t>(signal) < most_signals &&
         action_of(signal).is_watched();
}

/// Whether this handler runs on a stack that is too small for more than the program's handler.
bool is_on_small_stack() {
  stack_t stack{};
  return ::sigaltstack(nullptr, &stack) == 0 && (stack.ss_flags & SS_ONSTACK) != 0 &&
         stack.ss_size < Sampler::least_stack();
}

/// Saves the part, restores the earlier action and raises the signal again.
void end_by(int signal, const siginfo_t* info, const struct sigaction& action) {
  Process::save_part(End::signalled, signal);
  system_sigaction(signal, &action, nullptr);
  const bool comes_again = info != nullptr && info->si_code > 0;  // it faults again
  if (!comes_again) ::raise(signal);
}

void on_signal(int signal, siginfo_t* info, void* context);

/// Puts this library's handler before the program's action. An ignored signal stays so.
void watch(int signal) {
  struct sigaction found {};
  if (system_sigaction(signal, nullptr, &found) != 0 || has_no_handler(found, SIG_IGN)) return;
  if ((found.sa_flags & SA_SIGINFO) != 0 && found.sa_sigaction == on_signal) return;
  const bool is_default = has_no_handler(found, SIG_DFL);
  if (!is_default && !is_any_of(crashing, signal)) return;
  action_of(signal).set(found);
  action_of(signal).watch(true);
  struct sigaction action = found;  // the program's handler has the stack and the mask that it asks
  action.sa_sigaction = on_signal;
  action.sa_flags |= SA_SIGINFO;
  if (is_default) action.sa_flags |= SA_ONSTACK;
  action.sa_flags &= ~reset;
  system_sigaction(signal, &action, nullptr);
}

/// Runs the program's handler of a signal. Not inlined: ending_signal() searches its frame.
__attribute__((noinline)) void run_handler(int signal, siginfo_t* info, void* context,
                                           const struct sigaction& action) {
  handled = signal;
  if ((action.sa_flags & SA_SIGINFO) != 0) {
    action.sa_sigaction(signal, info, context);
  } else {
    action.sa_handler(signal);
  }
  handled = 0;
}

void on_signal(int signal, siginfo_t* info, void* context) {
  if (signal == SIGSEGV || signal == SIGBUS) StackWalk::escape();
  const struct sigaction action = action_of(signal).get();
  if (has_no_handler(action, SIG_DFL)) return end_by(signal, info, action);
  if ((action.sa_flags & reset) != 0) action_of(signal).set({});
  run_handler(signal, info, context, action);
  // After the handler abort(3) ends the process, by calls within the C library.
  static const void* const abort_of_system = ::dlsym(RTLD_NEXT, "abort");
  if (signal == SIGABRT && !is_on_small_stack() && StackWalk::is_within(abort_of_system)) {
    Process::save_part(End::signalled, signal);
  }
}

/// While one exists, the kernel has the program's action of a signal. Later a default action that
/// ends the program is watched again.
class ActionOfProgram {
 public:
  explicit ActionOfProgram(int signal)
      : signal_(signal),
        is_one_(watches_signals && (is_any_of(ending, signal) || is_any_of(crashing, signal))) {
    if (!is_watched(signal_)) return;
    const struct sigaction action = action_of(signal_).get();
    system_sigaction(signal_, &action, nullptr);
    action_of(signal_).watch(false);
  }
  ActionOfProgram(const ActionOfProgram&) = delete;
  ActionOfProgram& operator=(const ActionOfProgram&) = delete;
  ~ActionOfProgram() {
    if (is_one_) watch(signal_);
  }

 private:
  int signal_;
  bool is_one_;
};

/// A program may take the signal that the sampler chose, although it had no handler before.
void release_signal(int signal) {
  Sampler* const sampler = Process::sampler();
  if (sampler != nullptr && sampler->uses(signal)) sampler->give_up_signal();
}

/// Runs a call that changes the program's action of a signal.
template <class Call>
auto changing(int signal, Call&& call) {
  release_signal(signal);
  const ActionOfProgram own(signal);
  return call();
}

bool has_all_of_real_time(const sigset_t& set) {
  for (int signal = SIGRTMIN; signal <= SIGRTMAX; ++signal) {
    if (::sigismember(&set, signal) == 0) return false;
  }
  return true;
}

/// The signals that a program waits for, without the sampler's. A set that has this one, but not
/// all like it, means it: the program takes the signal.
sigset_t waited_for(const sigset_t& set) {
  sigset_t own = set;
  Sampler* const sampler = Process::sampler();
  if (sampler == nullptr || sampler->signal() == 0) return own;
  if (::sigismember(&set, sampler->signal()) != 1) return own;
  if (!has_all_of_real_time(set)) release_signal(sampler->signal());
  if (sampler->owns(sampler->signal())) ::sigdelset(&own, sampler->signal());
  return own;
}

/// The variables of a program that this process becomes. If they have an LD_PRELOAD of the user's
/// alone, as from env(1) and scripts before the program, this library comes before it.
class VariablesOfNext {
 public:
  /// `room`: for as many pointers as count() returns.
  VariablesOfNext(char* const* given, char** room, std::span<char> line) : variables_(given) {
    char** next = room;
    bool is_changed = false;
    for (char* const* one = given; one != nullptr && *one != nullptr; ++one) {
      const bool is_ours = !is_changed && put_before(*one, line);
      *next++ = is_ours ? line.data() : *one;
      is_changed = is_changed || is_ours;
    }
    *next = nullptr;
    if (is_changed) variables_ = room;
  }

  [[nodiscard]] char* const* get() const { return variables_; }

  /// Of the variables and their end.
  static std::size_t count(char* const* variables) {
    std::size_t count = 1;
    for (; variables != nullptr && variables[count - 1] != nullptr;) ++count;
    return count;
  }

 private:
  static constexpr std::string_view name = "LD_PRELOAD=";

  /// Writes the line of LD_PRELOAD with this library; false if there is nothing to change.
  static bool put_before(std::string_view variable, std::span<char> line) {
    if (!variable.starts_with(name) || variable == name) return false;
    const std::string_view list = variable.substr(name.size());
    Dl_info own{};
    if (::dladdr(reinterpret_cast<const void*>(&put_before), &own) == 0) return false;
    const std::string_view library = own.dli_fname;
    const std::size_t slash = library.rfind('/');
    if (slash == std::string_view::npos) return false;
    if (list.find(library.substr(slash)) != std::string_view::npos) return false;
    if (variable.size() + library.size() + 2 > line.size()) return false;
    char* next = line.data();
    for (const std::string_view text : {name, library, std::string_view(":"), list}) {
      next = std::copy(text.begin(), text.end(), next);
    }
    *next = '\0';
    return true;
  }

  char* const* variables_;
};

/// The words of a call with a variable number of them, `first` among them, up to the null pointer.
/// Their number includes it.
std::size_t count_words(const char* first, va_list words) {
  std::size_t count = 1;
  for (const char* word = first; word != nullptr; word = va_arg(words, const char*)) ++count;
  return count;
}

}  // namespace

void watch_signals() {
  watches_signals = true;
  for (const int signal : ending) watch(signal);
  for (const int signal : crashing) watch(signal);
}

int ending_signal() {
  const bool is_in_handler =
      handled != 0 && StackWalk::is_within(reinterpret_cast<const void*>(&run_handler));
  return is_in_handler ? handled : 0;
}

}  // namespace hockney::profile

// NOLINTBEGIN(cppcoreguidelines-macro-usage,bugprone-macro-parentheses)
/// A function with the signal as first argument that changes its action.
#define HOCKNEY_CHANGES(result, name, parameters, arguments)                   \
  HOCKNEY_EXPORT result name parameters {                                      \
    HOCKNEY_NEXT(name, result parameters);                                     \
    return hockney::profile::changing(number, [&] { return next arguments; }); \
  }
// NOLINTEND(cppcoreguidelines-macro-usage,bugprone-macro-parentheses)

// signal() is the first of these, or __sysv_signal for programs built as ISO C (-std=c99 with
// _XOPEN_SOURCE).
HOCKNEY_CHANGES(sighandler_t, signal, (int number, sighandler_t handler), (number, handler))
HOCKNEY_CHANGES(sighandler_t, ssignal, (int number, sighandler_t handler), (number, handler))
HOCKNEY_CHANGES(sighandler_t, bsd_signal, (int number, sighandler_t handler), (number, handler))
HOCKNEY_CHANGES(sighandler_t, sysv_signal, (int number, sighandler_t handler), (number, handler))
HOCKNEY_CHANGES(sighandler_t, __sysv_signal, (int number, sighandler_t handler), (number, handler))
HOCKNEY_CHANGES(sighandler_t, sigset, (int number, sighandler_t handler), (number, handler))
HOCKNEY_CHANGES(int, sigignore, (int number), (number))
HOCKNEY_CHANGES(int, siginterrupt, (int number, int interrupts), (number, interrupts))

HOCKNEY_EXPORT int sigaction(int signal, const struct sigaction* action, struct sigaction* before) {
  using namespace hockney::profile;  // NOLINT(google-build-using-namespace): of one function
  if (action == nullptr && is_watched(signal)) {
    if (before != nullptr) *before = action_of(signal).get();
    return 0;
  }
  if (action == nullptr) return system_sigaction(signal, nullptr, before);
  Sampler* const sampler = Process::sampler();
  struct sigaction waiting = *action;
  const bool waits = sampler != nullptr && sampler->waits_for(*action);
  if (waits) ::sigaddset(&waiting.sa_mask, sampler->signal());
  return changing(signal, [&] { return system_sigaction(signal, &waiting, before); });
}

#if !defined(__SANITIZE_THREAD__)  // whose runtime calls it before its functions can run
HOCKNEY_EXPORT int sigaltstack(const stack_t* stack, stack_t* before) noexcept {
  HOCKNEY_NEXT(sigaltstack, int(const stack_t*, stack_t*));
  if (stack != nullptr && (stack->ss_flags & SS_DISABLE) == 0) {
    hockney::profile::Process::has_alternate_stack(stack->ss_size);
  }
  return next(stack, before);
}
#endif

HOCKNEY_EXPORT int sigwait(const sigset_t* set, int* signal) {
  HOCKNEY_NEXT(sigwait, int(const sigset_t*, int*));
  const sigset_t own = hockney::profile::waited_for(*set);
  return next(&own, signal);
}

HOCKNEY_EXPORT int sigwaitinfo(const sigset_t* set, siginfo_t* info) {
  HOCKNEY_NEXT(sigwaitinfo, int(const sigset_t*, siginfo_t*));
  const sigset_t own = hockney::profile::waited_for(*set);
  return next(&own, info);
}

HOCKNEY_EXPORT int sigtimedwait(const sigset_t* set, siginfo_t* info, const timespec* limit) {
  HOCKNEY_NEXT(sigtimedwait, int(const sigset_t*, siginfo_t*, const timespec*));
  const sigset_t own = hockney::profile::waited_for(*set);
  return next(&own, info, limit);
}

HOCKNEY_EXPORT int signalfd(int file, const sigset_t* set, int flags) noexcept {
  HOCKNEY_NEXT(signalfd, int(int, const sigset_t*, int));
  const sigset_t own = hockney::profile::waited_for(*set);
  return next(file, &own, flags);
}

HOCKNEY_EXPORT int sigpending(sigset_t* set) noexcept {
  HOCKNEY_NEXT(sigpending, int(sigset_t*));
  const int result = next(set);
  hockney::profile::Sampler* const sampler = hockney::profile::Process::sampler();
  if (result == 0 && sampler != nullptr && sampler->owns(sampler->signal())) {
    ::sigdelset(set, sampler->signal());
  }
  return result;
}

// Programs that this one becomes have no handler for the sampler's signal.
// NOLINTBEGIN(cppcoreguidelines-macro-usage,bugprone-macro-parentheses)
#define HOCKNEY_BECOMES(name, parameters, given, arguments)                              \
  HOCKNEY_EXPORT int name parameters noexcept {                                          \
    HOCKNEY_NEXT(name, int parameters);                                                  \
    using hockney::profile::VariablesOfNext;                                             \
    const std::size_t size = VariablesOfNext::count(given) * sizeof(char*);              \
    std::array<char, 4096> line; /* NOLINT(*-member-init): written if needed */          \
    const VariablesOfNext all(given, static_cast<char**>(__builtin_alloca(size)), line); \
    const hockney::profile::Sampler::Pause paused(hockney::profile::Process::sampler()); \
    return next arguments;                                                               \
  }

/// The same for words as arguments. `become` uses `all`, and `rest` for what follows their end.
#define HOCKNEY_BECOMES_LISTED(name, become)                                               \
  HOCKNEY_EXPORT int name(const char* file, const char* first, ...) noexcept {             \
    va_list rest;                                                                          \
    va_start(rest, first);                                                                 \
    const std::size_t count = hockney::profile::count_words(first, rest);                  \
    va_end(rest);                                                                          \
    auto** const all = static_cast<char**>(__builtin_alloca((count + 1) * sizeof(char*))); \
    va_start(rest, first);                                                                 \
    all[0] = const_cast<char*>(first);                                                     \
    for (std::size_t i = 1; i < count; ++i) all[i] = va_arg(rest, char*);                  \
    const int result = become;                                                             \
    va_end(rest);                                                                          \
    return result;                                                                         \
  }
// NOLINTEND(cppcoreguidelines-macro-usage,bugprone-macro-parentheses)

HOCKNEY_BECOMES(execve, (const char* file, char* const* words, char* const* variables), variables,
                (file, words, all.get()))
HOCKNEY_BECOMES(execvpe, (const char* file, char* const* words, char* const* variables), variables,
                (file, words, all.get()))
HOCKNEY_BECOMES(fexecve, (int file, char* const* words, char* const* variables), variables,
                (file, words, all.get()))
HOCKNEY_EXPORT int execv(const char* file, char* const* words) noexcept {
  return ::execve(file, words, environ);
}
HOCKNEY_EXPORT int execvp(const char* file, char* const* words) noexcept {
  return ::execvpe(file, words, environ);
}
HOCKNEY_BECOMES_LISTED(execl, ::execv(file, all))
HOCKNEY_BECOMES_LISTED(execlp, ::execvp(file, all))
HOCKNEY_BECOMES_LISTED(execle, ::execve(file, all, va_arg(rest, char**)))
