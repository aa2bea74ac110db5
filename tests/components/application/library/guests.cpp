// A program whose signals, stacks and code are its own, in the way of its first argument. It prints
// "fine", and ends with 0, if it met nothing but that.

#include <dlfcn.h>
#include <mpi.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <unistd.h>
#include <array>
#include <cmath>
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <thread>
#include <vector>

namespace {

volatile double sum = 0;

void compute(double seconds) {
  const auto now = [] {
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  };
  for (const double end = now() + seconds; now() < end;) {
    for (int i = 0; i < 10000; ++i) sum = sum + std::sqrt(i);
  }
}

/// Sets a handler for a signal. Flags as of sigaction(2).
void handle(int signal, void (*handler)(int), int flags = 0) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  ::sigaction(signal, &action, nullptr);
}

void* page = nullptr;
sigjmp_buf place;
volatile std::sig_atomic_t handled = 0;

void fault() { *static_cast<volatile int*>(page) = 1; }

void jump(int) {
  handled = handled + 1;
  siglongjmp(place, 1);
}

/// A write barrier by page protection, as garbage collectors and checkpoint libraries have.
bool handles_faults() {
  handle(SIGSEGV, [](int) {
    handled = handled + 1;
    ::mprotect(page, 4096, PROT_READ | PROT_WRITE);
  });
  for (int i = 0; i < 5; ++i) {
    ::mprotect(page, 4096, PROT_READ);
    fault();
    MPI_Barrier(MPI_COMM_WORLD);
  }
  handle(SIGSEGV, jump);
  handle(SIGABRT, jump);
  ::mprotect(page, 4096, PROT_READ);
  if (sigsetjmp(place, 1) == 0) fault();
  if (sigsetjmp(place, 1) == 0) std::abort();
  MPI_Barrier(MPI_COMM_WORLD);
  return handled == 7;
}

/// Ends by a fault or by abort(3), with a handler of its own.
void end_by_fault(const std::string& how) {
  if (how == "exits") handle(SIGSEGV, [](int) { ::_exit(9); });
  if (how == "raises") {
    std::signal(SIGSEGV, [](int signal) {
      std::signal(signal, SIG_DFL);
      std::raise(signal);
    });
  }
  if (how == "terminates") {  // after a handler of its own for a while
    struct sigaction before {};
    struct sigaction action {};
    action.sa_handler = [](int) {};
    ::sigaction(SIGTERM, &action, &before);
    ::sigaction(SIGTERM, &before, nullptr);
    std::raise(SIGTERM);
  }
  if (how == "aborts") {
    std::signal(SIGABRT, [](int) {});
    std::abort();
  }
  fault();
}

/// All signals are blocked; none but its own comes.
bool waits_for_signals() {
  sigset_t all{};
  ::sigfillset(&all);
  const int file = ::signalfd(-1, &all, SFD_NONBLOCK);
  compute(0.1);
  signalfd_siginfo read_one{};
  bool is_good = ::read(file, &read_one, sizeof read_one) < 0;
  sigset_t pending{};
  ::sigpending(&pending);
  for (int signal = SIGRTMIN; signal <= SIGRTMAX; ++signal) {
    is_good = is_good && ::sigismember(&pending, signal) == 0;
  }
  constexpr timespec soon{0, 1'000'000};
  is_good = is_good && ::sigtimedwait(&all, nullptr, &soon) < 0;
  compute(0.1);
  ::kill(::getpid(), SIGUSR1);
  int got = 0;
  return ::sigwait(&all, &got) == 0 && got == SIGUSR1 && is_good;
}

/// A small alternate stack in the middle of its data, in use or not.
bool keeps_data(bool is_thread) {
  constexpr std::size_t guard = 65536;
  constexpr std::size_t size = 4096;
  std::vector<char> data(2 * guard + size, 'x');
  const auto use = [&] {
    stack_t stack{};
    stack.ss_sp = data.data() + guard;
    stack.ss_size = size;
    ::sigaltstack(&stack, nullptr);
    handle(
        SIGUSR1, [](int) { compute(0.05); }, SA_ONSTACK);
    compute(0.1);
    std::raise(SIGUSR1);
    compute(0.05);
    stack.ss_flags = SS_DISABLE;
    ::sigaltstack(&stack, nullptr);
  };
  if (is_thread) {
    std::thread(use).join();
  } else {
    use();
  }
  for (std::size_t i = 0; i < guard; ++i) {
    if (data[i] != 'x' || data[guard + size + i] != 'x') return false;
  }
  return true;
}

/// Calls of two plug-ins that are at the same addresses, one after the other.
bool loads_plugins(const std::string& folder) {
  std::array<void*, 2> at{};
  for (const int number : {0, 1}) {
    const std::string letter(1, number == 0 ? 'a' : 'b');
    void* const plugin = ::dlopen((folder + "/libplugin_" + letter + ".so").c_str(), RTLD_NOW);
    if (plugin == nullptr) return false;
    void* const found = ::dlsym(plugin, ("calls_" + letter).c_str());
    reinterpret_cast<void (*)(int)>(found)(number == 0 ? 3 : 40);
    at.at(static_cast<std::size_t>(number)) = found;
    ::dlclose(plugin);
  }
  std::printf("%s addresses\n", at[0] == at[1] ? "same" : "other");
  return true;
}

#if defined(__x86_64__)
// An unwind entry that is wrong, as in some kernels written by hand.
extern "C" void wrong_entry(long times);
asm(R"(.text
.globl wrong_entry
.type wrong_entry,@function
wrong_entry:
.cfi_startproc
push %rbx
.cfi_def_cfa %rbx, 0
.cfi_offset %rip, -8
mov $0x10,%ebx
1: sub $1,%rdi
jnz 1b
pop %rbx
ret
.cfi_endproc
.size wrong_entry,.-wrong_entry
)");
#else
void wrong_entry(long) {}
#endif

__attribute__((noinline)) void caller() {
  compute(0.2);
  sum = sum + 1;
}

bool run(const std::string& how, const std::string& more) {
  if (how == "faults") return handles_faults();
  if (how == "waits") return waits_for_signals();
  if (how == "stack" || how == "thread-stack") return keeps_data(how == "thread-stack");
  if (how == "plugins") return loads_plugins(more);
  if (how == "wrong-entry") wrong_entry(100'000'000);
  if (how == "wrong-entry") caller();
  for (const char* end : {"exits", "raises", "aborts", "terminates"}) {
    if (how == end) end_by_fault(how);
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string how = argv[1];
  if (how == "again") {  // the second program of one process
    sigset_t none{};
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    compute(0.05);
    std::puts("fine");
    return 0;
  }
  if (how == "waits" || how == "becomes") {
    sigset_t all{};
    ::sigfillset(&all);
    ::sigdelset(&all, SIGSEGV);
    ::sigprocmask(SIG_BLOCK, &all, nullptr);
  }
  page = ::mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  volatile bool is_begun = false;
  std::thread early;
  if (how == "early-thread") {
    early = std::thread([&] {
      while (!is_begun) ::usleep(1000);
      caller();
    });
  }
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
  is_begun = true;
  if (early.joinable()) early.join();
  if (how == "becomes") {
    compute(0.1);
    ::execl(argv[0], argv[0], "again", nullptr);
    return 1;
  }
  const bool is_good = run(how, argc > 2 ? argv[2] : "");
  std::puts(is_good ? "fine" : "NOT fine");
  MPI_Finalize();
  return is_good ? 0 : 1;
}
