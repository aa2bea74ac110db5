#include "core/cli/colors.hpp"

#include <catch2/catch.hpp>

namespace hockney {

TEST_CASE("words of verdicts have colours, and no part of another word") {
  CHECK(colored("tcp is slower at 2 of 3 sizes, faster at 1\n") ==
        "tcp is \033[31mslower\033[39m at 2 of 3 sizes, \033[32mfaster\033[39m at 1\n");
  CHECK(colored("goodness, unfair and OK2") == "goodness, unfair and OK2");
  CHECK(colored("OK: undecided") == "\033[32mOK\033[39m: \033[33mundecided\033[39m");
}

TEST_CASE("labels are bold, and commands below next stay as they are") {
  CHECK(colored("trust      good: 1\nnext       hockney report slower\n           x faster\n") ==
        "\033[1mtrust\033[22m      \033[32mgood\033[39m: 1\n"
        "\033[1mnext\033[22m       hockney report slower\n           x faster\n");
  CHECK(colored("").empty());
}

}  // namespace hockney
