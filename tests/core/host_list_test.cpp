#include "core/host_list.hpp"

#include <catch2/catch.hpp>

namespace hockney {
namespace {

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("hosts are listed as Slurm writes them") {
  CHECK(expand_hosts("login") == Names{"login"});
  CHECK(expand_hosts("nid[8-11]") == Names{"nid8", "nid9", "nid10", "nid11"});
  CHECK(expand_hosts("n[1-3,07,9-12]") ==
        Names{"n1", "n2", "n3", "n07", "n9", "n10", "n11", "n12"});
  CHECK(expand_hosts("a[0-1]b[3,5]-ib,c") ==
        Names{"a0b3-ib", "a0b5-ib", "a1b3-ib", "a1b5-ib", "c"});
  CHECK(expand_hosts("x,x") == Names{"x", "x"});
}

TEST_CASE("numbers keep the width of the first of their range") {
  const Names hosts = expand_hosts("nid[001-128]");
  REQUIRE(hosts.size() == 128);
  CHECK(hosts.front() == "nid001");
  CHECK(hosts[9] == "nid010");
  CHECK(hosts.back() == "nid128");
  CHECK(expand_hosts("n[098-101]") == Names{"n098", "n099", "n100", "n101"});
  CHECK(expand_hosts("n[2147483646-2147483648]").back() == "n2147483648");
}

TEST_CASE("a list of hosts that is none is refused with what is wrong") {
  struct Bad {
    std::string list;
    std::string why;
  };
  for (const Bad& bad : {Bad{"nid[5-3]", "they end before they begin"},
                         {"nid[5-", "a bracket has no partner"},
                         {"nid5]", "a bracket has no partner"},
                         {"nid[[5]]", "a bracket has no partner"},
                         {"nid[]", "a name is missing"},
                         {"nid[1,,2]", "a name is missing"},
                         {"a,,b", "a name is missing"},
                         {"", "a name is missing"},
                         {"nid[a-b]", "a range is written \"nid[0-3]\""},
                         {"nid[1-2-3]", "a range is written \"nid[0-3]\""},
                         {"nid[-1]", "a range is written \"nid[0-3]\""},
                         {"nid[0-1000000]", "they are more than 1000000"},
                         {"a[1-1000]b[1-1001]", "they are more than 1000000"},
                         {"nid[0-9223372036854775808]", "a number is too long"}}) {
    INFO(bad.list);
    CHECK_THROWS_WITH(expand_hosts(bad.list), Catch::Contains(bad.why));
    CHECK_THROWS_AS(expand_hosts(bad.list), HostListError);
  }
}

}  // namespace hockney
