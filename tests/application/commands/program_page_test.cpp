#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/atomic_file.hpp"
#include "core/text.hpp"
#include "report/table.hpp"
#include "tests/apps/bad_input.hpp"
#include "tests/apps/page_contents.hpp"
#include "tests/support/synthetic_program.hpp"
#include "tests/support/temporary_folder.hpp"

// Pages of programs, as their commands write them.
namespace hockney::apps {
namespace {

namespace fs = std::filesystem;

/// Profiles of a program on two nodes, at two numbers of ranks, and scripts of which nothing is
/// run.
class ProgramFolder {
 public:
  ProgramFolder() {
    for (const int ranks : {4, 8}) {
      SyntheticProgram program(ranks, ranks / 2);
      program.halo({.sizes = {ranks}, .bytes = {5000}, .messages = 7});
      program.every_time(24.0 / ranks, 2).calls("MPI_Waitall", 20, 0, 1.75 * ranks);
      save_profile(folder_, "p" + std::to_string(ranks) + ".json", program.profile());
    }
    for (const char* name : {"vega", "vega-lite", "vega-embed"}) {
      (void)folder_.write(std::string(name) + ".min.js", ";");
    }
  }

  [[nodiscard]] std::string file(const std::string& name) const {
    return folder_.path() + "/" + name;
  }

  /// What `hockney ...` prints.
  static std::string printed(const Arguments& arguments) {
    Arguments command{built("hockney")};
    command.insert(command.end(), arguments.begin(), arguments.end());
    const CommandResult result = run_command(command);
    INFO(result.err);
    REQUIRE(result.exit_code == 0);
    return result.out;
  }

  /// The page of a command, which prints the same as without one.
  [[nodiscard]] std::string page_of(Arguments command) const {
    const std::string plain = printed(command);
    command.insert(command.end(), {"--page", file("page.html"), "--scripts", folder_.path()});
    CHECK(printed(command) == plain);
    return read_file(file("page.html"));
  }

 private:
  TemporaryFolder folder_;
};

nlohmann::json json_of_command(const Arguments& arguments) {
  Arguments command = arguments;
  command.emplace_back("--json");
  return nlohmann::json::parse(ProgramFolder::printed(command));
}

nlohmann::json embedded(const std::string& page, const std::string& name) {
  return nlohmann::json::parse(
      between(page, R"(<script type="application/json" id="data-)" + name + "\">", "</script>"));
}

}  // namespace

TEST_CASE("messages and calls of a program are the same in page, console, CSV and JSON") {
  const ProgramFolder folder;
  const Arguments show{"profile", "show", folder.file("p4.json")};
  const std::string page = folder.page_of(show);
  const auto document = json_of_command(show);
  CHECK(embedded(page, "profile") == document);

  const auto linked = rows_of_link(page, "messages-by-rank");
  const auto shown = rows_of_table(page, "messages-by-rank");
  const auto drawn = values_drawn(page, "messages-by-rank");
  const auto csv =
      rows_of_csv(ProgramFolder::printed({"profile", "show", folder.file("p4.json"), "--csv"}));
  REQUIRE(csv.size() == 6);  // both ways between neighbours of a chain of four
  REQUIRE((linked.size() == 6 && shown.size() == 6 && drawn.size() == 6));
  for (std::size_t i = 0; i < csv.size(); ++i) {
    CAPTURE(i);
    CHECK(linked[i] == csv[i]);
    const auto& cell = document.at("matrix").at(i);
    for (const std::string key : {"messages", "bytes", "min_bytes", "max_bytes"}) {
      CHECK(std::stoll(csv[i].at(key)) == cell.at(key));
      CHECK(drawn[i].at(key) == cell.at(key));
    }
    CHECK(shown[i].at(3) == "35.0 KB");
  }

  const auto calls = rows_of_link(page, "calls-by-time");
  const auto bars = values_drawn(page, "calls-by-time");
  const auto console =
      rows_of_console(ProgramFolder::printed({"profile", "show", folder.file("p4.json"), "--all"}));
  REQUIRE(calls.size() == document.at("calls").size());
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const auto& call = document.at("calls").at(i);
    CHECK(calls[i].at("call") == call.at("call"));
    CHECK(std::stod(calls[i].at("seconds")) == call.at("seconds"));
    CHECK(bars[i].at("seconds") == call.at("seconds"));
    CHECK(console.at(i).at(0) == call.at("call"));
    CHECK(console.at(i).at(2) == report::significant(call.at("seconds").get<double>()));
  }
}

TEST_CASE("figures of runs compared are the same in page and JSON, and mappings are") {
  const ProgramFolder folder;
  const Arguments compare{"profile", "compare", folder.file("p4.json"), folder.file("p8.json")};
  const std::string page = folder.page_of(compare);
  const auto document = json_of_command(compare);
  CHECK(embedded(page, "comparison") == document);
  CHECK_THAT(folder.page_of({"profile", "compare", "--weak", compare[2], compare[3]}),
             Catch::Contains("hockney " + join(compare, " ") + " --weak --page page.html"));
  const auto linked = rows_of_link(page, "efficiencies");
  REQUIRE(linked.size() == 10);
  const auto& run = document.at("runs").at(1).at("efficiencies");
  CHECK(std::stod(linked[5].at("value")) == run.at("global"));
  CHECK(std::stod(linked[6].at("value")) == run.at("parallel"));
  CHECK(std::stod(linked[9].at("value")) == run.at("computing"));

  const Arguments map{"map", folder.file("p8.json")};
  const std::string mapped = folder.page_of(map);
  CHECK(embedded(mapped, "map") == json_of_command(map));
  CHECK(std::stoll(rows_of_link(mapped, "mappings").at(0).at("cut_bytes")) ==
        json_of_command(map).at("now").at("cut_bytes"));
}

TEST_CASE("pages of programs that cannot be written are refused before any work") {
  const ProgramFolder folder;
  const std::string file = folder.file("p4.json");
  for (const Arguments& command :
       {Arguments{"profile", "show", file},
        Arguments{"profile", "compare", file, folder.file("p8.json")}, Arguments{"map", file}}) {
    Arguments whole{built("hockney")};
    whole.insert(whole.end(), command.begin(), command.end());
    check_refusals(whole, {{{"--page", folder.file("page.txt")}, "a page, which is HTML"},
                           {{"--scripts", folder.file("")}, "--scripts without --page"},
                           {{"--page", "/nowhere/page.html"}, "/nowhere/page.html", run_failed}});
  }
  CHECK_FALSE(fs::exists(folder.file("page.txt")));
}

TEST_CASE("a page never replaces the profile that it is made of") {
  const ProgramFolder folder;
  const std::string file = folder.file("p.html");
  fs::copy(folder.file("p4.json"), file);
  const std::string before = read_file(file);
  check_refusals(
      {built("hockney")},
      {{{"profile", "show", file, "--page", file}, "which is read"},
       {{"map", file, "--page", file}, "which is read"},
       {{"profile", "compare", file, folder.file("p8.json"), "--page", file}, "which is read"}});
  CHECK(read_file(file) == before);
}

}  // namespace hockney::apps
