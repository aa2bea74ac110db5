#include "selection/shell_file.hpp"

#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "core/json_values.hpp"
#include "core/names.hpp"

namespace hockney {
namespace {

constexpr std::string_view export_word = "export ";

}  // namespace

std::string shell_file(const std::map<std::string, std::string>& environment,
                       const std::vector<std::string>& comments) {
  std::string text;
  for (const std::string& comment : comments) text += "# " + comment + "\n";
  text += "# in a campaign: \"environment\": " + json_text(nlohmann::json(environment), -1) + "\n";
  for (const auto& [name, value] : environment) {
    text += std::string(export_word) + name + "='" + value + "'\n";
  }
  return text;
}

std::map<std::string, std::string> read_shell_file(const std::string& text,
                                                   const std::string& file) {
  std::map<std::string, std::string> environment;
  int number = 0;
  for (const std::string& line : split(text, '\n')) {
    ++number;
    if (line.empty() || line.starts_with('#')) continue;
    const std::size_t equals = line.find("='");
    const bool is_export = line.starts_with(export_word) && equals != std::string::npos &&
                           line.ends_with('\'') && line.size() > equals + 2;
    if (!is_export) {
      throw InputError({file + ":" + std::to_string(number) + ": '" + line + "'",
                        "it is no line that hockney tune writes", "write it like export NAME='1'"});
    }
    const std::string name = line.substr(export_word.size(), equals - export_word.size());
    environment[name] = line.substr(equals + 2, line.size() - equals - 3);
  }
  return environment;
}

}  // namespace hockney
