#include "benchmarks/harness/overlap.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "benchmarks/harness/message.hpp"

namespace hockney::benchmarks {

const std::vector<std::string>& work_names() {
  static const std::vector<std::string> names{"none", "alone", "during"};
  return names;
}

Work work_of(const Point& point) {
  const std::string name = parameter_of(point, work_parameter, "none");
  const auto place = std::ranges::find(work_names(), name);
  if (place == work_names().end()) throw std::logic_error("no such work: " + name);
  return static_cast<Work>(place - work_names().begin());
}

int tests_of(const Point& point) { return std::stoi(parameter_of(point, tests_parameter, "0")); }

void Overlap::set_rounds(double rounds) { rounds_ = std::llround(rounds); }

void Overlap::work() const { spin(rounds_); }

}  // namespace hockney::benchmarks
