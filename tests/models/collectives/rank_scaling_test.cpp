#include <catch2/catch.hpp>
#include <cmath>

#include "models/collectives/rank_scaling.hpp"
#include "tests/support/launches.hpp"

namespace hockney::collectives {
namespace {

/// One launch of so many ranks whose MPI_Init takes `seconds`; every rank has so much memory.
Record startup_launch(int ranks, double seconds, std::int64_t after_init, std::int64_t of_one) {
  Record record{.procedure = startup_procedure};
  record.provenance.mpi.library = "Example MPI";
  Point point{.operation = "init", .ranks = ranks};
  add_measured(record, point, seconds);
  for (int rank = 0; rank < ranks; ++rank) {
    record.ranks.push_back({.rank = rank, .host = "h"});
    record.memory.push_back({.rank = rank, .moment = "after-init", .pss_bytes = after_init - rank});
    record.memory.push_back(
        {.rank = rank, .moment = "communicators", .communicators = 0, .pss_bytes = 1000});
    record.memory.push_back({.rank = rank,
                             .moment = "communicators",
                             .communicators = 8,
                             .pss_bytes = 1000 + 8 * of_one});
  }
  return record;
}

double seconds_of(int ranks) { return 0.2 + 0.05 * std::log2(ranks) + 0.001 * ranks; }

std::vector<Record> launches(const std::vector<int>& ranks, int each) {
  std::vector<Record> records;
  for (const int p : ranks) {
    for (int i = 0; i < each; ++i) {
      // Launches differ by up to two per cent, their median is the truth.
      const double factor = 1 + 0.01 * (i - (each - 1) / 2.0) / ((each - 1) / 2.0 + 1e-9);
      records.push_back(startup_launch(p, seconds_of(p) * factor, 4096 + 512 * p, 100 * p));
    }
  }
  return records;
}

const Scaling& named(const std::vector<Scaling>& scalings, const std::string& quantity) {
  const auto found = std::ranges::find_if(
      scalings, [&](const Scaling& one) { return one.curve.quantity == quantity; });
  REQUIRE(found != scalings.end());
  return *found;
}

TEST_CASE("constant, logarithm and slope over ranks are found, with intervals over launches") {
  const auto scalings = fit_scalings(launches({2, 4, 8, 16, 64}, 7));
  REQUIRE(scalings.size() == 3);
  const Scaling& init = named(scalings, "init");
  CHECK(init.curve.unit == ScalingUnit::seconds);
  CHECK(init.curve.launches() == 7);
  CHECK(init.terms[0].value == Approx(0.2));
  CHECK(init.terms[1].value == Approx(0.05));
  CHECK(init.terms[2].value == Approx(0.001));
  CHECK(init.at(1024) == Approx(seconds_of(1024)));
  CHECK(init.held_out_error == Approx(0).margin(1e-9));
  for (const ScalingTerm& term : init.terms) {
    REQUIRE(term.interval);
    CHECK(term.interval->low <= term.value);
    CHECK(term.interval->high >= term.value);
    CHECK(term.interval->high == Approx(term.value).epsilon(0.02));
  }
}

TEST_CASE("memory is that of the rank with most, and of one communicator") {
  const auto scalings = fit_scalings(launches({2, 4, 8, 16}, 1));
  const Scaling& after = named(scalings, "memory after-init");
  CHECK(after.curve.unit == ScalingUnit::bytes);
  CHECK(after.terms[0].value == Approx(4096));
  CHECK(after.terms[1].value == Approx(0).margin(1e-6));
  CHECK(after.terms[2].value == Approx(512));
  CHECK_FALSE(after.terms[0].interval);  // of one launch
  CHECK(named(scalings, "memory of a communicator").terms[2].value == Approx(100));
}

TEST_CASE("two numbers of ranks, and other procedures, are not fitted") {
  CHECK(fit_scalings(launches({2, 4}, 6)).empty());
  CHECK(collect_scaling(launches({2, 4}, 6)).size() == 3);
  std::vector<Record> others = launches({2, 4, 8}, 1);
  for (Record& record : others) record.procedure = "collectives";
  CHECK(collect_scaling(others).empty());
}

}  // namespace
}  // namespace hockney::collectives
