#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace hockney {

// A clock counts whole units. A sample is a count of them, divided by the operations of a batch: a
// quotient of 17 digits, although the count has five or six. Files have the decimal with the fewest
// digits that gives back the count, and from the count the same quotient to the last bit.

/// The unit of a clock's readings [s], by its name in records; nullopt for other names, such as
/// those of imported suites.
std::optional<double> unit_of_clock(std::string_view source);

/// What a sample is a multiple of.
struct SampleUnit {
  double seconds = 0;      ///< of the whole batch: the clock's unit, or a part of it; > 0
  std::int64_t batch = 1;  ///< operations timed together in one sample; >= 1

  /// The sample of a count, computed in the order in which measuring computes it:
  /// count * seconds / batch [s].
  [[nodiscard]] double sample(double count) const;

  /// The whole number nearest to sample * batch / seconds. nullopt if rounding could give another
  /// one (above 2^48), or if a sample other than 0 is nearest to 0.
  [[nodiscard]] std::optional<double> count(double sample) const;

  /// Whether the sample is the sample of its count, to the last bit.
  [[nodiscard]] bool is_exact(double sample) const;

  /// The decimal with the fewest digits that has the same count, as the nearest double. The sample
  /// must be exact.
  [[nodiscard]] double shortest(double sample) const;

  /// Whether the number has no digits beyond the first decimal place that is no coarser than
  /// seconds / batch, as all numbers of shortest().
  [[nodiscard]] bool is_short(double number) const;

  friend bool operator==(const SampleUnit&, const SampleUnit&) = default;
};

/// The unit, `clock_unit` or a whole part of it, in which most of the last samples are exact; the
/// coarsest of several. nullopt if none is exact in any. A clock times both ways of a round trip,
/// or a window of messages, so that the time of one operation is a count of halves, or of as many
/// parts as the window has messages.
std::optional<SampleUnit> find_sample_unit(std::span<const double> samples, std::int64_t batch,
                                           double clock_unit);

/// The samples for a file, of consecutive blocks of these sizes: the shortest decimals of the
/// blocks whose samples are all exact. nullopt if that changes nothing, or if reading would not
/// give back all samples to the last bit.
std::optional<std::vector<double>> written_samples(const SampleUnit& unit,
                                                   const std::vector<double>& samples,
                                                   std::span<const int> blocks);

/// Replaces numbers from a file by the samples of their counts, in the blocks in which all numbers
/// are short and have a count. A block that was timed with another batch has numbers that are not.
void read_samples(const SampleUnit& unit, std::span<double> numbers, std::span<const int> blocks);

}  // namespace hockney
