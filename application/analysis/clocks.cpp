#include "application/analysis/clocks.hpp"

#include <algorithm>
#include <utility>

namespace hockney::applications {
namespace {

using Hosts = std::pair<std::string, std::string>;

/// By how much the first host's clock is at least ahead of the second's [s].
using Leads = std::map<Hosts, double>;

void raise(Leads& leads, const Hosts& hosts, double seconds) {
  if (hosts.first == hosts.second) return;
  const auto [found, is_new] = leads.try_emplace(hosts, seconds);
  if (!is_new) found->second = std::max(found->second, seconds);
}

double entered(const Trace& trace, const Call& call) {
  const RankTrace& rank = trace.ranks[call.rank];
  return rank.begin_seconds + rank.begin_of(rank.events[call.event]);
}

double left(const Trace& trace, const Call& call) {
  const RankTrace& rank = trace.ranks[call.rank];
  return rank.begin_seconds + rank.end_of(rank.events[call.event]);
}

/// The latest to enter and the earliest to leave, of each host.
void add_collective(const Trace& trace, const MatchedCollective& collective, Leads& leads) {
  std::map<std::string, std::pair<double, double>> by_host;
  for (const Call& call : collective.calls) {
    const RankTrace& rank = trace.ranks[call.rank];
    if (!synchronises(rank.events[call.event])) return;
    const double in = entered(trace, call);
    const double out = left(trace, call);
    const auto [found, is_new] = by_host.try_emplace(rank.host, in, out);
    found->second.first = std::max(found->second.first, in);
    found->second.second = std::min(found->second.second, out);
  }
  for (const auto& [host, times] : by_host) {
    for (const auto& [other, others] : by_host) {
      raise(leads, {host, other}, times.first - others.second);
    }
  }
}

Leads leads_of(const Trace& trace, const Matching& matching) {
  Leads leads;
  for (const MatchedMessage& message : matching.messages) {
    raise(leads, {trace.ranks[message.send.rank].host, trace.ranks[message.arrival.rank].host},
          entered(trace, message.send) - left(trace, message.arrival));
  }
  for (const MatchedCollective& collective : matching.collectives) {
    add_collective(trace, collective, leads);
  }
  return leads;
}

/// By how much each host's clock is at least ahead of the first one's, over any hosts between them
/// (Bellman and Ford); with `reversed`, the first one's of theirs.
std::map<std::string, double> leads_over(const std::string& first, const Leads& leads,
                                         bool reversed) {
  std::map<std::string, double> over{{first, 0.0}};
  bool is_changed = true;
  // Each round is at least one host farther; clocks that drift would never come to an end.
  for (std::size_t round = 0; is_changed && round <= leads.size(); ++round) {
    is_changed = false;
    for (const auto& [hosts, seconds] : leads) {
      const auto& [near, far] =
          reversed ? std::pair(hosts.first, hosts.second) : std::pair(hosts.second, hosts.first);
      const auto from = over.find(near);
      if (from == over.end() || far == first) continue;
      const double sum = from->second + seconds;
      const auto [found, is_new] = over.try_emplace(far, sum);
      is_changed = is_changed || is_new || found->second < sum;
      found->second = std::max(found->second, sum);
    }
  }
  return over;
}

}  // namespace

bool synchronises(const profile::Event& event) {
  using profile::Function;
  switch (event.function) {
    case Function::Barrier:
      return true;
    case Function::Allreduce:
    case Function::Allgather:
    case Function::Alltoall:
    case Function::Reduce_scatter_block:
      return event.sent.bytes > 0;
    default:
      return false;
  }
}

std::map<std::string, HostClock> align_clocks(const Trace& trace, const Matching& matching) {
  const Leads leads = leads_of(trace, matching);
  const RankTrace& first = trace.ranks.front();
  const auto ahead = leads_over(first.host, leads, false);
  const auto behind = leads_over(first.host, leads, true);
  std::map<std::string, HostClock> clocks;
  for (const RankTrace& rank : trace.ranks) {
    const auto low = ahead.find(rank.host);
    const auto high = behind.find(rank.host);
    HostClock clock{first.begin_seconds - rank.begin_seconds, std::nullopt};
    if (low != ahead.end() && high != behind.end()) {
      const double half_width = (-high->second - low->second) / 2;
      clock = {(high->second - low->second) / 2, std::max(0.0, half_width)};
    }
    clocks.try_emplace(rank.host, clock);
  }
  return clocks;
}

}  // namespace hockney::applications
