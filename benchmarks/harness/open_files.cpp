#include "benchmarks/harness/open_files.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

#include "core/transport.hpp"

namespace hockney {
namespace {

void add_once(std::vector<std::string>& names, const std::string& name) {
  if (std::ranges::find(names, name) == names.end()) names.push_back(name);
}

void add_device(std::vector<std::string>& names, const std::string& path) {
  for (const SilentDevice& device : silent_devices) {
    if (path.starts_with(device.path)) add_once(names, std::string(device.name));
  }
}

}  // namespace

std::vector<OpenFile> open_files() {
  std::vector<OpenFile> files;
  std::error_code missing;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd", missing)) {
    std::error_code closed;  // the listing itself is a file, open no more
    const auto target = std::filesystem::read_symlink(entry.path(), closed);
    if (closed) continue;
    files.push_back({std::stoi(entry.path().filename().string()), target.string()});
  }
  return files;
}

Mappings parse_mappings(const std::string& maps) {
  Mappings found;
  std::istringstream lines(maps);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string range;
    std::string rights;
    std::string offset;
    std::string device;
    std::string inode;
    std::string path;
    words >> range >> rights >> offset >> device >> inode >> path;
    if (rights.size() < 4) continue;
    add_device(found.devices, path);
    const bool is_shared = rights[1] == 'w' && rights[3] == 's';
    if (is_shared && inode != "0") add_once(found.shared, device + ":" + inode);
  }
  return found;
}

Mappings read_mappings() {
  std::ostringstream text;
  text << std::ifstream("/proc/self/maps").rdbuf();
  Mappings found = parse_mappings(text.str());
  for (const OpenFile& file : open_files()) add_device(found.devices, file.target);
  return found;
}

}  // namespace hockney
