// Launches whose truth is planted: what they say of an advice.

#include "application/advice/verification.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <random>

#include "application/advice/placing.hpp"
#include "application/screens/advice/advice_screen.hpp"
#include "core/error.hpp"
#include "tests/support/synthetic_program.hpp"

namespace hockney::advice {
namespace {

constexpr double usual_seconds = 10;

/// An advice that is predicted to take so much of the time.
Advice predicted(double low, double high) {
  Advice advice;
  advice.change.words = "another setting";
  advice.projection.seconds = usual_seconds * (low + high) / 2;
  advice.projection.range = {usual_seconds * low, usual_seconds * high};
  advice.projection.effect = projection::Effect::faster;
  return advice;
}

/// Blocks of launches with noise of 1 %, which an advice multiplies by its ratio.
std::vector<TrialLaunch> launches_with(const std::vector<double>& ratios, int blocks = 8) {
  std::mt19937 random(5);
  std::normal_distribution<double> noise(1, 0.01);
  std::vector<TrialLaunch> launches;
  for (int block = 1; block <= blocks; ++block) {
    launches.push_back({block, std::nullopt, usual_seconds * noise(random)});
    for (std::size_t i = 0; i < ratios.size(); ++i) {
      launches.push_back({block, i, usual_seconds * ratios[i] * noise(random)});
    }
  }
  return launches;
}

AdviceView view_of(const std::vector<Advice>& advice, const std::vector<TrialLaunch>& launches) {
  AdviceView view;
  view.profile = SyntheticProgram(2).profile();
  view.findings.seconds = view.model_seconds = usual_seconds;
  view.findings.worth = advice;
  if (launches.empty()) return view;
  view.verified = verify(advice, usual_seconds, launches);
  view.in_force.assign(advice.size(), {Proof::proven, "seen"});
  return view;
}

std::string text_of(const AdviceView& view) {
  std::ostringstream out;
  report::print_screen(out, screen_of(view));
  return out.str();
}

}  // namespace

TEST_CASE("launches tell an advice that gains from one that does nothing and one that harms") {
  const std::vector<Advice> advice{predicted(0.4, 0.6), predicted(0.6, 0.8), predicted(0.8, 0.9),
                                   predicted(0.8, 0.9)};
  const auto verified = verify(advice, usual_seconds, launches_with({0.5, 1.0, 1.2, 0.5}));
  REQUIRE(verified.size() == 4);
  using verdicts::Verdict;
  CHECK(verified[0]->comparison.verdict == Verdict::faster);
  CHECK(verified[0]->comparison.ratio == Approx(0.5).epsilon(0.02));
  CHECK(verified[0]->agreement == Agreement::as_predicted);
  CHECK(verified[1]->comparison.verdict == Verdict::no_evidence);
  CHECK(verified[1]->agreement == Agreement::gains_less);
  CHECK(verified[2]->comparison.verdict == Verdict::slower);
  CHECK(verified[2]->agreement == Agreement::gains_less);
  CHECK(verified[3]->agreement == Agreement::gains_more);
}

TEST_CASE("two blocks show nothing, and what was not launched has no verdict") {
  const std::vector<Advice> advice{predicted(0.4, 0.6), predicted(0.4, 0.6)};
  const auto verified = verify(advice, usual_seconds, launches_with({0.5}, 2));
  REQUIRE(verified[0]);
  CHECK(verified[0]->comparison.verdict == verdicts::Verdict::no_evidence);
  CHECK(verified[0]->agreement == Agreement::cannot_tell);
  CHECK_FALSE(verified[1]);
}

TEST_CASE("the exit code and the screen say what launches found, wrong advice as such") {
  const std::vector<Advice> advice{predicted(0.4, 0.6)};
  AdviceView gains = view_of(advice, launches_with({0.5}));
  CHECK(verdict_of(gains) == ExitCode::good);
  CHECK_THAT(text_of(gains), Catch::Contains("faster") && Catch::Contains("as predicted"));
  gains.in_force.front().proof = Proof::ignored;
  CHECK(verdict_of(gains) == ExitCode::verdict_failed);
  CHECK_THAT(text_of(gains), Catch::Contains("not in force"));
  CHECK(verdict_of(view_of(advice, launches_with({1.0}))) == ExitCode::no_verdict);
  const AdviceView harms = view_of(advice, launches_with({1.2}));
  CHECK(verdict_of(harms) == ExitCode::verdict_failed);
  CHECK_THAT(text_of(harms), Catch::Contains("slower: wrong advice"));
  const nlohmann::json document = to_json(harms);
  CHECK(document.at("schema") == "hockney.advice/1");
  const nlohmann::json& verified = document.at("advice").at(0).at("verified");
  CHECK(verified.at("verdict") == "slower");
  CHECK(verified.at("ratio_interval").at("low") > 1);
  CHECK(verified.at("agreement") == "less than predicted");

  const AdviceView only_told = view_of(advice, {});
  CHECK(verdict_of(only_told) == ExitCode::good);
  CHECK_THAT(text_of(only_told), Catch::Contains("-50 %") && Catch::Contains("--verify"));
  CHECK(to_json(only_told).at("advice").at(0).at("verified").is_null());
  CHECK_THAT(text_of(view_of({}, {})), Catch::Contains("nothing to change"));
}

TEST_CASE("ranks that are moved have the processors of those that were there") {
  const auto run = SyntheticProgram(4, 2)
                       .with([](profile::Profile& all) {
                         all.ranks[2].cpus = {0, 1};
                         all.ranks[3].cpus = {4, 5};
                       })
                       .profile();
  const std::vector<std::string> hosts{"node1", "node0", "node1", "node0"};
  CHECK(rank_file(hosts, run) ==
        "rank 0=node1 slot=0,1\nrank 1=node0 slot=0\nrank 2=node1 slot=4,5\nrank 3=node0 slot=1\n");
  CHECK(host_list(hosts) == "node1\nnode0\nnode1\nnode0\n");
  CHECK_THROWS_AS(rank_file({"node0", "node0", "node0"}, run), InputError);
  CHECK(placed_as_asked({"node0", "node0", "node1", "node1"}, std::vector{run, run}).proof ==
        Proof::proven);
  CHECK(placed_as_asked(hosts, std::vector{run}).proof == Proof::ignored);
}

TEST_CASE("a variable that is not in force says so") {
  const RequestedSetting good{"OMPI_MCA_x", "8", "8", Proof::proven, ""};
  const RequestedSetting other{"OMPI_MCA_y", "8", "4", Proof::ignored, ""};
  CHECK(set_as_asked(std::vector{good}).proof == Proof::proven);
  const InForce found = set_as_asked(std::vector{good, other});
  CHECK(found.proof == Proof::ignored);
  CHECK_THAT(found.evidence, Catch::Contains("OMPI_MCA_y=8"));
}

}  // namespace hockney::advice
