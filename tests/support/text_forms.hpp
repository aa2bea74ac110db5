#pragma once

#include <fstream>
#include <string>
#include <vector>

namespace hockney {

/// A text that another program prints, and what hockney makes of it.
struct TextForm {
  std::string name;
  std::vector<std::string> expected;
  std::string text;
};

/// The texts of a file of tests/fixtures: `== NAME`, lines `-> EXPECTED`, then the text itself.
inline std::vector<TextForm> text_forms(const std::string& name) {
  std::ifstream file(HOCKNEY_SOURCE_DIR "/tests/fixtures/" + name);
  std::vector<TextForm> forms;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("== ")) {
      forms.push_back({.name = line.substr(3), .expected = {}, .text = {}});
    } else if (line.starts_with("-> ")) {
      forms.back().expected.push_back(line.substr(3));
    } else {
      forms.back().text += line + "\n";
    }
  }
  return forms;
}

}  // namespace hockney
