#include <catch2/catch.hpp>

#include "benchmarks/harness/communicators.hpp"
#include "benchmarks/harness/data_layout.hpp"
#include "benchmarks/harness/file_access.hpp"
#include "benchmarks/harness/point.hpp"
#include "benchmarks/harness/rank_work.hpp"

namespace hockney::benchmarks {
namespace {

TEST_CASE("parameters have the values they were given, and else those of points that say nothing") {
  Parameters parameters{{work_parameter, Work::during}, {tests_parameter, 4}};
  CHECK(parameters[work_parameter] == Work::during);
  CHECK(parameters[tests_parameter] == 4);
  CHECK(parameters[threads_parameter] == 1);
  CHECK_FALSE(parameters.contains(threads_parameter));
  parameters.set(tests_parameter, 0);
  CHECK(parameters[tests_parameter] == 0);
  parameters.erase(work_parameter);
  CHECK(parameters == Parameters{{tests_parameter, 0}});
  CHECK_FALSE(parameters == Parameters{});
}

TEST_CASE("of one name there is one value, whatever its type") {
  Parameters parameters{{layout_parameter, DataLayout::indexed}};
  parameters.set(file_layout_parameter, FileLayout::strided);
  CHECK(parameters.texts().at("layout") == "strided");
  CHECK(parameters[layout_parameter] == layout_parameter.unsaid);
}

TEST_CASE("the record has the parameters of a point as text") {
  const Point point{.operation = "ibcast",
                    .bytes = {8},
                    .ranks = 2,
                    .hop = "l3",
                    .pair = {0, 3},
                    .parameters = {{work_parameter, Work::during}, {tests_parameter, 4}}};
  const hockney::Point expected{.operation = "ibcast",
                                .bytes = {8},
                                .ranks = 2,
                                .hop = "l3",
                                .pair = {0, 3},
                                .parameters = {{"tests", "4"}, {"work", "during"}}};
  CHECK(recorded(point) == expected);
  CHECK(curve_name(point) == curve_name(expected));
}

}  // namespace
}  // namespace hockney::benchmarks
