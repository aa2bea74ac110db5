#include "profile/collect.hpp"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <vector>

#include "core/atomic_file.hpp"
#include "core/error.hpp"
#include "core/json_values.hpp"
#include "profile/event_log.hpp"
#include "profile/merge_notes.hpp"
#include "profile/part.hpp"
#include "profile/profile_file.hpp"

namespace hockney::profile {
namespace {

namespace fs = std::filesystem;

/// "NAME.json.rank12.part" for every rank that left one, in the order of names. Those that a killed
/// rank was writing, "NAME.json.rank12.part.new", are removed.
std::vector<fs::path> part_files(const fs::path& file) {
  std::vector<fs::path> found;
  std::vector<fs::path> cut_short;
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(file.filename().string() + ".rank")) continue;
    if (name.ends_with(".part")) found.push_back(entry.path());
    if (name.ends_with(".part.new")) cut_short.push_back(entry.path());
  }
  for (const fs::path& part : cut_short) fs::remove(part, error);
  std::ranges::sort(found);
  return found;
}

/// Ranks that were killed while they wrote their log have left what they wrote before it.
void note_lost_logs(const std::vector<Part>& parts, Profile& profile) {
  std::vector<int> ranks;
  for (const Part& part : parts) {
    if (part.lost_its_log()) ranks.push_back(part.header.rank);
  }
  std::ranges::sort(ranks);
  if (ranks.empty()) return;
  profile.notes.push_back("the log of events is lost of " +
                          killed_ranks(ranks, profile.world_ranks));
}

/// Parts one behind the other are the file of events. A profile is worth more than its log.
void keep_events(const std::vector<std::string>& parts, const std::string& file, Profile& profile) {
  if (!profile.log) return;
  profile.log->file = fs::path(events_file(file)).filename().string();
  try {
    OutputFile events(events_file(file));
    for (const std::string& part : parts) events.stream() << part;
    events.keep();
  } catch (const Error& error) {
    profile.notes.push_back(std::string("the events are lost: ") + error.what());
  }
}

}  // namespace

std::optional<Profile> collect(const std::string& file) {
  const std::vector<fs::path> files = part_files(file);
  std::error_code error;
  if (fs::exists(file, error)) {
    for (const fs::path& part : files) fs::remove(part, error);  // of ranks that were killed later
    return load_profile(file);
  }
  std::vector<std::string> texts;  // parts are views into them
  texts.reserve(files.size());
  std::vector<Part> parts;
  std::vector<std::string> unreadable;
  std::vector<fs::path> taken;
  for (const fs::path& part : files) {
    try {
      texts.push_back(read_file(part.string()));
      for (Part& one : read_parts(texts.back(), part.string())) parts.push_back(std::move(one));
      taken.push_back(part);
    } catch (const Error& problem) {
      unreadable.emplace_back(problem.what());
    }
  }
  if (parts.empty()) return std::nullopt;
  Profile profile = merge(parts);
  note_lost_logs(parts, profile);
  keep_events(texts, file, profile);
  profile.notes.insert(profile.notes.end(), unreadable.begin(), unreadable.end());
  write_atomically(file, json_text(nlohmann::json(profile)) + "\n");
  for (const fs::path& part : taken) fs::remove(part, error);
  return profile;
}

}  // namespace hockney::profile
