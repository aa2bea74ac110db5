#include "components/application/library/ticks.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <string_view>

#include "components/application/library/real.hpp"

namespace hockney::profile {

void Ticks::choose() {
  const int file = ::open("/sys/devices/system/clocksource/clocksource0/current_clocksource",
                          O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  std::array<char, 8> text{};
  const ssize_t length = ::read(file, text.data(), text.size());
  ::close(file);
  uses_counter_ = length > 0 && std::string_view(text.data(), 4) == "tsc\n";
}

std::int64_t Ticks::simulated() {
  constexpr double picoseconds = 1e12;
  return std::llround(real::Wtime() * picoseconds);
}

}  // namespace hockney::profile
