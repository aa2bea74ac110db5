#include "models/schedules/schedule.hpp"

namespace hockney::schedules {

void RankSchedule::wait() {
  const std::size_t begun = ends_.empty() ? 0 : ends_.back();
  if (transfers_.size() > begun) ends_.push_back(transfers_.size());
}

std::span<const Transfer> RankSchedule::step(std::size_t index) const {
  const std::size_t begin = index == 0 ? 0 : ends_[index - 1];
  return std::span(transfers_).subspan(begin, ends_[index] - begin);
}

std::int64_t RankSchedule::reduced_bytes(std::size_t index) const {
  std::int64_t bytes = 0;
  for (const Transfer& transfer : step(index)) {
    const bool combines =
        transfer.direction == Direction::receive && transfer.delivery != Delivery::replace;
    if (combines) bytes += transfer.bytes;
  }
  return bytes;
}

}  // namespace hockney::schedules
