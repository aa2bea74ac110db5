#include "application/commands/profile_name.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <vector>

#include "core/atomic_file.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "core/time.hpp"
#include "application/profile/event_log.hpp"
#include "application/profile/part.hpp"
#include "application/profile/part_facts.hpp"
#include "application/profile/run_files.hpp"

namespace hockney::apps {
namespace {

namespace fs = std::filesystem;

/// Which run left a part, as far as the part says it.
std::string origin_of(const fs::path& part) {
  try {
    const std::string text = read_file(part.string());
    const std::vector<profile::Part> parts = profile::read_parts(text, part.string());
    if (parts.empty()) return "an earlier run left it";
    const profile::Facts facts = profile::facts_of(parts.front().facts, parts.front().header.rank);
    return "a run of '" + join(facts.command_line, " ") + "' left it" +
           (facts.begun_utc.empty() ? "" : ", begun " + facts.begun_utc);
  } catch (const Error&) {
    return "an earlier run left it";
  }
}

/// InputError for the first file that would be replaced, or be taken for one of this run's.
void reject_files_of(const std::string& name, bool logs_events) {
  using profile::FileKind;
  for (const profile::RunFile& found : profile::files_of(name)) {
    if (found.kind == FileKind::events && !logs_events) continue;
    const bool is_part = found.kind == FileKind::part || found.kind == FileKind::unfinished_part;
    throw InputError({"'" + found.path.string() + "' is there already",
                      is_part ? origin_of(found.path) : "a profile replaces nothing",
                      "remove it, or name another with --out"});
  }
}

/// "PID HOST" of the process that holds a lock.
std::string holder_of(int descriptor) {
  std::array<char, 300> text{};
  const ssize_t length = ::pread(descriptor, text.data(), text.size() - 1, 0);
  const std::vector<std::string> words = split(length > 0 ? text.data() : "", ' ');
  return words.size() == 2 ? "process " + words[0] + " on " + words[1] : "another process";
}

void write_holder(int descriptor) {
  std::array<char, 256> host{};
  ::gethostname(host.data(), host.size() - 1);
  const std::string text = std::to_string(::getpid()) + " " + host.data();
  // For the message to the next process alone; the lock holds without it.
  if (::ftruncate(descriptor, 0) != 0) return;
  [[maybe_unused]] const ssize_t written = ::pwrite(descriptor, text.data(), text.size(), 0);
}

/// Whether a name is still that of an open file.
bool is_name_of(const std::string& file, int descriptor) {
  struct stat named {};
  struct stat open {};
  return ::stat(file.c_str(), &named) == 0 && ::fstat(descriptor, &open) == 0 &&
         named.st_ino == open.st_ino && named.st_dev == open.st_dev;
}

bool is_without_locks(int error) {
  return error == ENOSYS || error == ENOTSUP || error == ENOLCK || error == EINVAL;
}

std::string default_name(int again) {
  return "hockney-profile-" + utc_stamp() + (again == 1 ? "" : "-" + std::to_string(again)) +
         ".json";
}

}  // namespace

std::string unused_profile(const std::string& name, bool logs_events) {
  const fs::path file = fs::absolute(name);
  if (!fs::is_directory(file.parent_path())) {
    throw InputError({"cannot write '" + name + "'", "there is no folder of that name",
                      "make it, or name another with --out"});
  }
  if (!is_replaceable(file.string())) {
    throw InputError({"cannot write a profile to '" + name + "'", "it is no regular file",
                      "name another with --out"});
  }
  reject_files_of(name, logs_events);
  return file.string();
}

ProfileName::ProfileName(const ProfileRun& run) {
  for (int again = 1; file_.empty(); ++again) {
    const std::string name = run.out.value_or(default_name(again));
    if (!run.out && !profile::files_of(name).empty()) continue;
    unused_profile(name, run.logs_events);
    lock_ = fs::absolute(name).string() + ".lock";
    if (const auto held = lock()) {
      if (run.out) throw InputError(*held);
      continue;
    }
    try {
      file_ = unused_profile(name, run.logs_events);  // the holder before may have written it
    } catch (...) {
      unlock();
      throw;
    }
  }
}

std::optional<Message> ProfileName::lock() {
  for (;;) {
    const bool is_new = !fs::exists(fs::symlink_status(lock_));
    descriptor_ = FileDescriptor(::open(
        lock_.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | (is_new ? O_EXCL : 0), 0644));
    if (!descriptor_.is_open() && errno == EEXIST) continue;
    if (!descriptor_.is_open()) {
      throw InputError({"cannot write '" + lock_ + "'", std::strerror(errno),
                        "check the folder, or name another with --out"});
    }
    if (::flock(descriptor_.get(), LOCK_EX | LOCK_NB) == 0) {
      if (!is_name_of(lock_, descriptor_.get())) continue;  // the holder before has removed it
      break;
    }
    if (errno == EINTR) continue;
    const bool has_locks = !is_without_locks(errno);
    if (!has_locks && is_new) break;
    const std::string holder = holder_of(descriptor_.get());
    descriptor_.reset();
    return Message{"'" + lock_ + "' is locked", holder + " writes a profile of that name",
                   has_locks ? "wait for it, or name another with --out"
                             : "remove the file if that process has ended"};
  }
  write_holder(descriptor_.get());
  return std::nullopt;
}

void ProfileName::unlock() {
  if (descriptor_.is_open()) ::unlink(lock_.c_str());
  descriptor_.reset();
}

}  // namespace hockney::apps
