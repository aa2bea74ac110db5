#include "benchmarks/kernels/work.hpp"

#include <stdexcept>
#include <string>

#include "benchmarks/harness/message.hpp"
#include "core/words.hpp"

namespace hockney::benchmarks::kernels {

Work kernel_work_of(const Point& point) {
  const std::string name = parameter_of(point, work_parameter);
  if (const auto work = find_word<Work>(name)) return *work;
  throw std::logic_error("no such work: " + name);
}

}  // namespace hockney::benchmarks::kernels
