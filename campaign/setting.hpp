#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace hockney {

inline constexpr int maximum_ranks = 1'000'000;

/// One way to run the program, which the campaign compares with the others.
struct Setting {
  std::string name;
  std::map<std::string, std::string> environment;
  std::vector<std::string> arguments;           ///< added to those of the campaign
  std::vector<std::string> launcher_arguments;  ///< added to those of the launcher
  std::optional<int> ranks;                     ///< of its launches; nullopt: the campaign's
  std::map<std::string, std::string> axes;      ///< of a sweep: its value on each axis

  friend bool operator==(const Setting&, const Setting&) = default;
};

}  // namespace hockney
