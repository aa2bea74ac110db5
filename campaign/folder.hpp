#pragma once

#include <filesystem>
#include <string>

#include "core/file_descriptor.hpp"
#include "core/units.hpp"

namespace hockney::campaign {

/// Where a campaign keeps what. `name` is that of launch_name.
struct Folder {
  std::filesystem::path root;  ///< absolute, since launchers may change folder

  [[nodiscard]] std::string manifest() const { return (root / "manifest.json").string(); }
  /// Where the hosts are, as a site file, where that was known.
  [[nodiscard]] std::string network() const { return (root / "network.json").string(); }
  /// The same, guessed from the latencies, where nothing told it.
  [[nodiscard]] std::string guessed_network() const {
    return (root / "network-guess.json").string();
  }
  [[nodiscard]] std::string page() const { return (root / "page.html").string(); }
  [[nodiscard]] std::string lock() const { return (root / "campaign.lock").string(); }
  [[nodiscard]] std::string records() const { return (root / "records").string(); }
  [[nodiscard]] std::string record(const std::string& name) const {
    return (root / "records" / (name + ".json")).string();
  }
  [[nodiscard]] std::string log(const std::string& name, int attempt) const {
    return (root / "logs" / (name + "-" + std::to_string(attempt) + ".log")).string();
  }
  /// What is left of an attempt that did not complete.
  [[nodiscard]] std::string leftover(const std::string& name, int attempt) const {
    return (root / "interrupted" / (name + "-" + std::to_string(attempt))).string();
  }
  /// What a verification run of a setting wrote: `part` is ".json", "-1.jsonl", "-1.log".
  [[nodiscard]] std::string verification(const std::string& setting,
                                         const std::string& part) const {
    return (root / "witness" / (setting + part)).string();
  }
};

/// The absolute folder; nothing is made.
Folder campaign_folder(const std::string& folder);

/// Makes the folder and its parts; RunError when the file system refuses.
void make_folders(const Folder& folder);

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

}  // namespace hockney::campaign
