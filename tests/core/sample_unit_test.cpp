#include "core/sample_unit.hpp"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <vector>

namespace hockney {
namespace {

constexpr double nanosecond = 1e-9;
constexpr double counter_tick = 1 / 2.1e9;  // of a time stamp counter

struct Known {
  SampleUnit unit;
  double count = 0;
  double shortest = 0;
};

/// Numbers of one block, read from a file.
std::vector<double> read_in(const SampleUnit& unit, std::vector<double> numbers) {
  read_samples(unit, numbers, std::vector{static_cast<int>(numbers.size())});
  return numbers;
}

/// Digits of the shortest decimal that reads back as the same double.
std::size_t digits_of(double number) {
  const std::string text = fmt::format("{}", std::abs(number));
  std::string digits = text.substr(0, text.find('e'));
  std::erase(digits, '.');
  digits.erase(0, digits.find_first_not_of('0'));
  const auto last = digits.find_last_not_of('0');
  return last == std::string::npos ? 1 : last + 1;
}

/// The nearest decimal with that many digits.
double with_digits(double number, std::size_t digits) {
  return std::stod(fmt::format("{:.{}e}", number, digits - 1));
}

}  // namespace

TEST_CASE("a sample is written with the fewest digits that give back its count") {
  const std::vector<Known> all{
      {{nanosecond, 1}, 6720, 6.72e-6},
      {{nanosecond, 1}, 5478, 5.478e-6},   // 5.478000000000001e-06 with all digits
      {{nanosecond, 7}, 8642, 1.2346e-6},  // 8642.2 / 7
      {{nanosecond, 64}, 32768, 5.12e-7},
      {{nanosecond, 1000}, 1000123, 1.000123e-6},
      {{nanosecond / 2, 127}, 38359, 1.5102e-7},  // 38359.08 halves / 127
      {{counter_tick, 64}, 12345, 9.185e-8},      // 12344.64 ticks / 64
      {{nanosecond, 7}, -8642, -1.2346e-6},
      {{nanosecond, 7}, 0, 0},
      {{nanosecond, 1}, 1, 1e-9},
      {{nanosecond, 1}, 200'000'000'000'001, 200000.000000001},
      {{nanosecond, 4096}, 12'288'001, 3.0000002e-6}};  // 12288000.8 / 4096
  for (const Known& known : all) {
    const double sample = known.unit.sample(known.count);
    CAPTURE(known.unit.seconds, known.unit.batch, known.count, sample);
    CHECK(known.unit.is_exact(sample));
    CHECK(known.unit.count(sample) == known.count);
    CHECK(known.unit.shortest(sample) == known.shortest);
    CHECK(read_in(known.unit, {known.shortest}) == std::vector{sample});
  }
}

TEST_CASE("a decimal gives back the quotient to the last bit, and no shorter one does") {
  std::mt19937_64 draw(20261129);
  std::uniform_real_distribution<double> logarithm(0, std::log(1e12));
  for (const double seconds : {nanosecond, nanosecond / 2, nanosecond / 21, counter_tick, 1e-12}) {
    for (const std::int64_t batch : {1, 7, 64, 127, 1000, 1 << 20}) {
      const SampleUnit unit{seconds, batch};
      for (int i = 0; i < 200; ++i) {
        const double count = std::floor(std::exp(logarithm(draw)));
        const double sample = unit.sample(count);
        const double decimal = unit.shortest(sample);
        const std::size_t digits = digits_of(decimal);
        CAPTURE(seconds, batch, count, sample, decimal);
        REQUIRE(unit.is_short(decimal));
        REQUIRE(unit.sample(unit.count(decimal).value()) == sample);
        REQUIRE(read_in(unit, {sample}) == std::vector{sample});
        REQUIRE((digits == 1 || unit.count(with_digits(sample, digits - 1)) != count));
      }
    }
  }
}

TEST_CASE("a time that is no quotient of the unit is written and read as it is") {
  const SampleUnit unit{nanosecond, 7};
  const double quotient = unit.sample(8642);
  const double between = 1.2345e-6 + 6e-11;
  CHECK(unit.count(between) == 8642);
  for (const double time : {between / 3, quotient - 2e-13, std::nextafter(quotient, 1),
                            SampleUnit{nanosecond, 9}.sample(8642), -quotient / 3}) {
    CAPTURE(time);
    CHECK_FALSE(unit.is_exact(time));
    CHECK_FALSE(written_samples(unit, {time}, std::vector{1}));
    CHECK(read_in(unit, {time}) == std::vector{time});
  }
}

TEST_CASE("blocks of another batch keep all digits") {
  const SampleUnit unit{nanosecond / 2, 408};
  const SampleUnit first{nanosecond / 2, 320};  // some of its samples have few digits
  const std::vector<double> samples{first.sample(52345), first.sample(52352), unit.sample(53411),
                                    unit.sample(53412)};
  const std::vector blocks{2, 2};
  REQUIRE(unit.is_short(samples[1]));
  const auto written = written_samples(unit, samples, blocks);
  REQUIRE(written);
  CHECK(*written == std::vector<double>{samples[0], samples[1], 6.5455e-8, 6.5456e-8});
  std::vector<double> read = *written;
  read_samples(unit, read, blocks);
  CHECK(read == samples);
  for (const auto& wrong : {std::vector{2, 200}, std::vector{2, -1, 2, 7}, std::vector{2, 2, 1}}) {
    read = *written;
    read_samples(unit, read, wrong);
    CHECK(read == samples);
  }
}

TEST_CASE("samples are not shortened if a reader would change one, or if they are short") {
  const SampleUnit unit{nanosecond, 7};
  const double decimal = 1.2346e-6;  // as the quotient 8642 / 7 would be written
  const std::vector samples{unit.sample(8643), decimal};
  CHECK(read_in(unit, {decimal}) == std::vector{unit.sample(8642)});
  CHECK_FALSE(written_samples(unit, samples, std::vector{1, 1}));
  CHECK_FALSE(written_samples(unit, samples, std::vector{2}));
  CHECK(written_samples(unit, {unit.sample(8643)}, std::vector{1}));
  CHECK_FALSE(written_samples({nanosecond, 1}, {1e-6, 2e-6}, std::vector{2}));
  CHECK_FALSE(written_samples(unit, {}, {}));
}

TEST_CASE("times that are too long or too short for the unit have no count") {
  const SampleUnit unit{nanosecond, 1};
  CHECK(unit.count(2.8e5) == 2.8e14);
  CHECK_FALSE(unit.count(2.9e5));
  CHECK_FALSE(unit.count(-2.9e5));
  CHECK_FALSE(unit.count(1e300));
  CHECK_FALSE(unit.count(4e-10));
  CHECK_FALSE(SampleUnit{1e-300, 1}.count(1e300));
  CHECK_FALSE(unit.is_exact(1e300));
  for (const double time : {2.9e5, 1e300, 4e-10, 5e-324}) {
    for (const double seconds : {nanosecond, 1e-300, 1e300}) {
      CHECK(read_in({seconds, 1}, {time}) == std::vector{time});
    }
  }
}

TEST_CASE("the unit of samples is the coarsest part of the clock's") {
  const auto unit_of = [](const SampleUnit& unit, const std::vector<double>& counts) {
    std::vector<double> samples;
    for (const double count : counts) samples.push_back(unit.sample(count));
    return find_sample_unit(samples, unit.batch, nanosecond);
  };
  const SampleUnit halves{nanosecond / 2, 127};
  const SampleUnit window{nanosecond / 21, 5};
  CHECK(unit_of({nanosecond, 127}, {38359, 40002}) == SampleUnit{nanosecond, 127});
  CHECK(unit_of(halves, {38359, 40002}) == halves);
  CHECK(unit_of(halves, {38358, 40002}) == SampleUnit{nanosecond, 127});
  CHECK(unit_of(window, {38359, 40001}) == window);
  const std::vector<double> corrected{halves.sample(38359), halves.sample(40002) - 1e-13};
  CHECK(find_sample_unit(corrected, halves.batch, nanosecond) == halves);
  CHECK_FALSE(find_sample_unit(std::span(corrected).last(1), halves.batch, nanosecond));
  CHECK_FALSE(find_sample_unit(std::vector<double>{}, 1, nanosecond));
  CHECK_FALSE(find_sample_unit(std::vector{1e300}, 1, nanosecond));
}

TEST_CASE("only hockney's own clocks have a unit") {
  CHECK(unit_of_clock("CLOCK_MONOTONIC_RAW") == nanosecond);
  CHECK(unit_of_clock("MPI_Wtime") == 1e-12);
  CHECK_FALSE(unit_of_clock("osu"));
  CHECK_FALSE(unit_of_clock(""));
}

}  // namespace hockney
