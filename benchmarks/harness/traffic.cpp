#include "benchmarks/harness/traffic.hpp"

#include <algorithm>
#include <span>
#include <string>

namespace hockney::benchmarks {

Traffic::Traffic(const Context& context, const Point& point, const std::vector<int>& sources)
    : comm_(context.comm),
      send_(context, datatype_of(point), one_block(message_of(point).count, context.rank)),
      received_{&datatype_of(point)} {
  const std::vector<std::size_t> sizes(sources.size(), message_of(point).extent());
  const auto buffers = context.buffers.draw(sizes);
  for (std::size_t i = 0; i < sources.size(); ++i) inboxes_.push_back({buffers[i], sources[i]});
}

void Traffic::refill(std::uint64_t seed) {
  send_.fill(seed);
  for (const Inbox& inbox : inboxes_) received_.spoil(inbox.data.to_spoil(), seed, inbox.source);
}

bool Traffic::verify(std::uint64_t seed, std::size_t buffers) const {
  return std::ranges::all_of(std::span(inboxes_).first(buffers), [&](const Inbox& inbox) {
    return received_.holds(inbox.data.bytes(), seed, inbox.source);
  });
}

int default_window(Bytes bytes) {
  constexpr std::int64_t most_messages = 64;
  constexpr std::int64_t most_bytes = std::int64_t{32} << 20;
  const std::int64_t fitting = most_bytes / std::max<std::int64_t>(1, bytes.value);
  return static_cast<int>(std::clamp<std::int64_t>(fitting, 1, most_messages));
}

Window::Window(const Context& context, const Point& point, int other)
    : other_(other),
      tag_(context.first_tag),
      messages_(window_of(point)),
      traffic_(context, point, std::vector<int>(static_cast<std::size_t>(messages_), other)) {
  requests_.reserve(2 * static_cast<std::size_t>(messages_));
}

void Window::start_sends() {
  for (int i = 0; i < messages_; ++i) {
    traffic_.isend_to(other_, tag_, requests_.emplace_back(MPI_REQUEST_NULL));
  }
}

void Window::start_receives() {
  for (std::size_t i = 0; i < static_cast<std::size_t>(messages_); ++i) {
    traffic_.ireceive_from(other_, tag_, requests_.emplace_back(MPI_REQUEST_NULL), i);
  }
}

void Window::wait() {
  complete_(requests_);
  requests_.clear();
}

}  // namespace hockney::benchmarks
