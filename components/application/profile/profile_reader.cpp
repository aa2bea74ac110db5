#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "components/application/profile/profile_fields.hpp"
#include "components/application/profile/profile_file.hpp"
#include "core/invariants.hpp"

namespace hockney::profile {
namespace {

// Bounds of rates. A call takes longer to record than these allow.

constexpr double most_calls_per_second = 1e10;  ///< over all threads of a rank
constexpr double most_bytes_per_second = 1e15;
constexpr double most_rank_threads = 1024;

/// Time of all ranks together; nullopt if it is not known.
std::optional<double> rank_seconds(const Profile& profile) {
  double sum = 0;
  for (const Rank& rank : profile.ranks) sum += rank.seconds;
  return if_known(sum);
}

/// The product of two bounds; nullopt if one of them is not known.
std::optional<double> product(std::optional<double> one, double other) {
  return one ? if_known(*one * other) : std::nullopt;
}

/// Ranks and communicators of a list are looked up by their numbers.
template <class Size>
std::string beyond(std::string_view key, std::optional<int> index, Size size) {
  return index && static_cast<std::size_t>(*index) >= static_cast<std::size_t>(size)
             ? std::string(key)
             : std::string();
}

std::string unknown_index(const Profile& profile) {
  const auto of_calls = [&](const Calls& calls) {
    return first_of({beyond("communicator", calls.communicator, profile.communicators.size()),
                     beyond("site", calls.site, profile.sites.size()),
                     beyond("region", calls.region, profile.regions.size()),
                     beyond("slowest_rank", calls.slowest_rank, profile.world_ranks),
                     above(profile.world_ranks, {{"ranks", calls.ranks}})});
  };
  const auto of_messages = [&](const Messages& messages) {
    return first_of({beyond("from", messages.from, profile.world_ranks),
                     beyond("to", messages.to, profile.world_ranks),
                     beyond("communicator", messages.communicator, profile.communicators.size())});
  };
  const auto of_region = [&](const ParallelRegion& region) {
    return first_of({beyond("site", region.site, profile.sites.size()),
                     beyond("waiting_rank", region.waiting_rank, profile.world_ranks),
                     above(profile.world_ranks, {{"ranks", region.ranks}})});
  };
  return first_of({broken_in("calls", profile.calls, of_calls),
                   broken_in("messages", profile.messages, of_messages),
                   broken_in("parallel_regions", profile.parallel_regions, of_region)});
}

std::string disordered_rank(const Profile& profile) {
  int before = -1;
  return broken_in("ranks", profile.ranks, [&](const Rank& rank) -> std::string {
    const bool is_next = rank.rank > before && rank.rank < profile.world_ranks;
    before = rank.rank;
    return is_next ? "" : "rank";
  });
}

std::string unknown_frame(const Profile& profile) {
  if (!profile.samples) return {};
  const Samples& samples = *profile.samples;
  const auto of_stack = [&](const Stack& stack) -> std::string {
    const bool has_frames = std::ranges::all_of(stack.frames, [&](int frame) {
      return static_cast<std::size_t>(frame) < samples.frames.size();
    });
    if (!has_frames) return "frames";
    if (stack.ranks.size() != stack.counts.size()) return "counts";
    const bool ascends =
        std::ranges::adjacent_find(stack.ranks, std::greater_equal()) == stack.ranks.end();
    const bool is_known = stack.ranks.empty() || stack.ranks.back() < profile.world_ranks;
    return ascends && is_known ? "" : "ranks";
  };
  return first_of({broken_in("samples.frames", samples.frames,
                             [&](const Frame& frame) {
                               return beyond("module", frame.module, samples.modules.size());
                             }),
                   broken_in("samples.stacks", samples.stacks, of_stack)});
}

std::string long_rank(const Profile& profile) {
  const auto longest = std::ranges::max_element(profile.ranks, {}, &Rank::seconds);
  if (longest != profile.ranks.end() && is_above(profile.seconds, if_known(longest->seconds))) {
    return "seconds";
  }
  double cpus = 0;
  for (const Host& host : profile.provenance.hosts) cpus += host.cpus;
  // The times of a rank's threads add up. Several threads of a CPU may wait for files.
  constexpr double threads_of_cpu = 8;
  const auto seconds = if_known(profile.seconds);
  const auto of_threads = product(seconds, cpus * threads_of_cpu);
  return broken_in("ranks", profile.ranks, [&](const Rank& rank) {
    const auto own = if_known(rank.seconds);
    return first_of(
        {above(seconds, {{"seconds", rank.seconds}}),
         above(of_threads, {{"mpi_seconds", rank.mpi_seconds},
                            {"mpi_io_seconds", rank.mpi_io_seconds},
                            {"io_seconds", rank.io_seconds}}),
         above(product(own, most_bytes_per_second), {{"io_bytes", rank.io_bytes}}),
         above(product(seconds, most_calls_per_second), {{"calls", rank.calls}}),
         descending({{"folded_calls", rank.folded_calls}, {"calls", rank.calls}}),
         above(product(own, most_calls_per_second), {{"folded_messages", rank.folded_messages}})});
  });
}

std::string many_calls(const Profile& profile) {
  const auto seconds = if_known(profile.seconds);
  const auto calls_of_all = product(seconds, profile.world_ranks * most_calls_per_second);
  // Recording these calls takes at most the time that the ranks ran.
  const auto recorded =
      profile.overhead.completion_seconds > 0
          ? product(rank_seconds(profile), 1 / profile.overhead.completion_seconds)
          : std::nullopt;
  const auto of_threads = product(seconds, profile.world_ranks * most_rank_threads);
  const auto of_calls = [&](const Calls& calls) {
    return first_of({above(calls_of_all, {{"count", calls.count}}),
                     above(recorded, {{"count", calls.count}}),
                     above(seconds, {{"max_seconds", calls.max_seconds}}),
                     above(of_threads, {{"seconds", calls.seconds}})});
  };
  const auto of_messages = [&](const Messages& messages) {
    return above(calls_of_all, {{"messages", messages.messages}});
  };
  const auto of_region = [&](const Region& region) {
    return first_of({above(rank_seconds(profile), {{"seconds", region.seconds}}),
                     above(calls_of_all, {{"entered", region.entered}})});
  };
  return first_of({broken_in("calls", profile.calls, of_calls),
                   broken_in("messages", profile.messages, of_messages),
                   broken_in("regions", profile.regions, of_region),
                   profile.log ? above(calls_of_all, {{"log.events", profile.log->events},
                                                      {"log.not_logged", profile.log->not_logged}})
                               : ""});
}

std::string disordered_sums(const Profile& profile) {
  const auto of_calls = [](const Calls& calls) {
    const auto count = static_cast<double>(calls.count);
    return first_of(
        {descending({{"min_bytes", calls.min_bytes},
                     {"max_bytes", calls.max_bytes},
                     {"bytes", calls.bytes}}),
         descending({{"min_seconds", calls.min_seconds},
                     {"max_seconds", calls.max_seconds},
                     {"seconds", calls.seconds}}),
         descending({{"slowest_seconds", calls.slowest_seconds}, {"seconds", calls.seconds}}),
         above(if_known(count * static_cast<double>(calls.max_bytes)), {{"bytes", calls.bytes}}),
         above(if_known(count * calls.max_seconds), {{"seconds", calls.seconds}})});
  };
  const auto of_messages = [](const Messages& messages) {
    const double most =
        static_cast<double>(messages.messages) * static_cast<double>(messages.max_bytes);
    return first_of({descending({{"min_bytes", messages.min_bytes},
                                 {"max_bytes", messages.max_bytes},
                                 {"bytes", messages.bytes}}),
                     above(if_known(most), {{"bytes", messages.bytes}})});
  };
  return first_of({broken_in("calls", profile.calls, of_calls),
                   broken_in("messages", profile.messages, of_messages)});
}

/// A call's time includes its recording; some calls take less than the mean.
std::string high_overhead(const Profile& profile) {
  double calls = 0;
  for (const Rank& rank : profile.ranks) calls += static_cast<double>(rank.calls);
  constexpr double above_mean = 10;
  constexpr double most = 1;
  const Overhead& overhead = profile.overhead;
  const auto of_call =
      calls > 0 ? product(rank_seconds(profile), above_mean / calls) : std::nullopt;
  return above(std::min(of_call.value_or(most), most),
               {{"price.send_seconds", overhead.send_seconds},
                {"price.receive_seconds", overhead.receive_seconds},
                {"price.completion_seconds", overhead.completion_seconds},
                {"price.other_seconds", overhead.other_seconds}});
}

constexpr std::array<Invariant<Profile>, 7> profile_invariants{
    {{"communicators, sites, regions and ranks of rows exist", unknown_index},
     {"ranks ascend, below the number of ranks", disordered_rank},
     {"stacks have known frames, and a count for each of ascending ranks", unknown_frame},
     {"a rank runs no longer than the program, nor do its threads", long_rank},
     {"calls, messages and regions fit into the time of the ranks", many_calls},
     {"the largest value is between the smallest one and the sum", disordered_sums},
     {"recording takes no longer than the calls", high_overhead}}};

}  // namespace

void read_into(const JsonNode& node, Profile& profile) {
  read_fields(node, profile);
  check_invariants(profile_invariants, node, profile);
}

void read_into(const JsonNode& node, Rank& rank) { read_fields(node, rank); }

Profile load_profile(const std::string& file) { return read_value<Profile>(load_json(file)); }

}  // namespace hockney::profile
