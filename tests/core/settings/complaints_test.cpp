#include "core/settings/prove.hpp"

#include <catch2/catch.hpp>

namespace hockney {

using Texts = std::vector<std::string>;

// As seen of the libraries themselves.

TEST_CASE("Open MPI complains in a box, with name and value") {
  CHECK(complaints_in("--------------------------------------------------------------------------\n"
                      "An invalid value was supplied for an enum variable.\n\n"
                      "  Variable     : coll_tuned_allreduce_algorithm\n  Value        : 99\n"
                      "  Valid values : 0:\"ignore\", 1:\"basic_linear\"\n"
                      "------------------------------------------------------------------------\n"
                      "size [B]\n") ==
        Texts{"An invalid value was supplied for an enum variable. Variable : "
              "coll_tuned_allreduce_algorithm Value : 99"});
}

TEST_CASE("Intel MPI complains in a line, which counts once") {
  CHECK(complaints_in("MPI startup(): Incorrect algorithm: ALLREDUCE=40, will be ignored\n"
                      "MPI startup(): Incorrect algorithm: ALLREDUCE=40, will be ignored\n"
                      "MPI startup(): I_MPI_NONSENSE environment variable is not supported.\n") ==
        Texts{"MPI startup(): Incorrect algorithm: ALLREDUCE=40, will be ignored",
              "MPI startup(): I_MPI_NONSENSE environment variable is not supported."});
}

TEST_CASE("MPICH refuses to start") {
  CHECK(complaints_in("Abort(739364367): Fatal error in internal_Init: Other MPI error, Invalid "
                      "MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM value (nonsense)\n")
            .size() == 1);
}

TEST_CASE("other words are no complaints") {
  CHECK(complaints_in("").empty());
  CHECK(complaints_in("bytes time[us]\n  outliers: 1 % of the samples\n").empty());
}

}  // namespace hockney
