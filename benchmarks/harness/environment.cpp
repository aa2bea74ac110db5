#include "benchmarks/harness/environment.hpp"

#include <sys/prctl.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <csignal>
#include <ctime>
#include <nlohmann/json.hpp>
#include <string_view>

#include "benchmarks/harness/gather.hpp"
#include "benchmarks/harness/mpi_error.hpp"
#include "benchmarks/harness/rank_memory.hpp"
#include "core/json_values.hpp"
#include "core/record_fields.hpp"
#include "core/settings/host_facts.hpp"

namespace hockney::benchmarks {
namespace {

/// Immune to the slewing of NTP, unlike CLOCK_MONOTONIC.
class MonotonicClock final : public TickClock {
 public:
  std::int64_t now() override {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC_RAW, &time);
    return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
  }
  [[nodiscard]] double seconds_per_tick() const override { return 1e-9; }
  [[nodiscard]] std::string source() const override { return "CLOCK_MONOTONIC_RAW"; }
};

class WtimeClock final : public TickClock {
 public:
  explicit WtimeClock(double ticks_per_second) : ticks_per_second_(ticks_per_second) {}
  std::int64_t now() override { return std::llround(MPI_Wtime() * ticks_per_second_); }
  [[nodiscard]] double seconds_per_tick() const override { return 1 / ticks_per_second_; }
  [[nodiscard]] std::string source() const override { return "MPI_Wtime"; }

 private:
  double ticks_per_second_;
};

/// In picoseconds, so that rounding stays far below a simulated latency.
std::unique_ptr<TickClock> make_simulated_clock() { return std::make_unique<WtimeClock>(1e12); }

/// ", ch4:ucx": the device that an MPICH was built with, which decides on its paths and limits.
/// Empty where the library names none.
std::string device_of(const std::string& version_text) {
  constexpr std::string_view key = "MPICH Device:";
  const std::size_t line = version_text.find(key);
  if (line == std::string::npos) return "";
  const std::size_t begin = version_text.find_first_not_of(" \t", line + key.size());
  const std::size_t end = version_text.find('\n', line);
  return begin < end ? ", " + version_text.substr(begin, end - begin) : "";
}

}  // namespace

Build build_info() { return build_of_this(); }

std::string pack(const Host& host) { return json_text(nlohmann::json(host), -1); }

Host unpack_host(const std::string& text) {
  try {
    return hockney::read_value<Host>(parse_json(text, "a host"));
  } catch (const InputError& malformed) {
    throw RunError({malformed.what(), "a rank has sent what it is", std::string(suspects)});
  }
}

void end_with_parent() {
  static pid_t parent = 0;
  parent = ::getppid();
  struct sigaction action {};
  action.sa_handler = [](int) {
    if (::getppid() != parent) ::kill(::getpid(), SIGKILL);
  };
  action.sa_flags = SA_RESTART;
  const int signal = SIGRTMAX - 1;  // used by neither the C library nor those of MPI
  if (::sigaction(signal, &action, nullptr) == 0) ::prctl(PR_SET_PDEATHSIG, signal);
}

MpiEnvironment::MpiEnvironment(int& argc, char**& argv) {
  mpi_check(MPI_Init(&argc, &argv));
  prepare();
}

MpiEnvironment::MpiEnvironment(int& argc, char**& argv, LibraryStart& start) {
  start.memory_before = read_memory_use();
  MonotonicClock clock;
  const std::int64_t begin = clock.now();
  const int result = start.thread_level
                         ? MPI_Init_thread(&argc, &argv, *start.thread_level, &start.provided)
                         : MPI_Init(&argc, &argv);
  start.seconds = static_cast<double>(clock.now() - begin) * clock.seconds_per_tick();
  mpi_check(result);
  start.memory_after = read_memory_use();
  prepare();
}

void MpiEnvironment::prepare() {
  take_mpi_errors();
  // A rank must not outlive its launcher: a stray one would disturb the next launch. Ranks of a
  // simulator are threads of one process and need no such care.
  // Slurm cleans up by itself.
  const bool launcher_is_parent = std::getenv("SLURM_PROCID") == nullptr;
  if (launcher_is_parent && !is_simulated()) end_with_parent();
}

double MpiEnvironment::finalize() {
  MonotonicClock clock;
  const std::int64_t begin = clock.now();
  MPI_Finalize();
  is_over_ = true;
  return static_cast<double>(clock.now() - begin) * clock.seconds_per_tick();
}

MpiEnvironment::~MpiEnvironment() {
  if (!is_over_) MPI_Finalize();
}

#ifdef HOCKNEY_HAVE_MPI_T

namespace {

/// The thread level that MPI has, MPI_THREAD_SINGLE before it begins.
int thread_level() {
  int level = MPI_THREAD_SINGLE;
  int has_begun = 0;
  mpi_check(MPI_Initialized(&has_begun));
  if (has_begun != 0) mpi_check(MPI_Query_thread(&level));
  return level;
}

}  // namespace

/// MPI_T_init_thread of Open MPI 4 and 5 sets the level of MPI itself: asked for less than MPI has,
/// it takes the locks and atomic counts away from threads that rely on them.
ToolsInterface::ToolsInterface() {
  int provided = 0;
  ready_ = MPI_T_init_thread(thread_level(), &provided) == MPI_SUCCESS;
}

/// MPICH 4.0.2 gives its variables up here and crashes when they are asked for once more, so with
/// MPICH the interface stays open.
ToolsInterface::~ToolsInterface() {
  if (ready_ && !mpi_library().starts_with("MPICH")) MPI_T_finalize();
}

#else

ToolsInterface::ToolsInterface() = default;
ToolsInterface::~ToolsInterface() = default;

#endif

std::string mpi_library() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  mpi_check(MPI_Get_library_version(text.data(), &length));
  const std::string all(text.data());
  return all.substr(0, all.find('\n')) + device_of(all);
}

bool is_simulated() {
  static const bool is_simgrid = mpi_library().find("SMPI") != std::string::npos;
  return is_simgrid;
}

std::unique_ptr<TickClock> make_clock() {
  if (is_simulated()) return make_simulated_clock();
  return std::make_unique<MonotonicClock>();
}

std::unique_ptr<TickClock> make_suite_clock() {
  if (is_simulated()) return make_simulated_clock();
  // Real clocks may count from 1970, whose picoseconds no longer fit into 64 bits.
  return std::make_unique<WtimeClock>(1e9);
}

int rank_in(MPI_Comm comm) {
  int rank = 0;
  mpi_check(MPI_Comm_rank(comm, &rank));
  return rank;
}

int size_of(MPI_Comm comm) {
  int size = 0;
  mpi_check(MPI_Comm_size(comm, &size));
  return size;
}

}  // namespace hockney::benchmarks
