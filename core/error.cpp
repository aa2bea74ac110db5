#include "core/error.hpp"

#include "core/text.hpp"

namespace hockney {
namespace {

constexpr std::size_t longest_part = 2000;

/// Cuts words of more than longest_name bytes, except paths, which may have PATH_MAX bytes.
std::string cut(const std::string& part) {
  constexpr std::size_t longest_path = 4096;
  if (part.size() <= longest_name) return part;
  std::vector<std::string> words = split(part, ' ');
  for (std::string& word : words) {
    const bool is_path = word.find('/') != std::string::npos;
    word = shortened(word, is_path ? longest_path : longest_name);
  }
  return shortened(join(words, " "), longest_path + longest_part);
}

}  // namespace

std::string to_line(const Message& message) {
  std::string line = cut(message.problem);
  if (!message.why.empty()) line += " (" + cut(message.why) + ")";
  if (!message.suggestion.empty()) line += " " + cut(message.suggestion);
  return escaped(line);  // parts may quote a user's file
}

}  // namespace hockney
