#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "models/schedules/schedule.hpp"
#include "models/schedules/traffic.hpp"

namespace hockney::schedules {

/// How often each rank's contribution is in a slot.
using Contributions = std::map<int, int>;

/// Slots of one rank.
using Memory = std::vector<Contributions>;

/// Calls `visit` for every slot of the range, on a ring of `total` slots.
template <class Visit>
void for_each_slot(const Slots& slots, std::int64_t total, Visit visit) {
  for (std::int64_t i = 0; i < slots.count; ++i) {
    const bool inside = slots.run == 0 || i % slots.stride < slots.run;
    if (inside) visit((slots.first + i) % total);
  }
}

struct RankMemory {
  Memory working;
  Memory received;  ///< what last arrived, before it was combined
  Memory prefix;    ///< what a scan returns
};

/// Runs a schedule on contributions in place of data. Whether a send waits for its receive to be
/// posted (rendezvous) or not, it must come to its end.
class DataFlow {
  template <class Vector>
  static auto& at(Vector& vector, int rank) {
    return vector[static_cast<std::size_t>(rank)];
  }
  [[nodiscard]] int ranks() const { return static_cast<int>(schedule_.ranks.size()); }

 public:
  DataFlow(const Schedule& schedule, std::vector<RankMemory> memory, bool rendezvous)
      : schedule_(schedule),
        memory_(std::move(memory)),
        rendezvous_(rendezvous),
        next_(schedule.ranks.size(), 0),
        posted_(schedule.ranks.size(), 0) {}

  /// Memory at the end; runtime_error where ranks wait for each other for ever, or messages are
  /// left over or differ in size from what is received.
  std::vector<RankMemory> run() {
    bool moved = true;
    while (moved) {
      moved = false;
      for (int rank = 0; rank < ranks(); ++rank) {
        while (advance(rank)) moved = true;
      }
    }
    for (int rank = 0; rank < ranks(); ++rank) {
      if (at(next_, rank) < at(schedule_.ranks, rank).steps()) throw std::runtime_error("deadlock");
    }
    for (const auto& [pair, queue] : wires_) {
      if (!queue.empty()) throw std::runtime_error("a message is left over");
    }
    return memory_;
  }

 private:
  struct Message {
    std::vector<Contributions> content;
    std::int64_t bytes = 0;
  };

  /// Posts the step under way, or ends it; false when neither can be done now.
  bool advance(int rank) {
    const RankSchedule& steps = at(schedule_.ranks, rank);
    if (at(next_, rank) >= steps.steps()) return false;
    const auto step = steps.step(at(next_, rank));
    if (at(posted_, rank) == 0) {
      for (const Transfer& transfer : step) post(rank, transfer);
      at(posted_, rank) = 1;
      return true;
    }
    if (!complete(rank, step)) return false;
    for (const Transfer& transfer : step) deliver(rank, transfer);
    at(posted_, rank) = 0;
    ++at(next_, rank);
    return true;
  }

  void post(int rank, const Transfer& transfer) {
    if (transfer.direction == Direction::receive) {
      ++ready_[{transfer.peer, rank}];
      return;
    }
    const RankMemory& mine = at(memory_, rank);
    const Memory& source = transfer.source == Source::working ? mine.working : mine.received;
    Message message{.content = {}, .bytes = transfer.bytes};
    for_each_slot(transfer.slots, schedule_.slots, [&](std::int64_t slot) {
      message.content.push_back(source[static_cast<std::size_t>(slot)]);
    });
    wires_[{rank, transfer.peer}].push_back(std::move(message));
    ++sent_[{rank, transfer.peer}];
  }

  bool complete(int rank, std::span<const Transfer> step) {
    std::map<int, std::size_t> wanted;
    for (const Transfer& transfer : step) {
      if (transfer.direction == Direction::receive) {
        if (wires_[{transfer.peer, rank}].size() < ++wanted[transfer.peer]) return false;
      } else if (rendezvous_ && ready_[{rank, transfer.peer}] < sent_[{rank, transfer.peer}]) {
        return false;
      }
    }
    return true;
  }

  void deliver(int rank, const Transfer& transfer) {
    if (transfer.direction == Direction::send) return;
    auto& wire = wires_[{transfer.peer, rank}];
    const Message message = std::move(wire.front());
    wire.pop_front();
    if (message.bytes != transfer.bytes) throw std::runtime_error("sizes differ");
    RankMemory& mine = at(memory_, rank);
    std::size_t i = 0;
    for_each_slot(transfer.slots, schedule_.slots, [&](std::int64_t slot) {
      const auto place = static_cast<std::size_t>(slot);
      const Contributions& arrived = message.content.at(i++);
      mine.received[place] = arrived;
      if (transfer.delivery == Delivery::replace) {
        mine.working[place] = arrived;
        return;
      }
      for (const auto& [from, times] : arrived) mine.working[place][from] += times;
      if (transfer.delivery == Delivery::combine) return;
      for (const auto& [from, times] : arrived) mine.prefix[place][from] += times;
    });
  }

  const Schedule& schedule_;
  std::vector<RankMemory> memory_;
  bool rendezvous_;
  std::vector<std::size_t> next_;
  std::vector<char> posted_;
  std::map<std::pair<int, int>, std::deque<Message>> wires_;
  std::map<std::pair<int, int>, int> ready_;
  std::map<std::pair<int, int>, int> sent_;
};

}  // namespace hockney::schedules
