#include "components/application/analysis/event_list.hpp"

#include <initializer_list>

namespace hockney::applications {

void EventList::push_back(const profile::Event& event) {
  Stored stored{.begin = event.begin,
                .ticks = event.ticks,
                .arguments = place_of({.function = event.function,
                                       .site = event.site,
                                       .communicator = event.communicator,
                                       .region = event.region,
                                       .sent = event.sent,
                                       .received = event.received,
                                       .root = event.root})};
  if (event.request != 0 || event.between != 0 || event.repeats != 0 || !event.completed.empty()) {
    stored.extra = static_cast<std::uint32_t>(extras_.size());
    extras_.push_back({.between = event.between,
                       .repeats = event.repeats,
                       .request = event.request,
                       .first_completed = static_cast<std::uint32_t>(completed_.size()),
                       .completed = static_cast<std::uint32_t>(event.completed.size())});
    completed_.insert(completed_.end(), event.completed.begin(), event.completed.end());
  }
  events_.push_back(stored);
}

std::uint64_t EventList::hash(const Arguments& arguments) {
  const auto word = [](auto value) { return static_cast<std::uint64_t>(value); };
  std::uint64_t sum = 0;
  for (const std::uint64_t one :
       {word(arguments.function), word(arguments.site), word(arguments.communicator),
        word(arguments.region), word(arguments.sent.rank), word(arguments.sent.tag),
        word(arguments.sent.bytes), word(arguments.received.rank), word(arguments.received.tag),
        word(arguments.received.bytes), word(arguments.root)}) {
    constexpr unsigned high = 32;
    sum = (sum ^ one) * 0x9e3779b97f4a7c15U;
    sum ^= sum >> high;
  }
  return sum;
}

/// Arguments of the same hash that differ are stored again.
std::uint32_t EventList::place_of(const Arguments& arguments) {
  const auto next = static_cast<std::uint32_t>(arguments_.size());
  const auto [found, is_new] = places_.try_emplace(hash(arguments), next);
  if (!is_new && arguments_[found->second] == arguments) return found->second;
  arguments_.push_back(arguments);
  return next;
}

}  // namespace hockney::applications
