#include <catch2/catch.hpp>

#include "components/tune/evidence.hpp"
#include "components/tune/formats.hpp"
#include "components/tune/open_mpi_algorithms.hpp"
#include "core/error.hpp"
#include "tests/support/tuned_campaign.hpp"

namespace hockney::tune {
namespace {

const Candidate& candidate_of(const Evidence& evidence, std::size_t point,
                              const std::string& algorithm) {
  for (const Candidate& candidate : evidence.points.at(point).candidates) {
    if (candidate.choice.algorithm == algorithm) return candidate;
  }
  FAIL("no candidate " << algorithm);
  return evidence.points.front().candidates.front();
}

}  // namespace

TEST_CASE("a candidate is shown to be faster by the launches of the whole family") {
  TunedCampaign campaign(10);
  campaign.add("default", 0, {{8, 10}, {64, 20}})
      .add("chain", 2, {{8, 8}, {64, 30}})
      .add("binomial", 6, {{8, 9.9}, {64, 20}});
  const Evidence evidence = gather_evidence(campaign.records(), {});
  CHECK(evidence.base == "algorithm=default");
  CHECK(evidence.library == "Open MPI v4.1.4, package: test");
  CHECK(evidence.family == 4);
  CHECK_FALSE(evidence.launches_needed);
  REQUIRE(evidence.points.size() == 2);
  CHECK(evidence.points[0].base.is_default());
  const Candidate& chain = candidate_of(evidence, 0, "chain");
  CHECK(chain.choice ==
        Choice{.algorithm = "chain", .number = 2, .segment = 0, .fanout = 4, .variables = {}});
  CHECK(chain.ratio == Approx(0.8));
  CHECK(chain.launches == 10);
  CHECK(chain.p == Approx(2.0 / 1024));
  CHECK(chain.p_adjusted == Approx(2.0 / 1024));
  CHECK(chain.shown);
  CHECK_FALSE(candidate_of(evidence, 1, "chain").shown);
  // One per cent is certain, and not worth a rule.
  CHECK(candidate_of(evidence, 0, "binomial").p_adjusted < 0.05);
  CHECK_FALSE(candidate_of(evidence, 0, "binomial").shown);
}

TEST_CASE("too few launches show nothing, and say how many it takes") {
  TunedCampaign campaign(7);
  const EvidenceOptions by_holm{.correction = verdicts::Correction::holm};
  campaign.add("default", 0, {{8, 10}, {64, 20}}).add("chain", 2, {{8, 5}, {64, 10}});
  const Evidence seven = gather_evidence(campaign.records(), by_holm);
  CHECK(candidate_of(seven, 0, "chain").shown);
  campaign.add("binomial", 6, {{8, 5}, {64, 10}});
  CHECK(candidate_of(gather_evidence(campaign.records(), {}), 0, "chain").shown);
  const Evidence more = gather_evidence(campaign.records(), by_holm);
  CHECK_FALSE(candidate_of(more, 0, "chain").shown);
  CHECK(more.launches_needed == 8);  // 4 tests of 2/2^n <= 0.05
  CHECK(
      candidate_of(gather_evidence(campaign.records(), {.correction = verdicts::Correction::none}),
                   0, "chain")
          .shown);
}

TEST_CASE("exact times need one launch, and no noise") {
  TunedCampaign campaign(1);
  campaign.add("default", 0, {{8, 10}}).add("chain", 2, {{8, 9.7}});
  CHECK_FALSE(candidate_of(gather_evidence(campaign.records(), {}), 0, "chain").shown);
  const EvidenceOptions exact{.replication = Replication::exact};
  CHECK(candidate_of(gather_evidence(campaign.records(), exact), 0, "chain").shown);
  TunedCampaign noisy(2);
  noisy.add("default", 0, {{8, 10}}).add("chain", 2, {{8, 9}});
  CHECK_THROWS_WITH(gather_evidence(noisy.records(), exact), Catch::Contains("launches differ"));
}

TEST_CASE("a setting that ran another algorithm is no candidate there") {
  TunedCampaign campaign(6);
  campaign.add("default", 0, {{8, 10}, {64, 20}}).add("ring", 4, {{8, 5}, {64, 5}});
  campaign.records().back().series.front().flags = {"algorithm-substituted"};
  const Evidence evidence = gather_evidence(campaign.records(), {});
  CHECK(evidence.points[0].candidates.empty());
  CHECK(evidence.points[1].candidates.size() == 1);
  CHECK(evidence.left_out ==
        std::vector<LeftOut>{
            {"algorithm=ring", "bcast", "another algorithm ran than the requested one", 1}});
}

TEST_CASE("the algorithm that is proven does not keep settings apart") {
  TunedCampaign campaign(6);
  campaign.add("default", 0, {{8, 10}}).add("chain", 2, {{8, 5}});
  for (Record& record : campaign.records()) {
    const bool is_base = record.campaign->setting == "algorithm=default";
    for (Series& series : record.series) series.point.algorithm = is_base ? "binomial" : "chain";
    for (PlannedPoint& planned : record.points.own()) {
      planned.point.algorithm = is_base ? "binomial" : "chain";
    }
  }
  const Evidence evidence = gather_evidence(campaign.records(), {});
  REQUIRE(evidence.points.size() == 1);
  CHECK(evidence.points[0].candidates.size() == 1);
}

TEST_CASE("collectives of two ranks, which are a pair, are evidence; ping-pong of a pair is none") {
  TunedCampaign campaign(6);
  campaign.add("default", 0, {{8, 10}, {64, 20}}).add("chain", 2, {{8, 5}, {64, 10}});
  for (Record& record : campaign.records()) {
    for (Series& series : record.series) series.point.pair = {0, 1};
    for (PlannedPoint& planned : record.points.own()) planned.point.pair = {0, 1};
    record.series.back().point.operation = "pingpong";
    record.points.own().back().point.operation = "pingpong";
  }
  const Evidence evidence = gather_evidence(campaign.records(), {});
  REQUIRE(evidence.points.size() == 1);
  CHECK(evidence.points[0].operation == "bcast");
  CHECK(evidence.points[0].candidates.size() == 1);
}

TEST_CASE("a setting that differs in something else too is left out") {
  TunedCampaign campaign(6);
  campaign.add("default", 0, {{8, 10}}).add("chain", 2, {{8, 5}});
  for (Record& record : campaign.records()) {
    if (record.campaign->setting == "algorithm=default") continue;
    record.provenance.mpi.requested.push_back(
        {.variable = "OMPI_MCA_btl", .requested = "self,tcp"});
  }
  const Evidence evidence = gather_evidence(campaign.records(), {});
  CHECK(evidence.points[0].candidates.empty());
  REQUIRE(evidence.left_out.size() == 1);
  CHECK(evidence.left_out[0].why == "it differs from the default in OMPI_MCA_btl too");
}

TEST_CASE("an axis that no variable explains is a difference, too") {
  TunedCampaign campaign(1);
  campaign.add("default", 0, {{8, 10}}).add("chain", 2, {{8, 5}});
  Record other = campaign.records().back();
  other.campaign->axes["mapping"] = "node";
  Record base = campaign.records().front();
  base.campaign->axes["mapping"] = "core";
  CHECK(other_differences(other, base) == std::vector<std::string>{"algorithm", "mapping"});
  CHECK(other_differences(campaign.records().back(), campaign.records().front()).empty());
}

TEST_CASE("the default setting is named where none leaves its axes alone") {
  TunedCampaign campaign(6);
  campaign.add("linear", 1, {{8, 10}}).add("chain", 2, {{8, 5}});
  CHECK_THROWS_WITH(gather_evidence(campaign.records(), {}),
                    Catch::Contains("has no default setting"));
  CHECK_THROWS_WITH(gather_evidence(campaign.records(), {.base = "algorithm=lnear"}),
                    Catch::Contains("did you mean 'algorithm=linear'"));
  const Evidence evidence = gather_evidence(campaign.records(), {.base = "algorithm=linear"});
  CHECK(evidence.points[0].base.algorithm == "linear");
  CHECK(evidence.points[0].candidates.size() == 1);
}

TEST_CASE("launches of several libraries or kinds of points are refused") {
  TunedCampaign campaign(6);
  campaign.add("default", 0, {{8, 10}}).add("chain", 2, {{8, 5}});
  auto mixed = campaign.records();
  mixed.back().provenance.mpi.library = "MPICH";
  CHECK_THROWS_WITH(gather_evidence(mixed, {}), Catch::Contains("several MPI libraries"));
  auto kinds = campaign.records();
  for (Record& record : kinds) {
    Point cold = record.series.front().point;
    cold.parameters = {{"cache", "cold"}};
    add_measured(record, cold, 1e-6);
  }
  CHECK_THROWS_WITH(gather_evidence(kinds, {}), Catch::Contains("choose one with --parameters"));
  CHECK(gather_evidence(kinds, {.parameters = {{"cache", "cold"}}}).points.size() == 1);
}

TEST_CASE("what a target cannot say is left out with the reason") {
  CHECK(why_inexpressible(Target::openmpi, "alltoallw", {.algorithm = "x"}) ==
        "coll/tuned takes no rules for it");
  CHECK(why_inexpressible(Target::openmpi, "bcast", {.algorithm = "x"}) ==
        "its number is not known");
  CHECK(why_inexpressible(Target::openmpi, "bcast", {.algorithm = "knomial"}).empty());
  Choice radix{.algorithm = "knomial"};
  radix.variables["OMPI_MCA_coll_tuned_bcast_algorithm_knomial_radix"] = "8";
  CHECK_THAT(why_inexpressible(Target::openmpi, "bcast", radix), Catch::Contains("knomial_radix"));
  CHECK(why_inexpressible(Target::intel, "bcast", {.algorithm = "x"}) ==
        "it is no preset's number");
  CHECK(why_inexpressible(Target::mpich_json, "bcast", {.algorithm = "binomial"}).empty());
  CHECK_THAT(why_inexpressible(Target::mpich_json, "bcast", {.algorithm = "tree"}),
             Catch::Contains("parameters"));
}

namespace {

Record requesting(const std::map<std::string, std::string>& variables) {
  Record record;
  for (const auto& [variable, value] : variables) {
    record.provenance.mpi.requested.push_back({.variable = variable, .requested = value});
  }
  return record;
}

}  // namespace

TEST_CASE("Open MPI's numbers and names are one choice") {
  const std::string variable = "OMPI_MCA_coll_tuned_bcast_algorithm";
  const auto by_name = forced_choice(requesting({{variable, "binomial"}}), "bcast");
  const auto by_number = forced_choice(requesting({{variable, "6"}}), "bcast");
  REQUIRE(by_name);
  CHECK(by_name == by_number);
  CHECK(by_name->number == 6);
  CHECK_FALSE(forced_choice(requesting({{variable, "ignore"}}), "bcast"));
  CHECK_FALSE(forced_choice(requesting({{variable, "6"}}), "reduce"));
  CHECK_FALSE(forced_choice(requesting({{variable + "_segmentsize", "8K"}}), "bcast"));
  const auto cut = forced_choice(
      requesting({{variable, "pipeline"}, {variable + "_segmentsize", "8K"}}), "bcast");
  REQUIRE(cut);
  CHECK(cut->segment == 8192);
}

TEST_CASE("presets and control variables") {
  const auto preset = forced_choice(requesting({{"I_MPI_ADJUST_BCAST", "7"}}), "bcast");
  REQUIRE(preset);
  CHECK(preset->number == 7);
  const auto tree = forced_choice(
      requesting({{"MPIR_CVAR_BCAST_INTRA_ALGORITHM", "tree"}, {"MPIR_CVAR_BCAST_TREE_KVAL", "4"}}),
      "bcast");
  REQUIRE(tree);
  CHECK(tree->algorithm == "tree");
  CHECK(tree->variables.at("MPIR_CVAR_BCAST_TREE_KVAL") == "4");
}

}  // namespace hockney::tune
