

// hockney-startup: what is measured once in a launch, and bad input.

#ifdef HOCKNEY_MPIEXEC

#include <algorithm>
#include <set>

#include "core/record_file.hpp"
#include "tests/driver/launched.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hockney::driver {
namespace {

/// The record of so many ranks with these arguments.
Record launch(int ranks, const Arguments& arguments) {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/record.json";
  const Arguments usual{"--epochs", "1", "--bind", "none", "--start", "barrier", "-o", file};
  const CommandResult result = run_command(
      launched(ranks, "hockney-startup", with(usual, arguments)), std::chrono::seconds(100));
  INFO(result.err);
  REQUIRE(result.exit_code == 0);
  return load_record(file);
}

const Series* find_series(const Record& record, const std::string& operation,
                          const std::string& message = "") {
  const auto found = std::ranges::find_if(record.series, [&](const Series& series) {
    const auto& parameters = series.point.parameters;
    const auto named = parameters.find("message");
    return series.point.operation == operation &&
           (named == parameters.end() ? message.empty() : named->second == message);
  });
  return found == record.series.end() ? nullptr : &*found;
}

/// One sample: the time of the slowest rank.
void check_slowest(const Series* series, std::size_t ranks) {
  REQUIRE(series != nullptr);
  REQUIRE(series->samples_seconds.size() == 1);
  REQUIRE(series->locals_seconds.size() == 1);
  CHECK(series->locals_seconds.front().size() == ranks);
  CHECK(series->samples_seconds.front() == std::ranges::max(series->locals_seconds.front()));
  CHECK(std::ranges::min(series->locals_seconds.front()) > 0);
}

TEST_CASE("init and finalize are one sample of a launch, with the time of each rank") {
  const Record record = launch(3, {"--operations", "osu_init,finalize,first-contact,comm-dup",
                                   "--thread-level", "multiple", "--held-communicators", "4"});
  CHECK(record.procedure == "startup");
  check_slowest(find_series(record, "init"), 3);
  check_slowest(find_series(record, "finalize"), 3);
  CHECK(find_series(record, "init")->point.parameters.at("thread-level") == "multiple");
  CHECK(find_series(record, "comm-dup") != nullptr);
  // Rank 2 tells rank 0 that rank 1 is there, so that there is one first contact.
  for (const char* message : {"first", "second"}) {
    const Series* contact = find_series(record, "first-contact", message);
    REQUIRE(contact != nullptr);
    CHECK(contact->point.pair == std::vector{0, 1});
    CHECK(contact->flags.empty());
  }
  std::multiset<std::string> moments;
  for (const MemoryUse& use : record.memory) {
    moments.insert(use.moment + (use.communicators ? std::to_string(*use.communicators) : ""));
  }
  for (const char* moment : {"before-init", "after-init", "communicators0", "communicators4"}) {
    CHECK(moments.count(moment) == 3);
  }
}

TEST_CASE("what is not asked for is not measured") {
  const Record record = launch(2, {"--operations", "init", "--held-communicators", "0"});
  CHECK(record.series.size() == 1);
  CHECK(record.points.size() == 1);
  CHECK(record.memory.size() == 4);  // two ranks, before and after MPI_Init
}

}  // namespace
}  // namespace hockney::driver

#endif
