#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/atomic_file.hpp"
#include "core/text.hpp"
#include "report/page/page.hpp"
#include "tests/driver/bad_input.hpp"
#include "tests/support/synthetic_program.hpp"
#include "tests/support/temporary_folder.hpp"

// Pages of programs, as their commands write them.
namespace hockney::driver {
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

  /// The page of a command, which prints the same as without one.
  [[nodiscard]] std::string page_of(Arguments command) const {
    const std::string plain = output_of(command);
    command.insert(command.end(), {"--page", file("page.html"), "--scripts", folder_.path()});
    CHECK(output_of(command) == plain);
    return read_file(file("page.html"));
  }

 private:
  TemporaryFolder folder_;
};

std::string between(const std::string& text, const std::string& begin, const std::string& end) {
  INFO(begin);
  const auto from = text.find(begin);
  REQUIRE(from != std::string::npos);
  return text.substr(from + begin.size(), text.find(end, from) - from - begin.size());
}

nlohmann::json json_of_command(const Arguments& arguments) {
  Arguments command = arguments;
  command.emplace_back("--json");
  return nlohmann::json::parse(output_of(command));
}

/// A member of a document of a page, as text.
std::string document_in(const std::string& page, const std::string& name) {
  return between(page, "class=\"document\" data-name=\"" + name + "\">", "</script>");
}

/// What the page of a command has of its document: that of --json.
void check_document(const std::string& page, const std::string& name, const Arguments& command) {
  CHECK(document_in(page, name) == report::html_json(json_of_command(command)));
}

}  // namespace

TEST_CASE("pages of programs have the documents that their commands print") {
  const ProgramFolder folder;
  const Arguments show{"profile", "show", folder.file("p4.json")};
  check_document(folder.page_of(show), "profile", show);

  const Arguments compare{"profile", "compare", folder.file("p4.json"), folder.file("p8.json")};
  check_document(folder.page_of(compare), "comparison", compare);
  CHECK_THAT(folder.page_of({"profile", "compare", "--weak", compare[2], compare[3]}),
             Catch::Contains("hockney " + join(compare, " ") + " --weak --page page.html"));

  const Arguments map{"map", folder.file("p8.json")};
  check_document(folder.page_of(map), "map", map);
}

TEST_CASE("pages of programs that cannot be written are refused before any work") {
  const ProgramFolder folder;
  const std::string file = folder.file("p4.json");
  for (const Arguments& command :
       {Arguments{"profile", "show", file},
        Arguments{"profile", "compare", file, folder.file("p8.json")}, Arguments{"map", file}}) {
    Arguments whole = with({built("hockney")}, command);
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

}  // namespace hockney::driver
