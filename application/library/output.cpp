#include "application/library/output.hpp"

#include <fcntl.h>
#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <new>
#include <nlohmann/json.hpp>

#include "core/atomic_file.hpp"
#include "core/error.hpp"
#include "core/json_values.hpp"
#include "core/record_fields.hpp"
#include "core/settings/host_facts.hpp"
#include "core/time.hpp"
#include "application/profile/event_log.hpp"
#include "application/library/gathering.hpp"
#include "application/library/real.hpp"
#include "application/profile/merge.hpp"
#include "application/profile/part_facts.hpp"
#include "application/profile/profile_file.hpp"
#include "application/profile/run_files.hpp"

namespace hockney::profile {
namespace {

std::vector<int> allowed_cpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  std::vector<int> cpus;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return cpus;
  for (std::size_t cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &set)) cpus.push_back(static_cast<int>(cpu));
  }
  return cpus;
}

std::string processor_name() {
  static constinit Real<decltype(PMPI_Get_processor_name)> name("PMPI_Get_processor_name");
  std::array<char, MPI_MAX_PROCESSOR_NAME + 1> text{};
  int length = 0;
  name(text.data(), &length);
  return text.data();
}

std::string cpu_model() {
  std::string text;
  try {
    text = read_file("/proc/cpuinfo");
  } catch (const std::exception&) {
    return "";
  }
  const std::size_t line = text.find("model name");
  const std::size_t begin = text.find(": ", line);
  if (line == std::string::npos || begin == std::string::npos) return "";
  return text.substr(begin + 2, text.find('\n', begin) - begin - 2);
}

std::string standard() {
  int version = 0;
  int subversion = 0;
  real::Get_version(&version, &subversion);
  return std::to_string(version) + "." + std::to_string(subversion);
}

/// Makes the file that says that a profile's name is taken: the part of rank 0, unfinished. False
/// where a profile, a part, or a log that would be replaced has the name.
bool claim(const std::string& file) {
  const std::string claimed = part_file(file, 0) + std::string(unfinished_suffix);
  const int made = ::open(claimed.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC,
                          S_IRUSR | S_IWUSR | S_IRGRP | S_IROTH);
  if (made < 0) return errno != EEXIST;  // where nothing can be written, that is said at the end
  ::close(made);
  const bool is_taken = std::ranges::any_of(files_of(file), [&](const RunFile& found) {
    const bool is_in_the_way = found.kind != FileKind::events || is_log_asked();
    const bool is_own = found.path.filename() == std::filesystem::path(claimed).filename();
    return found.world == 1 && !is_own && is_in_the_way;
  });
  if (is_taken) ::unlink(claimed.c_str());
  return !is_taken;
}

/// The first name that no other world or run has.
template <class NameOf>
std::string claimed_name(NameOf&& name_of) {
  constexpr int most = 1 << 16;
  int number = 1;
  while (number < most && !claim(name_of(number))) ++number;
  return name_of(number);
}

/// Says where the profile goes when that is another file than was asked for; `hockney profile` does
/// so itself.
std::string claimed_output(const std::string& folder) {
  const char* asked = std::getenv("HOCKNEY_PROFILE_OUT");
  if (asked == nullptr || *asked == '\0') {
    const std::string stem = folder + "/hockney-profile-" + utc_stamp();
    return claimed_name([&](int number) {
      return stem + (number == 1 ? "" : "-" + std::to_string(number)) + ".json";
    });
  }
  const std::string first = (std::filesystem::path(folder) / asked).string();
  std::string file = claimed_name([&](int number) { return world_file(first, number); });
  if (file != first && std::getenv(run_variable) == nullptr) {
    std::fprintf(stderr,
                 "hockney-profile: the profile goes to '%s' (another run or world has '%s')\n",
                 file.c_str(), first.c_str());
  }
  return file;
}

std::string new_identity() {
  const char* run = std::getenv(run_variable);
  const bool is_given = run != nullptr && is_run_id(run);
  return world_identity(is_given ? run : new_run_id(), new_run_id());
}

/// Says what is lost when a step fails; the program goes on.
template <class Step>
void attempt(const char* what, Step&& step) {
  try {
    step();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "hockney-profile: the %s lost: %s\n", what, error.what());
  }
}

/// The profile of a job, whose parts come one after the other.
class ProfileUnderWay {
 public:
  void take(std::optional<std::string_view> bytes, const std::string& file) {
    if (failure_) return;
    try {
      if (!bytes) throw std::bad_alloc();
      for (const Part& part : read_parts(*bytes, file)) add(part);
    } catch (const InputError& error) {
      notes_.emplace_back(error.what());
    } catch (...) {
      failure_ = std::current_exception();
    }
  }

  /// All of it; what went wrong is thrown.
  Profile finish(const std::string& events) {
    if (failure_) std::rethrow_exception(failure_);
    Profile profile = merger_.take();
    profile.notes.insert(profile.notes.end(), notes_.begin(), notes_.end());
    profile.provenance.build = build_of_this();
    if (profile.log) profile.log->file = std::filesystem::path(events).filename().string();
    return profile;
  }

  /// Ranks that log events, going up.
  [[nodiscard]] const std::vector<int>& logging() const { return logging_; }

 private:
  void add(const Part& part) {
    merger_.add(part);
    if (part.header.logging != static_cast<std::uint32_t>(Logging::done)) return;
    logging_.push_back(part.header.rank);
  }

  Merger merger_;
  std::vector<int> logging_;
  std::vector<std::string> notes_;  ///< parts that cannot be read
  std::exception_ptr failure_;
};

std::string file_of_job;  // NOLINT: known from the first rank's clock, used again at the end

}  // namespace

std::string library_version() {
  std::array<char, 8192 + 1> text{};  // MPI_MAX_LIBRARY_VERSION_STRING of every library
  int length = 0;
  real::Get_library_version(text.data(), &length);
  return text.data();
}

bool is_log_asked() {
  const char* text = std::getenv("HOCKNEY_PROFILE_LOG");
  return text != nullptr && *text != '\0' && std::string_view(text) != "0";
}

int rank_of_launcher() {
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID"}) {
    const char* text = std::getenv(name);
    if (text != nullptr) return std::atoi(text);
  }
  return 0;
}

WorldOutput agree_on_output() {
  int rank = 0;
  real::Comm_rank(handles().world, &rank);
  std::array<char, 4096> file{};
  std::array<char, 128> identity{};
  std::array<char, 32> begun{};
  const auto agree = [&](auto& letters, const std::string& text) {
    std::copy_n(text.begin(), std::min(text.size(), letters.size() - 1), letters.begin());
    real::Bcast(letters.data(), static_cast<int>(letters.size()), handles().byte, 0,
                handles().world);
    return std::string(letters.data());
  };
  std::error_code error;
  const std::string folder = std::filesystem::current_path(error).string();
  const bool is_first = rank == 0;
  file_of_job = agree(file, is_first ? claimed_output(error ? "." : folder) : "");
  return {.file = file_of_job,
          .identity = agree(identity, is_first ? new_identity() : ""),
          .begun_utc = agree(begun, is_first ? utc_now() : "")};
}

void describe(Recorder& recorder, const WorldOutput& output) {
  PartHeader& header = recorder.header;
  real::Comm_rank(handles().world, &header.rank);
  real::Comm_size(handles().world, &header.world_ranks);
  int level = MPI_THREAD_SINGLE;
  real::Query_thread(&level);
  recorder.many_threads = level == MPI_THREAD_MULTIPLE;
  header.thread_level = level == MPI_THREAD_SINGLE       ? 0
                        : level == MPI_THREAD_FUNNELED   ? 1
                        : level == MPI_THREAD_SERIALIZED ? 2
                                                         : 3;
  const std::string library = library_version();
  const Facts facts{.host = read_host(processor_name(), "", cpu_model()),
                    .cpus = allowed_cpus(),
                    .command_line = command_line(),
                    .environment = steering_environment(),
                    .library = library.substr(0, library.find('\n')),
                    .standard = standard(),
                    .identity = output.identity,
                    .begun_utc = output.begun_utc};
  recorder.facts = json_text(nlohmann::json(facts), -1);
}

void write_profile(Recorder& recorder) {
  MPI_Comm comm{};
  real::Comm_dup(handles().world, &comm);
  ProfileUnderWay profile;
  gather_parts(recorder, comm, [&](auto bytes) { profile.take(bytes, file_of_job); });
  std::vector<int> logging;  // stays empty without a profile: events alone are of no use
  const std::string events = events_file(file_of_job);
  if (recorder.header.rank == 0) {
    attempt("profile is", [&] {
      write_atomically(file_of_job, json_text(nlohmann::json(profile.finish(events))) + "\n");
      logging = profile.logging();
    });
  }
  attempt("events are", [&] { gather_events(recorder, comm, logging, events); });
  real::Barrier(comm);  // whoever is killed until here saves a part
  real::Comm_free(&comm);
}

}  // namespace hockney::profile
