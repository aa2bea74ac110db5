#pragma once

#include <catch2/catch.hpp>
#include <cstdint>
#include <string>

#include "core/quantities.hpp"
#include "tests/driver/bad_input.hpp"
#include "tests/support/nightly_site.hpp"

namespace hockney::health {

using namespace driver;  // what starts commands

inline const std::int64_t first_day = parse_day("2026-10-01");
inline constexpr int nights = 30;
inline constexpr int step = 22;  ///< the first night of a library that is slower by a tenth
inline const std::string latency = "pingpong/ranks=2 hop=l3 bytes=8 setting=nightly/seconds";

inline CommandResult health(const NightlySite& site, Arguments arguments) {
  Arguments command = with({built("hockney"), "health"}, arguments);
  command.insert(command.end(), {"--history", site.at("history.sqlite")});
  return run_command(command);
}

inline Arguments check_of(int night, Arguments more = {}) {
  more.insert(more.begin(), {"check", "--day", day_text(first_day + night)});
  return more;
}

/// Thirty nights, ingested.
struct SlowedSite : NightlySite {
  SlowedSite() {
    for (int night = 0; night < nights; ++night) {
      night < step ? add_night(first_day + night, 1)
                   : add_night(first_day + night, 1.1, "Open MPI v5.0.9");
    }
    const CommandResult ingested = health(*this, {"ingest", records()});
    INFO(ingested.err);
    REQUIRE(ingested.exit_code == 0);
  }
};

}  // namespace hockney::health
