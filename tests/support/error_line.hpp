#pragma once

#include <string>

#include "core/error.hpp"

namespace hockney {

/// The line of the InputError that `action` ends with; empty when it does not throw one. A message
/// of several lines is a failure of its own, so it comes back as "more than one line: ...".
template <class Action>
std::string input_error_of(Action action) {
  try {
    action();
  } catch (const InputError& error) {
    const std::string line = error.what();
    return line.find('\n') == std::string::npos ? line : "more than one line: " + line;
  }
  return {};
}

/// The line of the error that `action` ends with, of any exit code; empty when it does not.
template <class Action>
std::string error_line(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

}  // namespace hockney
