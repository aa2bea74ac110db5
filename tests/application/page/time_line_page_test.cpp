#include <algorithm>

#include "application/page/profile_page.hpp"
#include "application/screens/time_line_views.hpp"
#include "report/page/plot.hpp"
#include "tests/report/page/picture_of.hpp"
#include "tests/support/scripted_trace.hpp"
#include "tests/support/synthetic_program.hpp"

// Iterations and time lines of a log on the page, on the screen and in documents.
namespace hockney::report {
namespace {

using applications::ScriptedTrace;
using Json = nlohmann::json;
using profile::Function;

/// Steps of 1 ms computing, messages to the right and a reduction. Rank 1 computes 3 ms in step 30:
/// rank 2 waits for its message, the others in the reduction.
ScriptedTrace stepping(int ranks, int steps, int messages = 1) {
  ScriptedTrace script(ranks);
  for (int rank = 0; rank < ranks; ++rank) {
    for (int i = 0; i < steps; ++i) {
      const bool is_late = rank == 1 && i == 30;
      const bool gets_late = rank == 2 % ranks && i == 30;
      script.computes(rank, is_late ? 3000 : 1000);
      for (int message = 0; message < messages; ++message) {
        script.sends(rank, (rank + 1) % ranks, 800).takes(5);
        script.receives(rank, (rank + ranks - 1) % ranks, 800)
            .takes(gets_late && message == 0 ? 2005 : 5);
      }
      script.collective(Function::Allreduce, rank)
          .takes(i == 30 && !is_late && !gets_late ? 2010 : 10);
    }
  }
  return script;
}

ProfileView view_of_log(const ScriptedTrace& script, int ranks) {
  ProfileView view = view_of(SyntheticProgram(ranks, ranks).every_time(1, 1).profile(), "p.json");
  add_time_lines(view, script.analysis());
  return view;
}

const Picture& picture_in(const std::vector<Picture>& pictures, const std::string& id) {
  const auto found = std::ranges::find(pictures, id, &Picture::id);
  REQUIRE(found != pictures.end());
  return *found;
}

std::vector<Picture> pictures_of(const ProfileView& view) {
  return time_line_pictures(view, {"one launch", "hockney profile show p.json"});
}

/// Rows that the plot shows before its window is moved.
std::ptrdiff_t shown_rows(const Picture& picture) {
  const Json rows = rows_of(picture);
  const Json& params = picture.plot.at("params");
  if (params.empty()) return static_cast<std::ptrdiff_t>(rows.size());
  return std::ranges::count_if(
      rows, [&](const Json& row) { return row.at("w") == params.at(0).at("value"); });
}

}  // namespace

TEST_CASE("the page of a log has iterations, ranks against time and the slowest iteration") {
  const ProfileView view = view_of_log(stepping(4, 60), 4);
  const std::vector<Picture> pictures = pictures_of(view);
  CHECK(strings_of(pictures, &Picture::id) ==
        std::vector<std::string>{"iterations", "ranks-against-time", "time-line",
                                 "slowest-and-median"});
  const Picture& iterations = picture_in(pictures, "iterations");
  CHECK(iterations.title ==
        "60 iterations of 1.02 ms (1.02 .. 1.02); the slowest, 3.02 ms, is number 31: rank 1 "
        "computes longer");
  CHECK(iterations.table.rows.size() == 60);
  const Picture& slowest = picture_in(pictures, "slowest-and-median");
  CHECK(slowest.title ==
        "The slowest iteration takes 3.02 ms, the median one 1.02 ms: rank 1 computes longer");
  CHECK(csv_of(slowest.table)
            .starts_with("window,rank,doing,call,begin_seconds,end_seconds\nmedian,0,"));
  CHECK(csv_of(picture_in(pictures, "time-line").table)
            .starts_with("rank,doing,call,begin_seconds,end_seconds\n0,"));
}

TEST_CASE("the window opens on the median iteration and has a mark for each row of its table") {
  const ProfileView view = view_of_log(stepping(4, 60), 4);
  for (const Picture& picture : pictures_of(view)) {
    INFO(picture.id);
    CHECK(picture.table.rows.size() <= most_marks);
    if (picture.plot.contains("params")) {
      CHECK(shown_rows(picture) == static_cast<std::ptrdiff_t>(picture.table.rows.size()));
    }
  }
  const std::vector<Picture> pictures = pictures_of(view);
  const Picture& moving = picture_in(pictures, "time-line");
  const Json& slider = moving.plot.at("params").at(0);
  const std::size_t opening = slider.at("value");
  CHECK(view.lines->events->windows.at(opening).iteration == view.lines->iterations.typical);
  CHECK(slider.at("bind").at("max") == view.lines->events->windows.size() - 1);
  const std::string heading = moving.plot.at("title").at("text").at("expr");
  CHECK_THAT(heading, Catch::StartsWith("['the whole run: ") && Catch::EndsWith("][shown]"));
  CHECK_THAT(heading, Catch::Contains("'iteration 31 of 60, the slowest: 3.02 ms, from "));
}

TEST_CASE("ranks against time add up to the ranks that run") {
  const ProfileView view = view_of_log(stepping(4, 60), 4);
  const std::vector<Picture> pictures = pictures_of(view);
  const Picture& activity = picture_in(pictures, "ranks-against-time");
  CHECK(activity.table.rows.size() == 160 * 4);
  const Json rows = rows_of(activity);
  CHECK(rows.at(3).at("high").get<double>() == Approx(4));
  CHECK(rows.at(4).at("low") == 0);
}

TEST_CASE("a program without a loop has a time line, and the reason") {
  ScriptedTrace script(2);
  for (int rank = 0; rank < 2; ++rank) {
    script.computes(rank, 100).collective(Function::Barrier, rank).takes(5);
    script.computes(rank, 100).collective(Function::Bcast, rank, 0).takes(5);
  }
  const ProfileView view = view_of_log(script, 2);
  const std::vector<Picture> pictures = pictures_of(view);
  CHECK(strings_of(pictures, &Picture::id) ==
        std::vector<std::string>{"ranks-against-time", "time-line"});
  CHECK_THAT(picture_in(pictures, "time-line").caption,
             Catch::Contains("no iterations were found (rank 0: fewer than 5 calls)"));
  CHECK(to_json(view).at("iterations") ==
        Json{{"count", 0}, {"why_none", "rank 0: fewer than 5 calls"}});
  for (const std::string& line : screen_of(view).answer) {
    CHECK_THAT(line, !Catch::Contains("iterations"));
  }
}

TEST_CASE("without a log there is no time line") {
  const ProfileView view = view_of(SyntheticProgram(2, 2).every_time(1, 1).profile(), "p.json");
  CHECK(pictures_of(view).empty());
  CHECK(to_json(view).at("timeline").is_null());
  CHECK(to_json(view).at("iterations").is_null());
}

TEST_CASE("the summary and the document have the iterations") {
  const ProfileView view = view_of_log(stepping(4, 60), 4);
  const Lines answer = screen_of(view).answer;
  CHECK(std::ranges::any_of(answer, [](const std::string& line) {
    return line.starts_with("60 iterations of 1.02 ms");
  }));
  const Json json = to_json(view);
  CHECK(json.at("iterations").at("count") == 60);
  CHECK(json.at("iterations").at("slowest").at("iteration") == 31);
  CHECK(json.at("iterations").at("slowest").at("rank") == 1);
  CHECK(json.at("timeline").at("activities").at(0).at("activity") == "computing");
  CHECK(json.at("timeline").at("activities").at(0).at("ranks").size() == 160);
}

TEST_CASE("many ranks and calls make a page of at most 2 MB, and it says what is left out") {
  const ProfileView view = view_of_log(stepping(64, 100, 30), 64);
  const std::vector<Picture> pictures = pictures_of(view);
  std::size_t bytes = 0;
  for (const Picture& picture : pictures) {
    bytes += picture.plot.dump().size();
    CHECK(picture.table.rows.size() <= most_marks);
  }
  CHECK(bytes < 2'000'000);
  const Picture& moving = picture_in(pictures, "time-line");
  CHECK_THAT(moving.caption, Catch::Contains("Rows are 16 of 64 ranks"));
  CHECK_THAT(moving.caption, Catch::Contains("each slot of a row shows what takes most of it"));
}

}  // namespace hockney::report
