#include "application/analysis/eager.hpp"

#include <algorithm>
#include <map>

#include "core/text.hpp"
#include "application/analysis/calls.hpp"

namespace hockney::applications {
namespace {

std::string host_of(const Record& record, int rank) {
  const auto found = std::ranges::find(record.ranks, rank, &RankPlace::rank);
  return found == record.ranks.end() ? "" : found->host;
}

Reach reach_of(const Record& record, const Protocol& protocol) {
  if (protocol.pair.size() != 2) return Reach::in_node;
  const bool is_one_host = host_of(record, protocol.pair[0]) == host_of(record, protocol.pair[1]);
  return is_one_host ? Reach::in_node : Reach::between_nodes;
}

void add_use(LimitUse& use, const profile::Messages& row) {
  const Volume volume{row.messages, row.bytes, row.min_bytes, row.max_bytes};
  use.messages.add(volume);
  if (row.min_bytes > use.limits.most_bytes()) {
    use.above.add(volume);
  } else if (row.max_bytes > use.limits.least_bytes()) {
    use.perhaps_above.add(volume);
  }
}

std::vector<CallsAbove> calls_just_above(const profile::Profile& profile,
                                         const EagerLimits& limits) {
  std::map<std::string, Volume> found;
  for (const profile::Calls& calls : profile.calls) {
    const bool is_above = calls.min_bytes > limits.least_bytes() &&
                          calls.max_bytes - limits.most_bytes() <= limits.most_bytes();
    if (class_of(calls.call) != CallClass::send || !is_above) continue;
    found[calls.call].add({calls.count, calls.bytes, calls.min_bytes, calls.max_bytes});
  }
  std::vector<CallsAbove> listed;
  listed.reserve(found.size());
  for (const auto& [call, volume] : found) listed.push_back({call, volume});
  std::ranges::stable_sort(listed, std::greater<>(),
                           [](const CallsAbove& one) { return one.volume.bytes; });
  return listed;
}

/// What the environment asks for, by a variable of the library or of its components.
std::optional<std::int64_t> asked_limit(const EagerLimits& limits,
                                        const std::map<std::string, std::string>& environment) {
  std::optional<std::int64_t> asked;
  for (const auto& [name, text] : environment) {
    const auto value = as_number<std::int64_t>(text);
    const auto stated = std::ranges::find_if(limits.header_bytes, [&](const auto& one) {
      return name == one.first || name.ends_with("_MCA_" + one.first);
    });
    if (!value || stated == limits.header_bytes.end()) continue;
    const std::int64_t bytes = std::max<std::int64_t>(*value - stated->second, 0);
    asked = std::min(asked.value_or(bytes), bytes);
  }
  return asked;
}

/// What MPI_Send hands over to a receiver that is outside of MPI.
std::optional<std::int64_t> limit_asleep(const Protocol& protocol) {
  for (const HandOver& found : protocol.hand_overs) {
    const bool is_plain = found.call == "send" && found.datatype == "bytes";
    if (is_plain && found.receiver == "asleep") return found.limit_bytes.value_or(-1);
  }
  return std::nullopt;
}

/// What a launch found between two ranks; it found a limit.
void add_limit(EagerLimits& limits, const Protocol& protocol) {
  limits.limits_bytes.insert(protocol.eager_limit_bytes.value_or(0));
  if (const auto asleep = limit_asleep(protocol)) limits.asleep_bytes.insert(*asleep);
  for (const StatedLimit& stated : protocol.stated) {
    limits.header_bytes[stated.variable] = stated.header_bytes;
  }
  if (protocol.hop) limits.hops.insert(*protocol.hop);
}

}  // namespace

std::vector<EagerLimits> eager_limits(std::span<const Record> records) {
  std::map<Reach, EagerLimits> found;
  for (const Record& record : records) {
    if (record.status != LaunchStatus::complete) continue;
    for (const Protocol& protocol : record.protocols) {
      if (!protocol.eager_limit_bytes) continue;
      const Reach reach = reach_of(record, protocol);
      add_limit(found.try_emplace(reach, EagerLimits{.reach = reach}).first->second, protocol);
    }
  }
  std::vector<EagerLimits> listed;
  listed.reserve(found.size());
  for (const auto& [reach, limits] : found) listed.push_back(limits);
  return listed;
}

SendLimits send_limits(std::span<const EagerLimits> limits,
                       const std::map<std::string, std::string>& environment) {
  SendLimits found;
  for (const EagerLimits& of_reach : limits) {
    SendLimit& limit = found.of(of_reach.reach);
    limit.eager = limit.unnoticed = of_reach.least_bytes();
    if (!of_reach.asleep_bytes.empty()) {
      limit.unnoticed = std::min(limit.eager, *of_reach.asleep_bytes.begin());
    }
    if (const auto asked = asked_limit(of_reach, environment)) limit = limit.with_eager(*asked);
  }
  return found;
}

std::vector<LimitUse> limit_uses(const profile::Profile& profile,
                                 std::span<const EagerLimits> limits) {
  const Nodes nodes = nodes_of(profile);
  std::vector<LimitUse> uses;
  for (const EagerLimits& of_reach : limits) {
    LimitUse use{.limits = of_reach, .messages = {}, .above = {}, .perhaps_above = {}};
    for (const profile::Messages& row : profile.messages) {
      if (!row.to || row.carrier != profile::Carrier::message || *row.to == row.from) continue;
      const bool is_one_node = nodes.of_rank[static_cast<std::size_t>(row.from)] ==
                               nodes.of_rank[static_cast<std::size_t>(*row.to)];
      if (is_one_node == (of_reach.reach == Reach::in_node)) add_use(use, row);
    }
    if (use.messages.count == 0) continue;
    use.just_above = calls_just_above(profile, of_reach);
    uses.push_back(std::move(use));
  }
  return uses;
}

}  // namespace hockney::applications
