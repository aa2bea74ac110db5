#include "application/profile/run_files.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <optional>
#include <random>

#include "core/text.hpp"
#include "application/profile/event_log.hpp"

namespace hockney::profile {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view world_mark = ".world";

/// Of a file that belongs to the world with the profile `base`; nullopt for other files.
std::optional<FileKind> kind_of(const std::string& name, const std::string& base) {
  if (name == base) return FileKind::profile;
  if (name == events_file(base)) return FileKind::events;
  if (!name.starts_with(base + ".rank")) return std::nullopt;
  if (name.ends_with(".part")) return FileKind::part;
  if (name.ends_with(".part" + std::string(unfinished_suffix))) return FileKind::unfinished_part;
  return std::nullopt;
}

/// The number in "NAME.world2.json" and in what begins with it; 1 where there is none.
int world_in(const std::string& name, const std::string& base) {
  const std::string prefix = fs::path(base).stem().string() + std::string(world_mark);
  if (!name.starts_with(prefix)) return 1;
  const std::string_view rest = std::string_view(name).substr(prefix.size());
  const std::size_t digits = rest.find_first_not_of("0123456789");
  return as_number<int>(std::string(rest.substr(0, digits))).value_or(1);
}

}  // namespace

std::string new_run_id() {
  std::random_device random;
  std::array<char, 17> text{};
  std::snprintf(text.data(), text.size(), "%08x%08x", random(), random());
  return text.data();
}

bool is_run_id(std::string_view text) {
  constexpr std::size_t longest = 32;
  return !text.empty() && text.size() <= longest &&
         std::ranges::all_of(
             text, [](unsigned char letter) { return std::isalnum(letter) != 0 || letter == '_'; });
}

std::string world_identity(const std::string& run, const std::string& world) {
  return run + "-" + world;
}

bool is_of_run(std::string_view identity, const std::string& run) {
  return identity.starts_with(run + "-");
}

std::string world_file(const std::string& profile, int number) {
  if (number == 1) return profile;
  fs::path path(profile);
  const std::string name = path.stem().string() + std::string(world_mark) + std::to_string(number) +
                           path.extension().string();
  return path.replace_filename(name).string();
}

std::string part_file(const std::string& profile, int rank) {
  return profile + ".rank" + std::to_string(rank) + ".part";
}

std::vector<RunFile> files_of(const std::string& profile) {
  const fs::path path(profile);
  const std::string base = path.filename().string();
  std::vector<RunFile> found;
  std::error_code error;
  for (const auto& entry :
       fs::directory_iterator(path.has_parent_path() ? path.parent_path() : ".", error)) {
    const std::string name = entry.path().filename().string();
    const int world = world_in(name, base);
    if (const auto kind = kind_of(name, world_file(base, world))) {
      found.push_back({world, *kind, entry.path()});
    }
  }
  std::ranges::sort(found);
  return found;
}

}  // namespace hockney::profile
