#include "core/collectives.hpp"

#include <catch2/catch.hpp>
#include <string>

namespace hockney {
namespace {

void check(const std::string& variable, Library library, const std::string& operation,
           CollectiveRole role, const std::string& of = "") {
  INFO(variable);
  CHECK(collective_variable(variable) == CollectiveVariable{library, operation, role, of});
}

}  // namespace

TEST_CASE("a collective is found under any spelling, and as an MPI function") {
  for (const Collective& collective : all_collectives) {
    INFO(collective.name);
    CHECK(find_collective(upper_name(collective.name)) == &collective);
    std::string function = lower_name(collective.name);
    CHECK(find_collective_call("I" + function) == &collective);
    CHECK(find_collective_call(function + "_init") == &collective);
    function.front() = upper_name(function.substr(0, 1)).front();
    CHECK(find_collective_call(function) == &collective);
    CHECK((collective.regular.empty() || find_collective(collective.regular)->regular.empty()));
  }
  CHECK(find_collective("pingpong") == nullptr);
  CHECK(find_collective_call("Isend") == nullptr);
}

TEST_CASE("variables of the libraries name operation and role") {
  check("OMPI_MCA_coll_tuned_bcast_algorithm", Library::open_mpi, "bcast",
        CollectiveRole::algorithm);
  check("OMPI_MCA_coll_tuned_reduce_scatter_block_algorithm", Library::open_mpi,
        "reduce-scatter-block", CollectiveRole::algorithm);
  check("OMPI_MCA_coll_tuned_bcast_algorithm_segmentsize", Library::open_mpi, "bcast",
        CollectiveRole::segment);
  check("OMPI_MCA_coll_tuned_reduce_algorithm_chain_fanout", Library::open_mpi, "reduce",
        CollectiveRole::fanout, "chain");
  check("OMPI_MCA_coll_tuned_alltoall_algorithm_max_requests", Library::open_mpi, "alltoall",
        CollectiveRole::requests);
  check("I_MPI_ADJUST_REDUCE_SCATTER", Library::intel, "reduce-scatter", CollectiveRole::algorithm);
  check("MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM", Library::mpich, "allreduce",
        CollectiveRole::algorithm);
  check("MPIR_CVAR_BCAST_TREE_KVAL", Library::mpich, "bcast", CollectiveRole::other);
  check("MPIR_CVAR_BCAST_SHORT_MSG_SIZE", Library::mpich, "bcast", CollectiveRole::unknown);
  CHECK(steers_algorithm("MPIR_CVAR_BCAST_TREE_KVAL"));
  CHECK_FALSE(steers_algorithm("MPIR_CVAR_BCAST_SHORT_MSG_SIZE"));
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

TEST_CASE("the variable that chooses an algorithm is read as such") {
  CHECK(algorithm_variable(Library::open_mpi, "reduce-scatter") ==
        "OMPI_MCA_coll_tuned_reduce_scatter_algorithm");
  CHECK(algorithm_variable(Library::intel, "reduce-scatter") == "I_MPI_ADJUST_REDUCE_SCATTER");
  CHECK(algorithm_variable(Library::mpich, "reduce-scatter") ==
        "MPIR_CVAR_REDUCE_SCATTER_INTRA_ALGORITHM");
  for (const Collective& collective : all_collectives) {
    if (!is_of_all_ranks(collective)) continue;
    for (const Library library : {Library::open_mpi, Library::intel, Library::mpich}) {
      check(algorithm_variable(library, collective.name), library, std::string(collective.name),
            CollectiveRole::algorithm);
    }
  }
}

TEST_CASE("presets of Intel MPI have the names of its reference, as far as it goes") {
  CHECK(intel_preset_name("I_MPI_ADJUST_ALLREDUCE", 2) == "Rabenseifner");
  CHECK(intel_preset_name("I_MPI_ADJUST_BCAST", 11) == "topology k-ary, shared memory");
  CHECK(intel_preset_name("I_MPI_ADJUST_BCAST", 0).empty());
  CHECK(intel_preset_name("I_MPI_ADJUST_BCAST", 22).empty());
  CHECK(intel_preset_name("OMPI_MCA_btl", 1).empty());
}

}  // namespace hockney
