#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/atomic_file.hpp"
#include "core/json_node.hpp"
#include "core/record_file.hpp"
#include "tests/driver/bad_input.hpp"
#include "tests/support/embedded_documents.hpp"
#include "tests/support/page_records.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hockney::driver {
namespace {

namespace fs = std::filesystem;

const std::string driver = built("hockney");

/// A folder with the records of a campaign.
class SavedRecords {
 public:
  explicit SavedRecords(const std::vector<Record>& records) {
    int launch = 0;
    for (const Record& record : records) {
      save_record(record, folder_.path() + "/" + std::to_string(launch++) + ".json");
    }
  }
  [[nodiscard]] std::string path() const { return folder_.path(); }

 private:
  TemporaryFolder folder_;
};

}  // namespace

TEST_CASE("report -o writes a page beside the answer") {
  const SavedRecords records(ping_pongs(6));
  const TemporaryFolder folder;
  const std::string page = folder.path() + "/page.html";
  const CommandResult plain = run_command({driver, "report", records.path()});
  const CommandResult result = run_command({driver, "report", records.path(), "-o", page});
  CHECK(result.exit_code == 0);
  CHECK(result.out == plain.out);
  const std::string html = read_file(page);
  CHECK(html.starts_with("<!doctype html>"));
  CHECK(document_in(html, "rows").at("summary").at("rows")[0].at("label") == "pingpong l3 latency");
  CHECK(html.find("<script src") == std::string::npos);
}

TEST_CASE("report of a journal shows what its launch measured, and where it died") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/dead.json";
  Record header = ping_pongs(1).front();
  header.series.clear();
  Journal journal(file, header);
  for (int block = 0; block < 4; ++block) {
    journal.append({.point = 0, .batch = 1, .samples_seconds = std::vector<double>(20, 3e-6)});
  }
  journal.begin(1);
  const CommandResult shown = run_command({driver, "report", journal_name(file)});
  INFO(shown.out << shown.err);
  CHECK(shown.exit_code == 0);
  CHECK(shown.out.find("3.00 us") != std::string::npos);
  CHECK(shown.out.find("the launch died at pingpong") != std::string::npos);
  const CommandResult tables = run_command({driver, "report", journal_name(file), "--all"});
  CHECK(tables.err.find("the launch died at pingpong") != std::string::npos);
  CHECK(tables.out.find("3.00") != std::string::npos);
  const CommandResult in_folder = run_command({driver, "report", folder.path()});
  CHECK(in_folder.exit_code == 2);  // a launch that may still run
}

namespace {

/// What --json printed, without the first screen.
nlohmann::json without_summary(const CommandResult& result) {
  nlohmann::json document = parse_json(result.out, "printed").json();
  document.erase("summary");
  return document;
}

}  // namespace

TEST_CASE("a page holds what --json prints") {
  const SavedRecords fast(ping_pongs(8));
  const SavedRecords slow(ping_pongs(8, 2));
  const TemporaryFolder folder;
  const std::string page = folder.path() + "/page.html";
  CHECK(run_command({driver, "report", fast.path(), "-o", page}).exit_code == 0);
  const CommandResult fit = run_command({driver, "fit", fast.path(), "--json"});
  CHECK(document_in(read_file(page), "fit") == without_summary(fit));

  CHECK(run_command({driver, "report", fast.path(), slow.path(), "-o", page}).exit_code == 0);
  const CommandResult compared =
      run_command({driver, "compare", fast.path(), slow.path(), "--json"});
  CHECK(document_in(read_file(page), "compare-1") == without_summary(compared));
}

TEST_CASE("report of folders that measured the same says which is faster") {
  const SavedRecords fast(ping_pongs(8));
  const SavedRecords slow(ping_pongs(8, 2));
  const CommandResult result = run_command({driver, "report", fast.path(), slow.path(), "-q"});
  CHECK(result.out.starts_with("\"" + slow.path() +
                               "\" is slower at 9 of 9 sizes: at most 2.00 x as long"));
}

TEST_CASE("files that are named one by one are launches of one campaign, and are not compared") {
  const SavedRecords records(ping_pongs(6));
  Arguments files{driver, "report"};
  for (const auto& entry : fs::directory_iterator(records.path())) files.push_back(entry.path());
  const CommandResult result = run_command(files);
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.out, Catch::Contains("6 launches") && !Catch::Contains("measured apart"));
  const std::string folder = run_command({driver, "report", records.path()}).out;
  CHECK(result.out.substr(0, result.out.find("next")) == folder.substr(0, folder.find("next")));
}

TEST_CASE("scripts of no page are refused") {
  const SavedRecords records(ping_pongs(1));
  const CommandResult result = run_command({driver, "report", records.path(), "--scripts", "x"});
  CHECK(result.exit_code == 2);
  CHECK(result.err ==
        "--scripts without --page (only a page has scripts) name the page: --page page.html\n");
}

TEST_CASE("a page that cannot be written, or is none, is an error of one line") {
  const SavedRecords records(ping_pongs(6));
  const Arguments report{driver, "report", records.path(), "--page"};
  check_refusals(report,
                 {{{records.path() + "/page.txt"}, "what it is given is a page, which is HTML"},
                  {{"/nowhere/page.html"}, "/nowhere/page.html", run_failed},
                  {{records.path() + "/page.html", "--scripts", records.path()}, "no script '"}});
  CHECK(run_command({driver, "report", records.path(), "--page", "/dev/full"}).exit_code ==
        run_failed);
  CHECK_FALSE(fs::exists(records.path() + "/page.txt"));
  CHECK_FALSE(fs::exists(records.path() + "/page.html"));
}

}  // namespace hockney::driver
