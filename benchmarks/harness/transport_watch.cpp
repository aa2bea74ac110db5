#include "benchmarks/harness/transport_watch.hpp"

#include <dlfcn.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/auxv.h>
#include <sys/socket.h>
#include <unistd.h>

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <system_error>

#include "benchmarks/harness/clock_sync.hpp"
#include "benchmarks/harness/mpi_objects.hpp"
#include "benchmarks/watch/copies.hpp"
#include "core/environment.hpp"
#include "core/shell.hpp"
#include "core/text.hpp"

namespace hockney::benchmarks {
namespace {

void add_once(std::vector<std::string>& names, const std::string& name) {
  if (std::ranges::find(names, name) == names.end()) names.push_back(name);
}

void add_device(std::vector<std::string>& names, const std::string& path) {
  for (const SilentDevice& device : silent_devices) {
    if (path.starts_with(device.path)) add_once(names, std::string(device.name));
  }
}

/// Sent bytes, which kernels report from 4.19 on. Older kernels report only acknowledged bytes, up
/// to 40 ms late.
std::uint64_t bytes_of(const tcp_info& info, socklen_t length) {
  constexpr std::size_t known = offsetof(tcp_info, tcpi_bytes_sent) + sizeof info.tcpi_bytes_sent;
  return length >= known ? info.tcpi_bytes_sent : info.tcpi_bytes_acked;
}

constexpr char separator = '|';

/// The names of every rank.
std::vector<std::vector<std::string>> gather_names(MPI_Comm pair,
                                                   const std::vector<std::string>& own) {
  std::vector<std::vector<std::string>> all;
  for (const std::string& names : gather_texts(pair, join(own, std::string(1, separator)))) {
    all.push_back(names.empty() ? std::vector<std::string>() : split(names, separator));
  }
  return all;
}

/// Whether all ranks map a common object. Inode numbers are unique only on one machine.
bool have_common(MPI_Comm pair, const std::vector<std::string>& mapped) {
  const std::vector<std::string> machines = gather_texts(pair, clock_identity());
  const auto mappings = gather_names(pair, mapped);
  if (std::ranges::count(machines, machines.front()) != std::ssize(machines)) return false;
  return std::ranges::any_of(mappings.front(), [&](const std::string& name) {
    return std::ranges::all_of(
        mappings, [&](const auto& names) { return std::ranges::find(names, name) != names.end(); });
  });
}

/// The open files of this process; empty without /proc.
std::vector<OpenFile> open_files() {
  std::vector<OpenFile> files;
  std::error_code missing;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd", missing)) {
    std::error_code closed;  // the directory itself was open too, and is closed by now
    const auto target = std::filesystem::read_symlink(entry.path(), closed);
    const auto descriptor = as_number<int>(entry.path().filename().string());
    if (!closed && descriptor) files.push_back({*descriptor, target.string()});
  }
  return files;
}

}  // namespace

Mappings parse_mappings(const std::string& maps) {
  Mappings found;
  std::istringstream lines(maps);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string range;
    std::string rights;
    std::string offset;
    std::string device;
    std::string inode;
    std::string path;
    words >> range >> rights >> offset >> device >> inode >> path;
    if (rights.size() < 4) continue;
    add_device(found.devices, path);
    const bool is_shared = rights[1] == 'w' && rights[3] == 's';
    if (is_shared && inode != "0") add_once(found.shared, fmt::format("{}:{}", device, inode));
  }
  return found;
}

namespace {

/// The mappings of this process now, with the silent devices it has open.
Mappings read_mappings() {
  std::ostringstream text;
  text << std::ifstream("/proc/self/maps").rdbuf();
  Mappings found = parse_mappings(text.str());
  for (const OpenFile& file : open_files()) add_device(found.devices, file.target);
  return found;
}

}  // namespace

std::int64_t tcp_bytes_sent() {
  std::int64_t sum = 0;
  for (const OpenFile& file : open_files()) {
    tcp_info info{};
    socklen_t length = sizeof info;
    // All descriptors other than TCP sockets refuse the option.
    if (!file.target.starts_with("socket:")) continue;
    if (::getsockopt(file.descriptor, IPPROTO_TCP, TCP_INFO, &info, &length) != 0) continue;
    sum += static_cast<std::int64_t>(bytes_of(info, length));
  }
  return sum;
}

namespace {

/// nullptr if libhockney-transport-watch.so is not loaded.
CopiesSoFar find_counter() {
  static const auto found = reinterpret_cast<CopiesSoFar>(::dlsym(RTLD_DEFAULT, copies_so_far));
  return found;
}

std::optional<CopyCalls> counted_so_far() {
  if (find_counter() == nullptr) return std::nullopt;
  CopyCalls counted;
  find_counter()(counted);
  return counted;
}

}  // namespace

CopyCounting::CopyCounting() : before_(counted_so_far()) {}

std::optional<CopyCalls> CopyCounting::calls() const {
  const auto now = counted_so_far();
  if (!now || !before_) return std::nullopt;
  return CopyCalls{.calls = now->calls - before_->calls, .bytes = now->bytes - before_->bytes};
}

#ifdef SMPI_H  // its ranks are threads of one process

void preload_transport_watch() {}

#else

namespace {

constexpr const char* preload_variable = "LD_PRELOAD";

/// The library's path from the program's folder; empty if LD_PRELOAD cannot name it.
std::string watch_library(const std::filesystem::path& program) {
  for (const char* folder : {HOCKNEY_LIBRARY_FOLDER, "lib", "lib64"}) {
    const auto file =
        program.parent_path().parent_path() / folder / "libhockney-transport-watch.so";
    const bool is_there = ::access(file.c_str(), R_OK) == 0;
    if (is_there) return file.string().find_first_of(" :$") == std::string::npos ? file : "";
  }
  return "";
}

void set_preloaded(const std::string& list) {
  if (list.empty()) {
    ::unsetenv(preload_variable);
  } else {
    ::setenv(preload_variable, list.c_str(), 1);
  }
}

/// Returns if the program cannot be started.
void start_again(const std::filesystem::path& program) {
  std::vector<std::string> words = command_line();
  ::execv(program.c_str(), null_terminated(words).data());
}

}  // namespace

// Before MPI_Init the process, its variables and its descriptors are still those of the launcher.
// Restarting the program therefore works under every launcher and without one.
void preload_transport_watch() {
  std::error_code unknown;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", unknown);
  const std::string library = unknown ? "" : watch_library(program);
  if (library.empty()) return;
  const char* const value = std::getenv(preload_variable);
  const std::string list = value == nullptr ? "" : value;
  if ((list + ":").starts_with(library + ":")) {  // restarted already: child programs start without
                                                  // it
    return set_preloaded(list.substr(std::min(list.size(), library.size() + 1)));
  }
  if (find_counter() != nullptr || ::getauxval(AT_SECURE) != 0) return;
  set_preloaded(list.empty() ? library : fmt::format("{}:{}", library, list));
  start_again(program);
  set_preloaded(list);
}

#endif

TransportWatch::TransportWatch() : tcp_bytes_(tcp_bytes_sent()) {}

Transport TransportWatch::end(MPI_Comm pair, const Exchanged& exchanged) const {
  const auto copies = copies_.calls();
  const CopyCalls own = copies.value_or(CopyCalls{});
  std::array<std::int64_t, 3> counts{own.calls, own.bytes,
                                     std::max<std::int64_t>(0, tcp_bytes_sent() - tcp_bytes_)};
  mpi_check(MPI_Allreduce(MPI_IN_PLACE, counts.data(), static_cast<int>(counts.size()), MPI_INT64_T,
                          MPI_SUM, pair));
  Mappings mappings = read_mappings();
  if (!copies) add_once(mappings.devices, uncounted_copies);
  Transport transport{
      .messages = exchanged.messages,
      .payload_bytes = exchanged.messages * std::max<std::int64_t>(1, exchanged.message_bytes),
      .copy_calls = counts[0],
      .copied_bytes = counts[1],
      .tcp_bytes = counts[2],
      .shares_memory = have_common(pair, mappings.shared)};
  for (const auto& devices : gather_names(pair, mappings.devices)) {
    add(transport, {.devices = devices});
  }
  return transport;
}

}  // namespace hockney::benchmarks
