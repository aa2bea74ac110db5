#include "verdicts/self_test.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "tests/support/error_line.hpp"
#include "tests/support/launches.hpp"

namespace hockney::verdicts {
namespace {

struct Truth {
  int launches = 40;
  int sizes = 25;
  double launch_spread = 0.03;   ///< of a whole launch, shared by its variants
  double variant_spread = 0.02;  ///< of each variant of a launch
  double drift = 0;              ///< of the logarithm, from the first launch to the last
};

/// A campaign of self-tests in which "b" is "a" and "slow-10" a tenth slower.
std::vector<Record> campaign(const Truth& truth, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::vector<Record> records;
  for (int launch = 0; launch < truth.launches; ++launch) {
    Record record = launch_of("default");
    record.campaign->launch = launch + 1;
    const double drift = truth.drift * launch / truth.launches;
    for (int size = 0; size < truth.sizes; ++size) {
      const double shared = drift + truth.launch_spread * normal(random);
      for (const auto& [variant, factor] : {std::pair("a", 1.0), {"b", 1.0}, {"slow-10", 1.1}}) {
        Point point = simple_point("pingpong", 1 << (size % 25));
        point.parameters["variant"] = variant;
        const double noise = shared + truth.variant_spread * normal(random);
        add_measured(record, point, 1e-6 * factor * std::exp(noise));
      }
    }
    records.push_back(record);
  }
  return records;
}

double share(const Rate& rate) { return rate.share().value(); }

}  // namespace

TEST_CASE("where the truth is known, so are alarms, power and coverage") {
  const SelfTest test = evaluate_self_test(campaign({}, 1), 10, 1);
  CHECK(test.launches == 40);
  REQUIRE(test.variants.size() == 2);
  const VariantVerdicts& same = test.variants[0];
  CHECK(same.variant == "b");
  CHECK(same.planted == 0);
  CHECK(same.different.trials == 4 * 25);
  CHECK(share(same.different) < 0.12);  // 5 % of 100: above 11 has a chance of 0.5 %
  CHECK(same.ratio == Approx(1).epsilon(0.01));
  CHECK(same.any.trials == 4);
  CHECK(same.any.hits <= 1);  // two of four families have a chance of 1.4 %
  const VariantVerdicts& slower = test.variants[1];
  CHECK(slower.variant == "slow-10");
  CHECK(slower.planted == Approx(0.1));
  CHECK(share(slower.different) > 0.95);
  CHECK(slower.any == Rate{4, 4});
  CHECK(slower.ratio == Approx(1.1).epsilon(0.01));
  CHECK(share(test.covered_at_random) > 0.93);
  CHECK(share(test.covered_in_blocks) > 0.93);
  CHECK_FALSE(test.clock.truth);
}

TEST_CASE("a variant whose name says no number is taken as it is") {
  std::vector<Record> records = campaign({}, 3);
  for (Record& record : records) {
    for (PlannedPoint& planned : record.points.own()) {
      std::string& variant = planned.point.parameters["variant"];
      if (variant == "slow-10") variant = "slow-very";
    }
    for (Series& series : record.series) {
      std::string& variant = series.point.parameters["variant"];
      if (variant == "slow-10") variant = "slow-very";
    }
  }
  CHECK(evaluate_self_test(records, 10, 1).variants[1].planted == 0);
}

TEST_CASE("a self-test says where and when it was measured, and of what clocks") {
  std::vector<Record> records = campaign({.launches = 12, .sizes = 1}, 1);
  for (std::size_t i = 0; i < records.size(); ++i) {
    Record& record = records[i];
    record.started_utc = "2026-01-02T03:04:" + std::to_string(59 - i) + "Z";
    record.provenance.mpi.library = i == 3 ? "B" : "A";
    record.provenance.hosts = {{.name = "node2"}, {.name = "node1"}};
    record.ranks.resize(2);
    record.sync = Synchronisation{.scheme = "same-clock"};
    record.sync->checks = {{.estimate_seconds = 1e-9, .bound_seconds = 2e-9, .passed = true}};
  }
  records.back().status = LaunchStatus::interrupted;  // the first one by its time
  records.push_back(records.front());
  const SelfTest test = evaluate_self_test(records, 6, 1);
  CHECK(test.launches == 12);
  CHECK(test.measured == MeasuredOn{.mpi_libraries = {"A", "B"},
                                    .hosts = {"node1", "node2"},
                                    .ranks = {2},
                                    .first_utc = "2026-01-02T03:04:49Z",
                                    .last_utc = "2026-01-02T03:04:59Z"});
  REQUIRE(test.clock.truth);
  CHECK(test.clock.truth->within == Rate{12, 12});  // of complete launches
}

TEST_CASE("drift shows in consecutive launches only") {
  const SelfTest test = evaluate_self_test(campaign({.drift = 0.3}, 2), 10, 1);
  CHECK(share(test.covered_in_blocks) < 0.8);
  CHECK(share(test.covered_at_random) > 0.93);
  CHECK(share(test.variants[0].different) < 0.12);  // variants drift together
}

TEST_CASE("without variants, or with too few launches, there is nothing to test") {
  CHECK(input_error_of([] {
          return evaluate_self_test(campaign({.launches = 19}, 1), 10, 1);
        }).starts_with("19 launches are too few (they are cut into sub-campaigns of 10"));
  std::vector<Record> plain(20, launch_of("default"));
  for (Record& record : plain) add_measured(record, simple_point("pingpong", 8), 1e-6);
  CHECK(input_error_of([&] {
          return evaluate_self_test(plain, 10, 1);
        }).starts_with("the records hold no variants of operations"));
}

}  // namespace hockney::verdicts
