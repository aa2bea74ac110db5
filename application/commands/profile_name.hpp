#pragma once

#include <optional>
#include <string>

#include "application/commands/profile_run.hpp"
#include "core/file_descriptor.hpp"

namespace hockney::apps {

/// InputError where a profile cannot be written to the name, and where a profile, a log or parts of
/// ranks have it already. Returns the absolute name.
std::string unused_profile(const std::string& name, bool logs_events);

/// The file that a profile is to go to. As long as it lives, it keeps other `hockney profile` away
/// by a lock on "NAME.lock" (flock(2)), which ends with the process however that ends. That file is
/// removed at the end; one that a killed process left is taken over.
class ProfileName {
 public:
  /// InputError as of unused_profile, and where another process has the lock.
  explicit ProfileName(const ProfileRun& run);
  ProfileName(const ProfileName&) = delete;
  ProfileName& operator=(const ProfileName&) = delete;
  ProfileName(ProfileName&&) = delete;
  ProfileName& operator=(ProfileName&&) = delete;
  ~ProfileName() { unlock(); }

  [[nodiscard]] const std::string& file() const { return file_; }

 private:
  /// nullopt: locked. Else a message about the process that has the lock.
  std::optional<Message> lock();
  void unlock();

  std::string file_;
  std::string lock_;
  FileDescriptor descriptor_;
};

}  // namespace hockney::apps
