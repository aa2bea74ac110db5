#include "components/application/analysis/trace.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "components/application/profile/part.hpp"
#include "components/application/profile/profile_file.hpp"
#include "core/atomic_file.hpp"
#include "core/error.hpp"

namespace hockney::applications {
namespace {

using models::CollectiveWaits;

constexpr double nanosecond = 1e-9;

/// Replaces rows of the part by those of the trace.
void rename(profile::Event& event, const profile::PartPlaces& places) {
  const auto row = [](const std::optional<int>& index) {
    return index ? static_cast<std::uint32_t>(*index) : profile::no_index;
  };
  event.communicator = row(places.communicator(event.communicator));
  event.site = row(places.site(event.site));
  event.region = row(places.region(event.region)) + 1U;
}

RankTrace rank_trace(const profile::Part& part, const profile::Facts& facts,
                     const profile::PartPlaces& places, const std::string& file) {
  const profile::PartHeader& header = part.header;
  RankTrace rank{.rank = header.rank,
                 .host = facts.host.name,
                 .begin_seconds = static_cast<double>(header.begin_ns) * nanosecond,
                 .seconds = static_cast<double>(header.end_ns - header.begin_ns) * nanosecond,
                 .begin_ticks = header.begin_ticks,
                 .events = {}};
  const auto ticks = static_cast<double>(header.end_ticks - header.begin_ticks);
  rank.seconds_per_tick = ticks > 0 ? rank.seconds / ticks : 0;
  constexpr std::size_t least_bytes = 4;  // of an event
  rank.events.reserve(
      std::min(static_cast<std::size_t>(header.events), part.log.size() / least_bytes));
  profile::EventReader reader(part, file);
  for (profile::Event event; reader.read(event);) {
    rename(event, places);
    rank.events.push_back(event);
  }
  return rank;
}

/// Difference between a log and the profile beside it, or an empty text.
std::string difference(const Trace& trace, const profile::Profile& profile) {
  const auto differs = [](const char* what, auto in_log, auto in_profile) {
    return fmt::format("{} {} in the log and {} in the profile", what, in_log, in_profile);
  };
  if (trace.world_ranks != profile.world_ranks) {
    return differs("ranks:", trace.world_ranks, profile.world_ranks);
  }
  if (!trace.identity.empty() && !profile.identity.empty() && trace.identity != profile.identity) {
    return differs("run", trace.identity, profile.identity);
  }
  // A program without MPI calls has a profile without a log.
  const profile::EventLog log = profile.log.value_or(profile::EventLog());
  if (trace.logged != log.events) return differs("logged calls:", trace.logged, log.events);
  if (trace.not_logged != log.not_logged) {
    return differs("calls that are not logged:", trace.not_logged, log.not_logged);
  }
  return {};
}

using profile::Function;
using profile::Kind;

/// Messages that are equal in these are received in the order in which they were sent.
using Stream = std::tuple<std::uint32_t, int, int, int>;  // communicator, from, to, tag

struct Sent {
  Call call;
  Call departure;
};

struct Received {
  Call post;
  Call arrival;
};

bool is_message(Kind kind) {
  return kind == Kind::send || kind == Kind::send_receive || kind == Kind::replace ||
         kind == Kind::plan_send;
}

bool is_blocking_receive(const EventView& event) {
  const Kind kind = profile::describe(event.function).kind;
  const bool may = kind == Kind::receive || kind == Kind::send_receive || kind == Kind::replace;
  return may && event.received.rank >= 0;
}

/// The sends and receives of one rank, by stream, in the order of their calls.
class RankMessages {
 public:
  RankMessages(const Trace& trace, std::size_t rank) : trace_(trace), rank_(rank) {}

  template <class Send, class Receive>
  void for_each(Send&& send, Receive&& receive) {
    const RankTrace& own = trace_.ranks[rank_];
    for (std::size_t i = 0; i < own.events.size(); ++i) {
      const EventView event = own.events[i];
      const Kind kind = profile::describe(event.function).kind;
      if (is_message(kind) && event.sent.rank >= 0) {
        if (event.request != 0) sends_[event.request] = sent_.size();
        sent_.push_back({{event.communicator, own.rank, event.sent.rank, event.sent.tag},
                         {{rank_, i}, {rank_, i}}});
      }
      if (is_blocking_receive(event)) found(event, event.received, i, i);
      if (event.request != 0) made_[event.request] = i;
      complete(event, i);
    }
    for (const auto& [stream, sent] : sent_) send(stream, sent);
    // Messages are matched in the order in which receives were posted, not completed.
    std::ranges::stable_sort(found_, {}, [](const auto& one) { return one.second.post; });
    for (const auto& [stream, received] : found_) receive(stream, received);
  }

 private:
  void found(const EventView& posted, const profile::Endpoint& from, std::size_t post,
             std::size_t arrival) {
    found_.push_back({{posted.communicator, from.rank, trace_.ranks[rank_].rank, from.tag},
                      {{rank_, post}, {rank_, arrival}}});
  }

  void complete(const EventView& event, std::size_t place) {
    const EventList& events = trace_.ranks[rank_].events;
    for (const profile::Completed& completed : event.completed) {
      const auto made = made_.find(completed.request);
      if (made == made_.end()) continue;
      const auto send = sends_.find(completed.request);
      if (send != sends_.end()) sent_[send->second].second.departure = {rank_, place};
      const EventView post = events[made->second];
      const auto probe = probed_.find(completed.request);
      if (profile::describe(post.function).kind == Kind::probe) {
        if (event.request != 0) {  // MPI_Imrecv: the probed message arrives with this request
          probed_[event.request] = made->second;
        } else {
          found(post, post.received, made->second, place);
        }
      } else if (probe != probed_.end()) {
        const EventView probing = events[probe->second];
        found(probing, probing.received, probe->second, place);
      } else if (completed.received.rank >= 0) {
        found(post, completed.received, made->second, place);
      }
      made_.erase(completed.request);
    }
  }

  const Trace& trace_;
  std::size_t rank_;
  std::unordered_map<std::uint64_t, std::size_t> made_;    ///< by request, the event that made it
  std::unordered_map<std::uint64_t, std::size_t> probed_;  ///< by request, the probe before it
  std::unordered_map<std::uint64_t, std::size_t> sends_;   ///< by request, into `sent_`
  std::vector<std::pair<Stream, Sent>> sent_;
  std::vector<std::pair<Stream, Received>> found_;
};

void match_messages(const Trace& trace, Matching& matching) {
  std::map<Stream, std::vector<Sent>> sends;
  std::map<Stream, std::vector<Received>> receives;
  for (std::size_t rank = 0; rank < trace.ranks.size(); ++rank) {
    RankMessages(trace, rank)
        .for_each([&](const Stream& stream, const Sent& sent) { sends[stream].push_back(sent); },
                  [&](const Stream& stream, const Received& received) {
                    receives[stream].push_back(received);
                  });
  }
  std::size_t most = 0;
  for (const auto& [stream, sent] : sends) most += sent.size();
  matching.messages.reserve(most);
  for (const auto& [stream, sent] : sends) {
    const auto found = receives.find(stream);
    const std::size_t received = found == receives.end() ? 0 : found->second.size();
    const std::size_t both = std::min(received, sent.size());
    for (std::size_t k = 0; k < both; ++k) {
      const Received& to = found->second[k];
      matching.messages.push_back({sent[k].call, sent[k].departure, to.post, to.arrival});
    }
    const int to = std::get<2>(stream);
    const bool is_there = std::ranges::binary_search(trace.ranks, to, {}, &RankTrace::rank);
    if (is_there) matching.sends_alone += static_cast<std::int64_t>(sent.size() - both);
    matching.receives_alone += static_cast<std::int64_t>(received - both);
    if (found != receives.end()) receives.erase(found);
  }
  for (const auto& [stream, received] : receives) {
    matching.receives_alone += static_cast<std::int64_t>(received.size());
  }
  std::ranges::sort(matching.messages, {}, &MatchedMessage::send);
}

void match_collectives(const Trace& trace, Matching& matching) {
  std::map<std::pair<std::uint32_t, std::size_t>, MatchedCollective> calls;
  for (std::size_t rank = 0; rank < trace.ranks.size(); ++rank) {
    std::unordered_map<std::uint32_t, std::size_t> made;  // on each communicator
    const auto& events = trace.ranks[rank].events;
    for (std::size_t i = 0; i < events.size(); ++i) {
      if (!is_collective(events[i])) continue;
      const std::uint32_t communicator = events[i].communicator;
      if (trace.communicators[communicator].size < 2) continue;  // MPI_COMM_SELF of each rank
      calls[{communicator, made[communicator]++}].calls.push_back({rank, i});
    }
  }
  for (auto& [key, collective] : calls) matching.collectives.push_back(std::move(collective));
}

/// Scans have the arguments of MPI_Allreduce; only the names differ.
bool is_scan(Function function) {
  const std::string_view name = profile::describe(function).name;
  return name.find("scan") != std::string_view::npos || name.starts_with("Scan");
}

/// For a call in which some rank contributes data.
CollectiveWaits waits_by_meaning(Function function) {
  const profile::Arguments& at = profile::describe(function).at;
  const bool has_root = at.root >= 0;
  switch (at.volume) {
    case profile::Volume::message:
      if (!has_root)
        return is_scan(function) ? CollectiveWaits::for_lower_ranks : CollectiveWaits::for_all;
      // A broadcast has one buffer before its count, a reduction two.
      return at.count == 1 ? CollectiveWaits::for_root : CollectiveWaits::root_for_all;
    case profile::Volume::gather:
    case profile::Volume::gather_list:
      return has_root ? CollectiveWaits::root_for_all : CollectiveWaits::for_all;
    case profile::Volume::scatter:
    case profile::Volume::scatter_list:
      return CollectiveWaits::for_root;
    case profile::Volume::neighbours:
    case profile::Volume::neighbours_all:
    case profile::Volume::neighbours_list:
    case profile::Volume::neighbours_types:
      return CollectiveWaits::for_neighbours;
    default:
      return CollectiveWaits::for_all;
  }
}

using Hosts = std::pair<std::string, std::string>;

/// Least lead of the first host's clock over the second's [s].
using Leads = std::map<Hosts, double>;

void raise(Leads& leads, const Hosts& hosts, double seconds) {
  if (hosts.first == hosts.second) return;
  const auto [found, is_new] = leads.try_emplace(hosts, seconds);
  if (!is_new) found->second = std::max(found->second, seconds);
}

/// The latest begin and the earliest end on each host.
void add_collective(const Trace& trace, const MatchedCollective& collective, Leads& leads) {
  std::map<std::string, std::pair<double, double>> by_host;
  for (const Call& call : collective.calls) {
    const RankTrace& rank = trace.ranks[call.rank];
    if (!synchronises(rank.events[call.event])) return;
    const double in = begin_of_call(trace, call);
    const double out = end_of_call(trace, call);
    const auto [found, is_new] = by_host.try_emplace(rank.clock(), in, out);
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
    raise(leads,
          {trace.ranks[message.send.rank].clock(), trace.ranks[message.arrival.rank].clock()},
          begin_of_call(trace, message.send) - end_of_call(trace, message.arrival));
  }
  for (const MatchedCollective& collective : matching.collectives) {
    add_collective(trace, collective, leads);
  }
  return leads;
}

/// Least lead of each host's clock over the first host's, also by way of other hosts (Bellman and
/// Ford). `reversed`: least lead of the first host's clock over each.
std::map<std::string, double> leads_over(const std::string& first, const Leads& leads,
                                         bool reversed) {
  std::map<std::string, double> over{{first, 0.0}};
  bool is_changed = true;
  // Each round reaches one host farther. The limit stops clocks that drift, which never converge.
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

double Trace::seconds() const {
  double longest = 0;
  for (const RankTrace& rank : ranks) longest = std::max(longest, rank.seconds);
  return longest;
}

std::vector<std::string> Trace::hosts() const {
  std::vector<std::string> hosts;
  hosts.reserve(ranks.size());
  for (const RankTrace& rank : ranks) hosts.push_back(rank.host);
  return hosts;
}

Trace load_trace(const std::string& events_file) {
  const std::string bytes = read_file(events_file);
  const std::vector<profile::Part> parts = profile::read_parts(bytes, events_file);
  Trace trace;
  profile::PartPlaces places(trace.communicators, trace.sites, trace.regions);
  for (const profile::Part& part : parts) {
    const profile::Facts facts = profile::facts_of(part.facts, part.header.rank);
    trace.world_ranks = part.header.world_ranks;
    trace.identity = facts.identity;
    trace.logged = profile::capped_sum(trace.logged, part.header.events);
    trace.not_logged = profile::capped_sum(trace.not_logged, part.header.events_not_logged);
    if (part.lost_its_log()) continue;
    places.add(part);
    trace.ranks.push_back(rank_trace(part, facts, places, events_file));
  }
  std::ranges::sort(trace.ranks, {}, &RankTrace::rank);
  const auto same = std::ranges::adjacent_find(trace.ranks, {}, &RankTrace::rank);
  if (trace.ranks.empty() || same != trace.ranks.end()) {
    throw InputError({fmt::format("'{}' has no events to go by", events_file),
                      trace.ranks.empty() ? "it is empty" : "a rank is in it twice",
                      "record the program again, with --log"});
  }
  return trace;
}

Trace load_trace(const profile::Profile& profile, const std::string& profile_file) {
  const std::string file = profile::events_file(profile_file);
  Trace trace = load_trace(file);
  const std::string why = difference(trace, profile);
  if (why.empty()) return trace;
  throw ForeignLog({fmt::format("'{}' belongs to another run than '{}'", file, profile_file), why,
                    "put the log beside its own profile, or remove it"});
}

CollectiveWaits waits_of(const Trace& trace, const MatchedCollective& collective) {
  const auto event_of = [&](const Call& call) { return trace.ranks[call.rank].events[call.event]; };
  const Function function = event_of(collective.calls.front()).function;
  const bool carries_data = profile::describe(function).at.volume != profile::Volume::none;
  const bool hands_over = std::ranges::any_of(
      collective.calls, [&](const Call& call) { return event_of(call).sent.bytes > 0; });
  if (carries_data && !hands_over) return CollectiveWaits::for_no_rank;
  return waits_by_meaning(function);
}

bool is_collective(const EventView& event) {
  if (event.communicator == profile::no_index) return false;
  switch (profile::describe(event.function).kind) {
    case Kind::collective:
      return true;
    case Kind::plan_collective:
      return event.request != 0;  // begins the collective
    case Kind::communicator:
      return event.function != Function::Comm_create_group &&
             event.function != Function::Comm_idup &&
             event.function != Function::Comm_idup_with_info;
    case Kind::window:
      return true;
    case Kind::synchronise:
      return event.function == Function::Win_fence;
    default:
      return false;
  }
}

Matching match(const Trace& trace) {
  Matching matching;
  match_messages(trace, matching);
  match_collectives(trace, matching);
  return matching;
}

std::int64_t bytes_of(const Trace& trace, const MatchedMessage& message) {
  return trace.ranks[message.send.rank].events[message.send.event].sent.bytes;
}

double begin_of_call(const Trace& trace, const Call& call) {
  const RankTrace& rank = trace.ranks[call.rank];
  return rank.begin_seconds + rank.begin_of(rank.events[call.event]);
}

double end_of_call(const Trace& trace, const Call& call) {
  const RankTrace& rank = trace.ranks[call.rank];
  return rank.begin_seconds + rank.end_of(rank.events[call.event]);
}

bool synchronises(const EventView& event) {
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
  const auto ahead = leads_over(first.clock(), leads, false);
  const auto behind = leads_over(first.clock(), leads, true);
  std::map<std::string, HostClock> clocks;
  for (const RankTrace& rank : trace.ranks) {
    const auto low = ahead.find(rank.clock());
    const auto high = behind.find(rank.clock());
    HostClock clock{first.begin_seconds - rank.begin_seconds, std::nullopt};
    if (low != ahead.end() && high != behind.end()) {
      const double half_width = (-high->second - low->second) / 2;
      clock.offset_seconds = (high->second - low->second) / 2;
      if (half_width >= -clock_tolerance) clock.bound_seconds = std::max(0.0, half_width);
    }
    clocks.try_emplace(rank.clock(), clock);
  }
  return clocks;
}

}  // namespace hockney::applications
