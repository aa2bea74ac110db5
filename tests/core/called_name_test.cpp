#include <catch2/catch.hpp>

#include "core/called_name.hpp"

namespace hockney {

TEST_CASE("hockney is called again by its path as typed, or by its name from PATH") {
  CHECK(called_name({"build/release/bin/hockney", "run", "hops"}) == "build/release/bin/hockney");
  CHECK(called_name({"/opt/my tools/hockney"}) == "'/opt/my tools/hockney'");
  CHECK(called_name({"hockney", "run"}) == "hockney");
  CHECK(called_name({"/opt/bin/hockney-pingpong"}) == "hockney");
  CHECK(called_name({}) == "hockney");
}

TEST_CASE("commands in a text begin with the called name, other words stay") {
  const auto changed = [](const std::string& text) {
    return with_called_name(text, "bin/hockney");
  };
  CHECK(changed("hockney report x --all") == "bin/hockney report x --all");
  CHECK(changed("raise the limit (hockney advise): at most 3 %") ==
        "raise the limit (bin/hockney advise): at most 3 %");
  CHECK(changed("see hockney profile --env, or hockney where") ==
        "see bin/hockney profile --env, or bin/hockney where");
  for (const char* const text :
       {"use the version of hockney that wrote the file", "this hockney was built without elfutils",
        "hockney-profile.json", "'hockney run' cannot be started", "/x/hockney run", "hockney"}) {
    CHECK(changed(text) == text);
  }
}

}  // namespace hockney
