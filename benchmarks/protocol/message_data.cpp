#include "benchmarks/protocol/message_data.hpp"

#include <algorithm>
#include <span>

#include "benchmarks/harness/pattern.hpp"

namespace hockney {

MessageData::MessageData(std::int64_t most_bytes, std::uint64_t seed)
    : dense_(static_cast<std::size_t>(most_bytes)),
      strided_(2 * dense_.size()),
      received_(dense_.size()) {
  fill_pattern(dense_, seed);
  fill_wrong_pattern(received_, seed);
  for (std::size_t i = 0; i < dense_.size(); ++i) strided_[2 * i] = dense_[i];
}

const void* MessageData::to_send(MessageLayout layout) const {
  return layout == MessageLayout::strided ? strided_.data() : dense_.data();
}

void MessageData::check(std::int64_t bytes) {
  const auto arrived = std::span(received_).first(static_cast<std::size_t>(bytes));
  if (!std::ranges::equal(arrived, std::span(dense_).first(arrived.size()))) is_corrupt_ = true;
  std::ranges::transform(arrived, arrived.begin(), [](std::byte byte) { return ~byte; });
}

}  // namespace hockney
