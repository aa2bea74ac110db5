#include <catch2/catch.hpp>

#include "driver/campaign/fingerprints/verdict.hpp"

namespace hockney::campaign {

TEST_CASE("what is asked is named as the library names it") {
  const std::vector<AlgorithmRequest> requested{
      {"OMPI_MCA_coll_tuned_bcast_algorithm", "7", "knomial"},
      {"OMPI_MCA_coll_tuned_bcast_algorithm_segmentsize", "8K", std::nullopt},
      {"OMPI_MCA_coll_tuned_bcast_algorithm_knomial_radix", "3", std::nullopt},
      {"OMPI_MCA_coll_tuned_bcast_algorithm_chain_fanout", "2", std::nullopt},
      {"OMPI_MCA_coll_tuned_reduce_algorithm", "0", "ignore"}};
  const RequestedAlgorithm bcast = requested_algorithm("bcast", requested);
  CHECK(bcast.algorithm == "knomial");
  CHECK(bcast.segment == Bytes{8192});
  CHECK(bcast.radix == 3);
  CHECK(bcast.chains == 2);
  CHECK(requested_algorithm("reduce", requested).is_default());
  CHECK(requested_algorithm("allreduce", requested).is_default());
}

TEST_CASE("an algorithm that is called default is not the library's choice") {
  const auto way = requested_algorithm(
      "allgatherv", {{"OMPI_MCA_coll_tuned_allgatherv_algorithm", "1", "default"}});
  CHECK(way.algorithm == "algorithm-1");
  CHECK_FALSE(way.is_default());
}

TEST_CASE("presets are numbers, and auto is no algorithm") {
  CHECK(requested_algorithm("bcast", {{"I_MPI_ADJUST_BCAST", "9", std::nullopt}}).algorithm ==
        "preset 9");
  CHECK(requested_algorithm(
            "reduce-scatter-block",
            {{"MPIR_CVAR_REDUCE_SCATTER_BLOCK_INTRA_ALGORITHM", "pairwise", "pairwise"}})
            .algorithm == "pairwise");
  CHECK(requested_algorithm("bcast", {{"MPIR_CVAR_BCAST_INTRA_ALGORITHM", "auto", "auto"}})
            .is_default());
}

TEST_CASE("a simulator's choice is an option of its launcher") {
  CHECK(requested_algorithm("bcast", {}, {"-platform", "p.xml", "--cfg=smpi/bcast:flattree"})
            .algorithm == "flattree");
  CHECK(requested_algorithm("reduce", {}, {"--cfg=smpi/bcast:flattree"}).is_default());
}

}  // namespace hockney::campaign
