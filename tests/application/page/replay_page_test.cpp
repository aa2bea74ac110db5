#include <algorithm>
#include <sstream>

#include "application/page/profile_page.hpp"
#include "application/screens/comparison_report.hpp"
#include "application/screens/profile_report.hpp"
#include "report/page/plot.hpp"
#include "tests/report/page/picture_of.hpp"
#include "tests/support/synthetic_program.hpp"

// Pages of what a log, several runs, models and mappings tell of a program.
namespace hockney::report {
namespace {

using Json = nlohmann::json;
using projection::Effect;

/// The split of two ranks, as a replay would have it.
ProfileView view_with_replay(bool has_protocol) {
  ProfileView view =
      view_of(SyntheticProgram(2, 1).time(0, 3, 2).time(1, 4, 1).profile(), "p.json");
  const auto protocol = [&](double seconds) {
    return has_protocol ? std::optional(seconds) : std::nullopt;
  };
  applications::ReplaySplit split;
  split.seconds = 5;
  split.times = {.computing = 3.5, .dependency = 0.25, .protocol = protocol(0.25), .transfer = 0.5};
  split.load = 0.5;
  split.ranks = {{.computing = 3, .dependency = 1.5, .protocol = protocol(0), .transfer = 0.5},
                 {.computing = 4, .dependency = 0.25, .protocol = protocol(0.5), .transfer = 0.25}};
  split.sites = {{.call = "MPI_Recv",
                  .site = 0,
                  .mpi_seconds = 2,
                  .times = {.dependency = 1.75, .protocol = protocol(0), .transfer = 0.25}}};
  view.replay = split;
  return view;
}

SyntheticProgram run_of(int ranks, double computing, double mpi) {
  SyntheticProgram program(ranks, 4);
  program.every_time(computing, mpi);
  return program.calls("MPI_Allreduce", 10, 8, ranks * mpi);
}

Page page_of_runs() {
  return page_of(compare({run_of(2, 8, 2).profile(), run_of(8, 1.25, 1.25).profile()},
                         applications::Scaling::strong),
                 "hockney profile compare a b");
}

/// T(p) = 1 + 8/p s, measured at 1, 2 and 4 ranks.
ScalingView study_of_law(int blocks = 1, projection::Problem problem = projection::Problem::same) {
  std::vector<projection::ScalingTime> times;
  std::vector<profile::Profile> profiles;
  for (const int ranks : {1, 2, 4}) {
    for (int block = 1; block <= blocks; ++block) {
      times.push_back({.block = block, .ranks = ranks, .seconds = 1 + 8.0 / ranks});
    }
    profiles.push_back(run_of(ranks, 8.0 / ranks, 1).profile());
  }
  const applications::Comparison comparison = compare(profiles, applications::Scaling::strong);
  return {.words = {"mpirun", "-n", "{}", "./app"},
          .folder = "scaling",
          .efficiency = 0.7,
          .problem = problem,
          .shares = scaling_shares(comparison),
          .comparison = comparison,
          .study = projection::study_scaling(times, 0.7, 1, problem),
          .doubts = {}};
}

std::string csv_text(const View& view) {
  std::ostringstream out;
  write_csv(out, view);
  return out.str();
}

/// The encoding of a layer.
const Json& encoding_of(const Picture& picture, std::size_t layer) {
  return picture.plot.at("layer").at(layer).at("encoding");
}

}  // namespace

TEST_CASE("with a log bars say why ranks are in MPI") {
  const Page page = page_of(view_with_replay(true), "hockney profile show p.json");
  const Picture& time = picture(page, "time-by-rank");
  CHECK(time.title ==
        "Of 5.00 s: 70 % computing, 10 % load imbalance, 5 % waiting for others, 5 % for late "
        "receives, 10 % transfer");
  const Json rows = rows_of(time);
  CHECK(texts_in(rows, "part") ==
        std::vector<std::string>{"computing", "waiting for others", "late receives", "transfer",
                                 "computing", "waiting for others", "late receives", "transfer"});
  CHECK(rows[1].at("seconds") == 1.5);
  CHECK(rows[6].at("seconds") == 0.5);
  const Json places = rows_of(picture(page, "places"));
  REQUIRE(places.size() == 3);
  CHECK(places[0].at("part") == "waiting for others");
  CHECK(places[0].at("run_fraction") == 0.175);  // 1.75 of 10 s of two ranks
}

TEST_CASE("without limits late receives are part of transfer") {
  const Page page = page_of(view_with_replay(false), "hockney profile show p.json");
  const std::vector<std::string> parts = texts_in(rows_of(picture(page, "time-by-rank")), "part");
  CHECK(parts.size() == 6);
  CHECK(std::ranges::count(parts, "transfer and protocol") == 2);
}

TEST_CASE("a study in which ranks share CPUs says so first") {
  ScalingView view = study_of_law();
  CHECK(view.oversubscribed.empty());
  view.oversubscribed =
      oversubscription_text(std::vector{run_of(2, 8, 1)
                                            .with([](profile::Profile& all) {
                                              for (profile::Rank& rank : all.ranks) rank.cpus = {0};
                                            })
                                            .profile(),
                                        run_of(2, 8, 1).profile()});
  CHECK(screen_of(view).reliability.front() ==
        "2 ranks on 1 CPU: times are those of ranks that share CPUs (1 of 2 launches)");
  CHECK(to_json(view).at("oversubscribed") == view.oversubscribed);
}

TEST_CASE("the law's line has the efficiency of its points, also where the problem grows") {
  for (const auto problem : {projection::Problem::same, projection::Problem::grows}) {
    const Page page = page_of(study_of_law(1, problem), "hockney scale");
    const Picture& efficiency = picture(page, "efficiency-against-ranks");
    const Json law = efficiency.plot.at("layer")[0].at("data").at("values");
    const Json rows = rows_of(efficiency);
    const double at_most_ranks = law.back().at("efficiency");
    CHECK(law.back().at("ranks") == rows.back().at("ranks"));
    CHECK(at_most_ranks == Approx(rows.back().at("efficiency").get<double>()));
  }
}

TEST_CASE("runs compared: speed-up against ranks, efficiencies, parts and calls") {
  const Page page = page_of_runs();
  CHECK(strings_of(page.pictures, &Picture::id) ==
        std::vector<std::string>{"speed-up", "efficiencies", "parts-by-run", "calls-by-run"});
  const Picture& speed_up = picture(page, "speed-up");
  CHECK(speed_up.title == "8 ranks: 4.00 times as fast as 2 ranks");
  CHECK_THAT(speed_up.caption, Catch::Contains("No intervals"));
  const Json ideal = speed_up.plot.at("layer")[0].at("data").at("values");
  CHECK(ideal[1].at("value") == 4);
  const Json efficiencies = rows_of(picture(page, "efficiencies"));
  REQUIRE(efficiencies.size() == 10);
  CHECK(efficiencies[5].at("figure") == "global");
  CHECK(efficiencies[5].at("value").get<double>() == Approx(0.8));
  CHECK(efficiencies[5].at("range") == "70 .. 85 %");
  CHECK(efficiencies[6].at("range") == "50 .. 70 %");  // parallel: 1.25 of 2.5
  CHECK(picture(page, "parts-by-run").title ==
        "The part for communication grew the most, from 20 % to 50 % of the time of 8 ranks");
  CHECK(rows_of(picture(page, "calls-by-run"))[1].at("share_fraction") == 0.5);
}

TEST_CASE("figures of several launches have an interval: a bar, and one cell of the table") {
  std::vector<profile::Profile> profiles;
  for (std::size_t i = 0; i < applications::launches_for_ratios(); ++i) {
    const double longer = 0.01 * static_cast<double>(i);
    profiles.push_back(run_of(2, 8 + longer, 2).profile());
    profiles.push_back(run_of(8, 1.25 + longer, 1.25).profile());
  }
  const Page page =
      page_of(compare(profiles, applications::Scaling::strong), "hockney profile compare a b");
  const Picture& speed_up = picture(page, "speed-up");
  CHECK_THAT(speed_up.caption, Catch::Contains("Bars: 95 % intervals over launches."));
  CHECK(speed_up.table.headings.back().title == "interval");
  CHECK(csv_of(speed_up.table).starts_with("run,ranks,seconds,value,value_ci_low,value_ci_high\n"));
  const Json last = rows_of(speed_up).back();
  CHECK(last.at("value_ci_low") < last.at("value"));
  CHECK(last.at("value_ci_high") > last.at("value"));
  CHECK(encoding_of(speed_up, 1).at("y").at("field") == "value_ci_low");
  CHECK(encoding_of(speed_up, 1).at("y2").at("field") == "value_ci_high");
  const Picture& efficiencies = picture(page, "efficiencies");
  CHECK_THAT(efficiencies.caption, Catch::Contains("In the table: 95 % intervals"));
  CHECK(csv_of(efficiencies.table)
            .starts_with("run,ranks,figure,value,value_ci_low,value_ci_high\n"));
}

TEST_CASE("runs with other settings stand below each other") {
  const auto with = [](const std::string& value, double computing) {
    return run_of(4, computing, 1)
        .with([&](profile::Profile& all) { all.provenance.environment["OMPI_MCA_btl"] = value; })
        .profile();
  };
  const Page page =
      page_of(compare({with("tcp,self", 9), with("vader,self", 4)}, applications::Scaling::strong),
              "hockney profile compare a b");
  const Json& layers = picture(page, "speed-up").plot.at("layer");
  CHECK(layers.size() == 1);  // no ideal, no intervals
  CHECK(layers[0].at("encoding").at("y").at("field") == "run");
}

TEST_CASE("the page of a study of ranks has the law, and what it says beyond") {
  const Page page = page_of(study_of_law(), "hockney scale -- mpirun -n {} ./app");
  CHECK(page.made_by == "hockney scale -- mpirun -n {} ./app");
  const Picture& time = picture(page, "time-against-ranks");
  CHECK(time.title == "From 1 rank to 4: 9.00 s to 3.00 s");
  const Json rows = rows_of(time);
  CHECK(texts_in(rows, "kind") ==
        std::vector<std::string>{"measured", "measured", "measured", "by the law"});
  CHECK(rows[3].at("ranks") == 8);
  CHECK(rows[3].at("seconds").get<double>() == Approx(2));
  const Json law = time.plot.at("layer")[0].at("data").at("values");
  CHECK(law.front().at("ranks") == 1);
  CHECK(law.back().at("ranks") == 8);
  CHECK(law.back().at("seconds").get<double>() == Approx(2));
  // T(1)/(2 T(2)) = 9/10, 9/12 with 4.
  CHECK(picture(page, "efficiency-against-ranks").title ==
        "The most ranks with 70 % efficiency: 4");
}

TEST_CASE("pictures of a study's launches name the command that compares them as the study did") {
  const auto command = [](projection::Problem problem) {
    const ScalingView view = study_of_law(1, problem);
    const Page page = page_of(view, "hockney scale");
    CHECK(page.screen.next.front().command == compare_command(view));
    return picture(page, "parts-by-run").command;
  };
  CHECK(command(projection::Problem::same) == "hockney profile compare scaling/round-*.json --all");
  CHECK(command(projection::Problem::grows) ==
        "hockney profile compare scaling/round-*.json --weak --all");
}

TEST_CASE("every layer of a study's pictures is one, with intervals too") {
  const Page page = page_of(study_of_law(8), "hockney scale -- mpirun -n {} ./app");
  const Picture& time = picture(page, "time-against-ranks");
  CHECK(time.caption.find("95 % intervals") != std::string::npos);
  CHECK(encoding_of(time, 0).at("y").at("field") == "ci_low_seconds");
  CHECK(encoding_of(time, 0).at("y2").at("field") == "ci_high_seconds");
  CHECK(rows_of(time)[0].at("ci_low_seconds") == 9);
  CHECK(rows_of(time)[0].at("ci_high_seconds") == 9);
  for (const char* name : {"time-against-ranks", "efficiency-against-ranks"}) {
    for (const Json& layer : picture(page, name).plot.at("layer")) CHECK(layer.is_object());
  }
}

TEST_CASE("a study's table has an interval in one cell for people and its ends in --csv") {
  const View table = view_of(study_of_law(8));
  CHECK(
      csv_text(table).starts_with("ranks,seconds,low,high,efficiency,kind\n1,9,9,9,1,measured\n"));
  CHECK_THAT(lines_of(table).front(), Catch::Contains("interval[s]"));
}

TEST_CASE("answers to what-if questions have their ranges, and those without a time say why") {
  ProjectionView view{.profile = SyntheticProgram(2).every_time(8, 2).profile(), .file = "p.json"};
  view.validation = {
      .measured_seconds = 10, .model_seconds = 9.5, .ideal_seconds = 8, .stretch = 1.3};
  view.answers = {{.question = "half the latency",
                   .seconds = 9,
                   .range = {8.5, 9.5},
                   .effect = Effect::faster,
                   .why_not = ""},
                  {.question = "ranks elsewhere", .why_not = "no network was measured"}};
  const Page page = page_of(view, "hockney predict r --profile p.json");
  const Picture& answers = picture(page, "what-if");
  CHECK(answers.title ==
        "Of 10.0 s most is saved by: half the latency, 9.00 s (8.50 .. 9.50), faster");
  const std::string rows =
      "half the latency,9,8.5,9.5,0.9,faster,\n"
      "ranks elsewhere,,,,,cannot tell,no network was measured\n";
  CHECK(csv_of(answers.table) ==
        "question,seconds,range_seconds_low,range_seconds_high,ratio,effect,cannot_tell_because\n" +
            rows);
  CHECK(csv_text(view_of(view)) ==
        "question,seconds,low_seconds,high_seconds,ratio,effect,cannot_tell_because\n" + rows);
  CHECK(page_text_at(answers.table, 0, "range_seconds") == "8.500 s .. 9.500 s");
  CHECK(encoding_of(answers, 1).at("x").at("field") == "range_seconds_low");
  CHECK(encoding_of(answers, 1).at("x2").at("field") == "range_seconds_high");
  CHECK(texts_in(rows_of(answers), "words") ==
        std::vector<std::string>{"9.00 s (8.50 .. 9.50), faster",
                                 "cannot tell: no network was measured"});
  CHECK(page.documents.front().document == to_json(view));
}

TEST_CASE("CSV of a kernel has both ends of a range, and the reason where there is no time") {
  KernelPredictionView view{.problem = "256x256", .ranks = {4, 9}, .why_not = {"", "no grid"}};
  view.answers = {{.grid = {2, 2}, .seconds = 2, .range = {1.5, 2.5}, .computing_seconds = 1}, {}};
  CHECK(csv_text(view_of(view)) ==
        "kernel,problem,ranks,seconds,low_seconds,high_seconds,computing_seconds,"
        "cannot_tell_because\n"
        "halo,256x256,4,2,1.5,2.5,1,\n"
        "halo,256x256,9,,,,,no grid\n");
}

TEST_CASE("a mapping is drawn before and after, in the same colours") {
  SyntheticProgram program(4, 2);
  program.send(0, 2, 4096, 10).send(2, 0, 4096, 10).send(1, 3, 4096, 5).send(0, 1, 8);
  const MappingView view = mapping_view_of(program.profile(), "p.json");
  const Page page = page_of(view);
  const Json bars = rows_of(picture(page, "mappings"));
  CHECK(bars[0].at("mapping") == "as it was");
  CHECK(bars[0].at("cut_bytes") == 61440);  // 40 960 of ranks 0 and 2, 20 480 of 1 and 3
  CHECK(bars[1].at("cut_bytes") == 8);
  CHECK_THAT(picture(page, "nodes-before").title, Catch::Contains("Before: 100 % of the bytes"));
  CHECK_THAT(picture(page, "nodes-after").title, Catch::EndsWith("of the bytes leave their node"));
  const auto domain = [&](const char* id) {
    const Json& layers = picture(page, id).plot.at("layer");
    return layers[0].at("encoding").at("color").at("scale").at("domain");
  };
  CHECK(domain("nodes-before") == domain("nodes-after"));
}

TEST_CASE("on one node nothing is to be mapped") {
  SyntheticProgram program(2);
  program.send(0, 1, 8);
  const MappingView view = mapping_view_of(program.profile(), "p.json");
  CHECK(page_of(view).pictures.empty());
}

}  // namespace hockney::report
