#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <utility>

#include "models/schedules/schedule.hpp"

namespace hockney::schedules {

/// A schedule under way. Ranks are counted from the root on, so that the root is 0.
class Drawing {
 public:
  /// `slots` of `slot_bytes` for every rank.
  Drawing(const Workload& workload, std::int64_t slots, std::int64_t slot_bytes);

  [[nodiscard]] const Workload& workload() const { return workload_; }
  [[nodiscard]] int ranks() const { return workload_.ranks; }

  /// Adds to the step of rank `from` or `to` that is under way.
  void send(int from, int to, const Slots& slots, Source source = Source::working);
  void receive(int to, int from, const Slots& slots, Delivery delivery = Delivery::replace);
  void wait(int rank);

  /// The same as steps of their own.
  void send_now(int from, int to, const Slots& slots, Source source = Source::working);
  void receive_now(int to, int from, const Slots& slots, Delivery delivery = Delivery::replace);

  /// A message by blocking calls on both sides.
  void message(int from, int to, const Slots& slots, Delivery delivery = Delivery::replace);

  Schedule finish();

 private:
  [[nodiscard]] int world(int rank) const;
  [[nodiscard]] std::int64_t bytes_of(const Slots& slots) const;

  Workload workload_;
  Schedule schedule_;
};

/// Slots that a strided range really has.
std::int64_t carried(const Slots& slots);

/// Calls `visit` for every slot of the range, on a ring of `total` slots.
void for_each_slot(const Slots& slots, std::int64_t total,
                   const std::function<void(std::int64_t)>& visit);

/// A vector of elements: as many slots as the workload's bytes have elements.
Drawing draw_vector(const Workload& workload);

/// A block for every rank: as many slots as ranks.
Drawing draw_blocks(const Workload& workload);

/// What one rank sends to another in one collective.
struct PeerTraffic {
  std::int64_t messages = 0;
  std::int64_t bytes = 0;  ///< [B]

  friend bool operator==(const PeerTraffic&, const PeerTraffic&) = default;
};

/// By sender and receiver; pairs without messages are left out.
using Traffic = std::map<std::pair<int, int>, PeerTraffic>;

Traffic traffic_of(const Schedule& schedule);

}  // namespace hockney::schedules
