#include "benchmarks/launch/visit_message.hpp"
#include "core/record_flags.hpp"

namespace hockney {
namespace {

constexpr double unknown = -1;  // no control, no skew and no time of starting is negative
constexpr std::ptrdiff_t header = 7;

std::optional<double> known(double number) {
  return number == unknown ? std::nullopt : std::optional(number);
}

}  // namespace

std::vector<double> pack(const Visit& visit) {
  std::vector<double> numbers{
      visit.flags.empty() ? 0.0 : 1.0,         static_cast<double>(visit.batch),
      visit.control_seconds.value_or(unknown), visit.skew_seconds.value_or(unknown),
      static_cast<double>(visit.late_starts),  visit.started_seconds.value_or(unknown)};
  numbers.push_back(static_cast<double>(visit.locals_seconds.size()));
  numbers.insert(numbers.end(), visit.locals_seconds.begin(), visit.locals_seconds.end());
  numbers.insert(numbers.end(), visit.samples_seconds.begin(), visit.samples_seconds.end());
  return numbers;
}

Visit unpack_visit(std::size_t point, const std::vector<double>& numbers) {
  Visit visit{.point = point,
              .batch = static_cast<std::int64_t>(numbers.at(1)),
              .started_seconds = known(numbers.at(5)),
              .skew_seconds = known(numbers.at(3)),
              .late_starts = static_cast<int>(numbers.at(4)),
              .control_seconds = known(numbers.at(2))};
  if (numbers.at(0) != 0) visit.flags.emplace_back(corrupt_flag);
  const auto locals = numbers.begin() + header;
  const auto samples = locals + static_cast<std::ptrdiff_t>(numbers.at(6));
  visit.locals_seconds.assign(locals, samples);
  visit.samples_seconds.assign(samples, numbers.end());
  return visit;
}

}  // namespace hockney
