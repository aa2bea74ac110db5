#include "campaign/executables.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "core/error.hpp"
#include "core/names.hpp"

namespace hockney {
namespace {

namespace fs = std::filesystem;

bool is_executable(const fs::path& file) {
  std::error_code error;
  return fs::is_regular_file(file, error) && ::access(file.c_str(), X_OK) == 0;
}

/// What a user may have meant: the programs of the suite that are there.
std::vector<std::string> programs_in(const std::vector<std::string>& folders) {
  std::vector<std::string> names;
  for (const std::string& folder : folders) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
      const std::string name = entry.path().filename().string();
      if (name.starts_with("hockney-") && is_executable(entry.path())) names.push_back(name);
    }
  }
  return names;
}

}  // namespace

std::vector<std::string> path_folders(const char* variable) {
  const char* path = std::getenv(variable);
  if (path == nullptr) return {};
  std::vector<std::string> folders = split(path, ':');
  std::erase(folders, "");
  return folders;
}

std::string own_folder() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error).parent_path().string();
}

std::optional<std::string> find_executable(const std::string& name,
                                           const std::vector<std::string>& folders) {
  if (name.find('/') != std::string::npos) {
    return is_executable(name) ? std::optional(name) : std::nullopt;
  }
  for (const std::string& folder : folders) {
    const fs::path file = fs::path(folder) / name;
    if (is_executable(file)) return file.string();
  }
  return std::nullopt;
}

std::string find_program(const std::string& program, const std::string& config_folder,
                         const std::vector<std::string>& executable_folders) {
  std::vector<std::string> folders = executable_folders;
  folders.push_back(own_folder());
  const std::vector<std::string> ours = folders;
  for (const std::string& folder : path_folders()) folders.push_back(folder);
  const bool is_path = program.find('/') != std::string::npos;
  const std::string name = is_path ? (fs::path(config_folder) / program).string() : program;
  if (const auto file = find_executable(name, folders)) {
    return fs::absolute(*file).lexically_normal().string();
  }
  const std::string where = is_path ? "there is no such executable file"
                                    : "it is neither in " + join(ours) + " nor in PATH";
  const std::string nearest = suggest(program, programs_in(ours));
  throw InputError({"program '" + name + "' not found", where,
                    "give --executable-dir or build it" + (nearest.empty() ? "" : "; " + nearest)});
}

}  // namespace hockney
