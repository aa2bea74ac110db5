#include "components/application/profile/collect.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include "components/application/profile/event_log.hpp"
#include "components/application/profile/merge.hpp"
#include "components/application/profile/part.hpp"
#include "components/application/profile/profile_file.hpp"
#include "core/atomic_file.hpp"
#include "core/error.hpp"
#include "core/json_values.hpp"
#include "core/text.hpp"

namespace hockney::profile {
namespace {

namespace fs = std::filesystem;

/// Notes ranks that were killed while they wrote their log. Their part without the log is complete.
void note_lost_logs(std::vector<int> ranks, Profile& profile) {
  if (ranks.empty()) return;
  std::ranges::sort(ranks);
  profile.notes.push_back("the log of events is lost of " +
                          killed_ranks(ranks, profile.world_ranks));
}

/// Parts written one after the other form the file of events. On failure the profile is kept
/// without its log.
void keep_events(const std::vector<fs::path>& parts, const std::string& file, Profile& profile) {
  if (!profile.log) return;
  profile.log->file = fs::path(events_file(file)).filename().string();
  try {
    OutputFile events(events_file(file));
    for (const fs::path& part : parts) events.stream() << read_file(part.string());
    events.keep();
  } catch (const Error& error) {
    profile.notes.push_back(fmt::format("the events are lost: {}", error.what()));
  }
}

/// The files of one world; their parts become its profile.
class World {
 public:
  World(std::string file, const std::string& run, std::vector<std::string>& problems)
      : file_(std::move(file)), run_(run), problems_(problems) {}

  void add(const RunFile& found) {
    if (found.kind == FileKind::part) parts_.push_back(found.path);
    if (found.kind == FileKind::unfinished_part) unfinished_.push_back(found.path);
  }

  std::optional<WorldProfile> collect() {
    std::error_code error;
    auto profile = fs::exists(file_, error) ? finished() : merged();
    for (const fs::path& part : unfinished_) {
      if (is_left_by_run(part)) fs::remove(part, error);
    }
    for (const fs::path& part : taken_) fs::remove(part, error);
    if (!profile) return std::nullopt;
    return WorldProfile{file_, std::move(*profile)};
  }

 private:
  /// The profile that MPI_Finalize wrote. Ranks that were killed later have left parts, too.
  std::optional<Profile> finished() {
    Profile profile = load_profile(file_);
    if (!is_of_run(profile.identity, run_)) {
      problems_.push_back(fmt::format("'{}' belongs to another run", file_));
      return std::nullopt;
    }
    identity_ = profile.identity;
    read_parts_of_run();
    return profile;
  }

  std::optional<Profile> merged() {
    read_parts_of_run();
    if (taken_.empty()) {
      if (left_out_.empty() && !unfinished_.empty()) {
        problems_.push_back(fmt::format(
            "no rank left anything for '{}': all were killed, or could not write", file_));
      }
      return std::nullopt;
    }
    Profile profile = merger_.take();
    note_lost_logs(std::move(without_log_), profile);
    keep_events(taken_, file_, profile);
    profile.notes.insert(profile.notes.end(), left_out_.begin(), left_out_.end());
    write_atomically(file_, profile_text(profile));
    return profile;
  }

  void read_parts_of_run() {
    for (const fs::path& file : parts_) {
      try {
        const std::string text = read_file(file.string());
        take(read_parts(text, file.string()), file);
      } catch (const Error& problem) {
        left_out_.emplace_back(problem.what());
      }
    }
    problems_.insert(problems_.end(), left_out_.begin(), left_out_.end());
  }

  /// InputError for a part of another world.
  void take(const std::vector<Part>& parts, const fs::path& file) {
    for (const Part& part : parts) {
      const Facts facts = facts_of(part.facts, part.header.rank);
      if (identity_.empty() && is_of_run(facts.identity, run_)) identity_ = facts.identity;
      if (!identity_.empty() && facts.identity == identity_) continue;
      throw InputError(
          {fmt::format("'{}' is left out", file.string()), "it belongs to another run",
           fmt::format("'{}', begun {}", join(facts.command_line, " "), facts.begun_utc)});
    }
    for (const Part& part : parts) {
      merger_.add(part);
      if (part.lost_its_log()) without_log_.push_back(part.header.rank);
    }
    if (!parts.empty()) taken_.push_back(file);
  }

  /// For an incomplete part: one of this run cannot be read either.
  [[nodiscard]] bool is_left_by_run(const fs::path& file) const {
    try {
      const std::string text = read_file(file.string());
      const std::vector<Part> parts = read_parts(text, file.string());
      return parts.empty() ||
             is_of_run(facts_of(parts.front().facts, parts.front().header.rank).identity, run_);
    } catch (const Error&) {
      return true;
    }
  }

  std::string file_;
  const std::string& run_;
  std::vector<std::string>& problems_;
  std::vector<fs::path> parts_;
  std::vector<fs::path> unfinished_;
  std::string identity_;  ///< of the world; empty before the first part
  Merger merger_;
  std::vector<int> without_log_;  ///< ranks
  std::vector<fs::path> taken_;
  std::vector<std::string> left_out_;
};

}  // namespace

Collected collect(const std::string& file, const std::string& run) {
  Collected collected;
  const std::vector<RunFile> files = files_of(file);
  for (auto first = files.begin(); first != files.end();) {
    const int number = first->world;
    World world(world_file(file, number), run, collected.problems);
    for (; first != files.end() && first->world == number; ++first) world.add(*first);
    try {
      if (auto profile = world.collect()) collected.worlds.push_back(std::move(*profile));
    } catch (const Error& error) {
      collected.problems.emplace_back(error.what());
    }
  }
  return collected;
}

}  // namespace hockney::profile
