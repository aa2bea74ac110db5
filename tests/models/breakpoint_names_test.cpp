#include <catch2/catch.hpp>

#include "models/fit_set.hpp"

namespace hockney::models {
namespace {

Record protocol_record() {
  Record record;
  record.provenance.mpi = {.library = "Open MPI v4.1.4",
                           .settings = {{"btl_vader_eager_limit", "4096"},
                                        {"btl_vader_max_send_size", "32768"},
                                        {"btl_vader_free_list_num", "8"},
                                        {"btl_tcp_eager_limit", "65536"}}};
  record.protocols.push_back(
      {.hop = "l3",
       .eager_limit_bytes = 4040,
       .eager_probes =
           {{.call = "send", .receiver = "progressing", .limit_bytes = 4040, .held_bytes = 4041},
            {.call = "send", .receiver = "asleep", .limit_bytes = 256, .held_bytes = 257}},
       .stated = {{"btl_vader_eager_limit", 4096, 56}}});
  return record;
}

FittedBreakpoint between(std::int64_t after, std::int64_t before) {
  return {.after = {after}, .before = {before}};
}

}  // namespace

TEST_CASE("limits are those measured, and those stated for the same component") {
  const std::vector<Record> records{protocol_record()};
  CHECK(known_limits(records, "Open MPI v4.1.4", "l3") ==
        std::vector<KnownLimit>{{"eager limit", 4040},
                                {"limit of a receiver asleep", 256},
                                {"btl_vader_max_send_size", 32768 - 56}});
}

TEST_CASE("nothing is known of another library or distance") {
  const std::vector<Record> records{protocol_record()};
  CHECK_FALSE(known_limits(records, "MPICH", "l3"));
  CHECK_FALSE(known_limits(records, "Open MPI v4.1.4", "numa"));
}

TEST_CASE("a breakpoint has the name of the limit between its sizes") {
  const std::vector<KnownLimit> limits{{"eager limit", 4040}, {"pipeline", 32712}};
  CHECK(names_of(between(4000, 4096), limits) == std::vector<std::string>{"eager limit (4040 B)"});
  CHECK(names_of(between(4040, 4041), limits).size() == 1);
  CHECK(names_of(between(32 << 10, 64 << 10), {{"a", 32 << 10}, {"b", 64 << 10}}) ==
        std::vector<std::string>{"a (32768 B)"});
}

TEST_CASE("or of one a step away, and otherwise none") {
  const std::vector<KnownLimit> limits{{"eager limit", 4040}};
  CHECK(names_of(between(4096, 8192), limits).size() == 1);
  CHECK(names_of(between(2048, 4040), limits).size() == 1);
  CHECK(names_of(between(8192, 16384), limits).empty());
  CHECK(names_of(between(512, 1024), limits).empty());
}

TEST_CASE("breakpoints of fits get their names, where the library was requested") {
  FitSet set;
  set.fits.resize(2);
  set.fits[0].mpi_library = "Open MPI v4.1.4";
  set.fits[0].point.hop = "l3";
  set.fits[0].breakpoints = {between(4000, 4096), between(1 << 20, 2 << 20)};
  set.fits[1].mpi_library = "MPICH";
  set.fits[1].breakpoints = {between(4000, 4096)};
  name_breakpoints(set, std::vector<Record>{protocol_record()});
  CHECK(set.fits[0].breakpoints[0].names == std::vector<std::string>{"eager limit (4040 B)"});
  CHECK(set.fits[0].breakpoints[1].names == std::vector<std::string>{});
  CHECK_FALSE(set.fits[1].breakpoints[0].names);
}

}  // namespace hockney::models
