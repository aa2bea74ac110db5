#include "components/application/commands/profile_name.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <vector>

#include "components/application/profile/event_log.hpp"
#include "components/application/profile/part.hpp"
#include "components/application/profile/profile_file.hpp"
#include "core/environment.hpp"
#include "core/error.hpp"
#include "core/quantities.hpp"
#include "core/text.hpp"

namespace hockney::driver {
namespace {

namespace fs = std::filesystem;

/// Text about the run that left a part, from the part's facts.
std::string origin_of(const fs::path& part) {
  try {
    const std::string text = read_file(part.string());
    const std::vector<profile::Part> parts = profile::read_parts(text, part.string());
    if (parts.empty()) return "an earlier run left it";
    const profile::Facts facts = profile::facts_of(parts.front().facts, parts.front().header.rank);
    const std::string words = join(facts.command_line, " ");
    if (facts.begun_utc.empty()) return fmt::format("a run of '{}' left it", words);
    return fmt::format("a run of '{}' left it, begun {}", words, facts.begun_utc);
  } catch (const Error&) {
    return "an earlier run left it";
  }
}

/// InputError for the first file that this run would replace, or confuse with its own.
void reject_files_of(const std::string& name, bool logs_events) {
  using profile::FileKind;
  for (const profile::RunFile& found : profile::files_of(name)) {
    if (found.kind == FileKind::events && !logs_events) continue;
    const bool is_part = found.kind == FileKind::part || found.kind == FileKind::unfinished_part;
    throw InputError({fmt::format("'{}' is there already", found.path.string()),
                      is_part ? origin_of(found.path) : "a profile replaces nothing",
                      "remove it, or name another with --out"});
  }
}

/// "process PID on HOST" for the process that has a lock.
std::string holder_of(int descriptor) {
  std::array<char, 300> text{};
  const ssize_t length = ::pread(descriptor, text.data(), text.size() - 1, 0);
  const std::vector<std::string> words = split(length > 0 ? text.data() : "", ' ');
  return words.size() == 2 ? fmt::format("process {} on {}", words[0], words[1])
                           : "another process";
}

void write_holder(int descriptor) {
  const std::string text = fmt::format("{} {}", ::getpid(), own_host());
  // Only for the message to the next process; the lock is valid without it.
  if (::ftruncate(descriptor, 0) != 0) return;
  [[maybe_unused]] const ssize_t written = ::pwrite(descriptor, text.data(), text.size(), 0);
}

/// Whether a path still refers to an open file.
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
  if (again == 1) return fmt::format("hockney-profile-{}.json", utc_stamp());
  return fmt::format("hockney-profile-{}-{}.json", utc_stamp(), again);
}

/// Not open if another process made the file meanwhile. InputError if it cannot be written.
FileDescriptor open_lock(const std::string& file, bool is_new) {
  FileDescriptor descriptor(::open(
      file.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | (is_new ? O_EXCL : 0), 0644));
  if (descriptor.is_open() || errno == EEXIST) return descriptor;
  throw InputError({fmt::format("cannot write '{}'", file), std::strerror(errno),
                    "check the folder, or name another with --out"});
}

Message is_locked(const std::string& file, const std::string& holder, bool has_locks) {
  return {fmt::format("'{}' is locked", file), holder + " writes a profile of that name",
          has_locks ? "wait for it, or name another with --out"
                    : "remove the file if that process has ended"};
}

}  // namespace

std::string unused_profile(const std::string& name, bool logs_events) {
  const fs::path file = fs::absolute(name);
  if (!fs::is_directory(file.parent_path())) {
    throw InputError({fmt::format("cannot write '{}'", name), "there is no folder of that name",
                      "make it, or name another with --out"});
  }
  if (!is_replaceable(file.string())) {
    throw InputError({fmt::format("cannot write a profile to '{}'", name), "it is no regular file",
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
      file_ = unused_profile(name, run.logs_events);  // the previous holder may have written it
    } catch (...) {
      unlock();
      throw;
    }
  }
}

std::optional<Message> ProfileName::lock() {
  for (;;) {
    const bool is_new = !fs::exists(fs::symlink_status(lock_));
    descriptor_ = open_lock(lock_, is_new);
    if (!descriptor_.is_open()) continue;
    if (::flock(descriptor_.get(), LOCK_EX | LOCK_NB) == 0) {
      if (!is_name_of(lock_, descriptor_.get())) continue;  // the previous holder has removed it
      break;
    }
    if (errno == EINTR) continue;
    const bool has_locks = !is_without_locks(errno);
    if (!has_locks && is_new) break;
    const std::string holder = holder_of(descriptor_.get());
    descriptor_.reset();
    return is_locked(lock_, holder, has_locks);
  }
  write_holder(descriptor_.get());
  return std::nullopt;
}

void ProfileName::unlock() {
  if (descriptor_.is_open()) ::unlink(lock_.c_str());
  descriptor_.reset();
}

}  // namespace hockney::driver
