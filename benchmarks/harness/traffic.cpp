#include "benchmarks/harness/traffic.hpp"

#include <algorithm>

#include "benchmarks/harness/buffers.hpp"

namespace hockney {

Traffic::Traffic(const Context& context, const Point& point, const std::vector<int>& sources)
    : rank_(context.rank), message_(message_of(point)) {
  const std::vector<std::size_t> sizes(sources.size() + 1, message_.extent());
  const auto buffers = context.buffers.draw(sizes);
  send_ = buffers.front();
  for (std::size_t i = 0; i < sources.size(); ++i) {
    inboxes_.push_back({buffers[i + 1], sources[i]});
  }
}

void Traffic::refill(std::uint64_t seed) {
  fill_pattern(send_.bytes(), pattern_seed(seed, rank_));
  for (const Inbox& inbox : inboxes_) {
    fill_wrong_pattern(inbox.data.to_spoil(), pattern_seed(seed, inbox.source));
  }
}

bool Traffic::verify(std::uint64_t seed) const {
  return std::ranges::all_of(inboxes_, [&](const Inbox& inbox) {
    return holds_message(inbox.data.bytes(), *message_.type, pattern_seed(seed, inbox.source));
  });
}

}  // namespace hockney
