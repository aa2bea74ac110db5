#pragma once

#include <map>
#include <string>
#include <vector>

namespace hockney {

/// One way to run the program, which the campaign compares with the others.
struct Setting {
  std::string name;
  std::map<std::string, std::string> environment;
  std::vector<std::string> arguments;           ///< added to those of the campaign
  std::vector<std::string> launcher_arguments;  ///< added to those of the launcher
  std::map<std::string, std::string> axes;      ///< of a sweep: its value on each axis

  friend bool operator==(const Setting&, const Setting&) = default;
};

}  // namespace hockney
