#include "core/settings/intel_presets.hpp"

#include <catch2/catch.hpp>

namespace hockney {

TEST_CASE("presets of Intel MPI have the names of its reference, as far as it goes") {
  CHECK(intel_preset_name("I_MPI_ADJUST_ALLREDUCE", 2) == "Rabenseifner");
  CHECK(intel_preset_name("I_MPI_ADJUST_BCAST", 11) == "topology k-ary, shared memory");
  CHECK(intel_preset_name("I_MPI_ADJUST_BCAST", 0).empty());
  CHECK(intel_preset_name("I_MPI_ADJUST_BCAST", 22).empty());
  CHECK(intel_preset_name("OMPI_MCA_btl", 1).empty());
}

}  // namespace hockney
