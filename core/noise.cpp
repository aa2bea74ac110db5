#include "core/noise.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <numbers>
#include <numeric>

#include "core/error.hpp"
#include "core/samples.hpp"
#include "core/statistics.hpp"

namespace hockney {
namespace {

constexpr double shortest_period_seconds = 0.5e-3;
constexpr double fewest_cycles = 10;       // periods in the recording
constexpr double steps_per_width = 4;      // of the grid, for one width 1 / recorded time of a peak
constexpr std::size_t most_events = 4096;  // each frequency needs a sum over all of them
constexpr std::size_t most_periods = 5;

/// Frequencies [Hz] at equal steps.
struct FrequencyGrid {
  double first = 0;
  double step = 0;
  std::size_t count = 0;

  [[nodiscard]] double at(double index) const { return first + index * step; }
};

FrequencyGrid grid_for(double recorded_seconds) {
  const double step = 1 / (steps_per_width * recorded_seconds);
  const double first = fewest_cycles / recorded_seconds;
  const double range = 1 / shortest_period_seconds - first;
  return {first, step, range > 0 ? static_cast<std::size_t>(range / step) + 1 : 0};
}

/// exp(2 pi i turns).
std::complex<double> unit(double turns) {
  return std::polar(1.0, 2 * std::numbers::pi * (turns - std::floor(turns)));
}

std::vector<double> periodogram(std::span<const double> at_seconds, const FrequencyGrid& grid) {
  std::vector<double> real(grid.count);
  std::vector<double> imaginary(grid.count);
  for (const double at : at_seconds) {
    const std::complex<double> first = unit(grid.first * at);
    const std::complex<double> turn = unit(grid.step * at);
    double x = first.real();
    double y = first.imag();
    for (std::size_t i = 0; i < grid.count; ++i) {
      real[i] += x;
      imaginary[i] += y;
      // Multiplied by hand: std::complex's operator* checks every product for infinities.
      const double turned = x * turn.real() - y * turn.imag();
      y = x * turn.imag() + y * turn.real();
      x = turned;
    }
  }
  const auto events = static_cast<double>(at_seconds.size());
  for (std::size_t i = 0; i < grid.count; ++i) {
    real[i] = (real[i] * real[i] + imaginary[i] * imaginary[i]) / events;
  }
  return real;
}

/// The periodogram divided by its local level, the median in windows of 256 steps.
std::vector<double> over_its_level(const std::vector<double>& powers) {
  constexpr std::size_t window = 256;
  std::vector<double> clear(powers.size());
  std::vector<double> nearby;
  for (std::size_t begin = 0; begin < powers.size(); begin += window / 4) {
    const std::size_t middle = std::min(begin + window / 8, powers.size() - 1);
    const std::size_t low = middle > window / 2 ? middle - window / 2 : 0;
    const std::size_t high = std::min(low + window, powers.size());
    nearby.assign(powers.begin() + static_cast<std::ptrdiff_t>(low),
                  powers.begin() + static_cast<std::ptrdiff_t>(high));
    const double level = std::max(1.0, quick_median(nearby) / std::numbers::ln2);
    const std::size_t end = std::min(begin + window / 4, powers.size());
    for (std::size_t i = begin; i < end; ++i) clear[i] = powers[i] / level;
  }
  return clear;
}

/// Position of the top of the peak that contains `index`, interpolated between the grid's steps.
double top_of(const std::vector<double>& powers, std::size_t index) {
  while (index + 1 < powers.size() && powers[index + 1] > powers[index]) ++index;
  while (index > 0 && powers[index - 1] > powers[index]) --index;
  if (index == 0 || index + 1 == powers.size()) return static_cast<double>(index);
  const double left = powers[index - 1];
  const double right = powers[index + 1];
  const double bend = left - 2 * powers[index] + right;
  return static_cast<double>(index) + (bend < 0 ? (left - right) / (2 * bend) : 0);
}

/// Whether a frequency is a multiple of `of`, within the width of a peak.
bool is_multiple(double frequency, double of, double width) {
  const double times = std::round(frequency / of);
  return times >= 1 && std::abs(frequency - times * of) <= width;
}

/// The share of the multiples of a frequency that have some power.
double share_of_multiples(const std::vector<double>& powers, const FrequencyGrid& grid,
                          double frequency) {
  constexpr double some = 4.6;         // at random times one frequency in a hundred exceeds it
  constexpr std::ptrdiff_t reach = 2;  // steps to both sides
  int all = 0;
  int there = 0;
  const auto multiples = static_cast<int>(grid.at(static_cast<double>(grid.count - 1)) / frequency);
  for (int multiple = 1; multiple <= multiples; ++multiple) {
    const double at = frequency * multiple;
    const auto index = static_cast<std::ptrdiff_t>(std::lround((at - grid.first) / grid.step));
    const auto size = static_cast<std::ptrdiff_t>(powers.size());
    const auto from = powers.begin() + std::clamp<std::ptrdiff_t>(index - reach, 0, size - 1);
    const auto to = powers.begin() + std::clamp<std::ptrdiff_t>(index + reach + 1, 1, size);
    ++all;
    if (*std::max_element(from, to) >= some) ++there;
  }
  return all > 0 ? static_cast<double>(there) / all : 0;
}

/// The lowest frequency that the strongest one is a multiple of and most of whose multiples have
/// power, even if it has none itself. Only half of the multiples of half that frequency have power.
/// Two periods also have a common base, such as 50 Hz for 4 and 10 ms, but at most two thirds of
/// its multiples have power.
double fundamental(const std::vector<double>& powers, const FrequencyGrid& grid, double strongest) {
  constexpr double most = 0.75;
  for (auto part = static_cast<int>(strongest / grid.first); part >= 2; --part) {
    if (share_of_multiples(powers, grid, strongest / part) >= most) return strongest / part;
  }
  return strongest;
}

/// The share of events that follow a period, less those by chance. These are the events within a
/// tenth of a period around their mean phase, minus a quarter of all others.
double share_of(std::span<const double> at_seconds, double frequency) {
  constexpr double reach = 0.1;
  std::complex<double> sum = 0;
  for (const double at : at_seconds) sum += unit(frequency * at);
  const double mean_phase = std::arg(sum) / (2 * std::numbers::pi);
  const auto keeps_to_it = [&](double at) {
    const double phase = frequency * at - mean_phase;
    return std::abs(phase - std::round(phase)) < reach;
  };
  const auto events = static_cast<double>(at_seconds.size());
  const auto inside = static_cast<double>(std::ranges::count_if(at_seconds, keeps_to_it));
  const double by_chance = 2 * reach / (1 - 2 * reach) * (events - inside);
  return std::clamp((inside - by_chance) / events, 0.0, 1.0);
}

/// Starts of interruptions, and the time by which each lengthened the work [s].
struct Interruptions {
  std::vector<double> at;
  std::vector<double> seconds;
};

Interruptions interruptions_of(std::span<const double> pieces, double limit, double usual) {
  Interruptions found;
  double now = 0;
  bool is_interrupted = false;
  for (const double piece : pieces) {
    const bool goes_on = is_interrupted;
    is_interrupted = piece > limit;
    if (is_interrupted && !goes_on) {
      found.at.push_back(now);
      found.seconds.push_back(0);
    }
    if (is_interrupted) found.seconds.back() += piece - usual;
    now += piece;
  }
  return found;
}

/// The index of the part of the recording that contains a time.
std::size_t part_of(double at, double recorded) {
  const double part = static_cast<double>(noise_parts) * at / recorded;
  return std::min(static_cast<std::size_t>(part), noise_parts - 1);
}

/// Mean / shortest - 1 of the pieces whose middle is in each part.
std::vector<double> stolen_by_part(std::span<const double> pieces, double recorded,
                                   double shortest) {
  std::vector<double> seconds(noise_parts);
  std::vector<double> counts(noise_parts);
  double now = 0;
  for (const double piece : pieces) {
    const std::size_t part = part_of(now + piece / 2, recorded);
    seconds[part] += piece;
    counts[part] += 1;
    now += piece;
  }
  std::vector<double> stolen;
  for (std::size_t part = 0; part < noise_parts; ++part) {
    if (counts[part] > 0) stolen.push_back(seconds[part] / counts[part] / shortest - 1);
  }
  return stolen;
}

}  // namespace

std::optional<std::vector<NoisePeriod>> find_periods(std::span<const double> at_seconds,
                                                     double recorded_seconds) {
  if (at_seconds.size() > most_events) {
    recorded_seconds = at_seconds[most_events];
    at_seconds = at_seconds.first(most_events);
  }
  const FrequencyGrid grid = grid_for(recorded_seconds);
  if (at_seconds.size() < fewest_interruptions || grid.count == 0) return std::nullopt;
  const std::vector<double> powers = over_its_level(periodogram(at_seconds, grid));
  std::vector<double> left = powers;  // powers without the multiples of the periods found so far
  const double least = std::log(static_cast<double>(grid.count) / period_false_alarm);
  std::vector<NoisePeriod> periods;
  while (periods.size() < most_periods) {
    const auto strongest = std::ranges::max_element(left) - left.begin();
    const double power = left[static_cast<std::size_t>(strongest)];
    if (power < least) break;
    const double top = grid.at(top_of(left, static_cast<std::size_t>(strongest)));
    const double frequency = fundamental(powers, grid, top);
    periods.push_back({.period_seconds = 1 / frequency,
                       .false_alarm = static_cast<double>(grid.count) * std::exp(-power),
                       .share = share_of(at_seconds, frequency)});
    // A finite recording has side lobes beside each peak, of power / (pi x)^2 at distance x.
    const double lobes = 1 + std::sqrt(power / least) / std::numbers::pi;
    for (std::size_t i = 0; i < left.size(); ++i) {
      const double at = grid.at(static_cast<double>(i));
      if (is_multiple(at, frequency, lobes / recorded_seconds)) left[i] = 0;
    }
  }
  std::ranges::stable_sort(periods, std::greater(), &NoisePeriod::share);
  return periods;
}

CoreNoise judge_noise(std::span<const double> pieces_seconds) {
  const bool are_enough = pieces_seconds.size() >= noise_parts;
  if (!are_enough || !(std::ranges::min(pieces_seconds) > 0)) {
    throw InputError({fmt::format("no noise in {} pieces of work", pieces_seconds.size()),
                      "they are too few, or one took no time", "record for longer"});
  }
  const double recorded = std::reduce(pieces_seconds.begin(), pieces_seconds.end());
  const double shortest = std::ranges::min(pieces_seconds);
  const double limit = outlier_limit(pieces_seconds).value_or(shortest);
  const Interruptions found =
      interruptions_of(pieces_seconds, limit, median_of_some(pieces_seconds));
  std::vector<double> rates(noise_parts);
  for (const double at : found.at) {
    rates[part_of(at, recorded)] += static_cast<double>(noise_parts) / recorded;
  }
  std::optional<double> longest;
  if (!found.seconds.empty()) longest = std::ranges::max(found.seconds);
  return {.recorded_seconds = recorded,
          .work_seconds = shortest,
          .limit_seconds = limit,
          .stolen = stolen_by_part(pieces_seconds, recorded, shortest),
          .interruptions_per_second = std::move(rates),
          .interruptions = static_cast<std::int64_t>(found.at.size()),
          .median_seconds = median(found.seconds),
          .longest_seconds = longest,
          .periods = find_periods(found.at, recorded)};
}

}  // namespace hockney
