#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "application/profile/event_log.hpp"
#include "application/library/rows.hpp"

namespace hockney::profile {

/// The calls of one rank in their order, in bounded memory: when that is full, later calls are
/// counted and left out.
class Log {
 public:
  /// Takes at most so much of the budget [B]; pages that it never writes cost nothing.
  Log(Budget& budget, std::size_t bytes, std::int64_t begin_ticks)
      : room_(static_cast<char*>(budget.take(bytes))),
        writer_({room_, room_ == nullptr ? 0 : bytes}, begin_ticks) {}

  /// The event that is being made, empty but for these.
  Event& begin(Function function, std::uint32_t site, std::uint32_t region, std::int64_t begin,
               std::int64_t ticks);
  Event& event() { return event_; }
  /// Writes it.
  void add();
  /// Writes it as a test without success, together with those in a row from the same place.
  void add_unsuccessful();
  /// Writes what add_unsuccessful holds back.
  void flush();
  /// Events are only counted from now on.
  void close() { is_closed_ = true; }

  /// Numbers requests from 1.
  std::uint64_t number_request() { return ++requests_; }

  [[nodiscard]] std::span<const char> bytes() const { return writer_.bytes(); }
  [[nodiscard]] std::int64_t events() const { return events_; }
  [[nodiscard]] std::int64_t not_logged() const { return not_logged_; }

 private:
  void write(const Event& event);

  char* room_;  // as long as the process
  EventWriter writer_;
  Event event_;
  Event tests_;  ///< in a row, not written yet; none while its function is Function::count
  std::uint64_t requests_ = 0;
  bool is_closed_ = false;
  std::int64_t events_ = 0;
  std::int64_t not_logged_ = 0;
};

}  // namespace hockney::profile
