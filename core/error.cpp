#include "core/error.hpp"

namespace hockney {

std::string to_line(const Message& message) {
  std::string line = message.problem;
  if (!message.why.empty()) line += " (" + message.why + ")";
  if (!message.suggestion.empty()) line += " " + message.suggestion;
  return line;
}

}  // namespace hockney
