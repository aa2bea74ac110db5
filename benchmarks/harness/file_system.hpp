#pragma once

#include <cstdint>
#include <string>

namespace hockney::benchmarks {

/// The file system of an absolute path without links, and where it is mounted, by the text of
/// /proc/self/mountinfo (proc(5)): "ext4 on /scratch". "unknown" where it does not say.
std::string file_system_in(const std::string& mountinfo, const std::string& path);

/// The same of a folder of this host.
std::string file_system_of(const std::string& path);

/// Free space of a folder's file system that this user may take [B]; 0 where nobody says.
std::int64_t free_space(const std::string& path);

/// Removes the files of hockney-io that processes which have ended left in a folder: when this
/// process ends, in whatever way, by another one that watches it.
class FileJanitor {
 public:
  FileJanitor() = default;
  FileJanitor(const FileJanitor&) = delete;
  FileJanitor& operator=(const FileJanitor&) = delete;
  FileJanitor(FileJanitor&&) = delete;
  FileJanitor& operator=(FileJanitor&&) = delete;
  /// Returns when the files are gone.
  ~FileJanitor();

  /// Begins to watch over this process's files in the folder, whose names begin with `prefix`. To
  /// be called once, before MPI. RunError where no process can be started.
  void watch(const std::string& folder, const std::string& prefix);

 private:
  int lifeline_ = -1;  ///< closed when this process is through
  int process_ = -1;
};

}  // namespace hockney::benchmarks
