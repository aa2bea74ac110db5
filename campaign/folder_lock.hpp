#pragma once

#include <string>

#include "campaign/file_descriptor.hpp"
#include "core/units.hpp"

namespace hockney {

/// Keeps a second driver out of a campaign's folder (flock(2), so it ends with the process however
/// that ends). The guardian of a launch inherits it: while the remains of a killed driver's launch
/// are being cleared away, the folder is still locked.
class FolderLock {
 public:
  /// Locks `file`, which is made when missing. Waits at most `patience` for the remains of a driver
  /// that is dead; InputError naming the holder when it is alive.
  explicit FolderLock(const std::string& file, Seconds patience = {20});

 private:
  FileDescriptor descriptor_;
};

}  // namespace hockney
