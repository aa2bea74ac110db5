#include "models/schedules/traffic.hpp"

#include <algorithm>

namespace hockney::schedules {

Drawing::Drawing(const Workload& workload, std::int64_t slots, std::int64_t slot_bytes)
    : workload_(workload), schedule_{.slots = slots, .slot_bytes = slot_bytes, .ranks = {}} {
  schedule_.ranks.resize(static_cast<std::size_t>(workload.ranks));
}

int Drawing::world(int rank) const { return (rank + workload_.root) % workload_.ranks; }

std::int64_t Drawing::bytes_of(const Slots& slots) const {
  return carried(slots) * schedule_.slot_bytes;
}

void Drawing::send(int from, int to, const Slots& slots, Source source) {
  schedule_.ranks[static_cast<std::size_t>(world(from))].start({.direction = Direction::send,
                                                                .source = source,
                                                                .peer = world(to),
                                                                .bytes = bytes_of(slots),
                                                                .slots = slots});
}

void Drawing::receive(int to, int from, const Slots& slots, Delivery delivery) {
  schedule_.ranks[static_cast<std::size_t>(world(to))].start({.direction = Direction::receive,
                                                              .delivery = delivery,
                                                              .peer = world(from),
                                                              .bytes = bytes_of(slots),
                                                              .slots = slots});
}

void Drawing::wait(int rank) { schedule_.ranks[static_cast<std::size_t>(world(rank))].wait(); }

void Drawing::send_now(int from, int to, const Slots& slots, Source source) {
  send(from, to, slots, source);
  wait(from);
}

void Drawing::receive_now(int to, int from, const Slots& slots, Delivery delivery) {
  receive(to, from, slots, delivery);
  wait(to);
}

void Drawing::message(int from, int to, const Slots& slots, Delivery delivery) {
  send_now(from, to, slots);
  receive_now(to, from, slots, delivery);
}

Schedule Drawing::finish() { return std::move(schedule_); }

std::int64_t carried(const Slots& slots) {
  if (slots.run == 0) return slots.count;
  const std::int64_t whole = slots.count / slots.stride;
  return whole * slots.run + std::min(slots.run, slots.count % slots.stride);
}

void for_each_slot(const Slots& slots, std::int64_t total,
                   const std::function<void(std::int64_t)>& visit) {
  for (std::int64_t i = 0; i < slots.count; ++i) {
    const bool inside = slots.run == 0 || i % slots.stride < slots.run;
    if (inside) visit((slots.first + i) % total);
  }
}

Drawing draw_vector(const Workload& workload) {
  return {workload, workload.bytes.value / workload.element_bytes, workload.element_bytes};
}

Drawing draw_blocks(const Workload& workload) {
  return {workload, workload.ranks, workload.bytes.value};
}

Traffic traffic_of(const Schedule& schedule) {
  Traffic traffic;
  int rank = 0;
  for (const RankSchedule& steps : schedule.ranks) {
    for (const Transfer& transfer : steps.transfers()) {
      if (transfer.direction != Direction::send) continue;
      PeerTraffic& pair = traffic[{rank, transfer.peer}];
      ++pair.messages;
      pair.bytes += transfer.bytes;
    }
    ++rank;
  }
  return traffic;
}

}  // namespace hockney::schedules
