#include "benchmarks/harness/transport_watch.hpp"

#include <dlfcn.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

#include "benchmarks/harness/clock_sync.hpp"
#include "benchmarks/harness/gather.hpp"
#include "benchmarks/harness/mpi_error.hpp"
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

/// Acknowledgements are late by up to 40 ms, so that they are second best: what was sent is known
/// to kernels from 4.19 on.
std::uint64_t bytes_of(const tcp_info& info, socklen_t length) {
  constexpr std::size_t known = offsetof(tcp_info, tcpi_bytes_sent) + sizeof info.tcpi_bytes_sent;
  return length >= known ? info.tcpi_bytes_sent : info.tcpi_bytes_acked;
}

constexpr char separator = '|';

/// Every rank's names.
std::vector<std::vector<std::string>> gather_names(MPI_Comm pair,
                                                   const std::vector<std::string>& own) {
  std::vector<std::vector<std::string>> all;
  for (const std::string& names : gather_texts(pair, join(own, std::string(1, separator)))) {
    all.push_back(names.empty() ? std::vector<std::string>() : split(names, separator));
  }
  return all;
}

/// Whether there is something that all ranks map; numbers of inodes mean something on one machine.
bool have_common(MPI_Comm pair, const std::vector<std::string>& mapped) {
  const std::vector<std::string> machines = gather_texts(pair, clock_identity());
  const auto mappings = gather_names(pair, mapped);
  if (std::ranges::count(machines, machines.front()) != std::ssize(machines)) return false;
  return std::ranges::any_of(mappings.front(), [&](const std::string& name) {
    return std::ranges::all_of(
        mappings, [&](const auto& names) { return std::ranges::find(names, name) != names.end(); });
  });
}

}  // namespace

std::vector<OpenFile> open_files() {
  std::vector<OpenFile> files;
  std::error_code missing;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd", missing)) {
    std::error_code closed;  // the listing itself is a file, open no more
    const auto target = std::filesystem::read_symlink(entry.path(), closed);
    const auto descriptor = as_number<int>(entry.path().filename().string());
    if (!closed && descriptor) files.push_back({*descriptor, target.string()});
  }
  return files;
}

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
    if (is_shared && inode != "0") add_once(found.shared, device + ":" + inode);
  }
  return found;
}

Mappings read_mappings() {
  std::ostringstream text;
  text << std::ifstream("/proc/self/maps").rdbuf();
  Mappings found = parse_mappings(text.str());
  for (const OpenFile& file : open_files()) add_device(found.devices, file.target);
  return found;
}

std::int64_t tcp_bytes_sent() {
  std::int64_t sum = 0;
  for (const OpenFile& file : open_files()) {
    tcp_info info{};
    socklen_t length = sizeof info;
    // Whatever is no TCP socket refuses the question.
    if (!file.target.starts_with("socket:")) continue;
    if (::getsockopt(file.descriptor, IPPROTO_TCP, TCP_INFO, &info, &length) != 0) continue;
    sum += static_cast<std::int64_t>(bytes_of(info, length));
  }
  return sum;
}

TransportWatch::TransportWatch() : tcp_bytes_(tcp_bytes_sent()) {}

Transport TransportWatch::end(MPI_Comm pair, const Exchanged& exchanged) const {
  const CopyCalls copies = copies_.calls();
  std::array<std::int64_t, 3> counts{copies.calls, copies.bytes,
                                     std::max<std::int64_t>(0, tcp_bytes_sent() - tcp_bytes_)};
  mpi_check(MPI_Allreduce(MPI_IN_PLACE, counts.data(), static_cast<int>(counts.size()), MPI_INT64_T,
                          MPI_SUM, pair));
  const Mappings mappings = read_mappings();
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

namespace {

using SystemCall = long (*)(long, ...);

// Constants from the start, because libraries make system calls before any constructor has run.
// NOLINTBEGIN(cppcoreguidelines-avoid-non-const-global-variables): the functions below have no
// self.
constinit std::atomic<int> askers{0};
constinit std::atomic<std::int64_t> calls{0};
constinit std::atomic<std::int64_t> bytes{0};
constinit std::atomic<SystemCall> libc_syscall{nullptr};
// NOLINTEND(cppcoreguidelines-avoid-non-const-global-variables)

SystemCall find_libc_syscall() {
  SystemCall found = libc_syscall.load(std::memory_order_relaxed);
  if (found != nullptr) return found;
  found = reinterpret_cast<SystemCall>(::dlsym(RTLD_NEXT, "syscall"));
  libc_syscall.store(found, std::memory_order_relaxed);
  return found;
}

/// What a copy returned, counted while anybody asks.
long counted(long copied) {
  if (askers.load(std::memory_order_relaxed) == 0) return copied;
  calls.fetch_add(1, std::memory_order_relaxed);
  if (copied > 0) bytes.fetch_add(copied, std::memory_order_relaxed);
  return copied;
}

hockney::benchmarks::CopyCalls counted_so_far() {
  return {.calls = calls.load(std::memory_order_relaxed),
          .bytes = bytes.load(std::memory_order_relaxed)};
}

}  // namespace

namespace hockney::benchmarks {

CopyCounting::CopyCounting() : before_(counted_so_far()) { ++askers; }

CopyCounting::~CopyCounting() { --askers; }

CopyCalls CopyCounting::calls() const {
  const CopyCalls now = counted_so_far();
  return {.calls = now.calls - before_.calls, .bytes = now.bytes - before_.bytes};
}

}  // namespace hockney::benchmarks

// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name): libc's names are reserved.

extern "C" {

// Intel MPI and libfabric have no other way to the kernel than syscall. Like libc's own, which
// moves all registers that a system call may take, this one has six words whatever was given: no
// list of arguments is read that the caller has not made.
long hockney_syscall(long number, long a, long b, long c, long d, long e, long f) noexcept
    __asm__("syscall");

long hockney_syscall(long number, long a, long b, long c, long d, long e, long f) noexcept {
  const long result = find_libc_syscall()(number, a, b, c, d, e, f);
  const bool copies = number == SYS_process_vm_readv || number == SYS_process_vm_writev;
  return copies ? counted(result) : result;
}

ssize_t process_vm_readv(pid_t pid, const iovec* local, unsigned long local_count,
                         const iovec* remote, unsigned long remote_count,
                         unsigned long flags) noexcept {
  return counted(find_libc_syscall()(SYS_process_vm_readv, pid, local, local_count, remote,
                                     remote_count, flags));
}

ssize_t process_vm_writev(pid_t pid, const iovec* local, unsigned long local_count,
                          const iovec* remote, unsigned long remote_count,
                          unsigned long flags) noexcept {
  return counted(find_libc_syscall()(SYS_process_vm_writev, pid, local, local_count, remote,
                                     remote_count, flags));
}

}  // extern "C"

// NOLINTEND(readability-inconsistent-declaration-parameter-name)
