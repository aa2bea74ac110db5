#pragma once

#include <sys/resource.h>

#include <chrono>
#include <iostream>
#include <string>
#include <vector>

#include "tests/support/run_command.hpp"

namespace hockney::benchmarks {

inline double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Of all children that have ended.
inline rusage children_usage() {
  rusage usage{};
  ::getrusage(RUSAGE_CHILDREN, &usage);
  return usage;
}

inline double children_cpu_seconds() {
  const rusage usage = children_usage();
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// Runs `hockney health` and prints its times, the largest memory of all children so far, and the
/// beginning of its output.
inline void drive(const std::vector<std::string>& arguments) {
  std::vector<std::string> command{HOCKNEY_BINARY_DIR "/bin/hockney", "health"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  const auto begin = std::chrono::steady_clock::now();
  const double busy_before = children_cpu_seconds();
  const CommandResult result = run_command(command, std::chrono::seconds(1200));
  std::cout << arguments.front() << ": " << seconds_since(begin) << " s, "
            << children_cpu_seconds() - busy_before << " s of CPU, exit code " << result.exit_code
            << ", " << static_cast<double>(children_usage().ru_maxrss) / 1024 << " MB\n"
            << result.out.substr(0, 2500) << result.err.substr(0, 400) << '\n';
}

}  // namespace hockney::benchmarks
