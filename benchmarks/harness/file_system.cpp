#include "benchmarks/harness/file_system.hpp"

#include <fcntl.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/error.hpp"

namespace hockney::benchmarks {
namespace {

/// With "\040" and its like as the characters that they stand for.
std::string unescaped(const std::string& text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    constexpr int octal = 8;
    constexpr std::size_t digits = 3;
    const std::string number = text.substr(i + 1, digits);
    const bool is_octal = number.find_first_not_of("01234567") == std::string::npos;
    if (text[i] != '\\' || number.size() < digits || !is_octal) {
      plain += text[i];
      continue;
    }
    plain += static_cast<char>(std::stoi(number, nullptr, octal));
    i += digits;
  }
  return plain;
}

bool is_above(const std::string& mount, const std::string& path) {
  return mount == "/" || path == mount || path.starts_with(mount + "/");
}

void remove_all_of(const std::string& folder, const std::string& prefix) {
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder, none)) {
    // Libraries keep shared pointers in hidden files that are called like it.
    if (entry.path().filename().string().find(prefix) == std::string::npos) continue;
    std::filesystem::remove(entry.path(), none);
  }
}

/// The process that waits for the end of the other one: out of its launcher's sight, with nothing
/// open that somebody waits for.
[[noreturn]] void clean_afterwards(int lifeline, const std::string& folder,
                                   const std::string& prefix) {
  constexpr int most_descriptors = 4096;
  ::setsid();
  for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGUSR2}) std::signal(signal, SIG_IGN);
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int descriptor = 0; descriptor < 3; ++descriptor) ::dup2(nothing, descriptor);
  for (int descriptor = 3; descriptor < most_descriptors; ++descriptor) {
    if (descriptor != lifeline) ::close(descriptor);
  }
  char byte = 0;
  while (::read(lifeline, &byte, 1) < 0 && errno == EINTR) {
  }
  remove_all_of(folder, prefix);
  ::_exit(0);
}

}  // namespace

std::string file_system_in(const std::string& mountinfo, const std::string& path) {
  std::istringstream lines(mountinfo);
  std::string best;
  std::string found = "unknown";
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string word;
    std::string mount;
    constexpr int words_before = 4;
    for (int i = 0; i < words_before; ++i) words >> word;
    words >> mount;
    mount = unescaped(mount);
    while (words >> word && word != "-") {
    }
    std::string type;
    // Of two on one place the later one is on top.
    if (!(words >> type) || !is_above(mount, path) || mount.size() < best.size()) continue;
    best = mount;
    found = type + " on " + mount;
  }
  return found;
}

std::string file_system_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream("/proc/self/mountinfo").rdbuf();
  std::error_code none;
  return file_system_in(text.str(), std::filesystem::weakly_canonical(path, none).string());
}

std::int64_t free_space(const std::string& path) {
  struct statvfs facts {};
  if (::statvfs(path.c_str(), &facts) != 0) return 0;
  return static_cast<std::int64_t>(facts.f_bavail) * static_cast<std::int64_t>(facts.f_frsize);
}

void FileJanitor::watch(const std::string& folder, const std::string& prefix) {
  std::array<int, 2> ends{-1, -1};
  const bool has_pipe = ::pipe2(ends.data(), O_CLOEXEC) == 0;
  process_ = has_pipe ? ::fork() : -1;
  if (process_ < 0) {
    throw RunError({"no process can be started that removes the files", std::strerror(errno),
                    "end other programs, or raise the limit of processes"});
  }
  if (process_ == 0) {
    ::close(ends[1]);
    clean_afterwards(ends[0], folder, prefix);
  }
  ::close(ends[0]);
  lifeline_ = ends[1];
}

FileJanitor::~FileJanitor() {
  if (lifeline_ < 0) return;
  ::close(lifeline_);
  while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace hockney::benchmarks
