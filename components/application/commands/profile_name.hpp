#pragma once

#include <optional>
#include <string>

#include "components/application/commands/profile_run.hpp"
#include "core/atomic_file.hpp"
#include "core/error.hpp"

namespace hockney::driver {

/// Returns the absolute name. InputError if no profile can be written there, or if a profile, a log
/// or parts of ranks have the name.
std::string unused_profile(const std::string& name, bool logs_events);

/// Reserves the file name of a profile against other `hockney profile`. Holds a lock on "NAME.lock"
/// (flock(2)), which ends with the process. The destructor removes that file; one that a killed
/// process left is reused.
class ProfileName {
 public:
  /// InputError as in unused_profile(), or if another process has the lock.
  explicit ProfileName(const ProfileRun& run);
  ProfileName(const ProfileName&) = delete;
  ProfileName& operator=(const ProfileName&) = delete;
  ~ProfileName() { unlock(); }

  [[nodiscard]] const std::string& file() const { return file_; }

 private:
  /// nullopt: locked. Otherwise a message about the process that has the lock.
  std::optional<Message> lock();
  void unlock();

  std::string file_;
  std::string lock_;
  FileDescriptor descriptor_;
};

}  // namespace hockney::driver
