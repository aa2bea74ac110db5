#include <catch2/catch.hpp>

#include "core/error.hpp"
#include "core/quantities.hpp"

namespace hockney {

TEST_CASE("days count from 1970 and read back") {
  CHECK(day_text(0) == "1970-01-01");
  CHECK(day_text(-1) == "1969-12-31");
  CHECK(parse_day("2000-01-01") == 10957);
  CHECK(parse_day("2000-03-01") == 11017);  // 30 years of 365 days, 7 leap days, 31 + 29
  CHECK(parse_day("2026-11-22") == 20779);
  for (const std::int64_t day : {10957, 11016, 11017, 20779, 300000}) {
    CHECK(parse_day(day_text(day)) == day);
  }
  CHECK(day_text(20779) == "2026-11-22");
}

TEST_CASE("what is no day of the calendar, or before 2000, is refused") {
  for (const char* text : {"", "0000-01-01", "0001-01-01", "1970-01-01", "1999-12-31", "2026-02-29",
                           "2026-13-01", "2026-00-10", "2026-1-1", "26-01-01", "2026/01/01",
                           "2026-01-01 ", "yesterday", "2026-0a-01", "2026--1-01"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(parse_day(text), InputError);
  }
}

TEST_CASE("the day of a moment is that of UTC") {
  CHECK(day_of_utc("2026-11-22T23:59:59Z") == 20779);
  CHECK_THROWS_AS(day_of_utc("2026-11-22"), InputError);
  CHECK(day_of_utc("2000-01-01T00:00:00Z") == 10957);
  CHECK_THROWS_AS(day_of_utc("2026-11-22T23:59:59+01:00"), InputError);
}

TEST_CASE("a moment counts seconds from 1970") {
  CHECK(parse_utc("2000-01-01T00:00:00Z") == 10957 * seconds_a_day);
  CHECK(parse_utc("2026-11-22T03:04:05Z") == 20779 * seconds_a_day + 3 * 3600 + 4 * 60 + 5);
  CHECK(parse_utc("2026-11-22T03:04:05.678Z") == parse_utc("2026-11-22T03:04:05Z"));
  CHECK(parse_utc("9999-12-31T23:59:59Z") == 253402300799);
  CHECK(utc_text(parse_utc("2000-02-29T23:59:59Z")) == "2000-02-29T23:59:59Z");
}

TEST_CASE("what is no time of a clock is refused") {
  for (const char* text :
       {"", "1970-01-01T00:00:00Z", "1999-12-31T23:59:59Z", "2026-11-22", "2026-11-22T",
        "2026-11-22T25:00:00Z", "2026-11-22T24:00:00Z", "2026-11-22T14:61:00Z",
        "2026-11-22T99:99:99Z", "2026-11-22T03:04:60Z", "2026-02-30T03:04:05Z",
        "2026-11-22T03:04:05", "2026-11-22T03:04Z", "2026-11-22T3:04:05Z", "2026-11-22 03:04:05Z",
        "2026-11-22T03:04:05.Z", "2026-11-22T03:04:05,6Z", "2026-11-22T-3:04:05Z",
        "2026-11-22T03:04:05ZZ"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(parse_utc(text), InputError);
  }
}

}  // namespace hockney
