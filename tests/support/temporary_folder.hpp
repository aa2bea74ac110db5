#pragma once

#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

namespace hockney {

/// A folder that goes away with the test.
class TemporaryFolder {
 public:
  TemporaryFolder() : path_((std::filesystem::temp_directory_path() / "hockney-XXXXXX").string()) {
    if (::mkdtemp(path_.data()) == nullptr) throw std::runtime_error("no temporary folder");
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  TemporaryFolder(TemporaryFolder&&) = delete;
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;
  ~TemporaryFolder() {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
  }

  [[nodiscard]] const std::string& path() const { return path_; }

  /// Writes a file in the folder; returns its path.
  std::string write(const std::string& name, const std::string& content) const {
    const std::filesystem::path file = std::filesystem::path(path_) / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << content;
    return file.string();
  }

  /// A device without room, in the folder where this process may make one, so that no mistake can
  /// replace that of the machine.
  std::string full_device() const {
    const std::string own = path_ + "/full";
    const bool made = ::mknod(own.c_str(), S_IFCHR | 0666, ::makedev(1, 7)) == 0;
    if (made && std::ofstream(own)) return own;
    std::filesystem::remove(own);
    return "/dev/full";
  }

  /// Writes an executable file; returns its path.
  std::string write_program(const std::string& name, const std::string& content) const {
    const std::string file = write(name, content);
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    return file;
  }

 private:
  std::string path_;
};

}  // namespace hockney
