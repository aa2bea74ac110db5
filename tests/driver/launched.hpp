#pragma once

#ifdef HOCKNEY_MPIEXEC

#include <string>

#include "core/text.hpp"
#include "tests/driver/bad_input.hpp"

namespace hockney::driver {

/// What stands before a program so that this build's launcher starts so many ranks of it.
/// `environment`: options of env(1), and variables of the launch.
inline Arguments launcher(int ranks, const Arguments& environment = {}) {
  Arguments command = with({"/usr/bin/env"}, environment);
  const auto add_words = [&](const char* text) {
    for (const std::string& word : split(text, '|')) {
      if (!word.empty()) command.push_back(word);
    }
  };
  add_words(HOCKNEY_MPI_ENVIRONMENT);
  command.insert(command.end(), {HOCKNEY_MPIEXEC, HOCKNEY_MPIEXEC_NUMPROC, std::to_string(ranks)});
  add_words(HOCKNEY_MPIEXEC_FLAGS);
  return command;
}

/// The same with a program of build/bin/ and its options.
inline Arguments launched(int ranks, const std::string& program, const Arguments& options = {},
                          const Arguments& environment = {}) {
  Arguments command = launcher(ranks, environment);
  command.push_back(built(program));
  command.insert(command.end(), options.begin(), options.end());
  return command;
}

}  // namespace hockney::driver

#endif
