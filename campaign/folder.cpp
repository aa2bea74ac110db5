#include "campaign/folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <sstream>
#include <thread>

#include "core/error.hpp"

namespace hockney::campaign {

namespace fs = std::filesystem;

Folder campaign_folder(const std::string& folder) {
  return {fs::absolute(folder).lexically_normal()};
}

void make_folders(const Folder& folder) {
  for (const char* part : {"records", "logs", "interrupted"}) {
    std::error_code error;
    fs::create_directories(folder.root / part, error);
    if (!error) continue;
    throw RunError({"cannot make '" + (folder.root / part).string() + "'", error.message(),
                    "choose another --out"});
  }
}

namespace {

struct Holder {
  pid_t pid = 0;
  std::string host;
};

std::string host_name() {
  std::array<char, 256> name{};
  ::gethostname(name.data(), name.size() - 1);
  return name.data();
}

Holder read_holder(int descriptor) {
  std::array<char, 512> text{};
  const ssize_t size = ::pread(descriptor, text.data(), text.size() - 1, 0);
  Holder holder;
  if (size > 0) std::istringstream(text.data()) >> holder.pid >> holder.host;
  return holder;
}

void write_holder(int descriptor) {
  const std::string text = std::to_string(::getpid()) + " " + host_name() + "\n";
  // Only for the message to whoever comes second; the lock holds without it.
  if (::ftruncate(descriptor, 0) == 0) {
    [[maybe_unused]] const ssize_t written = ::pwrite(descriptor, text.data(), text.size(), 0);
  }
}

bool is_dead(const Holder& holder) {
  const bool here = holder.host == host_name() && holder.pid > 0;
  return here && ::kill(holder.pid, 0) != 0 && errno == ESRCH;
}

[[noreturn]] void reject(const std::string& file, const Holder& holder) {
  const std::string who =
      holder.pid > 0 ? "process " + std::to_string(holder.pid) + " on " + holder.host : "another";
  throw InputError({"the campaign of '" + file + "' is being run", who + " holds its lock",
                    "wait for it, or choose another --out"});
}

}  // namespace

FolderLock::FolderLock(const std::string& file, Seconds patience)
    : descriptor_(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {
  using SteadyClock = std::chrono::steady_clock;
  if (!descriptor_.is_open()) {
    throw RunError({"cannot write '" + file + "'", std::strerror(errno), "check its folder"});
  }
  const auto deadline = SteadyClock::now() + std::chrono::duration<double>(patience.value);
  while (::flock(descriptor_.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) {
      throw RunError({"cannot lock '" + file + "'", std::strerror(errno),
                      "choose an --out on a file system with locks"});
    }
    const Holder holder = read_holder(descriptor_.get());
    if (!is_dead(holder) || SteadyClock::now() >= deadline) reject(file, holder);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  write_holder(descriptor_.get());
}

}  // namespace hockney::campaign
