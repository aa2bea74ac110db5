#include "core/error.hpp"

#include "core/text.hpp"

namespace hockney {

std::string to_line(const Message& message) {
  std::string line = message.problem;
  if (!message.why.empty()) line += " (" + message.why + ")";
  if (!message.suggestion.empty()) line += " " + message.suggestion;
  return inert(line);  // parts may quote a user's file
}

}  // namespace hockney
