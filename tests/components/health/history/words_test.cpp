#include <catch2/catch.hpp>

#include "components/health/history/database.hpp"

namespace hockney::health {

TEST_CASE("words of roles and directions read back") {
  for (const SeriesRole role : {SeriesRole::subject, SeriesRole::control}) {
    CHECK(role_of(word(role)) == role);
  }
  for (const WorseWhen worse : {WorseWhen::larger, WorseWhen::smaller}) {
    CHECK(worse_of(word(worse)) == worse);
  }
}

}  // namespace hockney::health
