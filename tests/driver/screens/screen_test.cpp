#include <algorithm>
#include <catch2/catch.hpp>
#include <iterator>
#include <span>
#include <sstream>

#include "core/record.hpp"
#include "driver/screens/answers.hpp"
#include "driver/screens/reliability.hpp"
#include "report/screen.hpp"
#include "tests/support/launches.hpp"
#include "tests/support/machine_campaign.hpp"

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
  Results results(std::vector<Record>(records.begin(), records.end()));
  return screen_of(results, style);
}

/// Beside the figures of these records.
Screen doubts_of(std::span<const Record> records) {
  Screen screen;
  add_reliability(screen, records, campaign_rows(records));
  return screen;
}

/// Warnings and reliability.
Lines reliability_of(std::span<const Record> records) {
  Screen screen = doubts_of(records);
  std::ranges::move(screen.reliability, std::back_inserter(screen.warnings));
  return screen.warnings;
}

/// One launch of each setting of a variable.
std::vector<Record> varied(Proof proof) {
  std::vector<Record> records = line_of(2);
  records[0].provenance.mpi.requested = {requested("1", proof)};
  records[1].provenance.mpi.requested = {requested("2", proof)};
  return records;
}

}  // namespace

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

TEST_CASE("an answer that is too long is cut, and says by how much") {
  const Screen screen{.header = {"h"},
                      .answer = Lines(40, "a"),
                      .verdict = {},
                      .reliability = {"t"},
                      .next = {{"do", "it"}}};
  const std::string text = printed(screen);
  CHECK_THAT(text,
             Catch::Contains("... 15 more lines: --all\n\nreliability  t\nnext         do  it\n"));
  CHECK(std::ranges::count(printed(screen, ScreenSize::whole), '\n') == 45);
}

TEST_CASE("remarks give way to results, and each kind keeps its first") {
  Screen screen{.header = {"h"}, .answer = Lines(14, "a")};
  for (const char* const what : {"f1", "f2", "f3"}) {
    screen.findings.push_back({.what = what, .where = "there", .advice = "do this"});
  }
  screen.reliability = {"r1", "r2", "r3", "r4"};
  screen.next = {{"n1", ""}, {"n2", ""}, {"n3", ""}};
  const std::string text = printed(screen);
  CHECK(std::ranges::count(text, '\n') == screen_lines);
  CHECK_THAT(text,
             Catch::EndsWith("findings     f1, there: do this\n             f2, there: do this\n"
                             "reliability  r1\n             r2\n             r3\n"
                             "next         n1\n             n2\n"));
  screen.answer = Lines(24, "a");
  CHECK_THAT(printed(screen), !Catch::Contains("more line") && !Catch::Contains("f2") &&
                                  !Catch::Contains("r2") && Catch::Contains("n2"));
  CHECK_THAT(printed(screen, ScreenSize::whole),
             Catch::Contains("f3") && Catch::Contains("r4") && Catch::Contains("n3"));
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
        "pingpong l3 1.00 us (1.00 .. 1.00) at 1, 984 MB/s at 64K; ranges of 2 launches: 6 give "
        "intervals");
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

namespace {

std::vector<std::string> findings_in(const std::vector<Record>& records) {
  std::vector<std::string> found;
  for (const Finding& one : doubts_of(records).findings) found.push_back(one.what);
  return found;
}

}  // namespace

TEST_CASE("trust: disturbed blocks and points that were not measured") {
  std::vector<Record> records = line_of(1);
  records[0].series[0].blocks = {1, 1, 1};
  records[0].series[0].noise_probes_seconds = {1, 1, 2};
  add_skipped(records[0], simple_point("pingpong", 1 << 20), "no memory");
  CHECK(reliability_of(records) ==
        Lines{"disturbed: 9.1 % of the blocks left out; repeat when quiet",
              "one launch, so nothing shows how figures vary: 6 give intervals"});
  CHECK(findings_in(records) == Lines{"1 point not measured: no memory"});
}

TEST_CASE("trust: others on the CPUs are named, and come first if they change the answer") {
  std::vector<Record> records = line_of(6);
  for (Record& record : records) {
    record.ranks = {{0, "a", {}, {0}}, {1, "a", {}, {1}}};
    record.provenance.hosts = {{.name = "a", .cpus = 2, .load_average = 7.5}};
    record.provenance.hosts[0].others =
        OtherUse{.cpus = 1.6, .steal_cpus = 0.3, .command = "cc1plus", .command_cpus = 1.4};
  }
  const std::string words =
      "disturbed: others used 1.6 of 2 CPUs (cc1plus 1.4), the hypervisor took 0.30 of 2 CPUs; "
      "repeat when quiet";
  CHECK(reliability_of(records).front() == words);
  CHECK(screen_of(records).warnings == Lines{words});
  for (Record& record : records) {  // unbound, with CPUs free for all
    record.ranks = {{0, "a", {}, {0, 1, 2, 3}}, {1, "a", {}, {0, 1, 2, 3}}};
  }
  CHECK_THAT(disturbed_words(records, {}).text, !Catch::Contains("others used"));
  for (Record& record : records) {
    record.ranks = {{0, "a", {}, {0}}, {1, "a", {}, {1}}};
    record.provenance.hosts[0].others = OtherUse{.cpus = 0.1};
  }
  CHECK(reliability_of(records) == Lines{"good: intervals within 5 % at 9 of 9 points"});
  for (Record& record : records) record.provenance.hosts[0].others.reset();
  CHECK(screen_of(records).warnings ==
        Lines{"disturbed: load 7.5 on 2 CPUs with 2 ranks; repeat when quiet"});
  for (Record& record : records) record.provenance.hosts[0].load_average = 2;  // of the ranks
  CHECK(screen_of(records).warnings.empty());
}

TEST_CASE("means are compared with a warning, and judge nothing beside disturbed records") {
  std::vector<Record> records = line_of(6);
  const auto shown = [&](const verdicts::CompareSet& set) {
    Screen screen{.answer = {"slower", "table"}};
    add_means(screen, set, disturbed_words(records, campaign_rows(records)));
    return screen;
  };
  CHECK(shown({}).warnings.empty());
  verdicts::CompareSet set{.of_means = true};
  set.a.is_imported = true;
  CHECK(shown(set).warnings ==
        Lines{"means of all samples are compared, disturbed ones too, as A has nothing but means"});
  CHECK(shown(set).verdict.empty());
  for (Record& record : records) {
    record.series[0].blocks = {1, 1, 1};
    record.series[0].noise_probes_seconds = {1, 1, 2};
  }
  CHECK(shown(set).verdict == "disturbed, so means cannot judge: slower");
}

TEST_CASE("points that a budget did not reach are counted beside those that it did") {
  std::vector<Record> records = line_of(2);
  add_skipped(records[0], simple_point("pingpong", 1 << 20),
              "it was not reached before budget spent");
  CHECK(findings_in(records) == Lines{"9 of 10 points measured: budget spent"});
}

TEST_CASE("trust: launches on near and far cores are not repeatable, in words") {
  std::vector<Record> records = machine_campaign(14, 1, [](std::size_t launch, std::size_t) {
    return PlantedMachine{.line = launch < 6 ? 1 : 4.5};
  });
  const std::vector<Row> rows = campaign_rows(records);
  REQUIRE(rows.size() == 1);
  CHECK_THAT(reliability_of(records).front(),
             Catch::Matches("not repeatable: cores far apart \\(cache line [12][0-9]+ ns, 8 "
                            "launches\\) 0\\.[0-9]+ us, near \\(4[0-9.]+ ns, 6\\) 0\\.[0-9]+ us at "
                            "pingpong 8; bind the ranks"));
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
  CHECK(reliability_of(records) ==
        Lines{"4 ranks on 2 CPUs: times are those of ranks that share CPUs",
              "good: intervals within 5 % at 9 of 9 points"});
}

TEST_CASE("trust: two groups of launches are not repeatable, with the number in each") {
  std::vector<Record> records = line_of(10);
  for (std::size_t launch = 0; launch < records.size(); ++launch) {
    for (Series& series : records[launch].series) {
      const double level = series.point.bytes.value > 64 ? 1.0 : launch % 3 == 1 ? 0.1 : 0.35;
      for (double& seconds : series.samples_seconds) {
        seconds = level * 1e-6 * (1 + 0.002 * static_cast<double>((7 * launch) % 10));
      }
    }
  }
  const Lines lines = reliability_of(records);
  REQUIRE(lines.size() == 2);
  CHECK_THAT(lines[0], Catch::StartsWith("not repeatable: 0.102 us in 3 launches, 0.352") &&
                           Catch::Contains(" us in 7 at pingpong ") &&
                           Catch::EndsWith(" (4 of 9 points)"));
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
  CHECK(findings_in(records) ==
        Lines{"some ranks may use 1 CPU, others 2, which alone makes pairs differ"});
  records[1].ranks[1].actual_cpus = {};  // of a simulated rank
  CHECK(findings_in(records).empty());
  records[1].ranks[1].actual_cpus = {2, 3};
  CHECK(findings_in(records).empty());
}

TEST_CASE("trust: a campaign in which no setting could be proven says so") {
  const auto said = [](Proof proof) { return findings_in(varied(proof)).back(); };
  CHECK(said(Proof::unproven) ==
        "no setting could be proven to be effective: OMPI_MCA_x=1, OMPI_MCA_x=2 (no MPI_T)");
  CHECK(said(Proof::ignored) == "the MPI library ignored OMPI_MCA_x=1, OMPI_MCA_x=2");
  CHECK(said(Proof::proven) == "every setting is proven to be effective");
}

TEST_CASE("trust: what all launches have in their environment is no setting of the campaign") {
  std::vector<Record> records = varied(Proof::unproven);
  records[1].provenance.mpi.requested = {requested("1", Proof::unproven)};
  CHECK(findings_in(records).empty());
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
  CHECK_THAT(screen.answer[0], Catch::Contains("latency (range)"));
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
  CHECK(drawn.at(1) ==
        plain.at(1) + std::string(widest(plain, 2) - plain.at(1).size(), ' ') + "  ▁▁▁▁▁▂▄▆█");
  CHECK(answer(true, widest(plain, 2) + 13) == plain);
  CHECK(answer(true, widest(plain, 2) + 14) == drawn);
}

}  // namespace hockney::report
