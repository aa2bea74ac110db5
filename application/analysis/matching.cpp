#include "application/analysis/matching.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <unordered_map>

namespace hockney::applications {
namespace {

using profile::Event;
using profile::Function;
using profile::Kind;

/// Messages with the same of these are received in the order in which they were sent.
using Stream = std::tuple<std::uint32_t, int, int, int>;  // communicator, from, to, tag

struct Sent {
  Call call;
  Call departure;
  std::int64_t bytes = 0;
};

struct Received {
  Call post;
  Call arrival;
};

bool is_message(Kind kind) {
  return kind == Kind::send || kind == Kind::send_receive || kind == Kind::replace ||
         kind == Kind::plan_send;
}

bool is_blocking_receive(const Event& event) {
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
      const Event& event = own.events[i];
      const Kind kind = profile::describe(event.function).kind;
      if (is_message(kind) && event.sent.rank >= 0) {
        if (event.request != 0) sends_[event.request] = sent_.size();
        sent_.push_back({{event.communicator, own.rank, event.sent.rank, event.sent.tag},
                         {{rank_, i}, {rank_, i}, event.sent.bytes}});
      }
      if (is_blocking_receive(event)) found(event, event.received, i, i);
      if (event.request != 0) made_[event.request] = i;
      complete(event, i);
    }
    for (const auto& [stream, sent] : sent_) send(stream, sent);
    // Messages come in the order in which receives were posted, whatever order they ended in.
    std::ranges::stable_sort(found_, {}, [](const auto& one) { return one.second.post; });
    for (const auto& [stream, received] : found_) receive(stream, received);
  }

 private:
  void found(const Event& posted, const profile::Endpoint& from, std::size_t post,
             std::size_t arrival) {
    found_.push_back({{posted.communicator, from.rank, trace_.ranks[rank_].rank, from.tag},
                      {{rank_, post}, {rank_, arrival}}});
  }

  void complete(const Event& event, std::size_t place) {
    const std::vector<Event>& events = trace_.ranks[rank_].events;
    for (const profile::Completed& completed : event.completed) {
      const auto made = made_.find(completed.request);
      if (made == made_.end()) continue;
      const auto send = sends_.find(completed.request);
      if (send != sends_.end()) sent_[send->second].second.departure = {rank_, place};
      const Event& post = events[made->second];
      const auto probe = probed_.find(completed.request);
      if (profile::describe(post.function).kind == Kind::probe) {
        if (event.request != 0) {  // MPI_Imrecv: what was probed comes when that is complete
          probed_[event.request] = made->second;
        } else {
          found(post, post.received, made->second, place);
        }
      } else if (probe != probed_.end()) {
        const Event& probing = events[probe->second];
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
  for (const auto& [stream, sent] : sends) {
    const auto found = receives.find(stream);
    const std::size_t received = found == receives.end() ? 0 : found->second.size();
    const std::size_t both = std::min(received, sent.size());
    for (std::size_t k = 0; k < both; ++k) {
      const Received& to = found->second[k];
      matching.messages.push_back(
          {sent[k].call, sent[k].departure, to.post, to.arrival, sent[k].bytes});
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
      if (trace.communicators[communicator].size < 2) continue;  // MPI_COMM_SELF is many
      calls[{communicator, made[communicator]++}].calls.push_back({rank, i});
    }
  }
  for (auto& [key, collective] : calls) matching.collectives.push_back(std::move(collective));
}

/// Scans have the arguments of MPI_Allreduce: only their names tell them apart.
bool is_scan(Function function) {
  const std::string_view name = profile::describe(function).name;
  return name.find("scan") != std::string_view::npos || name.starts_with("Scan");
}

/// Of a call with data to hand over.
Waits waits_by_meaning(Function function) {
  const profile::Arguments& at = profile::describe(function).at;
  const bool has_root = at.root >= 0;
  switch (at.volume) {
    case profile::Volume::message:
      if (!has_root) return is_scan(function) ? Waits::for_lower_ranks : Waits::for_all;
      // A broadcast has one buffer before its count, a reduction two.
      return at.count == 1 ? Waits::for_root : Waits::root_for_all;
    case profile::Volume::gather:
    case profile::Volume::gather_list:
      return has_root ? Waits::root_for_all : Waits::for_all;
    case profile::Volume::scatter:
    case profile::Volume::scatter_list:
      return Waits::for_root;
    case profile::Volume::neighbours:
    case profile::Volume::neighbours_all:
    case profile::Volume::neighbours_list:
    case profile::Volume::neighbours_types:
      return Waits::for_neighbours;
    default:
      return Waits::for_all;
  }
}

}  // namespace

Waits waits_of(const Trace& trace, const MatchedCollective& collective) {
  const auto event_of = [&](const Call& call) -> const Event& {
    return trace.ranks[call.rank].events[call.event];
  };
  const Function function = event_of(collective.calls.front()).function;
  const bool carries_data = profile::describe(function).at.volume != profile::Volume::none;
  const bool hands_over = std::ranges::any_of(
      collective.calls, [&](const Call& call) { return event_of(call).sent.bytes > 0; });
  if (carries_data && !hands_over) return Waits::for_nobody;
  return waits_by_meaning(function);
}

bool is_collective(const Event& event) {
  if (event.communicator == profile::no_index) return false;
  switch (profile::describe(event.function).kind) {
    case Kind::collective:
      return true;
    case Kind::plan_collective:
      return event.request != 0;  // started
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

}  // namespace hockney::applications
