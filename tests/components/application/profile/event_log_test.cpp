#include <array>
#include <catch2/catch.hpp>
#include <random>

#include "components/application/profile/event_log.hpp"
#include "core/error.hpp"
#include "tests/support/logged_events.hpp"

namespace hockney::profile {
namespace {

constexpr int ranks = 8;
constexpr std::int64_t begin_ticks = 1'000'000;

/// A part with room for what random events refer to.
Part part_with(std::span<const char> log) {
  Part part;
  part.header.world_ranks = ranks;
  part.header.begin_ticks = begin_ticks;
  part.header.end_ticks = std::int64_t{1} << 61U;
  part.sites.resize(4);
  part.communicators.resize(3);
  part.regions.resize(2);
  part.log = {log.data(), log.size()};
  return part;
}

/// Events as no program makes them, of every shape that the format has.
std::vector<Event> random_events(int count, unsigned seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::int64_t limit) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(limit));
  };
  const auto endpoint = [&] {
    return Endpoint{static_cast<int>(below(ranks + 2)) - 2, static_cast<int>(below(70000)) - 2,
                    below(std::int64_t{1} << 40U) - 1};
  };
  std::vector<Event> events;
  std::int64_t now = begin_ticks;
  std::uint64_t requests = 0;
  for (int i = 0; i < count; ++i) {
    Event event;
    event.function = static_cast<Function>(below(static_cast<std::int64_t>(Function::count)));
    event.site = below(3) == 0 ? no_index : static_cast<std::uint32_t>(below(4));
    event.communicator = below(3) == 0 ? no_index : static_cast<std::uint32_t>(below(3));
    event.region = static_cast<std::uint32_t>(below(3));
    event.begin = now += below(100000);
    event.ticks = below(1 << 20);
    if (below(2) == 0) event.sent = endpoint();
    if (below(2) == 0) event.received = endpoint();
    if (below(4) == 0) event.root = static_cast<int>(below(ranks));
    if (below(2) == 0) event.request = ++requests;
    if (below(4) == 0) event.repeats = 1 + below(1000);
    if (event.repeats > 0) event.between = below(1000);
    for (std::int64_t k = below(4); k > 0 && requests > 0; --k) {
      event.completed.push_back(
          {.request = 1 + static_cast<std::uint64_t>(below(static_cast<std::int64_t>(requests))),
           .received = below(2) == 0 ? endpoint() : Endpoint{}});
    }
    now = event.end();
    events.push_back(event);
  }
  return events;
}

}  // namespace

TEST_CASE("events are read as they were written") {
  std::vector<char> room(1 << 20U);
  EventWriter writer(room, begin_ticks);
  const std::vector<Event> events = random_events(5000, 1);
  for (const Event& event : events) REQUIRE(writer.write(event));
  CHECK(events_of(part_with(writer.bytes()), "x") == events);
}

TEST_CASE("a usual event takes few bytes") {
  std::vector<char> room(1000);
  EventWriter writer(room, 0);
  Event event;
  event.function = Function::Isend;
  event.site = 3;
  event.communicator = 0;
  event.sent = {5, 7, 8000};
  for (int i = 0; i < 10; ++i) {
    event.begin += 2000;
    event.ticks = 500;
    event.request = static_cast<std::uint64_t>(i) + 1;
    REQUIRE(writer.write(event));
    event.begin = event.end();
  }
  CHECK(writer.bytes().size() <= 130);
}

TEST_CASE("an event that has no room leaves nothing behind") {
  const std::vector<Event> events = random_events(50, 2);
  for (std::size_t size = 0; size < 600; ++size) {
    std::vector<char> room(size);
    EventWriter writer(room, begin_ticks);
    std::size_t written = 0;
    while (written < events.size() && writer.write(events[written])) ++written;
    REQUIRE(written < events.size());
    const std::vector<Event> read = events_of(part_with(writer.bytes()), "x");
    CHECK(read == std::vector<Event>(events.begin(),
                                     events.begin() + static_cast<std::ptrdiff_t>(written)));
  }
}

TEST_CASE("damaged events are refused, or are events all the same") {
  std::vector<char> room(1 << 16U);
  EventWriter writer(room, begin_ticks);
  for (const Event& event : random_events(40, 3)) REQUIRE(writer.write(event));
  const std::vector<char> good(writer.bytes().begin(), writer.bytes().end());
  std::mt19937 random(4);
  int refused = 0;
  for (int i = 0; i < 4000; ++i) {
    std::vector<char> bad = good;
    for (int k = 0; k < 2; ++k) bad[random() % bad.size()] = static_cast<char>(random());
    if (i % 4 == 0) bad.resize(random() % bad.size());
    try {
      for (const Event& event : events_of(part_with(bad), "x")) {
        REQUIRE(event.ticks >= 0);
        REQUIRE(event.sent.rank < ranks);
        REQUIRE(event.completed.size() <= bad.size());
      }
    } catch (const InputError& error) {
      ++refused;
      CHECK(std::string(error.what()).find("'x' has no readable events of rank 0") == 0);
    }
  }
  CHECK(refused > 1000);
}

TEST_CASE("events lie beside their profile") {
  CHECK(events_file("/a/b.json") == "/a/b.events");
  CHECK(events_file("profile") == "profile.events");
  CHECK(events_file("a.b") == "a.b.events");
}

}  // namespace hockney::profile
