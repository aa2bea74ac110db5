#include "benchmarks/harness/sleep.hpp"

#include <mpi.h>
#include <time.h>  // NOLINT(modernize-deprecated-headers): nanosleep

#include <cerrno>

namespace hockney {

void sleep_for(std::chrono::nanoseconds time) {
  if (time <= std::chrono::nanoseconds::zero()) return;
  const auto whole = std::chrono::duration_cast<std::chrono::seconds>(time);
  timespec asked{};
  asked.tv_sec = whole.count();
  asked.tv_nsec = (time - whole).count();
  while (nanosleep(&asked, &asked) != 0 && errno == EINTR) {
  }
}

}  // namespace hockney
