#include "core/record.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/text.hpp"

namespace hockney {
namespace {

/// Sentences about times.
namespace words {

constexpr std::string_view ranks_share = "{}: times are those of ranks that share CPUs";
constexpr std::string_view ranks_of_some_share =
    "{}: times are those of ranks that share CPUs ({} of {} launches)";
constexpr std::string_view threads_share =
    "threads share CPUs: times are those of threads that share CPUs";

}  // namespace words

GuidelineSide call_side(const std::string& operation, const std::string& key = "",
                        const std::string& value = "") {
  GuidelineSide made{.operation = operation, .parameters = {}};
  if (!key.empty()) made.parameters[key] = value;
  return made;
}

Guideline vectors(const std::string& name) {
  return {fmt::format("{0} <= {0}v", name), call_side(name), call_side(name + "v")};
}

Guideline nonblocking(const std::string& name) {
  return {fmt::format("{0} <= i{0} + wait", name), call_side(name), call_side("i" + name)};
}

/// An immediately completed nonblocking call may take at most twice as long as the blocking one,
/// and the blocking one at most as long as the nonblocking one.
Guideline price_of_nonblocking(const std::string& name) {
  constexpr double most = 2;
  return {fmt::format("i{0} + wait <= 2 {0}", name), call_side("i" + name), call_side(name),
          SizeRelation::same, most};
}

Guideline persistent(const std::string& name) {
  return {fmt::format("persistent {0} <= {0}", name), call_side("persistent-" + name),
          call_side(name)};
}

Guideline in_place(const std::string& name) {
  return {fmt::format("{0} in place <= {0}", name), call_side(name, "in-place", "yes"),
          call_side(name)};
}

Guideline predefined(const std::string& name) {
  return {fmt::format("{0} <= {0} of a user's operator", name), call_side(name, "operator", "sum"),
          call_side(name, "operator", "user-sum")};
}

/// Threads of one rank must not take longer than as many ranks of one thread on the same cores.
Guideline threads_as_ranks(const std::string& name) {
  return {name + ": threads <= ranks", call_side(name), call_side(name, "threads", "1"),
          SizeRelation::threads_as_ranks};
}

constexpr double most_of_it = 0.5;        // share of the payload that suffices to name the path
constexpr double hardly_any_of_it = 0.1;  // share that other traffic beside the messages may have

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }

/// Suffices for MPI_T names, which are ASCII.
std::string lower_case(std::string_view name) {
  std::string lower(name);
  for (char& c : lower) c = static_cast<char>(is_upper(c) ? c - 'A' + 'a' : c);
  return lower;
}

bool holds_any(std::string_view name, std::span<const std::string_view> words) {
  return std::ranges::any_of(
      words, [&](std::string_view word) { return name.find(word) != std::string_view::npos; });
}

std::string place_of(const CpuSharing& sharing) {
  return fmt::format("{} {} on {} {}", sharing.ranks, sharing.ranks == 1 ? "rank" : "ranks",
                     sharing.cpus, sharing.cpus == 1 ? "CPU" : "CPUs");
}

bool is_flagged(const std::vector<std::string>& flags) {
  return std::ranges::find(flags, oversubscribed_flag) != flags.end();
}

/// How many launches share CPUs, by their sharing.
struct SharingLaunches {
  std::map<CpuSharing, std::size_t> launches;
  std::size_t complete = 0;
  bool has_threads = false;
  bool is_unplaced = false;  ///< flagged launches whose ranks have no CPUs

  void add(const Record& record) {
    if (record.status != LaunchStatus::complete) return;
    ++complete;
    has_threads = has_threads || std::ranges::any_of(record.series, [](const Series& series) {
                    return is_flagged(series.flags);
                  });
    if (!is_flagged(record.flags)) return;
    const auto found = cpu_sharing(record.ranks);
    is_unplaced = is_unplaced || !found;
    if (found) ++launches[*found];
  }
};

/// Whether the point has the window that its size gives.
bool has_default_window(const Point& point) {
  const auto window = point.parameters.find(window_parameter);
  return window == point.parameters.end() ||
         window->second == std::to_string(default_window(point.bytes));
}

}  // namespace

std::vector<Guideline> guidelines_between_calls() {
  std::vector<Guideline> all;
  for (const char* name : {"allgather", "alltoall", "gather", "scatter"}) {
    all.push_back(vectors(name));
  }
  all.push_back({"alltoallv <= alltoallw", call_side("alltoallv"), call_side("alltoallw")});
  all.push_back({"send <= ssend", call_side("pingpong"), call_side("ssend-pingpong")});
  for (const char* name : {"barrier", "bcast", "reduce", "allreduce", "gather", "scatter",
                           "allgather", "alltoall", "reduce-scatter"}) {
    all.push_back(nonblocking(name));
    all.push_back(price_of_nonblocking(name));
  }
  for (const char* name : {"barrier", "bcast", "reduce", "allreduce", "allgather", "alltoall"}) {
    all.push_back(persistent(name));
  }
  for (const char* name : {"allgather", "allreduce", "alltoall", "reduce", "scan"}) {
    all.push_back(in_place(name));
  }
  for (const char* name : {"allreduce", "reduce"}) all.push_back(predefined(name));
  for (const char* name : {"threaded-pingpong", "threaded-pingping", "threaded-message-rate",
                           "threaded-bidirectional-bandwidth"}) {
    all.push_back(threads_as_ranks(name));
  }
  return all;
}

std::vector<Guideline> unary_guidelines(const std::string& operation, bool has_in_place) {
  const GuidelineSide itself =
      has_in_place ? call_side(operation, "in-place", "no") : call_side(operation);
  return {{operation + ": a size <= the next", itself, itself, SizeRelation::next_size},
          {operation + ": whole <= in parts", itself, itself, SizeRelation::parts},
          {operation + ": some ranks <= more", itself, itself, SizeRelation::more_ranks}};
}

PathProof prove_path(const Transport& transport) {
  if (transport.messages == 0 || transport.payload_bytes == 0) return {{}, "no message was seen"};
  const auto payload = static_cast<double>(transport.payload_bytes);
  const double copied = static_cast<double>(transport.copied_bytes) / payload;
  const double sent = static_cast<double>(transport.tcp_bytes) / payload;
  if (copied >= most_of_it && sent < most_of_it) return {"cma", {}};
  if (sent >= most_of_it && copied < most_of_it) return {"tcp", {}};
  if (copied >= hardly_any_of_it || sent >= hardly_any_of_it) {
    return {{}, "the messages went by several paths"};
  }
  if (!transport.shares_memory) {
    return {{}, "neither copies nor sockets carried the messages, and the ranks share no memory"};
  }
  if (!transport.devices.empty()) {
    return {{}, join(transport.devices) + " may have carried the messages, and leaves no count"};
  }
  return {"shm", {}};
}

void add(Transport& sum, const Transport& more) {
  sum.messages += more.messages;
  sum.payload_bytes += more.payload_bytes;
  sum.copy_calls += more.copy_calls;
  sum.copied_bytes += more.copied_bytes;
  sum.tcp_bytes += more.tcp_bytes;
  sum.shares_memory = sum.shares_memory || more.shares_memory;
  for (const std::string& device : more.devices) {
    if (std::ranges::find(sum.devices, device) == sum.devices.end()) sum.devices.push_back(device);
  }
}

std::vector<StatedLimit> explain_limit(const Settings& settings, std::int64_t limit_bytes) {
  std::vector<StatedLimit> stated = stated_limits(settings, limit_bytes, limit_bytes);
  for (StatedLimit& limit : stated) limit.header_bytes = limit.value_bytes - limit_bytes;
  return stated;
}

std::vector<StatedLimit> stated_limits(const Settings& settings, std::int64_t least_bytes,
                                       std::int64_t most_bytes) {
  std::vector<StatedLimit> stated;
  for (const auto& [name, text] : settings) {
    const auto value = is_about_eager(name) ? as_number<std::int64_t>(text) : std::nullopt;
    if (!value || *value < least_bytes || *value > most_bytes + largest_header_bytes) continue;
    stated.push_back({name, *value, 0});
  }
  return stated;
}

bool is_message_size(std::string_view name) {
  constexpr std::array<std::string_view, 8> words{"eager", "rndv", "send_size", "thresh",
                                                  "limit", "min",  "pipeline",  "cell_size"};
  constexpr std::array<std::string_view, 3> others{"num", "count", "free_list"};
  return holds_any(name, words) && !holds_any(name, others);
}

/// Searches for the words that libraries use for such limits. Open MPI's "self" is a rank that
/// sends to itself, and is excluded.
bool is_about_eager(std::string_view name) {
  constexpr std::array<std::string_view, 4> words{"eager", "rndv", "rendezvous", "cell_size"};
  constexpr std::array<std::string_view, 1> others{"_self_"};
  if (std::ranges::any_of(name, is_upper)) return is_about_eager(lower_case(name));
  return holds_any(name, words) && !holds_any(name, others);
}

bool may_explain_limit(std::string_view name, std::string_view value) {
  return as_number<std::int64_t>(value).value_or(0) > 0 &&
         (is_message_size(name) || is_about_eager(name));
}

bool states_eager_limits(const Settings& settings) {
  return std::ranges::any_of(settings, [](const auto& setting) {
    return is_about_eager(setting.first) && as_number<std::int64_t>(setting.second).value_or(0) > 0;
  });
}

std::optional<CpuSharing> cpu_sharing(std::span<const RankPlace> places) {
  struct HostUse {
    std::set<int> cpus;
    std::size_t ranks = 0;
  };
  std::map<std::string, HostUse> hosts;
  for (const RankPlace& place : places) {
    if (place.actual_cpus.empty()) continue;
    HostUse& use = hosts[place.host];
    use.cpus.insert(place.actual_cpus.begin(), place.actual_cpus.end());
    ++use.ranks;
  }
  CpuSharing sharing;
  for (const auto& [name, use] : hosts) {
    if (use.ranks <= use.cpus.size()) continue;
    sharing.ranks += use.ranks;
    sharing.cpus += use.cpus.size();
  }
  return sharing.ranks > 0 ? std::optional(sharing) : std::nullopt;
}

std::string oversubscription_text(const CpuSharing& sharing) {
  return fmt::format(words::ranks_share, place_of(sharing));
}

std::string oversubscription_text(const std::map<CpuSharing, std::size_t>& sharing,
                                  std::size_t launches) {
  if (sharing.empty()) return {};
  std::vector<std::string> places;
  std::size_t shared = 0;
  for (const auto& [one, count] : sharing) {
    places.push_back(place_of(one));
    shared += count;
  }
  return shared < launches ? fmt::format(words::ranks_of_some_share, join(places), shared, launches)
                           : fmt::format(words::ranks_share, join(places));
}

std::string oversubscription_text(std::span<const Record> launches,
                                  std::span<const Record> other_side) {
  SharingLaunches sharing;
  for (const Record& record : launches) sharing.add(record);
  for (const Record& record : other_side) sharing.add(record);
  if (!sharing.launches.empty()) return oversubscription_text(sharing.launches, sharing.complete);
  if (sharing.is_unplaced) return fmt::format(words::ranks_share, "ranks share CPUs");
  return std::string(sharing.has_threads ? words::threads_share : "");
}

void mark_automatic(Record& record) {
  std::set<std::string> windowed;
  std::set<std::string> requested;
  for (const PlannedPoint& planned : record.points) {
    if (!planned.point.parameters.contains(window_parameter)) continue;
    windowed.insert(planned.point.operation);
    if (!has_default_window(planned.point)) requested.insert(planned.point.operation);
  }
  const auto mark = [&](Point& point) {
    const bool is_default = point.parameters.contains(window_parameter) &&
                            !requested.contains(point.operation) && has_default_window(point);
    if (is_default && point.automatic.empty()) point.automatic = {window_parameter};
  };
  if (windowed.size() == requested.size()) return;
  for (PlannedPoint& planned : record.points.own()) mark(planned.point);
  for (Series& series : record.series) mark(series.point);
}

}  // namespace hockney
