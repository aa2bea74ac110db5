#include "core/error.hpp"

#include <algorithm>

namespace hockney {

std::string to_line(const Message& message) {
  std::string line = message.problem;
  if (!message.why.empty()) line += " (" + message.why + ")";
  if (!message.suggestion.empty()) line += " " + message.suggestion;
  // Parts may quote a user's file; a message stays one line whatever that holds.
  const auto is_control = [](char letter) {
    return static_cast<unsigned char>(letter) < ' ' || letter == 0x7F;
  };
  std::ranges::replace_if(line, is_control, ' ');
  return line;
}

}  // namespace hockney
