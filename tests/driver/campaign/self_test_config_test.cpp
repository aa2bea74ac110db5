#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "driver/campaign/config_sources.hpp"

namespace hockney::campaign {

TEST_CASE("the self-test that is built in is that of tests/configs") {
  CHECK(to_json(self_test_config()) ==
        to_json(load_config(HOCKNEY_SOURCE_DIR "/tests/configs/self-test.json")));
  CHECK_NOTHROW(check_config(self_test_config()));
}

}  // namespace hockney::campaign
