#include <catch2/catch.hpp>

#include "placement/topology.hpp"

namespace hockney::placement {
namespace {

TEST_CASE("the version of an XML topology is the one of its root element") {
  CHECK(xml_major_version(R"(<?xml version="1.0"?><topology version="2.0">)") == 2);
  CHECK(xml_major_version(R"(<topology version="3.1"><object version="9"/>)") == 3);
  CHECK(xml_major_version(R"(<?xml version="1.0"?><topology><object version="9"/>)") == 1);
  CHECK(xml_major_version(R"(<topology version="2)") == 2);
  CHECK_FALSE(xml_major_version("<html/>"));
  CHECK_FALSE(xml_major_version(""));
}

TEST_CASE("objects of an XML topology have whole sets or none") {
  CHECK_FALSE(xml_has_half_a_set(""));
  CHECK_FALSE(xml_has_half_a_set(R"(<object type="PCIDev" gp_index="1"/>)"));
  CHECK_FALSE(xml_has_half_a_set(R"(<object type="PU" cpuset="0x1" complete_cpuset="0x1"/>)"));
  CHECK(xml_has_half_a_set(R"(<object type="PU" cpuset="0x1"/>)"));
  CHECK(xml_has_half_a_set(R"(<object type="PU" complete_cpuset="0x1"/>)"));
  CHECK(xml_has_half_a_set(R"(<object type="Misc"/><object type="PU" nodeset="0x1">)"));
  CHECK(xml_has_half_a_set(R"(<object cpuset="0x1"/><object complete_cpuset="0x1"/>)"));
}

TEST_CASE("the size of a synthetic machine is the product of its levels") {
  CHECK(synthetic_pu_count("pack:2 numa:2 l3:2 l2:4 core:1 pu:2") == 64);
  CHECK(synthetic_pu_count("pack:2 [numa] core:4(size=1MB indexes=3*2:1*4) 2") == 16);
  CHECK(synthetic_pu_count("(memory=4GB) pu:0x10") == 16);
  CHECK(synthetic_pu_count("pu:0") == 0);
  CHECK_FALSE(synthetic_pu_count("pack:2 core"));
  CHECK_FALSE(synthetic_pu_count("pack: pu:2"));
  CHECK(synthetic_pu_count("pack:4294967296 core:4294967296 pu:4294967296") == std::size_t{1}
                                                                                   << 40U);
  CHECK(synthetic_pu_count("pack:2 core:99999999999999999999 pu:2") == std::size_t{1} << 40U);
}

}  // namespace
}  // namespace hockney::placement
