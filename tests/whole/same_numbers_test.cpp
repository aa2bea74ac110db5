#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/atomic_file.hpp"
#include "core/json_node.hpp"
#include "core/quantities.hpp"
#include "core/record_file.hpp"
#include "core/text.hpp"
#include "report/table.hpp"
#include "tests/apps/bad_input.hpp"
#include "tests/apps/page_contents.hpp"
#include "tests/support/page_records.hpp"
#include "tests/support/temporary_folder.hpp"

// What the page, the console, the CSV and the documents say of the same records.
namespace hockney::apps {
namespace {

/// Two campaigns, of which the second is slower by half, and the page of both or of the first.
class TwoCampaigns {
 public:
  TwoCampaigns() {
    for (const bool is_slow : {false, true}) {
      int launch = 0;
      for (const Record& record : ping_pongs(8, is_slow ? 1.5 : 1)) {
        save_record(record,
                    (is_slow ? slow_ : fast_).path() + "/" + std::to_string(launch++) + ".json");
      }
    }
  }

  [[nodiscard]] std::string fast() const { return fast_.path(); }
  [[nodiscard]] std::string slow() const { return slow_.path(); }

  /// What `hockney ...` prints.
  static std::string printed(const Arguments& arguments) {
    Arguments command{built("hockney")};
    command.insert(command.end(), arguments.begin(), arguments.end());
    const CommandResult result = run_command(command);
    INFO(result.err);
    REQUIRE(result.exit_code == 0);
    return result.out;
  }

  /// The page of `hockney report FOLDER... -o`, with plots: scripts of which nothing is run.
  [[nodiscard]] std::string page_of(Arguments folders) const {
    const std::string file = page_.path() + "/page.html";
    for (const char* name : {"vega", "vega-lite", "vega-embed"}) {
      (void)page_.write(std::string(name) + ".min.js", ";");
    }
    folders.insert(folders.begin(), "report");
    folders.insert(folders.end(), {"-o", file, "--scripts", page_.path()});
    printed(folders);
    return read_file(file);
  }

 private:
  TemporaryFolder fast_;
  TemporaryFolder slow_;
  TemporaryFolder page_;
};

}  // namespace

TEST_CASE("medians and intervals are the same in page, console, CSV and JSON") {
  const TwoCampaigns campaigns;
  const std::string page = campaigns.page_of({campaigns.fast()});
  const auto linked = rows_of_link(page, "time-pingpong");
  const auto shown = rows_of_table(page, "time-pingpong");
  const nlohmann::json drawn = values_drawn(page, "time-pingpong");
  const auto exported = rows_of_csv(TwoCampaigns::printed({"export", "csv", campaigns.fast()}));
  const auto console =
      rows_of_console(TwoCampaigns::printed({"report", campaigns.fast(), "--all", "--bytes"}));
  const auto document =
      parse_json(TwoCampaigns::printed({"compare", campaigns.fast(), campaigns.slow(), "--json"}),
                 "c")
          .json();
  const auto& compared = document.at("comparisons");
  REQUIRE(exported.size() == 9);
  REQUIRE((linked.size() == 9 && shown.size() == 9 && drawn.size() == 9 && console.size() == 9 &&
           compared.size() == 9));
  for (std::size_t i = 0; i < exported.size(); ++i) {
    CAPTURE(i);
    const Cells& row = exported[i];
    for (const std::string key : {"bytes", "median_seconds", "ci_low_seconds", "ci_high_seconds",
                                  "bandwidth_bytes_per_second", "launches"}) {
      CHECK(linked[i].at(key) == row.at(key));
    }
    const double median = std::stod(row.at("median_seconds"));
    const double low = std::stod(row.at("ci_low_seconds"));
    const double high = std::stod(row.at("ci_high_seconds"));
    CHECK(drawn[i].at("value") == median);
    CHECK(drawn[i].at("low") == low);
    CHECK(drawn[i].at("high") == high);
    CHECK(shown[i].at(2) == report::short_time(median, 4));
    CHECK(shown[i].at(3) == report::short_time(low, 4) + " .. " + report::short_time(high, 4));
    CHECK(console[i].at(0) == row.at("bytes"));
    CHECK(console[i].at(1) == report::significant(median * 1e6));
    CHECK(console[i].at(2) == report::significant(low * 1e6));
    CHECK(console[i].at(4) == report::significant(high * 1e6));
    CHECK(compared[i].at("point").at("bytes") == std::stoll(row.at("bytes")));
    CHECK(compared[i].at("a_median_seconds") == median);
  }
}

TEST_CASE("models are the same in page, console and JSON") {
  const TwoCampaigns campaigns;
  const std::string page = campaigns.page_of({campaigns.fast()});
  const auto fits =
      parse_json(TwoCampaigns::printed({"fit", campaigns.fast(), "--json"}), "fit").json();
  REQUIRE(fits.at("fits").size() == 1);
  REQUIRE(fits.at("fits")[0].at("segments").size() == 1);
  const auto& segment = fits.at("fits")[0].at("segments")[0];
  const double alpha = segment.at("alpha_seconds");
  const double beta = segment.at("beta_seconds_per_byte");
  const auto linked = rows_of_link(page, "residuals-pingpong");
  const nlohmann::json drawn = values_drawn(page, "residuals-pingpong");
  REQUIRE((linked.size() == 9 && drawn.size() == 9));
  for (std::size_t i = 0; i < linked.size(); ++i) {
    const double seconds = alpha + beta * std::stod(linked[i].at("bytes"));
    CHECK(std::stod(linked[i].at("model_seconds")) == Approx(seconds).epsilon(1e-12));
    CHECK(drawn[i].at("model_seconds") == std::stod(linked[i].at("model_seconds")));
  }
  const auto console = rows_of_console(TwoCampaigns::printed({"fit", campaigns.fast()}));
  const auto line =
      std::ranges::find(console, "1", [](const auto& cells) { return cells.front(); });
  REQUIRE(line != console.end());
  CHECK(line->at(2) == report::significant(alpha * 1e6));
}

TEST_CASE("ratios and verdicts of two folders are the same in page, console and JSON") {
  const TwoCampaigns campaigns;
  const std::string page = campaigns.page_of({campaigns.fast(), campaigns.slow()});
  const Arguments compare{"compare", campaigns.fast(), campaigns.slow()};
  const auto with = [&](const std::string& option) {
    Arguments arguments = compare;
    arguments.push_back(option);
    return TwoCampaigns::printed(arguments);
  };
  const auto document = parse_json(with("--json"), "c").json();
  const auto& compared = document.at("comparisons");
  const auto console = rows_of_console(with("--all"));
  const std::string id = between(page, "<section id=\"settings-", "\"");
  const auto linked = rows_of_link(page, "settings-" + id);
  REQUIRE((linked.size() == 9 && compared.size() == 9));
  for (std::size_t i = 0; i < linked.size(); ++i) {
    CAPTURE(i);
    const double ratio = compared[i].at("ratio");
    CHECK(ratio == Approx(1.5));
    CHECK(std::stod(linked[i].at("ratio")) == ratio);
    CHECK(linked[i].at("verdict") == compared[i].at("verdict"));
    const std::string size = format_bytes({std::stoll(linked[i].at("bytes"))});
    const auto has_all = [&](const std::vector<std::string>& cells) {
      return cells.front() == size && std::ranges::count(cells, report::significant(ratio)) > 0 &&
             std::ranges::count(cells, linked[i].at("verdict")) > 0;
    };
    CHECK(std::ranges::any_of(console, has_all));
  }
}

}  // namespace hockney::apps
