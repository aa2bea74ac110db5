#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <sstream>

#include "components/application/screens/profile_report.hpp"
#include "tests/support/profile_view.hpp"
#include "tests/support/synthetic_program.hpp"

namespace hockney::report {
namespace {

/// 64 ranks on 4 nodes, of which 16 take two thirds longer to compute.
SyntheticProgram poisson() {
  SyntheticProgram program(64, 16);
  program.halo({.sizes = {8, 8}, .bytes = {28800, 28800}, .messages = 100});
  for (int rank = 0; rank < 64; ++rank) {
    program.time(rank, rank < 16 ? 30 : 18, rank < 16 ? 10 : 22);
  }
  program.calls("MPI_Waitall", 6400, 0, 1140).calls("MPI_Allreduce", 640, 8, 60);
  return program.with([](profile::Profile& all) {
    all.overhead = {.send_seconds = 2e-4,
                    .receive_seconds = 2e-4,
                    .completion_seconds = 2e-4,
                    .other_seconds = 2e-4};
  });
}

Screen screen_of(const SyntheticProgram& program, std::span<const Record> records = {}) {
  return screen_of(view_of(program.profile(), "p.json", records));
}

bool has_line(const Lines& lines, const std::string& part) {
  return std::ranges::any_of(
      lines, [&](const std::string& line) { return line.find(part) != std::string::npos; });
}

/// The limit between two ranks of one node.
Record limit_record(std::int64_t limit, const std::string& library) {
  Record record;
  record.provenance.mpi.library = library;
  record.ranks = {{.rank = 0, .host = "a"}, {.rank = 1, .host = "a"}};
  record.protocols = {{.hop = "l3", .pair = {0, 1}, .eager_limit_bytes = limit}};
  return record;
}

}  // namespace

TEST_CASE("a profile of ranks that share CPUs says so before all else that limits trust") {
  const Screen shared = screen_of(SyntheticProgram(4).with([](profile::Profile& all) {
    for (profile::Rank& rank : all.ranks) rank.cpus = {0, 1};
  }));
  CHECK(shared.reliability.front() ==
        "4 ranks on 2 CPUs: times are those of ranks that share CPUs");
  CHECK_FALSE(has_line(screen_of(SyntheticProgram(4)).reliability, "share CPUs"));
}

TEST_CASE("a screen fits a terminal, however long the names are") {
  const Screen screen = screen_of(poisson().with([](profile::Profile& all) {
    for (std::string name : {"MPI_A", "MPI_B", "MPI_C"}) {
      all.calls.push_back({.call = name.append(60, 'x'), .count = 1, .bytes = 5, .seconds = 1e4});
    }
    all.notes.assign(40, std::string(150, 'n') + " " + std::string(80, 'm'));
  }));
  std::ostringstream out;
  print_screen(out, screen);
  std::istringstream lines(out.str());
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
  }
  CHECK(count <= screen_lines);
  CHECK(has_line(screen.reliability, "and 39 notes more: --all"));
}

TEST_CASE("ranks that left nothing are on no node that counts") {
  const ProfileView view = view_of(SyntheticProgram(2)
                                       .every_time(1, 1)
                                       .send(0, 1, 8)
                                       .with([](profile::Profile& all) { all.ranks.pop_back(); })
                                       .profile(),
                                   "p.json");
  const Lines answer = screen_of(view).answer;
  CHECK(has_line(answer, "2 ranks on 1 node, "));
  for (const std::string& line : answer) CHECK(line.find("leave their node") == std::string::npos);
}

TEST_CASE("a price that is hardly there is less than what matters") {
  const Screen screen = screen_of(poisson().with([](profile::Profile& all) {
    all.overhead = {.send_seconds = 5e-8,
                    .receive_seconds = 5e-8,
                    .completion_seconds = 5e-8,
                    .other_seconds = 5e-8};
  }));
  CHECK(has_line(screen.reliability, "recording took less than 0.01 % of the time, 50 ns a call"));
}

TEST_CASE("what rounding leaves of no load imbalance is none") {
  SyntheticProgram program(3);
  program.time(0, 0.1, 0.1).time(1, 0.1, 0.1).time(2, 0.1 + 1e-15, 0.1);
  CHECK(has_line(screen_of(program).answer, "in MPI: load imbalance 0 %, communication 50 %"));
}

TEST_CASE("files are parts of the time, in MPI and outside") {
  const Screen screen = screen_of(SyntheticProgram(2).time(0, 5, 2, 2, 1).time(1, 5, 2, 2, 1));
  CHECK(screen.answer.front() == "Files take 30 % of the run");
  CHECK(has_line(
      screen.answer,
      "2 ranks on 1 node, 10.0 s: 50 % computing, 20 % MPI, 20 % MPI files, 10 % other files"));
}

TEST_CASE("sizes are held against the eager limit of the records") {
  SyntheticProgram program(2);
  program.send(0, 1, 4000, 3).send(1, 0, 5000, 1);
  const Record record = limit_record(4040, "Open MPI v4.1.4, other package");
  Screen screen = screen_of(program, std::vector{record});
  CHECK(has_line(screen.answer,
                 "eager        in a node up to 4040 B: 25 % of the messages and 29 % of the bytes "
                 "are above it;"));
  CHECK(has_line(screen.answer, "twice the limit: MPI_Isend of 5000 B"));
  CHECK_FALSE(has_line(screen.reliability, "limits are those"));

  screen = screen_of(program, std::vector{limit_record(4040, "MPICH 4.0.2")});
  CHECK(has_line(screen.reliability,
                 "the eager limits are those of MPICH 4.0.2, the program ran under Open MPI"));
  screen = screen_of(SyntheticProgram(2), std::vector{record});
  CHECK(has_line(screen.reliability, "no message went as far as the eager limits are known"));
}

TEST_CASE("trust says what the profile notes, each once, and how much more there is") {
  const Screen screen = screen_of(poisson().with([](profile::Profile& all) {
    all.notes = {"nothing is known of 1 of 64 ranks (63)",
                 "rank 5 ended by signal 15",
                 "5 calls",
                 "9 messages",
                 "threads",
                 "a sixth",
                 "a seventh"};
    for (profile::Rank& rank : all.ranks) rank.cpu.emplace();
  }));
  CHECK(has_line(screen.reliability, "nothing is known of 1 of 64 ranks (63)"));
  CHECK(has_line(screen.reliability, "rank 5 ended by signal 15"));
  CHECK_FALSE(has_line(screen.reliability, "5 calls"));
  CHECK(has_line(screen.reliability, "and 5 notes more: --all"));
}

TEST_CASE("a pattern that does not explain all says how much") {
  SyntheticProgram program = poisson();
  program.send(0, 63, 28800, 100);
  // 225 x 100 messages, one pair of which is not of the halo.
  CHECK(has_line(screen_of(program).answer, "2-D halo 8 x 8 (99.6 % of the bytes)"));
}

TEST_CASE("a program without time, calls or messages has a screen") {
  const Screen screen = screen_of(SyntheticProgram(1));
  CHECK(screen.answer == Lines{"1 rank on 1 node, 0.00 us"});
}

TEST_CASE("call sites have the name of their function and place, as far as it is known") {
  ProfileView view =
      view_of(SyntheticProgram(1)
                  .with([](profile::Profile& all) {
                    all.sites.push_back({.module = "/lib/libx.so", .offset = 255, .function = ""});
                  })
                  .profile(),
              "p.json");
  CHECK(site_text(view, 0) == "exchange (poisson+0x1234)");
  CHECK(site_text(view, 1) == "libx.so+0xff");
  CHECK(site_text(view, {}) == "-");
  view.site_names = {{.function = "halo<int>", .place = "poisson.cpp:52"}, {}};
  CHECK(site_text(view, 0) == "halo<int> (poisson.cpp:52)");
  CHECK(site_text(view, 1) == "libx.so+0xff");
}

}  // namespace hockney::report
