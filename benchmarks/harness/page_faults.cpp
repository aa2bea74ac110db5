#include "benchmarks/harness/page_faults.hpp"

#include <sys/resource.h>

namespace hockney {

std::int64_t page_faults() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return usage.ru_minflt;  // NOLINT(cppcoreguidelines-pro-type-union-access): glibc has it in one
}

}  // namespace hockney
