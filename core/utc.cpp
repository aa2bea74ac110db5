#include "core/utc.hpp"

#include <array>
#include <ctime>

namespace hockney {
namespace {

std::string now_as(const char* format) {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  std::array<char, 32> text{};
  return {text.data(), std::strftime(text.data(), text.size(), format, &parts)};
}

}  // namespace

std::string utc_now() { return now_as("%Y-%m-%dT%H:%M:%SZ"); }

std::string utc_stamp() { return now_as("%Y%m%dT%H%M%SZ"); }

}  // namespace hockney
