#include <catch2/catch.hpp>

#include "core/shell.hpp"

namespace hockney {

TEST_CASE("words are quoted where a shell would read more than a word") {
  CHECK(shell_word("results/2026-11-22:a=b,c") == "results/2026-11-22:a=b,c");
  CHECK(shell_word("") == "''");
  CHECK(shell_word("my records") == "'my records'");
  CHECK(shell_word("it's") == "'it'\\''s'");
  for (const char* word : {"a;b", "$HOME", "*", "a&b", "~/x", "(x)", "a\"b", "a|b", "#a", "a\nb"}) {
    CHECK(shell_word(word) == "'" + std::string(word) + "'");
  }
  CHECK(shell_words({"a", "b c", "d"}) == "a 'b c' d");
  CHECK(shell_words({}).empty());
}

}  // namespace hockney
