#pragma once

#include <sys/types.h>

#include <string>

#include "core/atomic_file.hpp"

namespace hockney::campaign {

/// A new folder below `parent`, by default the folder for temporary files. It is removed with its
/// content, however this program ends (keep_folder). RunError if it cannot be created.
class ScratchFolder {
 public:
  ScratchFolder();
  explicit ScratchFolder(const std::string& parent);
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder();

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  FileDescriptor owner_;  ///< open while this program and its guardians run
  pid_t keeper_ = -1;
  std::string path_;
};

}  // namespace hockney::campaign
