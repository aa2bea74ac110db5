#include "campaign/descendants.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <thread>

#include "core/as_number.hpp"

namespace hockney {
namespace {

namespace fs = std::filesystem;

struct ProcessState {
  char state = '?';
  pid_t parent = 0;
};

/// "123 (a name with ) and spaces) S 1 ...": the name ends at the last parenthesis (proc(5)).
std::optional<ProcessState> read_state(pid_t pid) {
  std::ifstream in("/proc/" + std::to_string(pid) + "/stat");
  std::string line;
  std::getline(in, line);
  const std::size_t name_end = line.rfind(") ");
  if (name_end == std::string::npos) return std::nullopt;
  const std::size_t parent = name_end + 4;
  const auto number = as_number<pid_t>(line.substr(parent, line.find(' ', parent) - parent));
  if (!number) return std::nullopt;
  return ProcessState{line[name_end + 2], *number};
}

std::multimap<pid_t, pid_t> children_by_parent() {
  std::multimap<pid_t, pid_t> children;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator("/proc", error)) {
    const auto pid = as_number<pid_t>(entry.path().filename().string());
    if (!pid) continue;
    if (const auto state = read_state(*pid)) children.emplace(state->parent, *pid);
  }
  return children;
}

bool is_zombie(pid_t pid) {
  const auto state = read_state(pid);
  return !state || state->state == 'Z';
}

void reap() {
  while (::waitpid(-1, nullptr, WNOHANG) > 0) {
  }
}

}  // namespace

std::vector<pid_t> descendants(pid_t ancestor) {
  const auto children = children_by_parent();
  std::vector<pid_t> found{ancestor};
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto [begin, end] = children.equal_range(found[i]);
    for (auto child = begin; child != end; ++child) found.push_back(child->second);
  }
  found.erase(found.begin());
  return found;
}

int kill_descendants(Seconds limit) {
  using SteadyClock = std::chrono::steady_clock;
  const auto deadline = SteadyClock::now() + std::chrono::duration<double>(limit.value);
  std::set<pid_t> killed;
  while (SteadyClock::now() < deadline) {
    reap();
    const std::vector<pid_t> left = descendants(::getpid());
    if (left.empty()) break;
    for (const pid_t pid : left) {
      if (!is_zombie(pid) && ::kill(pid, SIGKILL) == 0) killed.insert(pid);
    }
    // A killed process needs a moment to die, and its children one to become ours.
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return static_cast<int>(killed.size());
}

}  // namespace hockney
