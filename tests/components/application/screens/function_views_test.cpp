#include "components/application/screens/function_views.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/profile_view.hpp"
#include "tests/support/synthetic_program.hpp"

namespace hockney::report {
namespace {

applications::FrameNames names() {
  return {{{{"main", "/home/app", "/home/app.c", 30}, "/home/app.c", 33}},
          {{{"grid::heavy(int)", "/home/app", "/home/app.c", 3}, "/home/app.c", 7}},
          {{{"exp", "/lib/libm.so.6", "", 0}, "", 0}}};
}

/// Two ranks; rank 1 computes three times as long as rank 0, in heavy().
ProfileView sampled_view() {
  SyntheticProgram program(2);
  program.time(0, 1, 2).time(1, 3, 0).calls("MPI_Recv", 10, 8, 2);
  program.with([](profile::Profile& profile) {
    profile.samples = profile::Samples{
        .period_seconds = 0.01,
        .threads = 2,
        .handler_seconds = 0.012,
        .modules = {},
        .frames = {{}, {}, {}},
        .stacks = {{.frames = {1, 0}, .call = "", .ranks = {0, 1}, .counts = {80, 260}},
                   {.frames = {2, 1, 0}, .call = "", .ranks = {0, 1}, .counts = {20, 40}},
                   {.frames = {0}, .call = "MPI_Recv", .ranks = {0}, .counts = {200}}}};
  });
  const applications::FrameNames frames = names();
  return {.report = applications::analyse(program.profile(), {.frame_names = &frames}),
          .file = "p.json"};
}

}  // namespace

TEST_CASE("an imbalance names the function in which its rank computes longer") {
  const ProfileView view = sampled_view();
  REQUIRE_FALSE(view.report.findings.empty());
  CHECK(view.report.findings.front().kind == applications::FindingKind::imbalance);
  const Screen screen = screen_of(view);
  CHECK_THAT(
      screen.answer.front(),
      Catch::StartsWith("Rank 1 computes 3.0 times as long as the other rank, in grid::heavy "
                        "(app.c:3); "));
  CHECK(to_json(view).at("findings").at(0).at("function") == "grid::heavy(int)");
}

TEST_CASE("the summary has the functions of most computing, and the cost of samples") {
  const Screen screen = screen_of(sampled_view());
  const auto has = [](const Lines& lines, const std::string& text) {
    return std::ranges::find(lines, text) != lines.end();
  };
  INFO(join(screen.answer, "\n") << join(screen.reliability, "\n"));
  CHECK(has(screen.answer,
            "functions    grid::heavy (app.c:3) 85 % of computing (81 % to 88 %), exp (libm.so.6) "
            "15 %"));
  CHECK(has(screen.reliability,
            "600 samples, one each 10.0 ms of CPU time of a thread; the handler took 0.2 % of it; "
            "400 of them computing"));
  CHECK(has(screen.reliability,
            "one launch: intervals are of this launch alone (hockney profile compare makes them of "
            "several)"));
}

TEST_CASE("functions that were asked for are on the first screen, however much is remarked") {
  ProfileView view = sampled_view();
  view.report.profile.notes.assign(40, std::string(150, 'n') + " " + std::string(80, 'm'));
  view.doubts.assign(3, std::string(90, 'd'));
  std::ostringstream out;
  print_screen(out, screen_of(view));
  CHECK_THAT(out.str(), Catch::Contains("\nfunctions    grid::heavy (app.c:3) 85 %"));
}

TEST_CASE("the document has functions with intervals, ranks and MPI, null without samples") {
  const nlohmann::json document = to_json(sampled_view());
  const auto& functions = document.at("functions");
  REQUIRE(functions.size() == 3);
  const auto& heavy = functions.at(0);
  CHECK(heavy.at("function") == "grid::heavy(int)");
  CHECK(heavy.at("file") == "/home/app.c");
  CHECK(heavy.at("line") == 3);
  CHECK(heavy.at("samples") == 340);
  CHECK(heavy.at("seconds").get<double>() == Approx(3.4));
  CHECK(heavy.at("share").get<double>() == Approx(0.85));
  CHECK(heavy.at("share_ci").at(0).get<double>() < 0.85);
  CHECK(heavy.at("share_ci").at(1).get<double>() > 0.85);
  CHECK(heavy.at("within_seconds").get<double>() == Approx(4));
  CHECK(heavy.at("slowest_rank") == 1);
  CHECK(heavy.at("slowest_seconds").get<double>() == Approx(2.6));
  CHECK(functions.at(2).at("function") == "main");
  CHECK(functions.at(2).at("mpi_seconds").get<double>() == Approx(2));
  CHECK(document.at("lines").at(0).at("line") == "app.c:7");
  CHECK(document.at("sampling").at("computing_samples") == 400);
  CHECK(document.at("sampling").at("fraction").get<double>() == Approx(0.002));

  const nlohmann::json without = to_json(view_of(SyntheticProgram(2).profile(), "p.json"));
  CHECK(without.at("functions").is_null());
  CHECK(without.at("lines").is_null());
  CHECK(without.at("sampling").is_null());
}

TEST_CASE("folded stacks are lines of functions from the outermost on, with their samples") {
  std::ostringstream out;
  write_folded(out, sampled_view().report.functions.value());
  CHECK(out.str() ==
        "main;grid::heavy(int) 340\n"
        "main;grid::heavy(int);exp 60\n"
        "main;MPI_Recv 200\n");
}

TEST_CASE("a name that would break a line of folded stacks or drive a terminal is changed") {
  applications::SampledFunctions sampled;
  sampled.functions = {{"a;b\n\x1b[2J", "", "", 0}};
  sampled.stacks = {{{0}, "", {{0, 1}}}};
  std::ostringstream out;
  write_folded(out, sampled);
  CHECK(std::ranges::count(out.str(), '\n') == 1);
  CHECK(out.str().find(';') == std::string::npos);
  CHECK(out.str().find('\x1b') == std::string::npos);
}

}  // namespace hockney::report
