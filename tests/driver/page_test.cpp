#include <filesystem>

#include "core/record_file.hpp"
#include "tests/driver/bad_input.hpp"
#include "tests/support/page_records.hpp"
#include "tests/support/saved_records.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hockney::driver {
namespace {

namespace fs = std::filesystem;

const std::string driver = built("hockney");

}  // namespace

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
