#include <catch2/catch.hpp>

#include "tests/stacks/record_checks.hpp"
#include "tests/support/example_record.hpp"

namespace hockney::stacks {

using Lines = std::vector<std::string>;

namespace {

const Expected expected{.library = "Open MPI v4.1", .ranks = 2};

/// The example, without what is wrong with it on purpose.
Record good_record() {
  Record record = example_record();
  record.points.own().pop_back();
  record.ranks.back().actual_cpus = {5};
  return record;
}

template <class Poison>
Lines complaints_after(Poison poison) {
  Record record = good_record();
  poison(record);
  return complaints_of(record, expected);
}

}  // namespace

TEST_CASE("a good record under the right library passes") {
  CHECK(complaints_of(good_record(), expected) == Lines{});
}

TEST_CASE("white space of a library's words is of no account") {
  CHECK(with_single_spaces("MPICH Version:\t4.0.2") == "MPICH Version: 4.0.2");
  CHECK(with_single_spaces(" MPICH Version:      5.0.2") == "MPICH Version: 5.0.2");
}

TEST_CASE("every way in which a record is not as expected is told") {
  CHECK(complaints_after([](Record& r) { r.provenance.mpi.library = "Open MPI v5.0.11"; }) ==
        Lines{"it is of 'Open MPI v5.0.11', not of 'Open MPI v4.1'"});
  CHECK(complaints_after([](Record& r) { r.status = LaunchStatus::interrupted; }) ==
        Lines{"it is not complete"});
  CHECK(complaints_after([](Record& r) { r.ranks.pop_back(); }) == Lines{"it has 1 ranks"});
  CHECK(complaints_after([](Record& r) {
          r.ranks[1].actual_cpus = {4, 5};
        }) == Lines{"rank 3 is not on CPU 5"});
  CHECK(complaints_after([](Record& r) { r.ranks[0].requested_cpu.reset(); }) ==
        Lines{"rank 0 was not bound"});
  CHECK(complaints_after([](Record& r) { r.points.own()[0].status = PointStatus::failed; }) ==
        Lines{"pingpong was not measured: "});
  CHECK(complaints_after([](Record& r) { r.series[0].flags = {"corrupt"}; }) ==
        Lines{"pingpong delivered wrong data"});
  CHECK(complaints_after([](Record& r) { r.series[0].samples_seconds.clear(); }) ==
        Lines{"a series without samples"});
  CHECK(complaints_after([](Record& r) { r.series.clear(); }) == Lines{"nothing was measured"});
}

}  // namespace hockney::stacks
