#include <algorithm>
#include <catch2/catch.hpp>
#include <span>
#include <sstream>

#include "core/record.hpp"
#include "report/screen.hpp"
#include "report/screens/answers.hpp"
#include "tests/support/launches.hpp"

namespace hockney::report {
namespace {

std::string printed(const Screen& screen, ScreenSize size = ScreenSize::first) {
  std::ostringstream out;
  print_screen(out, screen, size);
  return out.str();
}

/// The length of the longest of the first so many lines.
std::size_t widest(const Lines& lines, std::size_t count) {
  std::size_t most = 0;
  for (std::size_t i = 0; i < count; ++i) most = std::max(most, lines.at(i).size());
  return most;
}

/// Launches of a ping-pong of 1 us + n / 1 GB/s.
std::vector<Record> line_of(int launches) {
  std::vector<Record> records;
  for (int launch = 0; launch < launches; ++launch) {
    Record record = launch_of("default");
    record.campaign->launch = launch;
    record.started_utc = "2026-11-22T20:25:0" + std::to_string(launch) + "Z";
    record.elapsed_seconds = 2;
    record.provenance.mpi.library = "Open MPI v4.1.4, package: Debian";
    record.provenance.hosts = {{.name = "tintin", .cpu_model = "AMD  EPYC 7763", .cpus = 64}};
    for (std::int64_t bytes = 1; bytes <= 65536; bytes *= 4) {
      Point point = simple_point("pingpong", bytes);
      point.hop = "l3";
      point.pair = {0, 1};
      const double seconds = 1e-6 + static_cast<double>(bytes) * 1e-9;
      add_measured(record, point, seconds * (1 + 0.001 * launch));
    }
    records.push_back(std::move(record));
  }
  return records;
}

RequestedSetting requested(const std::string& value, Proof proof) {
  return {.variable = "OMPI_MCA_x",
          .requested = value,
          .effective = {},
          .proof = proof,
          .reason = "no MPI_T"};
}

Screen screen_of(std::span<const Record> records, const ScreenStyle& style = {}) {
  Evaluation evaluation(records);
  return screen_of(evaluation, style);
}

/// One launch of each setting of a variable.
std::vector<Record> varied(Proof proof) {
  std::vector<Record> records = line_of(2);
  records[0].provenance.mpi.requested = {requested("1", proof)};
  records[1].provenance.mpi.requested = {requested("2", proof)};
  return records;
}

}  // namespace

TEST_CASE("the screen of a ping-pong: where, what, answer, trust") {
  const Screen screen = screen_of(line_of(6));
  CHECK(screen.header ==
        Lines{"tintin  AMD EPYC 7763, 64 CPUs  Open MPI v4.1.4",
              "test: pingpong  2 ranks  6 launches in 12 s  2026-11-22 20:25 UTC"});
  REQUIRE(screen.answer.size() == 4);
  CHECK(screen.answer[0] == "             latency (95 %)          peak bandwidth   model");
  CHECK(screen.answer[1] ==
        "pingpong l3  1.00 us (1.00 .. 1.01)  983 MB/s at 64K  1 segment, error 0.0 %");
  CHECK(screen.answer[3] == "model pingpong l3  1.00 us + n / 0.998 GB/s  1 .. 64K");
  CHECK(screen.verdict == "pingpong l3 1.00 us (1.00 .. 1.01) at 1, 983 MB/s at 64K");
  CHECK(screen.reliability == Lines{"good: intervals within 5 % at 9 of 9 points"});
}

TEST_CASE("records of another purpose do not hide latency and bandwidth") {
  std::vector<Record> records = line_of(6);
  Record limits = launch_of("default");
  limits.protocols.emplace_back();
  limits.protocols.back().hop = "l3";
  limits.protocols.back().pair = {0, 1};
  limits.protocols.back().eager_limit_bytes = 4040;
  records.push_back(limits);
  const Screen screen = screen_of(records);
  CHECK(screen.answer.at(1).starts_with("pingpong l3  1.00 us (1.00 .. 1.01)  983 MB/s at 64K"));
  CHECK(screen.answer.back().starts_with("l3: messages up to 4040 B are sent without a receive"));
  CHECK_THAT(screen.verdict, Catch::Contains("983 MB/s") && Catch::Contains("4040 B"));
}

TEST_CASE("a narrow terminal has no line that is wider") {
  const Screen screen{
      .header = {"tintin  AMD EPYC 7763, 64 CPUs  Open MPI v4.1.4"},
      .answer = {"        latency (95 %)    peak bandwidth    model",
                 "l3      0.33 us           10.5 GB/s at 1M   3 segments, error 2.1 %",
                 "numa    0.58 us           9.8 GB/s at 1M    3 segments", "",
                 "a sentence of many words that is longer than fifty characters are"},
      .verdict = {},
      .reliability = {"good: intervals within 5 % at 41 of 45 sizes, the others not"},
      .next = {{"hockney report results/x --all", "all tables"}}};
  std::ostringstream out;
  print_screen(out, screen, ScreenSize::first, 50);
  std::istringstream lines(out.str());
  for (std::string line; std::getline(lines, line);) {
    INFO(line);
    CHECK(line.size() <= 50);
  }
  CHECK_THAT(out.str(), Catch::Contains("l3      0.33 us           10.5 GB/s at 1M\n") &&
                            Catch::Contains("(a wider terminal also shows: model)\n") &&
                            Catch::Contains("next         hockney report results/x --all\n"
                                            "               all tables\n"));
}

TEST_CASE("rows keep number and name in a terminal that holds no two columns") {
  const Lines table{"  by                  slower than what does the same       at",
                    "  6.6 x (6.0 .. 7.1)  reduce-scatter-block > reduce-scatter  1M"};
  CHECK(narrowed(table, 40) == Lines{"by  slower than what does the same  at", "6.6 x (6.0 .. 7.1)",
                                     "reduce-scatter-block > reduce-scatter", "1M"});
}

TEST_CASE("a lone line of two parts is wrapped in a narrow terminal, and loses nothing") {
  CHECK(narrowed({"LEARNING  night 1 of 15 needed; nothing can be judged yet"}, 40) ==
        Lines{"LEARNING", "night 1 of 15 needed; nothing can be", "judged yet"});
  CHECK(narrowed({"a  b", "", "c"}, 40) == Lines{"a  b", "", "c"});
}

TEST_CASE("a quiet screen is the verdict alone") {
  const Screen screen{
      .header = {"h"}, .answer = {"a", "b"}, .verdict = {}, .reliability = {"t"}, .next = {}};
  CHECK(printed(screen, ScreenSize::verdict) == "a\n");
}

TEST_CASE("an answer that is too long is cut, and says by how much") {
  const Screen screen{.header = {"h"},
                      .answer = Lines(40, "a"),
                      .verdict = {},
                      .reliability = {"t"},
                      .next = {{"do", "it"}}};
  const std::string text = printed(screen);
  CHECK(std::ranges::count(text, '\n') == screen_lines);
  CHECK_THAT(text,
             Catch::Contains("... 22 more lines: --all\n\nreliability  t\nnext         do  it\n"));
  CHECK(std::ranges::count(printed(screen, ScreenSize::whole), '\n') == 45);
}

TEST_CASE("long sentences are wrapped at blanks, rows of tables are not") {
  std::string words;
  for (int i = 0; i < 40; ++i) words += "words ";
  const std::string row = "a  " + std::string(120, '1');
  CHECK_THAT(printed({.header = {}, .answer = {row}, .verdict = {}, .reliability = {}, .next = {}}),
             Catch::Contains(row));
  const std::string text =
      printed({.header = {}, .answer = {words}, .verdict = {}, .reliability = {words}, .next = {}});
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) CHECK(line.size() <= screen_columns);
}

TEST_CASE("trust: few launches have no interval, and are told how many have") {
  const std::vector<Record> records = line_of(2);
  CHECK(reliability_of(records, campaign_rows(records)) ==
        Lines{"no interval: 2 launches, 6 needed"});
}

TEST_CASE("wrong data come before everything else, in one line too") {
  std::vector<Record> records = line_of(6);
  records[3].series[0].flags = {std::string(corrupt_flag)};
  const Screen screen = screen_of(records);
  const std::string line =
      "WRONG DATA were received at 1 point, in 1 of 6 launches: pingpong ranks=2 hop=l3 pair=0-1 "
      "at 1; left out of all figures\n";
  CHECK_THAT(printed(screen), Catch::StartsWith(line.substr(0, line.find("left ") + 4) + "\n"));
  CHECK(printed(screen, ScreenSize::verdict) == line);
  records[3].series[0].flags.clear();
  CHECK_THAT(printed(screen_of(records)), !Catch::Contains("WRONG"));
}

TEST_CASE("one line of few launches says that there is no interval") {
  CHECK(screen_of(line_of(2)).verdict ==
        "pingpong l3 1.00 us at 1, 984 MB/s at 64K; no interval: 2 launches, 6 needed");
}

TEST_CASE("where the library states a limit near a breakpoint, and nobody searched for it") {
  std::vector<Record> records = line_of(6);
  for (Record& record : records) {
    record.provenance.mpi.settings = {{"btl_vader_eager_limit", "128"},
                                      {"btl_tcp_eager_limit", "128"},
                                      {"btl_vader_max_send_size", "128"}};
    for (Series& series : record.series) {
      series.point.path = "shm";
      if (series.point.bytes.value <= 64) continue;
      for (double& seconds : series.samples_seconds) seconds += 5e-6;
    }
  }
  const std::string text = printed(screen_of(records));
  CHECK_THAT(text, Catch::Contains("near btl_vader_eager_limit 128 (stated)"));
  CHECK_THAT(text, !Catch::Contains("tcp"));
}

TEST_CASE("trust: disturbed blocks and points that were not measured") {
  std::vector<Record> records = line_of(1);
  records[0].series[0].blocks = {1, 1, 1};
  records[0].series[0].noise_probes_seconds = {1, 1, 2};
  add_skipped(records[0], simple_point("pingpong", 1 << 20), "no memory");
  const Lines lines = reliability_of(records, campaign_rows(records));
  CHECK_THAT(lines.at(0), Catch::Contains("of the blocks disturbed by others"));
  CHECK(lines.at(1) == "1 point not measured: no memory");
}

TEST_CASE("a screen without any figure states the most frequent cause") {
  std::vector<Record> records{launch_of("default")};
  CHECK(nothing_words(campaign_rows(records)) == "nothing was measured");
  for (const std::int64_t bytes : {8, 64}) {
    add_skipped(records[0], simple_point("pingpong", bytes), "the cores are busy");
  }
  add_skipped(records[0], simple_point("pingpong", 1 << 20), "no memory");
  CHECK(nothing_words(campaign_rows(records)) ==
        "nothing was measured: the cores are busy (2 points)");
  CHECK_THAT(printed(screen_of(records)),
             Catch::Contains("nothing was measured: the cores are busy (2 points)"));
}

TEST_CASE("trust: ranks that share CPUs stand before everything else") {
  std::vector<Record> records = line_of(6);
  for (Record& record : records) {
    record.ranks.clear();
    for (int rank = 0; rank < 4; ++rank) {
      record.ranks.push_back(
          {.rank = rank, .host = "a", .requested_cpu = {}, .actual_cpus = {0, 1}});
    }
    record.flags = {std::string(oversubscribed_flag)};
  }
  CHECK_THAT(header_of(records).back(), Catch::Contains("2 ranks, oversubscribed  6 launches"));
  records.front().flags.clear();
  CHECK_THAT(header_of(records).back(), Catch::Contains("2 ranks  6 launches"));
  records.front().flags = records.back().flags;
  CHECK(reliability_of(records, campaign_rows(records)) ==
        Lines{"4 ranks on 2 CPUs: times are those of ranks that share CPUs",
              "good: intervals within 5 % at 9 of 9 points"});
}

TEST_CASE("trust: launches that lie in two modes are told so, with how many lie in each") {
  std::vector<Record> records = line_of(10);
  for (std::size_t launch = 0; launch < records.size(); ++launch) {
    for (Series& series : records[launch].series) {
      const double level = series.point.bytes.value > 64 ? 1.0 : launch % 3 == 1 ? 0.1 : 0.35;
      for (double& seconds : series.samples_seconds) {
        seconds = level * 1e-6 * (1 + 0.002 * static_cast<double>((7 * launch) % 10));
      }
    }
  }
  const Lines lines = reliability_of(records, campaign_rows(records));
  REQUIRE(lines.size() == 2);
  CHECK_THAT(lines[0], Catch::StartsWith("two modes: 0.102 us in 3 launches, 0.352") &&
                           Catch::Contains(" us in 7 (pingpong at ") &&
                           Catch::Contains("; at 4 of 9 points, in the same launches)"));
}

TEST_CASE("the smallest size of a collective that moves data is its headline, not 0") {
  std::vector<Record> records;
  for (int launch = 0; launch < 6; ++launch) {
    Record& record = records.emplace_back(launch_of("default"));
    for (const std::int64_t bytes : {0, 8, 64}) {
      add_measured(record, simple_point("allreduce", bytes), bytes == 0 ? 3e-8 : 2e-6);
    }
  }
  const Screen screen = screen_of(records);
  CHECK_THAT(screen.answer.at(0), Catch::Contains("time at 8 (95 %)"));
  CHECK_THAT(screen.answer.at(1), Catch::Contains("2.00 us"));
  CHECK_THAT(screen.verdict, Catch::StartsWith("allreduce 2.00 us (2.00 .. 2.00) at 8"));
}

TEST_CASE("trust: ranks that may use different numbers of CPUs") {
  std::vector<Record> records = line_of(2);
  records[1].ranks = {{0, "node1", {}, {0, 1}}, {1, "node2", {}, {0}}};
  CHECK(reliability_of(records, campaign_rows(records)).back() ==
        "some ranks may use 1 CPU, others 2, which alone makes pairs differ: bind them, or give "
        "all as many");
  records[1].ranks[1].actual_cpus = {};  // of a simulated rank
  CHECK(reliability_of(records, campaign_rows(records)).size() == 1);
  records[1].ranks[1].actual_cpus = {2, 3};
  CHECK(reliability_of(records, campaign_rows(records)).size() == 1);
}

TEST_CASE("trust: a campaign in which no setting could be proven says so") {
  const auto said = [](Proof proof) {
    const std::vector<Record> records = varied(proof);
    return reliability_of(records, campaign_rows(records)).back();
  };
  CHECK(said(Proof::unproven) ==
        "no setting could be proven to be effective: OMPI_MCA_x=1, OMPI_MCA_x=2 (no MPI_T)");
  CHECK(said(Proof::ignored) == "the MPI library ignored OMPI_MCA_x=1, OMPI_MCA_x=2");
  CHECK(said(Proof::proven) == "every setting is proven to be effective");
}

TEST_CASE("trust: what all launches have in their environment is no setting of the campaign") {
  std::vector<Record> records = varied(Proof::unproven);
  records[1].provenance.mpi.requested = {requested("1", Proof::unproven)};
  CHECK(reliability_of(records, campaign_rows(records)).size() == 1);
}

TEST_CASE("text from records does nothing to the terminal") {
  std::vector<Record> records = line_of(1);
  records[0].provenance.hosts[0].name = "a\033[31mb";
  records[0].campaign->name = "c\u202ed";
  const std::string text = printed(screen_of(records));
  CHECK(text.find('\033') == std::string::npos);
  CHECK(text.find("\u202e") == std::string::npos);
}

TEST_CASE(
    "of very many curves the answer says what those of all pairs of a hop class have in common") {
  Record record = launch_of("default");
  for (int pair = 1; pair <= 30; ++pair) {
    Point point = simple_point("pingpong", 8);
    point.pair = {0, pair};
    point.hop = pair % 2 == 0 ? "l3" : "cross-node";
    add_measured(record, point, (pair % 2 == 0 ? 1e-6 : 2e-6) + 1e-8 * pair);
  }
  const Screen screen = screen_of(std::vector<Record>{record});
  REQUIRE(screen.answer.size() == 3);
  CHECK_THAT(screen.answer[0], Catch::Contains("latency (fastest .. slowest)"));
  CHECK_THAT(screen.answer[1], Catch::StartsWith("cross-node (15 curves)  2.15 us (2.01 .. 2.29)"));
  CHECK_THAT(screen.answer[2], Catch::StartsWith("l3 (15 curves)          1.16 us (1.02 .. 1.30)"));
  CHECK_THAT(screen.verdict, Catch::StartsWith("cross-node (15 curves) 2.15 us"));
}

TEST_CASE("blocks show how the time grows, where they may be drawn and have room") {
  const auto answer = [](bool blocks, std::size_t columns) {
    return screen_of(line_of(1), {.blocks = blocks, .columns = columns}).answer;
  };
  const Lines plain = answer(false, 200);
  const Lines drawn = answer(true, 200);
  REQUIRE(drawn.size() == plain.size());
  CHECK(drawn.at(0) ==
        plain.at(0) + std::string(widest(plain, 2) - plain.at(0).size(), ' ') + "  time by size");
  // 1 us + n ns at 1, 4, ... 64K: flat, then four times as much at each size.
  CHECK(drawn.at(1) == plain.at(1) + "  ▁▁▁▁▁▂▄▆█");
  CHECK(answer(true, widest(plain, 2) + 13) == plain);
  CHECK(answer(true, widest(plain, 2) + 14) == drawn);
}

}  // namespace hockney::report
