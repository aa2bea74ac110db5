#include "benchmarks/programs/protocol/flood.hpp"

#include <algorithm>
#include <vector>

#include "benchmarks/harness/mpi_error.hpp"
#include "benchmarks/programs/protocol/pair_link.hpp"

namespace hockney::benchmarks::programs {
namespace {

constexpr double first_wait_seconds = 0.1;
constexpr int waits = 4;  // each four times as long as the one before
constexpr std::int64_t too_slow_to_tell = -1;

/// When each call began, and the last one returned: calls follow each other.
std::vector<std::int64_t> send_all(PairLink& link, const MessageData& data, const Flood& flood) {
  const SentMessage message(MessageLayout::bytes, flood.bytes);
  const void* buffer = data.to_send(MessageLayout::bytes);
  std::vector<std::int64_t> times(static_cast<std::size_t>(flood.most));
  link.await_note();
  for (std::int64_t& time : times) {
    time = link.now();
    send_message(SendCall::send, buffer, message, link.other(), flood_tag, link.messages());
  }
  times.push_back(link.now());
  link.notify();
  return times;
}

Waited receive_all(PairLink& link, MessageData& data, const Flood& flood, double wait,
                   const std::function<void()>& when_flooded) {
  link.notify();
  const Waited waited = link.wait(flood.receiver, wait);
  when_flooded();
  for (int i = 0; i < flood.most; ++i) {
    mpi_check(MPI_Recv(data.to_receive(), static_cast<int>(flood.bytes), MPI_BYTE, link.other(),
                       flood_tag, link.messages(), MPI_STATUS_IGNORE));
    data.check(flood.bytes);
  }
  link.await_note();
  return waited;
}

/// How many calls had returned when the receiver began to receive, if the next one had been held
/// for a while by then, and the receiver looked into MPI meanwhile; or too_slow_to_tell.
std::int64_t count_returned(const PairLink& link, const std::vector<std::int64_t>& times,
                            const Waited& waited, double wait) {
  const auto later = std::ranges::upper_bound(times, waited.end);
  if (later == times.end()) return std::ssize(times) - 1;
  const std::int64_t returned = later - times.begin() - 1;
  if (returned < 0) return too_slow_to_tell;
  const std::int64_t held_since = times[static_cast<std::size_t>(returned)];
  const bool is_held = link.seconds(waited.end - held_since) >= wait / 4;
  return is_held && held_since <= waited.settled ? returned : too_slow_to_tell;
}

}  // namespace

std::optional<Unexpected> count_unexpected(PairLink& link, MessageData& data, const Flood& flood,
                                           const std::function<void()>& when_flooded) {
  double wait =
      first_wait_seconds + static_cast<double>(flood.bytes * flood.most) / slowest_bytes_per_second;
  for (int i = 0; i < waits; ++i, wait *= 4) {
    std::vector<std::int64_t> times;
    Waited waited;
    if (link.is_sender()) {
      times = send_all(link, data, flood);
    } else {
      waited = receive_all(link, data, flood, wait, when_flooded);
    }
    waited = {link.share(waited.settled, 1), link.share(waited.end, 1)};
    const std::int64_t counted = link.is_sender() ? count_returned(link, times, waited, wait) : 0;
    const std::int64_t returned = link.share(counted, 0);
    if (returned == too_slow_to_tell) continue;
    Unexpected found{
        .bytes = flood.bytes, .receiver = receiver_name(flood.receiver), .most = flood.most};
    if (returned < flood.most) found.accepted = static_cast<int>(returned);
    return found;
  }
  return std::nullopt;
}

}  // namespace hockney::benchmarks::programs
