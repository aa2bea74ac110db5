#include "tune/setting_choice.hpp"

#include <catch2/catch.hpp>

#include "tune/operation_names.hpp"

namespace hockney::tune {
namespace {

Record asking(const std::map<std::string, std::string>& variables) {
  Record record;
  for (const auto& [variable, value] : variables) {
    record.provenance.mpi.requested.push_back({.variable = variable, .requested = value});
  }
  return record;
}

}  // namespace

TEST_CASE("variables say which operation they are about") {
  const auto what = [](const std::string& variable) {
    const auto meaning = meaning_of(variable);
    return meaning ? meaning->operation + " " + meaning->what : std::string("nothing");
  };
  CHECK(what("OMPI_MCA_coll_tuned_reduce_scatter_block_algorithm") ==
        "reduce-scatter-block algorithm");
  CHECK(what("OMPI_MCA_coll_tuned_reduce_algorithm_segmentsize") == "reduce algorithm_segmentsize");
  CHECK(what("I_MPI_ADJUST_ALLGATHERV") == "allgatherv algorithm");
  CHECK(what("MPIR_CVAR_SCATTER_INTRA_ALGORITHM") == "scatter intra_algorithm");
  CHECK(what("MPIR_CVAR_DEVICE_COLLECTIVES") == "nothing");
  CHECK(what("OMPI_MCA_coll_tuned_use_dynamic_rules") == "nothing");
  CHECK(what("OMPI_MCA_coll_tuned_allreduce_algorithm") == "allreduce algorithm");
}

TEST_CASE("Open MPI's numbers and names are one choice") {
  const std::string variable = "OMPI_MCA_coll_tuned_bcast_algorithm";
  const auto by_name = forced_choice(asking({{variable, "binomial"}}), "bcast");
  const auto by_number = forced_choice(asking({{variable, "6"}}), "bcast");
  REQUIRE(by_name);
  CHECK(by_name == by_number);
  CHECK(by_name->number == 6);
  CHECK_FALSE(forced_choice(asking({{variable, "ignore"}}), "bcast"));
  CHECK_FALSE(forced_choice(asking({{variable, "6"}}), "reduce"));
  CHECK_FALSE(forced_choice(asking({{variable + "_segmentsize", "8K"}}), "bcast"));
  const auto cut =
      forced_choice(asking({{variable, "pipeline"}, {variable + "_segmentsize", "8K"}}), "bcast");
  REQUIRE(cut);
  CHECK(cut->segment == 8192);
}

TEST_CASE("presets and control variables") {
  const auto preset = forced_choice(asking({{"I_MPI_ADJUST_BCAST", "7"}}), "bcast");
  REQUIRE(preset);
  CHECK(preset->number == 7);
  const auto tree = forced_choice(
      asking({{"MPIR_CVAR_BCAST_INTRA_ALGORITHM", "tree"}, {"MPIR_CVAR_BCAST_TREE_KVAL", "4"}}),
      "bcast");
  REQUIRE(tree);
  CHECK(tree->algorithm == "tree");
  CHECK(tree->variables.at("MPIR_CVAR_BCAST_TREE_KVAL") == "4");
}

TEST_CASE("under SimGrid the axis names the algorithm") {
  Record record;
  record.provenance.mpi.library = "SMPI Version 3.32";
  record.campaign = CampaignPlace{.axes = {{"algorithm", "NTSL"}}};
  const auto choice = forced_choice(record, "bcast");
  REQUIRE(choice);
  CHECK(choice->algorithm == "NTSL");
  record.campaign->axes = {{"reduce", "binomial"}};
  CHECK_FALSE(forced_choice(record, "bcast"));
  CHECK(forced_choice(record, "reduce"));
}

}  // namespace hockney::tune
