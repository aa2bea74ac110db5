#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "components/application/analysis/trace_analysis.hpp"

namespace hockney::applications {

inline constexpr double microsecond = 1e-6;  ///< [s]

/// Changes the events of a rank: `change` takes each of them.
template <class Change>
void change_events(RankTrace& rank, Change&& change) {
  EventList changed;
  for (const EventView one : rank.events.views()) {
    profile::Event event{.function = one.function,
                         .site = one.site,
                         .communicator = one.communicator,
                         .region = one.region,
                         .begin = one.begin,
                         .ticks = one.ticks,
                         .between = one.between,
                         .repeats = one.repeats,
                         .sent = one.sent,
                         .received = one.received,
                         .root = one.root,
                         .request = one.request,
                         .completed = {one.completed.begin(), one.completed.end()}};
    change(event);
    changed.push_back(event);
  }
  rank.events = std::move(changed);
}

/// A program that never ran: each rank's calls, with ticks of one nanosecond.
class ScriptedTrace {
 public:
  explicit ScriptedTrace(int ranks, int per_host = 1 << 20) {
    trace_.world_ranks = ranks;
    trace_.communicators = {{.name = "MPI_COMM_WORLD", .identity = "0", .size = ranks}};
    for (int rank = 0; rank < ranks; ++rank) {
      trace_.ranks.push_back(
          {.rank = rank, .host = "n" + std::to_string(rank / per_host), .seconds_per_tick = 1e-9});
    }
    events_.resize(static_cast<std::size_t>(ranks));
    now_.resize(static_cast<std::size_t>(ranks));
    requests_.resize(static_cast<std::size_t>(ranks));
  }

  /// [us]
  ScriptedTrace& computes(int rank, double microseconds) {
    now_[at(rank)] += static_cast<std::int64_t>(microseconds * 1000);
    return *this;
  }
  ScriptedTrace& sends(int rank, int to, std::int64_t bytes, int tag = 0) {
    return call(rank, {.function = profile::Function::Send, .sent = {to, tag, bytes}});
  }
  ScriptedTrace& receives(int rank, int from, std::int64_t bytes, int tag = 0) {
    return call(rank, {.function = profile::Function::Recv, .received = {from, tag, bytes}});
  }
  ScriptedTrace& starts_receive(int rank, int from, int tag = 0) {
    return call(rank, {.function = profile::Function::Irecv,
                       .received = {from, tag, -1},
                       .request = ++requests_[at(rank)]});
  }
  ScriptedTrace& starts_send(int rank, int to, std::int64_t bytes, int tag = 0) {
    return call(rank, {.function = profile::Function::Isend,
                       .sent = {to, tag, bytes},
                       .request = ++requests_[at(rank)]});
  }
  ScriptedTrace& waits(int rank, std::vector<profile::Completed> completed) {
    return call(rank, {.function = profile::Function::Waitall, .completed = std::move(completed)});
  }
  ScriptedTrace& collective(profile::Function function, int rank, int root = -1,
                            std::int64_t bytes = 8) {
    return call(rank, {.function = function, .sent = {-1, -1, bytes}, .root = root});
  }

  /// So long in the call, whatever it is [us].
  ScriptedTrace& takes(double microseconds) {
    profile::Event& event = events_[at(last_)].back();
    event.ticks = static_cast<std::int64_t>(microseconds * 1000);
    now_[at(last_)] = event.end();
    return *this;
  }

  [[nodiscard]] Trace trace() const {
    Trace whole = trace_;
    for (RankTrace& rank : whole.ranks) {
      rank.seconds = 1e-9 * static_cast<double>(now_[at(rank.rank)]);
      for (const profile::Event& event : events_[at(rank.rank)]) rank.events.push_back(event);
    }
    return whole;
  }
  [[nodiscard]] TraceAnalysis analysis() const { return TraceAnalysis(trace()); }

 private:
  static std::size_t at(int rank) { return static_cast<std::size_t>(rank); }

  ScriptedTrace& call(int rank, profile::Event event) {
    event.communicator = 0;
    event.begin = now_[at(rank)];
    events_[at(rank)].push_back(std::move(event));
    last_ = rank;
    return *this;
  }

  Trace trace_;
  std::vector<std::vector<profile::Event>> events_;  ///< of each rank
  std::vector<std::int64_t> now_;
  std::vector<std::uint64_t> requests_;
  int last_ = 0;
};

}  // namespace hockney::applications
