#include <sys/wait.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "core/atomic_file.hpp"
#include "core/quantities.hpp"
#include "core/record_file.hpp"
#include "tests/support/synthetic.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hockney::driver {
namespace {

struct FitOutcome {
  int code = -1;
  std::string out;
  std::string error;
};

/// A folder with the records of a campaign, and the command on it.
class FitOfSynthetic {
 public:
  explicit FitOfSynthetic(const std::string& sizes, int launches = 6) {
    const SyntheticCampaign campaign{.sizes = parse_sizes(sizes),
                                     .truth = {{0, 1e-6, 1e-10}, {4097, 3e-6, 0.5e-10}},
                                     .launches = launches};
    int launch = 0;
    for (const Record& record : synthetic_records(campaign, 1)) {
      save_record(record, file("launch-" + std::to_string(launch++) + ".json"));
    }
  }

  [[nodiscard]] std::string file(const std::string& name) const {
    return folder_.path() + "/" + name;
  }

  /// `hockney fit FOLDER options`.
  [[nodiscard]] FitOutcome run(const std::string& options) const {
    const std::string command = HOCKNEY_BINARY_DIR "/bin/hockney fit " + folder_.path() + " " +
                                options + " >" + file("out.txt") + " 2>" + file("error.txt");
    const int status = std::system(command.c_str());
    return {WEXITSTATUS(status), read_file(file("out.txt")), read_file(file("error.txt"))};
  }

 private:
  TemporaryFolder folder_;
};

}  // namespace

TEST_CASE("fit prints a table and ends well") {
  const FitOutcome outcome = FitOfSynthetic("1:4M").run("");
  CHECK(outcome.code == 0);
  CHECK(outcome.error.empty());
  CHECK(outcome.out.find("piecewise-hockney, 6 launches, 23 sizes") != std::string::npos);
  CHECK(outcome.out.find("breakpoints: 4K..8K") != std::string::npos);
}

TEST_CASE("of models that are longer than a screen fit prints ten, and all on request") {
  const FitOfSynthetic synthetic("1:64K");
  for (int launch = 0; launch < 6; ++launch) {
    const std::string file = synthetic.file("launch-" + std::to_string(launch) + ".json");
    Record record = load_record(file);
    const std::vector<Series> measured = record.series;
    for (int pair = 1; pair < 12; ++pair) {
      for (Series series : measured) {
        series.point.pair = {0, pair + 1};
        record.series.push_back(series);
      }
    }
    save_record(record, file);
  }
  const std::string summary = synthetic.run("--by pair").out;
  CHECK(std::count(summary.begin(), summary.end(), '\n') ==
        16);  // with what is common, a header, what alpha is of, and what is next
  CHECK(summary.find("\n... 2 more models: --all\n") != std::string::npos);
  const std::string all = synthetic.run("--by pair --all").out;
  std::size_t models = 0;
  for (auto at = all.find("breakpoints: "); at != std::string::npos;
       at = all.find("breakpoints: ", at + 1)) {
    ++models;
  }
  CHECK(models == 12);
  // One curve is shorter than a screen.
  CHECK(synthetic.run("").out.find("noise floor") != std::string::npos);
}

TEST_CASE("fit prints and writes the same document") {
  const FitOfSynthetic synthetic("1:4M");
  const FitOutcome outcome = synthetic.run("--json -o " + synthetic.file("fits"));
  CHECK(outcome.code == 0);
  CHECK(read_file(synthetic.file("fits")) == outcome.out);
  const auto document = nlohmann::json::parse(outcome.out);
  CHECK(document.at("records_used") == 6);
  CHECK(document.at("fits").at(0).at("segments").size() == 2);
}

TEST_CASE("fit explains on one line what it cannot do") {
  const FitOfSynthetic synthetic("1:1K");
  const auto fails = [&](const std::string& options, const std::string& needle) {
    const FitOutcome outcome = synthetic.run(options);
    CAPTURE(options, outcome.error);
    CHECK(outcome.code == 2);
    CHECK(outcome.error.find(needle) != std::string::npos);
    CHECK(std::count(outcome.error.begin(), outcome.error.end(), '\n') == 1);
  };
  fails("--operations pingpon", "did you mean 'pingpong'?");
  fails("--by pear", "did you mean 'pair'?");
  fails("--max-segments 0", "1");
  fails("--jsn", "did you mean '--json'?");
  fails("/no/such/folder", "does not exist");
}

TEST_CASE("fit of too few sizes names them and fails") {
  const FitOutcome outcome = FitOfSynthetic("8,1K").run("");
  CHECK(outcome.code == 2);
  CHECK(outcome.out.find("not fitted (2 sizes: 8, 1K; 3 needed)") != std::string::npos);
  CHECK(outcome.error.find("no curve could be fitted") == 0);
}

TEST_CASE("fit help shows the defaults") {
  const FitOutcome outcome = FitOfSynthetic("8,1K,2K").run("--help");
  CHECK(outcome.code == 0);
  CHECK(outcome.out.find("--by") != std::string::npos);
  CHECK(outcome.out.find("hop") != std::string::npos);
}

TEST_CASE("fit of some operations leaves out every model of the others") {
  const FitOfSynthetic synthetic("1:64K");
  for (int launch = 0; launch < 6; ++launch) {
    const std::string file = synthetic.file("launch-" + std::to_string(launch) + ".json");
    Record record = load_record(file);
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
    save_record(record, file);
  }
  const auto documents = [&](const std::string& options) {
    const FitOutcome outcome = synthetic.run("--json " + options);
    INFO(outcome.error);
    REQUIRE(outcome.code == 0);
    return nlohmann::json::parse(outcome.out);
  };
  const auto models = [](const nlohmann::json& document, const std::string& operation) {
    return document.at("collectives").dump().find('"' + operation + '"') != std::string::npos;
  };
  const auto all = documents("");
  CHECK(all.at("loggp").size() == 1);
  CHECK((models(all, "bcast") && models(all, "allreduce")));
  const auto some = documents("--operations pingpong,bcast");
  CHECK(some.at("loggp").empty());
  CHECK((models(some, "bcast") && !models(some, "allreduce")));
  for (const auto& fit : some.at("fits")) {
    const std::string operation = fit.at("operation");
    CHECK((operation == "pingpong" || operation == "bcast"));
  }
}

}  // namespace hockney::driver
