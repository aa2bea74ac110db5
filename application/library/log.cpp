#include "application/library/log.hpp"

namespace hockney::profile {

Event& Log::begin(Function function, std::uint32_t site, std::uint32_t region, std::int64_t begin,
                  std::int64_t ticks) {
  event_.function = function;
  event_.site = site;
  event_.communicator = no_index;
  event_.region = region;
  event_.begin = begin;
  event_.ticks = ticks;
  event_.sent = event_.received = {};
  event_.root = nobody;
  event_.request = 0;
  event_.completed.clear();  // keeps its memory
  return event_;
}

void Log::write(const Event& event) {
  // After a gap the times of what follows would mean nothing.
  is_closed_ = is_closed_ || !writer_.write(event);
  if (is_closed_) {
    not_logged_ += 1 + event.repeats;
  } else {
    ++events_;
  }
}

void Log::flush() {
  if (tests_.function == Function::count) return;
  write(tests_);
  tests_ = {};
}

void Log::add() {
  flush();
  write(event_);
}

void Log::add_unsuccessful() {
  const bool is_next = tests_.function == event_.function && tests_.site == event_.site &&
                       tests_.region == event_.region;
  if (!is_next) {
    flush();
    tests_ = event_;
    return;
  }
  ++tests_.repeats;
  tests_.between += event_.begin - tests_.end();
  tests_.ticks += event_.ticks;
}

}  // namespace hockney::profile
