#include "benchmarks/harness/traffic.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <span>
#include <string>

#include "core/quantities.hpp"

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
  for (const Inbox& inbox : inboxes_) received_.poison(inbox.data.to_poison(), seed, inbox.source);
}

bool Traffic::verify(std::uint64_t seed, std::size_t buffers) const {
  return std::ranges::all_of(std::span(inboxes_).first(buffers), [&](const Inbox& inbox) {
    return received_.holds(inbox.data.bytes(), seed, inbox.source);
  });
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

std::string parameter_text(const Flows& flows) {
  return flows.number == 0 ? "all" : std::to_string(flows.number);
}

Flows parse_flows(const std::string& text) {
  return {text == "all" ? 0 : parse_count<int>("--flows", text, 1)};
}

int flows_of(const Point& point, int most) {
  const int number = point.parameters[flows_parameter].number;
  return number == 0 ? most : number;
}

std::optional<std::string> flows_obstacle(const Point& point, int most) {
  const int flows = flows_of(point, most);
  if (flows <= most) return std::nullopt;
  return fmt::format("{} ranks carry {} flow{}", point.ranks, most, most == 1 ? "" : "s");
}

CutMessage::CutMessage(const Context& context, const Point& point, std::size_t buffers)
    : PassedMessage(context, point, (context.rank + context.size / 2) % context.size,
                    (context.rank + context.size / 2) % context.size, buffers),
      is_in_first_half_(context.rank < context.size / 2),
      pair_(context.rank % (context.size / 2)),
      works_(pair_ < flows_of(point, context.size / 2)) {}

}  // namespace hockney::benchmarks
