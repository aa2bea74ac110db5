#include "campaign/folder.hpp"

#include "core/error.hpp"

namespace hockney {

namespace fs = std::filesystem;

CampaignFolder campaign_folder(const std::string& folder) {
  return {fs::absolute(folder).lexically_normal()};
}

void make_folders(const CampaignFolder& folder) {
  for (const char* part : {"records", "logs", "interrupted"}) {
    std::error_code error;
    fs::create_directories(folder.root / part, error);
    if (!error) continue;
    throw RunError({"cannot make '" + (folder.root / part).string() + "'", error.message(),
                    "choose another --out"});
  }
}

}  // namespace hockney
