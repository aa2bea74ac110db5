#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/text.hpp"

namespace hockney::driver {

// Rows that commands print.

using Cells = std::map<std::string, std::string>;

inline std::vector<Cells> rows_of_csv(const std::string& csv) {
  const std::vector<std::string> lines = split(csv, '\n');
  const std::vector<std::string> keys = split(lines.front(), ',');
  std::vector<Cells> rows;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::vector<std::string> cells = split(lines[i], ',');
    if (cells.size() < keys.size()) continue;
    for (std::size_t j = 0; j < keys.size(); ++j) {
      if (j == 0) rows.emplace_back();
      rows.back()[keys[j]] = cells[j];
    }
  }
  return rows;
}

/// The rows of the tables of the console, without what begins with '#'.
inline std::vector<std::vector<std::string>> rows_of_console(const std::string& text) {
  std::vector<std::vector<std::string>> rows;
  for (const std::string& line : split(text, '\n')) {
    std::vector<std::string> cells = split(line, ' ');
    std::erase(cells, "");
    if (!cells.empty() && cells.front() != "#") rows.push_back(std::move(cells));
  }
  return rows;
}

}  // namespace hockney::driver
