#include "history/nights/record_folders.hpp"

#include <algorithm>
#include <filesystem>
#include <map>

#include "core/error.hpp"

namespace hockney {
namespace {

namespace fs = std::filesystem;

bool is_document(const fs::path& file) {
  return file.extension() == ".json" || file.extension() == ".cbor";
}

/// Folders of a campaign that hold no complete launch (campaign/folder.hpp).
bool holds_remains(const fs::path& folder) {
  return folder.filename() == "interrupted" || folder.filename() == "witness";
}

using Folders = std::map<std::string, RecordFolder>;

void add_file(Folders& folders, const fs::path& file, bool named) {
  RecordFolder& folder = folders[file.parent_path().string()];
  folder.folder = file.parent_path().string();
  folder.files.push_back(file.string());
  folder.named = folder.named || named;
}

void add_below(Folders& folders, const fs::path& root) {
  for (auto entry = fs::recursive_directory_iterator(root);
       entry != fs::recursive_directory_iterator(); ++entry) {
    if (entry->is_directory() && holds_remains(entry->path())) entry.disable_recursion_pending();
    if (entry->is_regular_file() && is_document(entry->path())) {
      add_file(folders, entry->path(), false);
    }
  }
}

}  // namespace

std::vector<RecordFolder> record_folders(const std::vector<std::string>& paths) {
  Folders folders;
  for (const std::string& path : paths) {
    std::error_code unreachable;
    if (!fs::exists(path, unreachable)) {
      throw InputError({"'" + path + "' does not exist",
                        "nights are read from folders of campaigns", "check the name"});
    }
    const fs::path absolute = fs::canonical(path);
    fs::is_directory(absolute) ? add_below(folders, absolute) : add_file(folders, absolute, true);
  }
  std::vector<RecordFolder> found;
  for (auto& [name, folder] : folders) {
    std::ranges::sort(folder.files);
    const auto repeated = std::ranges::unique(folder.files);
    folder.files.erase(repeated.begin(), repeated.end());
    found.push_back(std::move(folder));
  }
  if (!found.empty()) return found;
  throw InputError({"no records", "none of the paths holds a *.json or *.cbor file",
                    "name the folder of a campaign"});
}

}  // namespace hockney
