#include "profile/library/output.hpp"

#include <sched.h>
#include <unistd.h>
#include <algorithm>
#include <array>
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
#include "profile/event_log.hpp"
#include "profile/library/gathering.hpp"
#include "profile/library/real.hpp"
#include "profile/merge.hpp"
#include "profile/part_facts.hpp"
#include "profile/profile_file.hpp"

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

/// One that is not there yet: two jobs may begin in the same second.
std::string free_name(const std::string& folder) {
  const std::string stem = folder + "/hockney-profile-" + utc_stamp();
  std::string name = stem + ".json";
  for (int again = 2; std::filesystem::exists(name); ++again) {
    name = stem + "-" + std::to_string(again) + ".json";
  }
  return name;
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

int rank_of_launcher() {
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID"}) {
    const char* text = std::getenv(name);
    if (text != nullptr) return std::atoi(text);
  }
  return 0;
}

void describe(Recorder& recorder) {
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
                    .standard = standard()};
  recorder.facts = json_text(nlohmann::json(facts), -1);
}

std::string output_file() {
  std::array<char, 4096> name{};
  int rank = 0;
  real::Comm_rank(handles().world, &rank);
  if (rank == 0) {
    const char* asked = std::getenv("HOCKNEY_PROFILE_OUT");
    std::error_code error;
    const std::string folder = std::filesystem::current_path(error).string();
    const std::string text = asked != nullptr && *asked != '\0'
                                 ? (std::filesystem::path(folder) / asked).string()
                                 : free_name(error ? "." : folder);
    std::copy_n(text.begin(), std::min(text.size(), name.size() - 1), name.begin());
  }
  real::Bcast(name.data(), static_cast<int>(name.size()), handles().byte, 0, handles().world);
  return file_of_job = name.data();
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
