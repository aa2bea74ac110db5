#include "driver/campaign/scratch_folder.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <thread>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/quantities.hpp"
#include "driver/campaign/subprocess.hpp"

namespace hockney::campaign {
namespace {

namespace fs = std::filesystem;

/// Closes all but stdin and stdout: pipes of other folders, and stderr, whose reader waits for its
/// end.
void close_others() {
  std::vector<int> open;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator("/proc/self/fd", none)) {
    if (const auto number = as_number<int>(entry.path().filename().string())) {
      open.push_back(*number);
    }
  }
  for (const int number : open) {
    if (number > STDOUT_FILENO) ::close(number);
  }
}

/// Retries, since processes on other nodes may still write into the folder.
void remove_folder(const fs::path& folder) {
  constexpr int attempts = 50;
  std::error_code error;
  for (int attempt = 0; attempt < attempts && fs::exists(folder, error); ++attempt) {
    if (attempt > 0) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    fs::remove_all(folder, error);
  }
}

/// Parameters of the keeper of a scratch folder.
struct KeptFolder {
  std::string pattern;  ///< its path, as mkdtemp(3) takes it
  int path = -1;        ///< pipe end that takes the path
  int owners = -1;      ///< pipe end that reads EOF once the owner and its guardians have ended
};

/// Runs the process that creates a scratch folder and removes it when its owners have ended. The
/// folder is removed even after SIGKILL of the owner. The process leads a new session and ignores
/// the signals that end a job. If the folder cannot be created, it exits with errno. Call it in a
/// new child of the owner.
[[noreturn]] void keep_folder(KeptFolder folder) noexcept {
  ::setsid();
  ::prctl(PR_SET_NAME, "hockney-scratch");
  for (const int signal : {SIGHUP, SIGINT, SIGTERM, SIGPIPE}) ::signal(signal, SIG_IGN);
  const int path = ::fcntl(folder.path, F_DUPFD, STDERR_FILENO);  // safe from the next dup2
  ::dup2(folder.owners, STDIN_FILENO);
  ::dup2(path, STDOUT_FILENO);
  close_others();
  if (::mkdtemp(folder.pattern.data()) == nullptr) ::_exit(errno);
  const auto size = static_cast<ssize_t>(folder.pattern.size());
  if (::write(STDOUT_FILENO, folder.pattern.data(), folder.pattern.size()) == size) {
    ::close(STDOUT_FILENO);
    char none = 0;
    while (::read(STDIN_FILENO, &none, 1) < 0 && errno == EINTR) {
    }
  }
  remove_folder(folder.pattern);
  ::_exit(0);
}

[[noreturn]] void fail(const std::string& pattern, int error) {
  throw RunError({fmt::format("cannot make '{}'", pattern), std::strerror(error),
                  "check the folder and the limits of the system"});
}

}  // namespace

ScratchFolder::ScratchFolder() : ScratchFolder(fs::temp_directory_path().string()) {}

ScratchFolder::ScratchFolder(const std::string& parent) {
  std::string pattern = (fs::absolute(parent) / "hockney-XXXXXX").string();
  Pipe owners;
  Pipe path;
  const pid_t keeper = ::fork();
  if (keeper == 0) keep_folder({std::move(pattern), path.in.get(), owners.out.get()});
  if (keeper < 0) fail(pattern, errno);
  path.in.reset();
  std::array<char, 256> part{};
  ssize_t size = 0;
  while ((size = ::read(path.out.get(), part.data(), part.size())) > 0 ||
         (size < 0 && errno == EINTR)) {
    path_.append(part.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
  }
  keeper_ = keeper;
  owner_ = std::move(owners.in);
  if (!path_.empty()) return;
  int status = 0;
  ::waitpid(keeper_, &status, 0);
  fail(pattern, WIFEXITED(status) ? WEXITSTATUS(status) : EIO);
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  owner_.reset();
  ::waitpid(keeper_, nullptr, 0);
}

}  // namespace hockney::campaign
