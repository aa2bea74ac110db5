#pragma once

#include <filesystem>
#include <string>

namespace hockney {

/// Where a campaign keeps what. `name` is that of launch_name.
struct CampaignFolder {
  std::filesystem::path root;  ///< absolute, since launchers may change folder

  [[nodiscard]] std::string manifest() const { return (root / "manifest.json").string(); }
  [[nodiscard]] std::string lock() const { return (root / "campaign.lock").string(); }
  [[nodiscard]] std::string records() const { return (root / "records").string(); }
  [[nodiscard]] std::string record(const std::string& name) const {
    return (root / "records" / (name + ".json")).string();
  }
  [[nodiscard]] std::string log(const std::string& name, int attempt) const {
    return (root / "logs" / (name + "-" + std::to_string(attempt) + ".log")).string();
  }
  /// The remains of an attempt that did not complete.
  [[nodiscard]] std::string remains(const std::string& name, int attempt) const {
    return (root / "interrupted" / (name + "-" + std::to_string(attempt))).string();
  }
  /// What a witness launch of a setting told: `part` is ".json", "-1.jsonl", "-1.log".
  [[nodiscard]] std::string witness(const std::string& setting, const std::string& part) const {
    return (root / "witness" / (setting + part)).string();
  }
};

/// The absolute folder; nothing is made.
CampaignFolder campaign_folder(const std::string& folder);

/// Makes the folder and its parts; RunError when the file system refuses.
void make_folders(const CampaignFolder& folder);

}  // namespace hockney
