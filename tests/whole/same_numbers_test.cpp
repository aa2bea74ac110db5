#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/atomic_file.hpp"
#include "core/json_node.hpp"
#include "core/quantities.hpp"
#include "core/record_file.hpp"
#include "report/table.hpp"
#include "tests/driver/bad_input.hpp"
#include "tests/driver/page_contents.hpp"
#include "tests/support/embedded_documents.hpp"
#include "tests/support/page_records.hpp"
#include "tests/support/temporary_folder.hpp"

// What the page, the console, the CSV and the documents say of the same records.
namespace hockney::driver {
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

  /// The document that `hockney ... --json` prints.
  static nlohmann::json document(Arguments arguments) {
    arguments.emplace_back("--json");
    return parse_json(output_of(arguments), "--json").json();
  }

  [[nodiscard]] std::string page_of(Arguments folders) const {
    folders.insert(folders.begin(), "report");
    return page_by(std::move(folders));
  }

  /// The page of `hockney ... --page`, with plots: scripts of which nothing is run.
  [[nodiscard]] std::string page_by(Arguments arguments) const {
    const std::string file = page_.path() + "/page.html";
    for (const char* name : {"vega", "vega-lite", "vega-embed"}) {
      (void)page_.write(std::string(name) + ".min.js", ";");
    }
    arguments.insert(arguments.end(), {"--page", file, "--scripts", page_.path()});
    output_of(arguments);
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
  const nlohmann::json drawn =
      document_in(campaigns.page_of({campaigns.fast()}), "rows").at("rows");
  const auto exported = rows_of_csv(output_of({"export", "csv", campaigns.fast()}));
  const auto console = rows_of_console(output_of({"report", campaigns.fast(), "--all", "--bytes"}));
  const nlohmann::json report = TwoCampaigns::document({"report", campaigns.fast()});
  CHECK(drawn == report.at("rows"));
  REQUIRE((exported.size() == 9 && drawn.size() == 9 && console.size() == 9));
  for (std::size_t i = 0; i < exported.size(); ++i) {
    CAPTURE(i);
    const Cells& row = exported[i];
    for (const std::string key :
         {"median_seconds", "ci_low_seconds", "ci_high_seconds", "bandwidth_bytes_per_second"}) {
      CHECK(drawn[i].at(key).get<double>() == std::stod(row.at(key)));
    }
    CHECK(console[i].at(0) == row.at("bytes"));
    CHECK(console[i].at(1) == report::significant(std::stod(row.at("median_seconds")) * 1e6));
    CHECK(console[i].at(2) == report::significant(std::stod(row.at("ci_low_seconds")) * 1e6));
    CHECK(console[i].at(4) == report::significant(std::stod(row.at("ci_high_seconds")) * 1e6));
  }
}

TEST_CASE("models are the same in page, console and JSON") {
  const TwoCampaigns campaigns;
  const nlohmann::json drawn = document_in(campaigns.page_of({campaigns.fast()}), "fit");
  const nlohmann::json fits = TwoCampaigns::document({"fit", campaigns.fast()}).at("fits");
  CHECK(drawn.at("fits") == fits);
  REQUIRE(fits.size() == 1);
  const double alpha = fits[0].at("segments")[0].at("alpha_seconds");
  const auto console = rows_of_console(output_of({"fit", campaigns.fast()}));
  const auto line =
      std::ranges::find(console, "1", [](const auto& cells) { return cells.front(); });
  REQUIRE(line != console.end());
  CHECK(line->at(2) == report::significant(alpha * 1e6));
}

TEST_CASE("ratios and verdicts of two folders are the same in page, console and JSON") {
  const TwoCampaigns campaigns;
  const std::string page = campaigns.page_of({campaigns.fast(), campaigns.slow()});
  const auto document = TwoCampaigns::document({"compare", campaigns.fast(), campaigns.slow()});
  const auto& compared = document.at("comparisons");
  CHECK(document_in(page, "compare-1").at("comparisons") == compared);
  const auto console =
      rows_of_console(output_of({"compare", campaigns.fast(), campaigns.slow(), "--all"}));
  REQUIRE(compared.size() == 9);
  for (const nlohmann::json& one : compared) {
    CHECK(one.at("ratio").get<double>() == Approx(1.5));
    const std::string size = format_bytes({one.at("point").at("bytes").get<std::int64_t>()});
    const auto has_all = [&](const std::vector<std::string>& cells) {
      return cells.front() == size &&
             std::ranges::count(cells, report::significant(one.at("ratio").get<double>())) > 0 &&
             std::ranges::count(cells, one.at("verdict").get<std::string>()) > 0;
    };
    CHECK(std::ranges::any_of(console, has_all));
  }
}

TEST_CASE("the page of a comparison is led by the document of --json, with its options") {
  const TwoCampaigns campaigns;
  const Arguments compare{"compare", campaigns.fast(), campaigns.slow(), "--correction", "holm"};
  const nlohmann::json drawn = document_in(campaigns.page_by(compare), "compare");
  CHECK(drawn.at("comparisons") == TwoCampaigns::document(compare).at("comparisons"));
  CHECK(drawn.at("family").at("correction") == "holm");
}

}  // namespace hockney::driver
