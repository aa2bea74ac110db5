#include <catch2/catch.hpp>

#include "core/record.hpp"

namespace hockney {
namespace {

const Settings open_mpi{{"btl_vader_eager_limit", "4096"}, {"btl_tcp_eager_limit", "65536"},
                        {"btl_vader_fbox_size", "4096"},   {"btl_tcp_links", "1"},
                        {"pml_ob1_rndv_name", "ob1"},      {"btl_self_eager_limit", "1024"}};

}  // namespace

TEST_CASE("a limit is explained by what is stated about eager messages, less a header") {
  CHECK(explain_limit(open_mpi, 4040) ==
        std::vector<StatedLimit>{{"btl_vader_eager_limit", 4096, 56}});
  CHECK(explain_limit(open_mpi, 65480) ==
        std::vector<StatedLimit>{{"btl_tcp_eager_limit", 65536, 56}});
  CHECK(explain_limit({{"X_EAGER_MAX", "1024"}}, 1024) ==
        std::vector<StatedLimit>{{"X_EAGER_MAX", 1024, 0}});
}

TEST_CASE("limits between two sizes are stated by variables up to a header above the larger") {
  const auto stated = [](std::int64_t least, std::int64_t most) {
    std::vector<std::string> names;
    for (const StatedLimit& limit : stated_limits(open_mpi, least, most))
      names.push_back(limit.variable);
    return names;
  };
  CHECK(stated(2048, 3839).empty());
  CHECK(stated(2048, 3840) == std::vector<std::string>{"btl_vader_eager_limit"});
  CHECK(stated(4096, 65535) ==
        std::vector<std::string>{"btl_tcp_eager_limit", "btl_vader_eager_limit"});
  CHECK(stated(4097, 8192).empty());
}

TEST_CASE("variables that may explain a limit are told from the others by their names") {
  for (const char* const name : {"btl_tcp_eager_limit", "X_RENDEZVOUS", "btl_vader_max_send_size",
                                 "pml_ob1_send_pipeline_depth"}) {
    CHECK(may_explain_limit(name, "1"));
    for (const char* const value : {"0", "-1", "", "4k", "auto"}) {
      CHECK_FALSE(may_explain_limit(name, value));
    }
  }
  for (const char* const name : {"coll_tuned_priority", "btl_self_rndv_count", "free_list_limit"}) {
    CHECK_FALSE(may_explain_limit(name, "4096"));
  }
}

TEST_CASE("what a rank sends to itself explains nothing between two") {
  CHECK(explain_limit(open_mpi, 1000).empty());
  CHECK_FALSE(states_eager_limits({{"btl_self_eager_limit", "1024"}}));
}

TEST_CASE("no header is longer than 256 bytes, and none is negative") {
  CHECK(explain_limit(open_mpi, 4096 - 256).size() == 1);
  CHECK(explain_limit(open_mpi, 4096 - 257).empty());
  CHECK(explain_limit(open_mpi, 4097).empty());
}

TEST_CASE("a library that states no eager limit is not contradicted") {
  CHECK(states_eager_limits(open_mpi));
  CHECK_FALSE(states_eager_limits({{"btl_vader_fbox_size", "4096"}, {"pml_ob1_rndv_name", "a"}}));
  CHECK_FALSE(states_eager_limits({{"X_EAGER_LIMIT", "-1"}}));
  CHECK(states_eager_limits({{"X_EAGER_LIMIT", "8192"}}));
}

}  // namespace hockney
