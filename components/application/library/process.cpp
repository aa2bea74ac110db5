#include "components/application/library/process.hpp"

#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string_view>

#include "components/application/library/output.hpp"
#include "components/application/library/real.hpp"
#include "components/application/library/thread_list.hpp"
#include "components/application/profile/event_log.hpp"
#include "core/environment.hpp"

namespace hockney::profile {
namespace {

/// While one exists, a refused write of this thread only returns an error. Otherwise SIGXFSZ,
/// beyond the limit of file sizes, or SIGPIPE, for a pipe without reader, would end the program.
/// Safe in signal handlers.
class OwnWrites {
 public:
  OwnWrites() {
    sigset_t both{};
    ::sigemptyset(&both);
    for (const int signal : refusals) ::sigaddset(&both, signal);
    ::sigpending(&pending_before_);
    ::sigprocmask(SIG_BLOCK, &both, &mask_before_);  // on Linux for this thread only
  }
  OwnWrites(const OwnWrites&) = delete;
  OwnWrites& operator=(const OwnWrites&) = delete;
  ~OwnWrites() {
    for (const int signal : refusals) {
      if (::sigismember(&pending_before_, signal) == 0) take_back(signal);
    }
    ::sigprocmask(SIG_SETMASK, &mask_before_, nullptr);
  }

 private:
  static constexpr std::array refusals{SIGXFSZ, SIGPIPE};

  static void take_back(int signal) {
    sigset_t one{};
    ::sigemptyset(&one);
    ::sigaddset(&one, signal);
    const timespec now{};
    ::sigtimedwait(&one, nullptr, &now);
  }

  sigset_t mask_before_{};
  sigset_t pending_before_{};
};

#if defined(HOCKNEY_STANDARD_ABI)
constexpr std::string_view built_for = "the ABI of MPI 5";
constexpr std::array<std::string_view, 1> families{""};  // any vendor
#elif defined(OPEN_MPI)
constexpr std::string_view built_for = "Open MPI";
constexpr std::array<std::string_view, 1> families{"Open MPI"};
#elif defined(HOCKNEY_SIMULATED_PROFILE)
constexpr std::string_view built_for = "SMPI";
constexpr std::array<std::string_view, 1> families{"SMPI"};
#else
constexpr std::string_view built_for = "MPICH and Intel MPI";
constexpr std::array<std::string_view, 4> families{"MPICH", "Intel", "MVAPICH", "CRAY"};
#endif
#if defined(HOCKNEY_STANDARD_ABI)
constexpr bool for_standard_abi = true;
#else
constexpr bool for_standard_abi = false;
#endif

/// Memory for records [B]: HOCKNEY_PROFILE_MEMORY [MiB], else 64 MiB.
std::size_t budget() {
  constexpr std::size_t usual = 64;
  std::size_t mebibytes = usual;
  const char* text = std::getenv("HOCKNEY_PROFILE_MEMORY");
  if (text != nullptr) {
    const std::string_view view(text);
    const auto [end, error] = std::from_chars(view.data(), view.data() + view.size(), mebibytes);
    if (error != std::errc() || end != view.data() + view.size() || mebibytes == 0) {
      mebibytes = usual;
      std::fprintf(stderr,
                   "hockney-profile: HOCKNEY_PROFILE_MEMORY is '%s' (it wants a number of MiB) %zu "
                   "are used\n",
                   text, usual);
    }
  }
  return mebibytes << 20U;
}

#if !defined(HOCKNEY_SIMULATED_PROFILE)  // all ranks are one process
/// Samples a second that HOCKNEY_PROFILE_SAMPLE asks for, as CPU time between two [ns]; 0: none.
std::int64_t sample_period_ns() {
  constexpr double nanoseconds = 1e9;
  constexpr double most = 10'000;
  constexpr double least = 1e-3;
  const char* const text = std::getenv("HOCKNEY_PROFILE_SAMPLE");
  if (text == nullptr || *text == '\0') return 0;
  double hertz = 0;
  const std::string_view view(text);
  const auto [end, error] = std::from_chars(view.data(), view.data() + view.size(), hertz);
  if (error != std::errc() || end != view.data() + view.size() || !(hertz >= least) ||
      hertz > most) {
    std::fprintf(
        stderr,
        "hockney-profile: HOCKNEY_PROFILE_SAMPLE is '%s' (it wants samples a second, from 0.001 "
        "to 10000) there are none\n",
        text);
    return 0;
  }
  return static_cast<std::int64_t>(nanoseconds / hertz);
}
#endif

/// Whether the loaded MPI library is of the family that this library was built for. If not, rank 0
/// prints that nothing is recorded.
bool fits() {
  const std::string library = library_version();
  const bool is_standard = has_standard_abi();
  const bool is_good = is_standard == for_standard_abi &&
                       std::ranges::any_of(families, [&](std::string_view family) {
                         return library.find(family) != std::string::npos;
                       });
  if (!is_good && is_first_rank()) {
    std::fprintf(stderr,
                 "hockney-profile: nothing is recorded (the program runs on %s%s, and this library "
                 "was built for %s) preload the one for its MPI\n",
                 library.substr(0, library.find('\n')).c_str(),
                 is_standard ? " with the ABI of MPI 5" : "", std::string(built_for).c_str());
  }
  return is_good;
}

void copy(const std::string& text, std::array<char, 4096>& letters) {
  const std::size_t length = std::min(text.size(), letters.size() - 1);
  std::copy_n(text.begin(), length, letters.begin());
  letters.at(length) = '\0';
}

/// Returns 0, or the errno of the failed write.
int write_all(int file, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    // Not write(): this library replaces that function.
    const long written = ::syscall(SYS_write, file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return written < 0 ? errno : ENOSPC;
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return 0;
}

/// Prints that a part is lost. Safe in signal handlers.
void report_loss(const char* part, int error) {
  const char* const why = ::strerrordesc_np(error);
  std::array<iovec, 5> texts{};
  auto* next = texts.begin();
  for (const char* text : {"hockney-profile: what this rank recorded is lost: cannot write '", part,
                           "' (", why == nullptr ? "unknown error" : why, ")\n"}) {
    *next++ = {const_cast<char*>(text), std::strlen(text)};
  }
  ::syscall(SYS_writev, STDERR_FILENO, texts.data(), texts.size());
}

}  // namespace

void Process::begin() {
  if (recorder_ != nullptr || process_ != 0) return;
  const Inside inside;
  const OwnWrites writes;
  process_ = ::getpid();
  int rank = 0;
  // MPI_COMM_WORLD of another family would be an invalid pointer: check the library first.
  if (!fits()) return;
  Ticks::choose();
  real::Comm_rank(handles().world, &rank);
  auto* recorder = new Recorder(budget());
  const WorldOutput output = agree_on_output();
  describe(*recorder, output);
  recorder->communicators.begin();
  const std::string part = part_file(output.file, rank);
  copy(part, part_file_);
  copy(part + std::string(unfinished_suffix), part_temporary_);
#if !defined(HOCKNEY_SIMULATED_PROFILE)  // recording takes no simulated time
  recorder->header.overhead_ns = Recorder::overhead(is_log_requested());
#endif
  if (rank == 0) write_claim(*recorder);
  real::Barrier(handles().world);  // ranks begin together, as in replays
  recorder->header.begin_ns = Ticks::nanoseconds();
  recorder->header.begin_ticks = Ticks::now();
  if (is_log_requested()) recorder->start_log();
#if !defined(HOCKNEY_SIMULATED_PROFILE)  // all ranks are one process
  recorder->cpu.begin(Ticks::now);
#endif
  recorder_ = recorder;
  recording_ = recorder;
#if !defined(HOCKNEY_SIMULATED_PROFILE)
  watch_signals();
  if (const std::int64_t period = sample_period_ns(); period > 0) {
    recorder->start_samples(period, smallest_stack_, take_sample);
    sampler_ = &recorder->sampler;
    for (const int thread : threads_before_) recorder->sampler.begin_other_thread(thread);
  }
#endif
}

void Process::take_sample(int /*signal*/, siginfo_t* info, void* context) {
  const int error = errno;
  Recorder* const recorder = recorder_;
  if (recorder != nullptr && recording_ == nullptr) {
    recorder->sampler.pass();
  } else if (recorder != nullptr) {
    recorder->sampler.take(*info, context, recorder->under_way.function_of_thread());
  }
  errno = error;
}

Sampler* Process::sampler() {
  Sampler* const sampler = sampler_;
  return sampler != nullptr && process_ == ::getpid() ? sampler : nullptr;
}

void Process::list_threads() {
#if !defined(HOCKNEY_SIMULATED_PROFILE)  // all ranks are one process
  if (process_ != 0 || std::getenv("HOCKNEY_PROFILE_SAMPLE") == nullptr) return;
  threads_before_.clear();
  for_each_thread([](int thread) {
    if (thread != this_thread()) threads_before_.push_back(thread);
  });
#endif
}

void Process::has_alternate_stack(std::size_t bytes) {
  if (bytes >= smallest_stack_) return;
  smallest_stack_ = bytes;
  if (Sampler* const of_process = sampler();
      of_process != nullptr && bytes < Sampler::least_stack()) {
    of_process->leave_alternate_stacks();
  }
}

void Process::report_absence() {
  if (process_ != 0) return;
  using Initialized = int (*)(int*);
  const auto initialized = reinterpret_cast<Initialized>(find_symbol("PMPI_Initialized"));
  int is_initialized = 0;
  if (initialized == nullptr || initialized(&is_initialized) != MPI_SUCCESS) return;
  if (is_initialized == 0 || !is_first_rank()) return;
  std::fputs(
      "hockney-profile: nothing is recorded (the program takes MPI's functions from its library "
      "by dlsym, as MPI.jl does, and nothing stands before these) link it with MPI\n",
      stderr);
}

void Process::finish() {
  Recorder* const recorder = recorder_;
  if (recorder == nullptr) return;
  const Inside inside;
  const OwnWrites writes;
  recorder->header.end_ticks = Ticks::now();
  recorder->header.end_ns = Ticks::nanoseconds();
  recording_ = nullptr;
  recorder->sampler.stop();
  recorder->finish_cpu(recorder->header.end_ticks, 0, recorder->header);
  if (recorder->log) recorder->log->flush();
#if !defined(HOCKNEY_SIMULATED_PROFILE)
  recorder->header.parallel_tool = static_cast<std::int64_t>(parallel_tool());
#endif
  recorder->before_unload();
  if (!write_profile(*recorder)) {
    const int error = write_part(recorder->whole_header(), recorder->pieces());
    if (error != 0) report_loss(part_file_.data(), error);
  }
  if (recorder->header.rank == 0) ::unlink(part_temporary_.data());
  recorder_ = nullptr;  // until here a signal saves this rank's records
}

void Process::save_part(End end, int signal) {
  if (process_ != ::getpid()) return;
  Recorder* const recorder = recorder_.exchange(nullptr);  // only one thread saves
  if (recorder == nullptr) return;
  recording_ = nullptr;
  recorder->sampler.stop();
  const OwnWrites writes;
  const Recorder::SignalSafeLock lock(*recorder);
  const CallsUnderWay::Call call = recorder->under_way.current();
  PartHeader header = recorder->whole_header();
  header.end_ticks = Ticks::now();
  header.end_ns = Ticks::nanoseconds();
  header.end = static_cast<int>(end);
  header.signal = signal;
  header.in_function = call.function;
  header.in_since = call.since;
  recorder->finish_cpu(header.end_ticks, call.function == 0 ? 0 : header.end_ticks - call.since,
                       header);
  PartPieces pieces = recorder->pieces();
  const auto log = pieces.log;
  pieces.log = {};
  // Launchers send SIGKILL soon after SIGTERM: write the small, important part before the log.
  const int error = write_part(header, pieces);
  if (error != 0) return report_loss(part_file_.data(), error);
  if (log.empty()) return;
  pieces.log = log;
  write_part(header, pieces);
}

void Process::write_claim(const Recorder& recorder) {
  PartPieces pieces;
  pieces.facts = recorder.pieces().facts;
  write_temporary(recorder.header, pieces);
}

int Process::write_temporary(PartHeader header, const PartPieces& pieces) {
  pieces.count_in(header);
  const int file = ::open(part_temporary_.data(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC,
                          S_IRUSR | S_IWUSR | S_IRGRP | S_IROTH);
  if (file < 0) return errno;
  int error = write_all(file, std::as_bytes(std::span(&header, 1)));
  for (const auto bytes : pieces.bytes()) error = error != 0 ? error : write_all(file, bytes);
  ::close(file);
  return error;
}

int Process::write_part(const PartHeader& header, const PartPieces& pieces) {
  int error = write_temporary(header, pieces);
  if (error == 0 && ::rename(part_temporary_.data(), part_file_.data()) != 0) error = errno;
  if (error != 0) ::unlink(part_temporary_.data());
  return error;
}

}  // namespace hockney::profile
