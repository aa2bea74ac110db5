#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <ranges>
#include <span>
#include <unordered_map>
#include <vector>

#include "components/application/profile/event_log.hpp"

namespace hockney::applications {

/// An event of an EventList, with the members of profile::Event. Valid while the list does not
/// change.
struct EventView {
  profile::Function function = profile::Function::count;
  std::uint32_t site = profile::no_index;
  std::uint32_t communicator = profile::no_index;
  std::uint32_t region = 0;
  std::int64_t begin = 0;
  std::int64_t ticks = 0;
  std::int64_t between = 0;
  std::int64_t repeats = 0;
  profile::Endpoint sent;
  profile::Endpoint received;
  int root = profile::no_rank;
  std::uint64_t request = 0;
  std::span<const profile::Completed> completed;

  [[nodiscard]] std::int64_t end() const { return begin + ticks + between; }
};

/// The events of a rank in 24 B each. A loop repeats its calls with the same arguments: equal
/// arguments are stored once. Requests and repeated tests take 32 B more, completions 24 B each.
class EventList {
 public:
  void reserve(std::size_t events) { events_.reserve(events); }
  void push_back(const profile::Event& event);

  [[nodiscard]] std::size_t size() const { return events_.size(); }
  [[nodiscard]] bool empty() const { return events_.empty(); }
  [[nodiscard]] EventView operator[](std::size_t place) const {
    const Stored& event = events_[place];
    const Arguments& of = arguments_[event.arguments];
    EventView view{.function = of.function,
                   .site = of.site,
                   .communicator = of.communicator,
                   .region = of.region,
                   .begin = event.begin,
                   .ticks = event.ticks,
                   .sent = of.sent,
                   .received = of.received,
                   .root = of.root,
                   .completed = {}};
    if (event.extra == profile::no_index) return view;
    const Extra& extra = extras_[event.extra];
    view.between = extra.between;
    view.repeats = extra.repeats;
    view.request = extra.request;
    view.completed = std::span(completed_).subspan(extra.first_completed, extra.completed);
    return view;
  }
  [[nodiscard]] EventView back() const { return (*this)[size() - 1]; }

  /// All events, in order.
  [[nodiscard]] auto views() const {
    return std::views::iota(std::size_t{0}, size()) |
           std::views::transform([this](std::size_t place) { return (*this)[place]; });
  }

 private:
  struct Arguments {
    profile::Function function = profile::Function::count;
    std::uint32_t site = profile::no_index;
    std::uint32_t communicator = profile::no_index;
    std::uint32_t region = 0;
    profile::Endpoint sent;
    profile::Endpoint received;
    int root = profile::no_rank;

    friend bool operator==(const Arguments&, const Arguments&) = default;
  };
  /// What most events lack.
  struct Extra {
    std::int64_t between = 0;
    std::int64_t repeats = 0;
    std::uint64_t request = 0;
    std::uint32_t first_completed = 0;
    std::uint32_t completed = 0;
  };
  struct Stored {
    std::int64_t begin = 0;
    std::int64_t ticks = 0;
    std::uint32_t arguments = 0;
    std::uint32_t extra = profile::no_index;
  };

  static std::uint64_t hash(const Arguments& arguments);
  std::uint32_t place_of(const Arguments& arguments);

  std::vector<Stored> events_;
  std::vector<Arguments> arguments_;
  std::vector<Extra> extras_;
  std::vector<profile::Completed> completed_;
  std::unordered_map<std::uint64_t, std::uint32_t> places_;  ///< of arguments, by their hash
};

}  // namespace hockney::applications
