#include "application/where/shell_words.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace hockney::where {
namespace {

bool is_one_of(char c, std::string_view characters) {
  return characters.find(c) != std::string_view::npos;
}

/// Reads a script from its beginning to its end.
class ShellLexer {
 public:
  explicit ShellLexer(const std::string& script) : script_(script) {}

  std::vector<std::vector<ShellWord>> commands() {
    while (at_ < script_.size()) step();
    end_command();
    return std::move(commands_);
  }

 private:
  void step() {
    const char c = script_[at_];
    if (c == '#') {
      while (at_ < script_.size() && script_[at_] != '\n') ++at_;
    } else if (is_one_of(c, ";&|()\n")) {
      end_command();
      ++at_;
    } else if (is_one_of(c, "<>")) {
      is_redirected_ = true;
      while (at_ < script_.size() && is_one_of(script_[at_], "<>&")) ++at_;
    } else if (is_one_of(c, " \t")) {
      ++at_;
    } else {
      take_word();
    }
  }

  void end_command() {
    if (!words_.empty()) commands_.push_back(std::move(words_));
    words_.clear();
    is_redirected_ = false;
  }

  void take_word() {
    ShellWord word{.text = {}, .begin = at_, .end = at_};
    while (at_ < script_.size() && !is_one_of(script_[at_], " \t\n;&|()<>")) take_part(word);
    word.end = at_;
    if (!word.is_exact) word.text = script_.substr(word.begin, word.end - word.begin);
    const bool is_descriptor = at_ < script_.size() && is_one_of(script_[at_], "<>") &&
                               word.text.find_first_not_of("0123456789") == std::string::npos;
    if (!is_redirected_ && !is_descriptor) words_.push_back(std::move(word));
  }

  /// A character, or a part in quotes, of a word.
  void take_part(ShellWord& word) {
    const char c = script_[at_++];
    if (c == '\'') {
      const std::size_t end = std::min(script_.find('\'', at_), script_.size());
      word.text += script_.substr(at_, end - at_);
      at_ = std::min(end + 1, script_.size());
    } else if (c == '"') {
      while (at_ < script_.size() && script_[at_] != '"') take_in_quotes(word);
      at_ = std::min(at_ + 1, script_.size());
    } else if (c == '\\') {
      if (at_ < script_.size()) word.text += script_[at_++];
    } else {
      if (is_one_of(c, "$`*?[~{")) word.is_exact = false;
      word.text += c;
    }
  }

  void take_in_quotes(ShellWord& word) {
    const bool is_escape =
        script_[at_] == '\\' && at_ + 1 < script_.size() && is_one_of(script_[at_ + 1], "$`\"\\");
    if (is_escape) ++at_;
    if (!is_escape && is_one_of(script_[at_], "$`")) word.is_exact = false;
    word.text += script_[at_++];
  }

  const std::string& script_;
  std::size_t at_ = 0;
  bool is_redirected_ = false;
  std::vector<ShellWord> words_;
  std::vector<std::vector<ShellWord>> commands_;
};

}  // namespace

std::vector<std::vector<ShellWord>> simple_commands(const std::string& script) {
  return ShellLexer(script).commands();
}

}  // namespace hockney::where
