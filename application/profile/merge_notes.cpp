#include "application/profile/merge_notes.hpp"

#include <algorithm>
#include <set>

#include "core/text.hpp"
#include "core/time.hpp"

namespace hockney::profile {
namespace {

/// Ranks that are named one by one.
constexpr std::size_t most_named = 8;

/// How a rank ended that did not come to MPI_Finalize.
std::string end_of(const PartHeader& header, double seconds_in_call) {
  const auto end = static_cast<End>(header.end);
  std::string text = "rank " + std::to_string(header.rank) + " ";
  text += end == End::signalled ? "ended by signal " + std::to_string(header.signal)
                                : std::string(word(end));
  const auto call = call_under_way(header);
  if (!call) return text + ", outside of MPI";
  return text + ", after " + format_duration(Seconds{seconds_in_call}) + " in MPI_" +
         std::string(describe(*call).name);
}

/// "nothing is known of 2 of 8 ranks (3, 5): ...", empty where all are there.
std::string missing_ranks(const Profile& profile) {
  std::set<int> here;
  for (const Rank& rank : profile.ranks) here.insert(rank.rank);
  std::vector<int> missing;
  for (int rank = 0; rank < profile.world_ranks; ++rank) {
    if (!here.contains(rank)) missing.push_back(rank);
  }
  if (missing.empty()) return "";
  return "nothing is known of " + killed_ranks(missing, profile.world_ranks);
}

}  // namespace

std::string killed_ranks(const std::vector<int>& ranks, int world_ranks) {
  std::vector<std::string> named;
  for (const int rank : ranks) {
    named.push_back(named.size() < most_named ? std::to_string(rank) : "...");
    if (named.size() > most_named) break;
  }
  return std::to_string(ranks.size()) + " of " + std::to_string(world_ranks) + " ranks (" +
         join(named, ", ") + "): they were killed before they could save it";
}

std::optional<Function> call_under_way(const PartHeader& header) {
  const bool is_in_one = header.end != static_cast<int>(End::finalized) && header.in_function > 0 &&
                         header.in_function <= header.functions &&
                         header.in_since <= header.end_ticks;
  if (!is_in_one) return std::nullopt;
  return static_cast<Function>(header.in_function - 1);
}

void MergeNotes::add(const Part& part, double seconds_in_call) {
  const PartHeader& header = part.header;
  if (header.end != static_cast<int>(End::finalized)) {
    ends_.push_back(end_of(header, seconds_in_call));
  }
  folded_calls_ = capped_sum(folded_calls_, header.folded_calls);
  folded_messages_ = capped_sum(folded_messages_, header.folded_messages);
  untracked_ = capped_sum(untracked_, header.receives_untracked);
  places_lost_ = capped_sum(places_lost_, header.places_lost);
  is_not_logged_ =
      is_not_logged_ || header.logging == static_cast<std::uint32_t>(Logging::not_possible);
  is_threaded_ = is_threaded_ || header.thread_level == 3;
  for (const CallRow& row : part.calls) {
    if (row.key.size_class != unknown_size) continue;
    unknown_sizes_ = capped_sum(unknown_sizes_, row.count);
  }
}

std::vector<std::string> MergeNotes::of(const Profile& profile) const {
  std::vector<std::string> notes;
  const auto add_count = [&](std::int64_t count, const std::string& text) {
    if (count > 0) notes.push_back(std::to_string(count) + " " + text);
  };
  const std::string missing = missing_ranks(profile);
  if (!missing.empty()) notes.push_back(missing);
  const std::size_t named = std::min(ends_.size(), most_named);
  notes.insert(notes.end(), ends_.begin(), ends_.begin() + static_cast<std::ptrdiff_t>(named));
  add_count(static_cast<std::int64_t>(ends_.size() - named),
            "more ranks ended without MPI_Finalize");
  add_count(folded_calls_, "calls are counted by their name alone (the memory for more was full)");
  add_count(folded_messages_, "messages are counted without their receiver (the memory was full)");
  add_count(untracked_, "receives are counted without their size (the memory was full)");
  add_count(places_lost_,
            "times a region, call site or communicator is not named (the memory was full, or there "
            "were more than 65535 regions)");
  add_count(unknown_sizes_,
            "receives have no size: they were not complete when the program ended, or were freed");
  if (profile.log) {
    add_count(profile.log->not_logged,
              "calls are not in the log of events (the memory was full): give more, --memory");
  }
  if (is_not_logged_) {
    notes.emplace_back(
        "there is no log of events: with several threads in MPI at once (MPI_THREAD_MULTIPLE) it "
        "is not known which receive got which message");
  }
  if (is_threaded_) {
    notes.emplace_back(
        "several threads may have been in MPI at once (MPI_THREAD_MULTIPLE): sums of their "
        "times may exceed the time of the run");
  }
  return notes;
}

}  // namespace hockney::profile
