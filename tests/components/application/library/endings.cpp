// A program that ends in the way of its first argument, after some messages around a ring; rank 1
// is the one that something happens to.

#include <mpi.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "components/application/library/hockney_profile.h"

namespace {

int self = 0;
int size = 0;

void around_the_ring(int times) {
  int data = self;
  for (int i = 0; i < times; ++i) {
    MPI_Sendrecv_replace(&data, 1, MPI_INT, (self + 1) % size, 0, (self + size - 1) % size, 0,
                         MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

/// A message on each of many communicators, in each of several sizes: more rows than 1 MiB holds.
void many_rows() {
  std::vector<char> data(std::size_t{1} << 15U);
  for (int comms = 0; comms < 400; ++comms) {
    MPI_Comm copy{};
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    for (int bytes = 1; bytes <= 1 << 15; bytes *= 2) {
      MPI_Sendrecv_replace(data.data(), bytes, MPI_CHAR, (self + 1) % size, 0,
                           (self + size - 1) % size, 0, copy, MPI_STATUS_IGNORE);
    }
    MPI_Comm_free(&copy);
  }
}

/// Many calls that leave nothing to keep, and how much memory the process had at most [KiB].
void polls(long times) {
  int found = 0;
  for (long i = 0; i < times; ++i) {
    MPI_Iprobe(MPI_ANY_SOURCE, 99, MPI_COMM_SELF, &found, MPI_STATUS_IGNORE);
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  std::printf("resident %ld\n", usage.ru_maxrss);
}

void regions() {
  HOCKNEY_REGION_BEGIN("solve");
  around_the_ring(3);
  MPI_Pcontrol(1, "inner");
  around_the_ring(2);
  MPI_Pcontrol(-1, "inner");
  HOCKNEY_REGION_END("solve");
  MPI_Pcontrol(0);
  around_the_ring(100);
  MPI_Pcontrol(1);
}

/// More regions than 1 MiB holds.
void many_regions() {
  for (int i = 0; i < 10000; ++i) {
    const std::string name = "region " + std::to_string(i) + " of many";
    HOCKNEY_REGION_BEGIN(name.c_str());
    around_the_ring(1);
    HOCKNEY_REGION_END(name.c_str());
  }
}

void name_regions() {
  std::string long_name = "xy";
  for (int i = 0; i < 50000; ++i) long_name += "\xc3\xa9";  // e with an accent
  for (const std::string& name :
       {std::string("two\nlines"), std::string("odd \xff byte"), long_name}) {
    HOCKNEY_REGION_BEGIN(name.c_str());
    HOCKNEY_REGION_END(name.c_str());
  }
  const std::string at_limit(300, 'z');
  MPI_Pcontrol(1, at_limit.c_str());
  MPI_Pcontrol(-1, at_limit.c_str());
}

/// No file may become longer, as if the process were killed while it writes one.
void limit_files(rlim_t bytes) {
  const rlimit limit{bytes, bytes};
  setrlimit(RLIMIT_FSIZE, &limit);
}

/// No more memory for this process, as if its program limited it after its own allocations.
void limit_memory() {
  const rlimit limit{rlim_t{1} << 20U, rlim_t{1} << 20U};
  setrlimit(RLIMIT_AS, &limit);
}

/// Nobody reads what this process says.
void break_standard_error() {
  int ends[2];
  if (pipe(ends) != 0) return;
  dup2(ends[1], STDERR_FILENO);
  close(ends[0]);
  close(ends[1]);
}

/// Whether a write that is refused ends this process, as it does from the beginning.
bool is_ended_by_writes() {
  sigset_t blocked{};
  sigset_t pending{};
  sigprocmask(SIG_BLOCK, nullptr, &blocked);
  sigpending(&pending);
  bool is_ended = true;
  for (const int signal : {SIGXFSZ, SIGPIPE}) {
    struct sigaction action {};
    sigaction(signal, nullptr, &action);
    is_ended = is_ended && sigismember(&blocked, signal) == 0 &&
               sigismember(&pending, signal) == 0 && action.sa_handler == SIG_DFL;
  }
  return is_ended;
}

/// Asks the process before it to end, or lets a terminal do it, and tells how often SIGINT came
/// here: 10 for each from that process, 1 for each other.
int count_signals(const std::string& from) {
  sigset_t watched{};
  sigemptyset(&watched);
  sigaddset(&watched, SIGINT);
  sigaddset(&watched, SIGTERM);
  sigprocmask(SIG_BLOCK, &watched, nullptr);
  if (from == "terminal") {
    std::printf("ready\n");
    std::fflush(stdout);
  } else {  // as timeout(1) does
    ::kill(::getppid(), SIGINT);
    ::kill(-::getpgid(::getppid()), SIGINT);
  }
  int count = 0;
  siginfo_t info{};
  while (sigwaitinfo(&watched, &info) == SIGINT) {
    if (count == 0) ::kill(::getppid(), SIGTERM);  // which goes on to here, after all others
    count += info.si_pid == ::getppid() ? 10 : 1;
  }
  return count;
}

/// Starts a process more, whose world is another one, and gets a message from it.
void spawn(char* program) {
  MPI_Comm parent = MPI_COMM_NULL;
  MPI_Comm_get_parent(&parent);
  int data = self;
  if (parent != MPI_COMM_NULL) {
    MPI_Send(&data, 1, MPI_INT, 0, 0, parent);
    MPI_Comm_disconnect(&parent);
    return;
  }
  std::string how = "spawn";
  std::array<char*, 2> arguments{how.data(), nullptr};
  MPI_Comm children = MPI_COMM_NULL;
  MPI_Comm_spawn(program, arguments.data(), 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children,
                 MPI_ERRCODES_IGNORE);
  if (self == 0) MPI_Recv(&data, 1, MPI_INT, 0, 0, children, MPI_STATUS_IGNORE);
  MPI_Comm_disconnect(&children);
}

volatile std::sig_atomic_t is_to_abort = 0;

/// Messages until somebody ends it; with SIGUSR1 it does so itself, by MPI_Abort.
void go_on_for_ever() {
  std::signal(SIGUSR1, [](int) { is_to_abort = 1; });
  for (;;) {
    around_the_ring(100);
    if (is_to_abort != 0) MPI_Abort(MPI_COMM_WORLD, 7);
  }
}

void end(const std::string& how) {
  if (how == "abort" && self == 1) MPI_Abort(MPI_COMM_WORLD, 7);
  if (how == "exit") std::exit(5);
  if (how == "cut" && self == 1) {
    around_the_ring(100000);
    limit_files(rlim_t{1} << 18U);
    std::exit(5);
  }
  if (how == "full" && self == 1) {
    limit_files(0);
    std::exit(5);
  }
  if (how == "refused" || how == "unheard") limit_files(0);
  if (how == "unheard") break_standard_error();
  if (how == "crash" && self == 1) std::raise(SIGSEGV);
  if (how == "kill" && self == 1) ::kill(::getpid(), SIGKILL);
  if (how == "forever") go_on_for_ever();
  if (how == "memory") limit_memory();
  if (how == "rows") many_rows();
  if (how == "many" || how == "cut") around_the_ring(100000);
  if (how == "regions") regions();
  if (how == "many-regions") many_regions();
  if (how == "names") name_regions();
  // The others are in MPI when it happens.
  if (how == "abort" || how == "kill" || how == "crash" || how == "cut" || how == "full") {
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (std::string(argv[1]) == "signals") return count_signals(argv[2]);
  std::signal(SIGXFSZ, SIG_DFL);
  std::signal(SIGPIPE, SIG_DFL);
  if (std::string(argv[1]) == "early") ::kill(::getpid(), SIGKILL);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &self);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  around_the_ring(10);
  if (std::string(argv[1]) == "blocked") {  // a folder where a file is to be
    ::mkdir(argv[2], 0700);
    argv += 2;
    argc -= 2;
  }
  if (std::string(argv[1]) == "spawn") spawn(argv[0]);
  end(argv[1]);
  if (argc > 2) {
    many_rows();
    polls(std::atol(argv[2]));
  }
  MPI_Finalize();
  return is_ended_by_writes() ? 3 : 4;
}
