#include "profile/collect.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

#include "core/atomic_file.hpp"
#include "core/error.hpp"
#include "core/json_values.hpp"
#include "profile/event_log.hpp"
#include "profile/merge.hpp"
#include "profile/merge_notes.hpp"
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
void note_lost_logs(std::vector<int> ranks, Profile& profile) {
  if (ranks.empty()) return;
  std::ranges::sort(ranks);
  profile.notes.push_back("the log of events is lost of " +
                          killed_ranks(ranks, profile.world_ranks));
}

/// Parts one behind the other are the file of events. A profile is worth more than its log.
void keep_events(const std::vector<fs::path>& parts, const std::string& file, Profile& profile) {
  if (!profile.log) return;
  profile.log->file = fs::path(events_file(file)).filename().string();
  try {
    OutputFile events(events_file(file));
    for (const fs::path& part : parts) events.stream() << read_file(part.string());
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
  Merger merger;
  std::vector<int> without_log;
  std::vector<std::string> unreadable;
  std::vector<fs::path> taken;
  for (const fs::path& part : files) {
    try {
      const std::string bytes = read_file(part.string());
      const std::vector<Part> parts = read_parts(bytes, part.string());
      for (const Part& one : parts) {
        merger.add(one);
        if (one.lost_its_log()) without_log.push_back(one.header.rank);
      }
      if (!parts.empty()) taken.push_back(part);
    } catch (const Error& problem) {
      unreadable.emplace_back(problem.what());
    }
  }
  if (taken.empty()) return std::nullopt;
  Profile profile = merger.take();
  note_lost_logs(std::move(without_log), profile);
  keep_events(taken, file, profile);
  profile.notes.insert(profile.notes.end(), unreadable.begin(), unreadable.end());
  write_atomically(file, json_text(nlohmann::json(profile)) + "\n");
  for (const fs::path& part : taken) fs::remove(part, error);
  return profile;
}

}  // namespace hockney::profile
