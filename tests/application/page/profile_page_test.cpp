#include <sstream>

#include "application/page/profile_page.hpp"
#include "core/json_values.hpp"
#include "report/page/page.hpp"
#include "report/page/plot.hpp"
#include "tests/report/page/picture_of.hpp"
#include "tests/support/synthetic_program.hpp"

namespace hockney::report {
namespace {

using Json = nlohmann::json;

const std::string show = "hockney profile show p.json";

/// Ranks 0 and 1 on one node, 2 and 3 on the other; rank 0 computes twice as long as the others.
SyntheticProgram two_nodes() {
  SyntheticProgram program(4, 2);
  program.time(0, 8, 2).time(1, 4, 6).time(2, 4, 6).time(3, 4, 6);
  program.send(0, 1, 100, 5).send(1, 2, 4000, 3).send(3, 0, 8, 1);
  return program.calls("MPI_Waitall", 20, 0, 16).calls("MPI_Allreduce", 40, 8, 4);
}

Page page_of_program(const SyntheticProgram& program) {
  return page_of(view_of(program.profile(), "p.json"), show);
}

/// The values of a number over all rows.
std::vector<double> numbers_in(const Json& rows, const std::string& key) {
  std::vector<double> numbers;
  for (const Json& row : rows) numbers.push_back(row.at(key));
  return numbers;
}

}  // namespace

TEST_CASE("the page of a program says what its screen says, with the document of --json") {
  const ProfileView view = view_of(two_nodes().profile(), "p.json");
  const Page page = page_of(view, show);
  CHECK(page.title == "Profile of poisson 3600");
  CHECK(page.screen.verdict == screen_of(view).answer.front());
  CHECK(page.made_by == "hockney profile show p.json --page page.html");
  REQUIRE(page.documents.size() == 1);
  CHECK(page.documents.front().document == to_json(view));
  CHECK(strings_of(page.pictures, &Picture::id) ==
        std::vector<std::string>{"causes", "time-by-rank", "messages-by-rank", "messages-by-node",
                                 "calls-by-time", "calls-by-bytes", "sizes", "places"});
  CHECK(csv_of(page.pictures.front().table).starts_with("cause,fraction,sentence,help\n1 "));
}

TEST_CASE("a bar for each rank has its parts, and the title the rank that computes longest") {
  const Page page = page_of_program(two_nodes());
  const Picture& time = picture(page, "time-by-rank");
  CHECK(time.title == "Rank 0 computes longest, 8.00 s; the mean is 5.00 s (load balance 62 %)");
  const Json rows = rows_of(time);
  CHECK(texts_in(rows, "part") == std::vector<std::string>{"computing", "MPI", "computing", "MPI",
                                                           "computing", "MPI", "computing", "MPI"});
  CHECK(numbers_in(rows, "seconds") == std::vector<double>{8, 2, 4, 6, 4, 6, 4, 6});
  CHECK(rows[6].at("host") == "node1");
  CHECK_THAT(time.caption, Catch::Contains("--log"));
}

TEST_CASE("ranks that compute alike are said to, and many become their means") {
  SyntheticProgram program(2048, 64);
  for (int rank = 0; rank < 2048; ++rank) program.time(rank, rank % 2 == 0 ? 6 : 5.98, 4);
  const Page page = page_of_program(program);
  const Picture& time = picture(page, "time-by-rank");
  CHECK(time.title == "All ranks compute about as long, 5.99 s of 10.0 s");
  const Json rows = rows_of(time);
  REQUIRE(rows.size() == 512);  // two parts of blocks of eight ranks; of four there were 1024
  CHECK(rows[0].at("rank") == "0-7");
  CHECK(rows[0].at("seconds").get<double>() == Approx(5.99));
  CHECK_THAT(time.caption, Catch::Contains("2048 ranks are put together to 256 bars"));
}

TEST_CASE("messages are drawn rank by rank and node by node, with the keys of --csv") {
  const ProfileView view = view_of(two_nodes().profile(), "p.json");
  const Page page = page_of(view, show);
  for (const auto& [id, by] : {std::pair{"messages-by-rank", MatrixRows::ranks},
                               std::pair{"messages-by-node", MatrixRows::nodes}}) {
    std::ostringstream csv;
    write_matrix_csv(csv, view, by);
    CHECK(csv_of(picture(page, id).table) == csv.str());
  }
  const Json rows = rows_of(picture(page, "messages-by-rank"));
  CHECK(texts_in(rows, "from") == std::vector<std::string>{"0", "1", "3"});
  CHECK(numbers_in(rows, "bytes") == std::vector<double>{500, 12000, 8});
  CHECK(texts_in(rows, "reach") ==
        std::vector<std::string>{"in a node", "between nodes", "between nodes"});
  CHECK_THAT(picture(page, "messages-by-node").title,
             Catch::Contains("96 % of the bytes leave their node, most from node0 to node1: "
                             "12.0 KB"));
}

TEST_CASE("a matrix of many ranks is put together until its cells have room, and loses nothing") {
  SyntheticProgram program(384, 24);
  program.halo({.sizes = {24, 16}, .bytes = {28800, 14400}, .messages = 10}).every_time(6, 4);
  const ProfileView view = view_of(program.profile(), "p.json");
  const Page page = page_of(view, show);
  const Picture& matrix = picture(page, "messages-by-rank");
  CHECK(matrix.table.rows.size() <= most_marks);
  CHECK_THAT(matrix.caption, Catch::Contains("384 ranks are put together by 4."));
  double bytes = 0;
  for (const double some : numbers_in(rows_of(matrix), "bytes")) bytes += some;
  CHECK(bytes == static_cast<double>(view.by_rank.total().bytes));
}

TEST_CASE("messages without bytes are coloured by their number, and cells without any stay plain") {
  const auto ranges = [](const SyntheticProgram& program) {
    return texts_in(rows_of(picture(page_of_program(program), "messages-by-rank")), "range");
  };
  SyntheticProgram empty(2);
  empty.every_time(1, 1).send(0, 1, 0, 4);
  CHECK(ranges(empty) == std::vector<std::string>{"4 .. 4"});
  SyntheticProgram mixed(2);
  mixed.every_time(1, 1).send(0, 1, 0, 4).send(1, 0, 64);
  CHECK(ranges(mixed) == std::vector<std::string>{"none", "64 B .. 64 B"});
}

TEST_CASE("calls are drawn by time and by bytes, those beyond the twelfth bar together") {
  SyntheticProgram program(2);
  program.every_time(50, 50);
  for (int call = 1; call <= 20; ++call) {
    program.calls("MPI_Call" + std::to_string(call), 2, 100, call);
  }
  const Page page = page_of_program(program);
  const Picture& by_time = picture(page, "calls-by-time");
  CHECK(by_time.title == "10 % of the run is spent in MPI_Call20");
  const Json rows = rows_of(by_time);
  REQUIRE(rows.size() == 12);
  CHECK(rows[0].at("run_fraction") == 0.1);
  CHECK(rows[11].at("call") == "9 other functions");
  CHECK(rows[11].at("seconds") == 45);  // 1 + 2 + ... + 9
  CHECK(rows[11].at("count") == 18);
}

TEST_CASE("sizes are told by their calls and by their bytes") {
  const Page page = page_of_program(two_nodes());
  const Picture& sizes = picture(page, "sizes");
  // 40 calls of 8 B and one more, 5 of 100 B, 3 of 4000 B: 49 calls, 12 828 B.
  CHECK(sizes.title == "84 % of the calls are of 8 to 16 B, 94 % of the bytes of 2K to 4K B");
  CHECK(csv_of(sizes.table)
            .starts_with("from_bytes,to_bytes,part,amount,share_fraction\n8,15,calls,41,"));
  const Json& x = sizes.plot.at("layer")[0].at("encoding").at("x");
  CHECK(x.at("scale").at("domain") ==
        Json({"8", "16", "32", "64", "128", "256", "512", "1K", "2K"}));
}

TEST_CASE("places in the code have short names, each its own, and their whole one in the table") {
  SyntheticProgram program(2);
  program.every_time(6, 4).with([](profile::Profile& all) {
    const std::string name = "app::(anonymous namespace)::Halo::end(int, char)";
    all.sites = {{.module = "/opt/app", .offset = 1, .function = name},
                 {.module = "/opt/app", .offset = 2, .function = name},
                 {.module = "/opt/app", .offset = 3, .function = ""}};
    for (int site = 0; site < 3; ++site) {
      all.calls.push_back(
          {.call = "MPI_Wait", .site = site, .count = 1, .seconds = 3.0 - site, .ranks = 1});
    }
  });
  const Json rows = rows_of(picture(page_of_program(program), "places"));
  CHECK(texts_in(rows, "call") == std::vector<std::string>{"MPI_Wait in Halo::end",
                                                           "MPI_Wait in Halo::end (2)",
                                                           "MPI_Wait, app+0x3"});
  CHECK(rows[0].at("site") == "app::(anonymous namespace)::Halo::end(int, char) (app+0x1)");
  CHECK(numbers_in(rows, "run_fraction") == std::vector<double>{0.15, 0.1, 0.05});
}

TEST_CASE("a program without messages or time has a page") {
  CHECK(page_of_program(SyntheticProgram(2)).pictures.empty());
  const Page page = page_of_program(SyntheticProgram(1).every_time(3, 0));
  CHECK(strings_of(page.pictures, &Picture::id) == std::vector<std::string>{"time-by-rank"});
}

TEST_CASE("a document too large for a page is left out, and the page says so") {
  SyntheticProgram program(160);
  program.all_to_all(8).every_time(1, 1);
  const Page page = page_of_program(program);
  CHECK(page.documents.empty());
  CHECK_THAT(page.screen.reliability.back(),
             Catch::StartsWith("the page is without the document that " + show + " --json prints"));
}

TEST_CASE("hostile names of hosts, functions and places are text") {
  const std::string hostile = "</script><script>alert(1)</script>\xE2\x80\xAE";
  const SyntheticProgram program = two_nodes().with([&](profile::Profile& all) {
    all.provenance.command_line = {hostile};
    all.ranks[0].host = all.sites[0].function = all.sites[0].module = hostile;
    all.calls.front().call = hostile;
    all.notes = {hostile};
  });
  std::ostringstream out;
  write_page(out, page_of_program(program), {.texts = {"1"}, .missing = {}});
  CHECK(out.str().find("<script>") == std::string::npos);
  CHECK(out.str().find("\xE2\x80\xAE") == std::string::npos);
}

}  // namespace hockney::report
