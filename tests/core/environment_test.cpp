#include <catch2/catch.hpp>

#include "core/environment.hpp"

namespace hockney {
namespace {

void check(const std::string& variable, const std::string& operation, CollectiveRole role,
           const std::string& of = "") {
  INFO(variable);
  CHECK(collective_variable(variable) == CollectiveVariable{operation, role, of});
}

}  // namespace

TEST_CASE("variables of the libraries name operation and role") {
  check("OMPI_MCA_coll_tuned_bcast_algorithm", "bcast", CollectiveRole::algorithm);
  check("OMPI_MCA_coll_tuned_reduce_scatter_block_algorithm", "reduce-scatter-block",
        CollectiveRole::algorithm);
  check("OMPI_MCA_coll_tuned_bcast_algorithm_segmentsize", "bcast", CollectiveRole::segment);
  check("OMPI_MCA_coll_tuned_reduce_algorithm_chain_fanout", "reduce", CollectiveRole::fanout,
        "chain");
  check("OMPI_MCA_coll_tuned_alltoall_algorithm_max_requests", "alltoall",
        CollectiveRole::requests);
  check("I_MPI_ADJUST_REDUCE_SCATTER", "reduce-scatter", CollectiveRole::algorithm);
  check("MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM", "allreduce", CollectiveRole::algorithm);
  check("MPIR_CVAR_BCAST_TREE_KVAL", "bcast", CollectiveRole::other);
}

TEST_CASE("other variables say nothing about a collective") {
  for (const char* variable :
       {"OMPI_MCA_coll_tuned_use_dynamic_rules", "OMPI_MCA_coll_tuned_priority",
        "OMPI_MCA_btl_vader_eager_limit", "I_MPI_ADJUST_FAILURE_ON_COLL_FALLBACK", "I_MPI_FABRICS",
        "MPIR_CVAR_DEVICE_COLLECTIVES", "MPIR_CVAR_CH4_NETMOD", "PATH"}) {
    INFO(variable);
    CHECK_FALSE(collective_variable(variable));
  }
}

TEST_CASE("a simulator's algorithm is an option of its launcher") {
  CHECK(simulated_choice("--cfg=smpi/reduce_scatter:ompi_ring") ==
        SimulatedChoice{"reduce-scatter", "ompi_ring"});
  CHECK_FALSE(simulated_choice("--cfg=smpi/bw-factor:0:1"));
  CHECK_FALSE(simulated_choice("--cfg=smpi/bcast"));
}

TEST_CASE("the variables of an operation") {
  CHECK(algorithm_variables("reduce-scatter") ==
        std::vector<std::string>{"OMPI_MCA_coll_tuned_reduce_scatter_algorithm",
                                 "I_MPI_ADJUST_REDUCE_SCATTER",
                                 "MPIR_CVAR_REDUCE_SCATTER_INTRA_ALGORITHM"});
  CHECK(algorithm_variables("pingpong").empty());
}

}  // namespace hockney
