#include "benchmarks/programs/protocol/pair_link.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <span>
#include <thread>

#include "benchmarks/harness/buffers.hpp"
#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/mpi_error.hpp"
#include "benchmarks/harness/mpi_group.hpp"

namespace hockney::benchmarks::programs {

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

namespace {

constexpr std::size_t least_looks = 10;
constexpr std::size_t looks_between_yields = 100;

}  // namespace

PairLink::PairLink(MPI_Comm pair, TickClock& clock) : clock_(clock), rank_(rank_in(pair)) {
  mpi_check(MPI_Comm_dup(pair, messages_.out()));
  mpi_check(MPI_Comm_dup(pair, notes_.out()));
}

void PairLink::notify() {
  mpi_check(MPI_Send(nullptr, 0, MPI_BYTE, other(), note_tag, notes_.get()));
}

void PairLink::await_note() {
  mpi_check(MPI_Recv(nullptr, 0, MPI_BYTE, other(), note_tag, notes_.get(), MPI_STATUS_IGNORE));
}

Waited PairLink::watch(std::int64_t deadline) {
  std::array<std::int64_t, least_looks> looks{};  // times of the last ones, in a ring
  for (std::size_t look = 0;; ++look) {
    const std::int64_t oldest = looks[look % least_looks];
    looks[look % least_looks] = clock_.now();
    int arrived = 0;
    mpi_check(MPI_Iprobe(other(), note_tag, notes_.get(), &arrived, MPI_STATUS_IGNORE));
    const std::int64_t time = clock_.now();
    const bool is_late = look >= least_looks && time >= deadline;
    if (arrived != 0 || is_late) return {.settled = oldest, .end = time};
    // The sender may need this very core; but who gives it up each time, gets it back too rarely.
    if (!is_simulated() && look % looks_between_yields == 0) std::this_thread::yield();
  }
}

Waited PairLink::wait(Receiver receiver, double seconds) {
  const auto ticks = std::llround(seconds / clock_.seconds_per_tick());
  if (receiver == Receiver::progressing) return watch(clock_.now() + ticks);
  sleep_for(std::chrono::nanoseconds(std::llround(seconds * 1e9)));
  const std::int64_t end = clock_.now();
  return {.settled = end, .end = end};
}

Stamps PairLink::exchange(Stamps own) {
  Stamps others{};
  mpi_check(MPI_Sendrecv(own.data(), 2, MPI_INT64_T, other(), note_tag, others.data(), 2,
                         MPI_INT64_T, other(), note_tag, notes_.get(), MPI_STATUS_IGNORE));
  return others;
}

std::int64_t PairLink::share(std::int64_t value, int from) {
  mpi_check(MPI_Bcast(&value, 1, MPI_INT64_T, from, notes_.get()));
  return value;
}

}  // namespace hockney::benchmarks::programs
