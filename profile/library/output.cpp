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
#include <nlohmann/json.hpp>

#include "core/atomic_file.hpp"
#include "core/json_values.hpp"
#include "core/record_fields.hpp"
#include "core/settings/host_facts.hpp"
#include "core/time.hpp"
#include "profile/library/real.hpp"
#include "profile/part_facts.hpp"
#include "profile/profile_file.hpp"

namespace hockney::profile {
namespace {

/// Large messages between ranks go in pieces of this size [B].
constexpr std::size_t piece = std::size_t{1} << 24U;
constexpr int tag = 7;

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

/// What this rank and those above it in the tree have recorded, one part behind the other.
class Gathering {
 public:
  explicit Gathering(const Recorder& recorder) {
    PartHeader header = recorder.header;
    const PartPieces pieces = recorder.pieces();
    pieces.count_in(header);
    add(std::as_bytes(std::span(&header, 1)));
    for (const auto bytes : pieces.bytes()) add(bytes);
  }

  /// To rank 0 along a binomial tree.
  void gather(MPI_Comm comm, int rank, int size) {
    for (int distance = 1; distance < size; distance *= 2) {
      if ((rank & distance) != 0) {
        send(comm, rank - distance);
        return;
      }
      if (rank + distance < size) receive(comm, rank + distance);
    }
  }

  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  void add(std::span<const std::byte> bytes) {
    if (!bytes.empty()) bytes_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }

  void send(MPI_Comm comm, int to) {
    std::uint64_t size = bytes_.size();
    real::Send(&size, int{sizeof size}, handles().byte, to, tag, comm);
    for (std::size_t at = 0; at < bytes_.size(); at += piece) {
      const auto count = static_cast<int>(std::min(piece, bytes_.size() - at));
      real::Send(bytes_.data() + at, count, handles().byte, to, tag, comm);
    }
    bytes_.clear();
  }

  void receive(MPI_Comm comm, int from) {
    std::uint64_t size = 0;
    MPI_Status status;
    real::Recv(&size, int{sizeof size}, handles().byte, from, tag, comm, &status);
    const std::size_t before = bytes_.size();
    bytes_.resize(before + size);
    for (std::size_t at = 0; at < size; at += piece) {
      const auto count = static_cast<int>(std::min<std::size_t>(piece, size - at));
      real::Recv(bytes_.data() + before + at, count, handles().byte, from, tag, comm, &status);
    }
  }

  std::string bytes_;
};

/// One that is not there yet: two jobs may begin in the same second.
std::string free_name(const std::string& folder) {
  const std::string stem = folder + "/hockney-profile-" + utc_stamp();
  std::string name = stem + ".json";
  for (int again = 2; std::filesystem::exists(name); ++again) {
    name = stem + "-" + std::to_string(again) + ".json";
  }
  return name;
}

void write_merged(const std::string& bytes, const std::string& file) {
  Profile profile = merge(read_parts(bytes, file));
  profile.provenance.build = build_of_this();
  write_atomically(file, json_text(nlohmann::json(profile)) + "\n");
}

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
  Gathering gathering(recorder);
  gathering.gather(comm, recorder.header.rank, recorder.header.world_ranks);
  if (recorder.header.rank == 0) {
    try {
      write_merged(gathering.bytes(), file_of_job);
    } catch (const std::exception& error) {
      std::fprintf(stderr, "hockney-profile: the profile is lost: %s\n", error.what());
    }
  }
  real::Barrier(comm);  // whoever is killed until here saves a part
  real::Comm_free(&comm);
}

}  // namespace hockney::profile
