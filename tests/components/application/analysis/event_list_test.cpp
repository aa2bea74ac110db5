#include "components/application/analysis/event_list.hpp"

#include <catch2/catch.hpp>
#include <vector>

namespace hockney::applications {

using profile::Event;
using profile::Function;

TEST_CASE("an event list has the members of each event") {
  const std::vector<Event> events{
      {.function = Function::Irecv,
       .site = 3,
       .communicator = 1,
       .region = 2,
       .begin = 10,
       .ticks = 5,
       .received = {1, 7, 64},
       .request = 9},
      {.function = Function::Send, .begin = 20, .ticks = 1, .sent = {2, 0, 8}},
      {.function = Function::Send, .begin = 30, .ticks = 2, .sent = {2, 0, 8}},
      {.function = Function::Test, .begin = 40, .ticks = 3, .between = 4, .repeats = 6},
      {.function = Function::Bcast, .begin = 50, .sent = {-1, -1, 8}, .root = 1},
      {.function = Function::Waitall,
       .begin = 60,
       .ticks = 7,
       .completed = {{9, {1, 7, 64}}, {10, {}}}}};
  EventList list;
  for (const Event& event : events) list.push_back(event);
  const EventList copy = list;
  REQUIRE(copy.size() == events.size());
  for (std::size_t i = 0; i < events.size(); ++i) {
    const Event& event = events[i];
    const EventView view = copy[i];
    CAPTURE(i);
    CHECK(view.function == event.function);
    CHECK(view.site == event.site);
    CHECK(view.communicator == event.communicator);
    CHECK(view.region == event.region);
    CHECK(view.begin == event.begin);
    CHECK(view.ticks == event.ticks);
    CHECK(view.between == event.between);
    CHECK(view.repeats == event.repeats);
    CHECK(view.sent == event.sent);
    CHECK(view.received == event.received);
    CHECK(view.root == event.root);
    CHECK(view.request == event.request);
    CHECK(std::vector(view.completed.begin(), view.completed.end()) == event.completed);
    CHECK(view.end() == event.end());
  }
  CHECK(copy.back().end() == 67);
}

}  // namespace hockney::applications
