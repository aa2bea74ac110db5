#include <catch2/catch.hpp>
#include <string>

#include "core/error.hpp"
#include "core/quantities.hpp"

namespace hockney {

TEST_CASE("durations are read in every unit") {
  CHECK(parse_duration("60").value == 60);
  CHECK(parse_duration("60s").value == 60);
  CHECK(parse_duration("1.5m").value == 90);
  CHECK(parse_duration("2min").value == 120);
  CHECK(parse_duration("500ms").value == Approx(0.5));
  CHECK(parse_duration("2h").value == 7200);
  CHECK(parse_duration("0").value == 0);
  CHECK(parse_duration("1e2s").value == 100);
}

TEST_CASE("what is no duration is an input error") {
  for (const char* text : {"", "s", "-1", "+1", "1x", "1 s", "inf", "nan", "1e999", "1e308h", "ms5",
                           "60ss", "1,5m", ".5", "1e300s", "8785h"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(parse_duration(text), hockney::InputError);
  }
}

TEST_CASE("durations are shown with two units at most") {
  CHECK(format_duration({0.4217}) == "0.42 s");
  CHECK(format_duration({12.3}) == "12 s");
  CHECK(format_duration({59.7}) == "1 min 00 s");
  CHECK(format_duration({200}) == "3 min 20 s");
  CHECK(format_duration({7500}) == "2 h 05 min");
  CHECK(format_duration({1e300}).find('-') == std::string::npos);
}

}  // namespace hockney
