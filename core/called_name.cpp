#include "core/called_name.hpp"

#include <algorithm>

#include "core/environment.hpp"
#include "core/shell.hpp"

namespace hockney {
namespace {

constexpr std::string_view program = "hockney";

/// Whether a command of hockney begins here.
bool is_command_at(std::string_view text, std::size_t at) {
  const bool is_after_word = at > 0 && text[at - 1] != ' ' && text[at - 1] != '(';
  const std::string_view rest = text.substr(at + program.size());
  if (is_after_word || !rest.starts_with(' ')) return false;
  const std::string_view word = rest.substr(1, rest.find_first_of(" ,;:)", 1) - 1);
  return word.starts_with("--") ||
         std::ranges::find(hockney_commands, word) != hockney_commands.end();
}

}  // namespace

std::string called_name(const std::vector<std::string>& command_line) {
  if (command_line.empty()) return std::string(program);
  const std::string& word = command_line.front();
  return word.ends_with("/hockney") ? shell_word(word) : std::string(program);
}

std::string with_called_name(const std::string& text, const std::string& name) {
  std::string changed;
  std::size_t done = 0;
  for (std::size_t at = text.find(program); at != std::string::npos;
       at = text.find(program, at + program.size())) {
    if (!is_command_at(text, at)) continue;
    changed.append(text, done, at - done).append(name);
    done = at + program.size();
  }
  return changed.append(text, done);
}

std::string runnable(const std::string& text) {
  return with_called_name(text, called_name(command_line()));
}

}  // namespace hockney
