#include <array>
#include <catch2/catch.hpp>
#include <iostream>
#include <sstream>
#include <stdexcept>

#include "core/cli/command_line.hpp"
#include "core/cli/help.hpp"

namespace hockney {

using Words = std::vector<std::string>;

namespace {

/// A driver with a described command, `fit`, and one that is another program, `tune`.
class Described {
 public:
  Described() {
    driver_.set_version("1.2.3");
    CommandLine fit = driver_.add_subcommand("fit", "Fits models");
    fit.add_option("paths", paths_, "Records").required();
    add_under(fit, "Models", [&] {
      fit.add_option("--by", by_, "One curve for each").type_name("hop|pair").default_str("hop");
      add_parsed_option(
          fit, "--kinds", [](const std::string&) {}, "Kinds of models",
          type_of_list({"linear", "piecewise"}))
          .default_str("all");
    });
    fit.add_option("-s,--segments", segments_,
                   "Most segments that a curve may be divided into, where the noise of the times "
                   "lets them be seen at all, and 1 for a straight line")
        .capture_default_str();
    describe(fit,
             {.examples = {{"hockney fit x", "all of x"}, {"hockney fit x --by pair", "pairs"}},
              .common = {"paths", "--by"}});
    driver_.add_subcommand("tune", "Chooses").leave_words();
    describe(driver_, {.examples = {{"hockney fit x", "models"}}});
  }

  /// What `hockney fit --help` prints, or with another `option`.
  std::string help(const char* option) {
    const std::array words{"hockney", "fit", option};
    std::ostringstream text;
    std::streambuf* const before = std::cout.rdbuf(text.rdbuf());
    const auto code = parse_command_line(driver_, static_cast<int>(words.size()), words.data());
    std::cout.rdbuf(before);
    CHECK(code == ExitCode::good);
    return text.str();
  }
  std::optional<Words> completed(const Words& words) { return completions(driver_, words); }
  std::string page(const std::string& command = "") {
    std::ostringstream out;
    write_man_page(out, driver_, command);
    return out.str();
  }

 private:
  CommandLine driver_{"Measures", "hockney"};
  Words paths_;
  std::string by_;
  int segments_ = 10;
};

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("--help has the common options, --help-all every one, both below headings") {
  Described described;
  const std::string help = described.help("--help");
  CHECK(holds(help, "\nModels:\n  --by hop|pair=hop"));
  CHECK(holds(help, "--help-all"));
  CHECK(holds(help, "All options: --help-all"));
  CHECK_FALSE(holds(help, "--segments"));
  CHECK_FALSE(holds(help, "--kinds"));
  const std::string all = described.help("--help-all");
  CHECK(holds(all, "-s,--segments INT=10"));
  CHECK(holds(all, "  --kinds all|linear|piecewise,...=all"));
  CHECK_FALSE(holds(all, "All options:"));
}

TEST_CASE("help ends with the examples, whose purposes are comments below each other") {
  Described described;
  for (const char* const option : {"--help", "--help-all"}) {
    const auto padded = [](std::string command) {
      command.resize(46, ' ');
      return "\n  " + command + "  # ";
    };
    CHECK(described.help(option).ends_with("\nExamples:" + padded("hockney fit x") + "all of x" +
                                           padded("hockney fit x --by pair") + "pairs\n"));
  }
}

TEST_CASE("descriptions end before column 100") {
  Described described;
  std::istringstream lines(described.help("--help-all"));
  std::size_t longest = 0;
  for (std::string line; std::getline(lines, line);) longest = std::max(longest, line.size());
  CHECK(longest <= 100);
  CHECK(longest > 80);
}

TEST_CASE("a common option that there is not is a mistake of the program") {
  CommandLine app;
  CHECK_THROWS_AS(describe(app, {.examples = {}, .common = {"--by"}}), std::logic_error);
}

TEST_CASE("subcommands, options and their values are completed") {
  Described described;
  const auto completed = [&](const Words& words) { return described.completed(words).value(); };
  CHECK(completed({""}) == Words{"fit", "tune"});
  CHECK(completed({"f"}) == Words{"fit"});
  CHECK(completed({"--v"}) == Words{"--version"});
  CHECK(completed({"fit", "--se"}) == Words{"--segments"});
  CHECK(completed({"fit", "--by", ""}) == Words{"hop", "pair"});
  CHECK(completed({"fit", "--by", "p"}) == Words{"pair"});
  CHECK(completed({"fit", "--by=p"}) == Words{"--by=pair"});
  CHECK(completed({"fit", "--by", "=", "p"}) == Words{"pair"});
  CHECK(completed({"fit", "--by", "="}) == Words{"hop", "pair"});
  CHECK(completed({"fit", "--by", "hop", "--k"}) == Words{"--kinds"});
}

TEST_CASE("values that are joined by commas are completed one after the other") {
  Described described;
  CHECK(described.completed({"fit", "--kinds", "p"}) == Words{"piecewise"});
  CHECK(described.completed({"fit", "--kinds", "linear,p"}) == Words{"linear,piecewise"});
  CHECK(described.completed({"fit", "--kinds", "linear,"}) ==
        Words{"linear,all", "linear,piecewise"});
}

TEST_CASE("files, numbers and what follows -- are not completed") {
  Described described;
  CHECK(described.completed({"fit", "res"}) == Words{});
  CHECK(described.completed({"fit", "-s", ""}) == Words{});
  CHECK(described.completed({"fit", "--", "--b"}) == Words{});
  CHECK(described.completed({}) == Words{});
}

TEST_CASE("the words of another program are left to it") {
  Described described;
  CHECK_FALSE(described.completed({"tune", "--ver"}));
  CHECK(described.completed({"tu"}) == Words{"tune"});
}

TEST_CASE("the manual page of a driver lists the pages of its commands") {
  const std::string page = Described().page();
  CHECK(page.starts_with(
      ".TH HOCKNEY 1 \"\" \"hockney 1.2.3\"\n.nh\n.ad l\n.SH NAME\nhockney \\- Measures\n"));
  CHECK(holds(page, ".SH COMMANDS\n.TP\n\\fBhockney\\-fit\\fR(1)\n"));
  CHECK(holds(page, "\\fBhockney\\-tune\\fR(1)\n"));
  CHECK_FALSE(holds(page, "\\-\\-by"));
}

TEST_CASE("a manual page has every option and no request that is text") {
  const std::string page = Described().page("fit");
  CHECK(page.starts_with(".TH HOCKNEY\\-FIT 1 \"\" \"hockney 1.2.3\"\n"));
  CHECK(holds(page, "\\fB\\-\\-by\\fR \\fIhop|pair\\fR\nOne curve for each.\nDefault: hop.\n"));
  CHECK(holds(page, "\\fB\\-s\\fR, \\fB\\-\\-segments\\fR"));
  CHECK(holds(page, ".SH EXAMPLES\n.nf\n  hockney fit x "));
  CommandLine dots(".TH is text \\here", "'dots");
  std::ostringstream out;
  write_man_page(out, dots);
  CHECK(holds(out.str(), "\n\\&'dots \\- \\&.TH is text \\ehere\n"));
}

}  // namespace hockney
