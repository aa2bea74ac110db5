#include "benchmarks/engine/prepared.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "core/samples.hpp"
#include "core/statistics.hpp"

namespace hockney::benchmarks {

Checked check_deliveries(PreparedOperation& operation, RankGroup& group, TickClock& clock,
                         const Checking& checking) {
  Checked checked;
  for (bool is_over = false; !is_over;) {
    operation.refill(checking.seed + static_cast<std::uint64_t>(checked.deliveries), 1);
    operation.ready();
    group.barrier();
    operation.run_batch(1);
    // No rank may write new data before all ranks have checked the old ones: ranks can read each
    // other's memory.
    const std::int64_t now = clock.now();
    std::array found{operation.verify() ? 0.0 : 1.0, now < checking.until ? 0.0 : 1.0,
                     now < checking.latest ? 0.0 : 1.0};
    group.maximum(found);
    ++checked.deliveries;
    checked.is_good = found[0] == 0;
    const bool is_late = found[1] != 0 && checked.deliveries >= checking.least;
    is_over = !checked.is_good || is_late || found[2] != 0 || checked.deliveries >= checking.most;
  }
  return checked;
}

namespace {

constexpr std::int64_t trial_rounds = 4000;  // about a microsecond: many readings of a clock

constexpr std::uint64_t work_rounds = 8000;

}  // namespace

/// Eight chains of one-cycle instructions without common operands: only issue slots limit them. The
/// empty asm statement uses the values, so that the compiler neither removes nor vectorises the
/// work.
void do_fixed_work() {
  std::uint64_t a = 1;
  std::uint64_t b = 2;
  std::uint64_t c = 3;
  std::uint64_t d = 4;
  std::uint64_t e = 5;
  std::uint64_t f = 6;
  std::uint64_t g = 7;
  std::uint64_t h = 8;
  for (std::uint64_t i = 0; i < work_rounds; ++i) {
    a += i;
    b ^= i;
    c += i;
    d ^= i;
    e += i;
    f ^= i;
    g += i;
    h ^= i;
    __asm__ volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e), "+r"(f), "+r"(g), "+r"(h));
  }
}

/// A chain of additions, each of which depends on the previous one.
void spin(std::int64_t rounds) {
  std::int64_t sum = 0;
  for (std::int64_t i = 0; i < rounds; ++i) {
    sum += i;
    __asm__ volatile("" : "+r"(sum));
  }
}

void SpinPace::run_batch(std::int64_t iterations) {
  operation_.run_batch(iterations);
  const std::int64_t before = clock_.now();
  const std::int64_t begin = clock_.now();
  spin(trial_rounds);
  const std::int64_t end = clock_.now();
  const std::int64_t reading = begin - before;
  ticks_.push_back(static_cast<double>(end - begin - reading));
}

double SpinPace::rounds_per_tick() const {
  const double ticks = median(ticks_).value_or(0);
  return ticks > 0 ? static_cast<double>(trial_rounds) / ticks : 0;
}

double time_noise_probe(TickClock& clock) {
  const std::int64_t start = clock.now();
  do_fixed_work();
  return static_cast<double>(clock.now() - start) * clock.seconds_per_tick();
}

std::vector<double> record_work(TickClock& clock, double seconds) {
  constexpr double spare = 2;  // of the expected pieces: the first ones may be disturbed
  const double piece = std::min(time_noise_probe(clock), time_noise_probe(clock));
  const auto most = static_cast<std::size_t>(spare * seconds / std::max(piece, 1e-9)) + 1;
  const auto duration = static_cast<std::int64_t>(seconds / clock.seconds_per_tick());
  std::vector<std::int64_t> ends(most + 1);  // zeroed, so that all pages exist before the recording
  std::size_t done = 0;
  ends[0] = clock.now();
  while (done < most && ends[done] - ends[0] < duration) {
    do_fixed_work();
    ends[++done] = clock.now();
  }
  std::vector<double> pieces(done);
  for (std::size_t i = 0; i < done; ++i) {
    pieces[i] = static_cast<double>(ends[i + 1] - ends[i]) * clock.seconds_per_tick();
  }
  return pieces;
}

double NoiseWatch::wait(RankGroup& group, TickClock& clock, double patience_seconds) {
  const std::int64_t start = clock.now();
  for (;;) {
    group.barrier();
    const double probe = time_noise_probe(clock);
    const double waited = static_cast<double>(clock.now() - start) * clock.seconds_per_tick();
    std::array slowest{probe, waited};
    group.maximum(slowest);
    const bool went_back = slowest[0] < 0 || slowest[1] < 0;  // a clock went back, on any rank
    if (!went_back) shortest_seconds_ = std::min(shortest_seconds_, slowest[0]);
    const bool is_undisturbed = slowest[0] <= undisturbed_limit * shortest_seconds_;
    if (is_undisturbed || went_back || slowest[1] >= patience_seconds) {
      return std::max(0.0, slowest[0]);
    }
  }
}

}  // namespace hockney::benchmarks
