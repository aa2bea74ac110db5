#include <catch2/catch.hpp>

#include "components/application/commands/kernel_scaling.hpp"
#include "core/error.hpp"
#include "core/record.hpp"

// hockney scale of a kernel: what records of a campaign at several numbers of ranks say.
namespace hockney::driver {
namespace {

struct WayTime {
  std::string way;
  std::string work;
  double seconds = 0;
};

Series kernel_series(const std::string& problem, int ranks, const WayTime& time) {
  Series series;
  series.point = {.operation = "halo", .ranks = ranks};
  series.point.parameters = {{"points", problem}, {"way", time.way}, {"work", time.work}};
  series.samples_seconds = {time.seconds};
  series.blocks = {1};
  return series;
}

/// A launch of two grids: of the larger one computing takes 8 ms / ranks, messages 1 ms more by
/// Sendrecv, and half of that by persistent ones with computing meanwhile.
Record kernel_launch(int ranks, int launch) {
  Record record{.procedure = "kernels"};
  record.campaign =
      CampaignPlace{.name = "halo", .setting = std::to_string(ranks), .launch = launch, .axes = {}};
  const double alone = 8e-3 / ranks;
  for (const WayTime& time :
       {WayTime{"blocking", "alone", alone}, WayTime{"blocking", "after", alone + 1e-3},
        WayTime{"persistent", "alone", alone}, WayTime{"persistent", "after", alone + 0.8e-3},
        WayTime{"persistent", "during", alone + 0.5e-3}, WayTime{"persistent", "none", 0.1e-3}}) {
    record.series.push_back(kernel_series("256x256", ranks, time));
    record.series.push_back(
        kernel_series("64x64", ranks, {time.way, time.work, time.seconds / 100}));
  }
  return record;
}

std::vector<Record> kernel_launches() {
  std::vector<Record> records;
  for (int launch = 1; launch <= 3; ++launch) {
    for (const int ranks : {2, 4}) records.push_back(kernel_launch(ranks, launch));
  }
  return records;
}

}  // namespace

TEST_CASE("a kernel scales by its fastest way, the largest problem unless another is asked for") {
  const KernelScaling scaling = kernel_scaling(kernel_launches(), std::nullopt);
  CHECK(scaling.name == "halo 256x256");
  REQUIRE(scaling.times.size() == 6);
  for (const projection::ScalingTime& time : scaling.times) {
    CHECK(time.seconds == Approx(8e-3 / time.ranks + 0.5e-3));
  }
  CHECK(scaling.shares.at(2).way == "persistent, computing during");
  CHECK(scaling.shares.at(2).launches == 3);
  CHECK(scaling.shares.at(2).computing == Approx(4 / 4.5));
  CHECK(scaling.shares.at(4).communication == Approx(0.5 / 2.5));
  CHECK(scaling.doubts ==
        std::vector<std::string>{"of 64x64, 256x256 the largest: --problem for another"});
  const KernelScaling small = kernel_scaling(kernel_launches(), "64x64");
  CHECK(small.times.front().seconds == Approx(4.5e-5));
  CHECK(small.doubts.empty());
  CHECK_THROWS_WITH(kernel_scaling(kernel_launches(), "65x64"), Catch::Contains("'64x64'"));
}

TEST_CASE("launches of a kernel that lack a number of ranks are left out, and said") {
  std::vector<Record> records = kernel_launches();
  records.pop_back();
  const KernelScaling scaling = kernel_scaling(records, "64x64");
  CHECK(scaling.times.size() == 4);
  REQUIRE(scaling.doubts.size() == 1);
  CHECK(scaling.doubts.front().find("left out") != std::string::npos);
  CHECK_THROWS_AS(kernel_scaling({}, std::nullopt), RunError);
}

}  // namespace hockney::driver
