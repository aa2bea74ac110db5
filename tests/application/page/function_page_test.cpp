#include <algorithm>
#include <catch2/catch.hpp>
#include <sstream>

#include "application/page/profile_page.hpp"
#include "application/screens/function_views.hpp"
#include "report/page/plot.hpp"
#include "tests/report/page/picture_of.hpp"
#include "tests/support/synthetic_program.hpp"

namespace hockney::report {
namespace {

using Json = nlohmann::json;

applications::FrameNames names(int functions) {
  applications::FrameNames made;
  for (int i = 0; i < functions; ++i) {
    made.push_back({{{"f" + std::to_string(i), "/home/app", "/home/app.c", i + 1}, "", 0}});
  }
  return made;
}

ProfileView view_with(std::vector<profile::Stack> stacks, int functions) {
  SyntheticProgram program(2);
  program.time(0, 1, 1).time(1, 1, 1);
  program.with([&](profile::Profile& profile) {
    profile.samples =
        profile::Samples{.period_seconds = 0.01,
                         .frames = std::vector<profile::Frame>(static_cast<std::size_t>(functions)),
                         .stacks = std::move(stacks)};
  });
  ProfileView view = view_of(program.profile(), "p.json");
  add_functions(view, names(functions));
  return view;
}

profile::Stack stack(std::vector<int> frames, std::int64_t first, std::int64_t second,
                     const std::string& call = "") {
  return {.frames = std::move(frames), .call = call, .ranks = {0, 1}, .counts = {first, second}};
}

}  // namespace

TEST_CASE("the page has a bar for each function and the calls that lead to it") {
  const ProfileView view =
      view_with({stack({1, 0}, 30, 90), stack({2, 0}, 20, 20), stack({0}, 20, 20, "MPI_Recv")}, 3);
  const Page page = page_of(view, "hockney profile show p.json");
  const Picture& bars = picture(page, "functions");
  CHECK(bars.title ==
        "f1 (app.c:2) takes 75 % of computing, on rank 1 1.5 times as much as on the median rank");
  CHECK(texts_in(rows_of(bars), "function") ==
        std::vector<std::string>{"f1 (app.c:2)", "f2 (app.c:3)"});
  CHECK(csv_of(bars.table)
            .starts_with("function,share,share_ci_low,share_ci_high,seconds,slowest_rank,"
                         "slowest_seconds,median_seconds,ratio,mpi_seconds\n"
                         "f1 (app.c:2),0.75,"));

  const Picture& flame = picture(page, "flame-graph");
  CHECK(flame.title == "Of the CPU time, 20 % is in MPI: who called what");
  const Json rows = rows_of(flame);
  REQUIRE(rows.size() == 4);
  CHECK(rows[0].at("left") == 0);
  CHECK(rows[0].at("right") == 1);
  CHECK(rows[1].at("function") == "f1 (app.c:2)");
  CHECK(rows[1].at("right").get<double>() == Approx(0.6));
  CHECK(rows[2].at("left").get<double>() == Approx(0.6));
  CHECK(rows[2].at("words") == "MPI_Recv");
  CHECK(rows[2].at("level") == 2);
  CHECK(rows[3].at("words") == "f2");
  CHECK(rows[3].at("right").get<double>() == Approx(1));
}

TEST_CASE("a flame graph of many functions leaves out those that cannot be seen") {
  std::vector<profile::Stack> stacks;
  constexpr int functions = 5000;
  for (int i = 1; i < functions; ++i) stacks.push_back(stack({i, 0}, 1 + i % 7, 1));
  stacks.push_back(stack({0}, 100'000, 100'000));
  const ProfileView view = view_with(std::move(stacks), functions);
  const Page page = page_of(view, "hockney profile show p.json");
  const Picture& flame = picture(page, "flame-graph");
  CHECK(flame.table.rows.size() <= most_marks);
  CHECK_THAT(flame.caption, Catch::Contains("are left out"));
  std::ostringstream out;
  write_page(out, page, {});
  CHECK(out.str().size() < 5'000'000);
}

TEST_CASE("a page without samples has no pictures of functions") {
  const Page page = page_of(view_of(SyntheticProgram(2).profile(), "p.json"), "show");
  CHECK(std::ranges::count(page.pictures, "flame-graph", &Picture::id) == 0);
}

}  // namespace hockney::report
