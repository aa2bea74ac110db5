#include <filesystem>
#include <fstream>
#include <map>

#include "core/text.hpp"
#include "tests/driver/bad_input.hpp"
#include "tests/support/temporary_folder.hpp"

// The table tests/whole/refusals: what every program refuses before it does anything.
namespace hockney::driver {
namespace {

/// Words between blanks; those between apostrophes may be empty or hold blanks.
Arguments words_of(const std::string& text) {
  Arguments words;
  for (std::size_t at = text.find_first_not_of(' '); at < text.size();
       at = text.find_first_not_of(' ', at)) {
    const bool is_quoted = text[at] == '\'';
    const std::size_t begin = at + (is_quoted ? 1 : 0);
    at = std::min(text.find(is_quoted ? '\'' : ' ', begin), text.size());
    words.push_back(text.substr(begin, at - begin));
    if (is_quoted) ++at;
    if (!is_quoted && words.back().starts_with('@')) words.back().replace(0, 1, HOCKNEY_SOURCE_DIR);
  }
  return words;
}

std::vector<BadInput> read_refusals() {
  std::ifstream table(HOCKNEY_SOURCE_DIR "/tests/whole/refusals");
  std::map<std::string, Arguments> shorthands;
  std::vector<BadInput> refusals;
  for (std::string line; std::getline(table, line);) {
    if (line.empty() || line.starts_with('#')) continue;
    const std::size_t bar = line.find(" | ");
    if (bar == std::string::npos) {
      const std::size_t sign = line.find(" = ");
      shorthands[line.substr(0, sign)] = words_of(line.substr(sign + 3));
      continue;
    }
    BadInput& bad = refusals.emplace_back();
    for (const std::string& word : words_of(line.substr(0, bar))) {
      const Arguments words = shorthands.contains(word) ? shorthands.at(word) : Arguments{word};
      bad.arguments.insert(bad.arguments.end(), words.begin(), words.end());
    }
    bad.words = line.substr(bar + 3);
    if (!bad.words.ends_with(" | 3")) continue;
    bad.exit_code = run_failed;
    bad.words.resize(bad.words.size() - 4);
  }
  return refusals;
}

}  // namespace

TEST_CASE("what is refused is refused in one line, before anything is done") {
  const std::vector<BadInput> refusals = read_refusals();
  CHECK(refusals.size() > 300);
  for (BadInput bad : refusals) {
    const TemporaryFolder folder;
    const std::string program = built(bad.arguments.front());
    if (!std::filesystem::exists(program)) continue;  // of a build without MPI
    // Messages name the program as it was called.
    for (std::size_t at = 0; (at = bad.words.find("hockney ", at)) != std::string::npos;) {
      bad.words.replace(at, 7, built("hockney"));
      at += built("hockney").size();
    }
    Arguments command{"/usr/bin/env", "-C", folder.path(), program};
    command.insert(command.end(), bad.arguments.begin() + 1, bad.arguments.end());
    check_refused(command, bad, run_command(command));
    CHECK(std::filesystem::is_empty(folder.path()));
  }
}

}  // namespace hockney::driver
