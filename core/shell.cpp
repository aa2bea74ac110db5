#include "core/shell.hpp"

#include <algorithm>
#include <string_view>

#include "core/text.hpp"

namespace hockney {
namespace {

bool is_shell_safe(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("-_./:,+=@%").find(c) != std::string_view::npos;
}

}  // namespace

std::string shell_word(const std::string& word) {
  if (!word.empty() && std::ranges::all_of(word, is_shell_safe)) return word;
  std::string quoted = "'";
  for (const char c : word) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

std::string shell_words(const std::vector<std::string>& words) {
  return join(strings_of(words, shell_word), " ");
}

std::vector<char*> null_terminated(std::vector<std::string>& texts) {
  std::vector<char*> pointers(texts.size());
  std::ranges::transform(texts, pointers.begin(), [](std::string& text) { return text.data(); });
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace hockney
