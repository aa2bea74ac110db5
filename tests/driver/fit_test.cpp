#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/quantities.hpp"
#include "tests/driver/bad_input.hpp"
#include "tests/support/saved_records.hpp"
#include "tests/support/synthetic.hpp"

namespace hockney::driver {

TEST_CASE("fit of some operations leaves out every model of the others") {
  std::vector<Record> records =
      synthetic_records({.sizes = parse_sizes("1:64K"),
                         .truth = {{0, 1e-6, 1e-10}, {4097, 3e-6, 0.5e-10}},
                         .launches = 6},
                        1);
  for (Record& record : records) {
    const std::vector<Series> measured = record.series;
    for (const char* operation : {"send-overhead", "receive-overhead", "gap", "half-round-trip"}) {
      for (Series series : measured) {
        series.point.operation = operation;
        const bool is_message = series.point.operation == "half-round-trip";
        const double bytes = static_cast<double>(series.point.bytes.value);
        std::ranges::fill(series.samples_seconds, (is_message ? 1e-6 : 1e-7) * (1 + bytes / 1e4));
        series.summary = summarise(series);
        record.series.push_back(series);
      }
    }
    for (const char* operation : {"bcast", "allreduce"}) {
      for (Series series : measured) {
        series.point.operation = operation;
        series.point.ranks = 4;
        series.point.pair.clear();
        record.series.push_back(series);
      }
    }
  }
  const SavedRecords saved(records);
  const auto documents = [&](const Arguments& options) {
    Arguments command = with({built("hockney"), "fit", saved.path(), "--json"}, options);
    const CommandResult result = run_command(command);
    INFO(result.err);
    REQUIRE(result.exit_code == 0);
    return nlohmann::json::parse(result.out);
  };
  const auto models = [](const nlohmann::json& document, const std::string& operation) {
    return document.at("collectives").dump().find('"' + operation + '"') != std::string::npos;
  };
  const auto all = documents({});
  CHECK(all.at("loggp").size() == 1);
  CHECK((models(all, "bcast") && models(all, "allreduce")));
  const auto some = documents({"--operations", "pingpong,bcast"});
  CHECK(some.at("loggp").empty());
  CHECK((models(some, "bcast") && !models(some, "allreduce")));
  for (const auto& fit : some.at("fits")) {
    const std::string operation = fit.at("operation");
    CHECK((operation == "pingpong" || operation == "bcast"));
  }
}

}  // namespace hockney::driver
