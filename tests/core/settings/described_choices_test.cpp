#include "core/settings/described_choices.hpp"

#include <catch2/catch.hpp>

namespace hockney {

using Choices = std::vector<PermittedValue>;

TEST_CASE("MPICH 5 lists the values of a variable on lines of their own") {
  const auto choices = described_choices(
      "Variable to select allreduce algorithm\nauto - Internal algorithm selection (can be "
      "overridden with MPIR_CVAR_X)\nnb                       - Force nonblocking algorithm\n"
      "k_reduce_scatter_allgather - Force reduce scatter allgather algorithm\n");
  CHECK(choices == Choices{{"auto", 0}, {"nb", 1}, {"k_reduce_scatter_allgather", 2}});
}

TEST_CASE("MPICH 4 runs them together with the sentence before") {
  const auto choices = described_choices(
      "Variable to select allreduce algorithmauto - Internal algorithm selection (can be "
      "overridden with MPIR_CVAR_X_FILE)nb                       - Force nonblocking algorithmsmp"
      "                      - Force smp algorithmrecursive_doubling       - Force recursive "
      "doubling algorithmreduce_scatter_allgather - Force reduce scatter allgather algorithm");
  CHECK(choices == Choices{{"auto", 0},
                           {"nb", 1},
                           {"smp", 2},
                           {"recursive_doubling", 3},
                           {"reduce_scatter_allgather", 4}});
}

TEST_CASE("names that cannot be told from the sentence before are not guessed") {
  // MPIR_CVAR_DEVICE_COLLECTIVES: "collective" is a word, so "snone" would be a name.
  CHECK(described_choices("Variable to select whether the device can override theMPIR-level "
                          "collective algorithms.all     - Always prefer the device "
                          "collectivesnone    - Never pick the device collectivespercoll - Use the "
                          "per-collective CVARs to decide")
            .empty());
  CHECK(described_choices("an algorithm, algorithmsmp - Force mp or smp algorithm").empty());
  CHECK(described_choices("Segment size in bytes").empty());
  CHECK(described_choices("").empty());
}

TEST_CASE("Intel MPI tells a range of presets") {
  const auto choices = described_range("<presetid> - Preset identifier\n    range: 0-3 \n");
  CHECK(choices == Choices{{"0", 0}, {"1", 1}, {"2", 2}, {"3", 3}});
  CHECK(described_range("range: many").empty());
  CHECK(described_range("range: 5").empty());
  CHECK(described_range("range: 0-99999").empty());
  CHECK(described_range("Didn't find \"I_MPI_NONSENSE\" variable").empty());
}

TEST_CASE("Intel MPI tells by which names of the environment a variable is set") {
  CHECK(described_aliases("CMA threshold. @Alias:# I_MPI_SHM_CMA_THRESHOLD @Default:# -1") ==
        std::vector<std::string>{"I_MPI_SHM_CMA_THRESHOLD"});
  CHECK(described_aliases("CMA threshold.").empty());
}

TEST_CASE("SimGrid lists its algorithms in a sentence") {
  CHECK(listed_choices("x\n[root/CRITICAL] Collective 'bcast' has no algorithm '?'! Valid "
                       "algorithms: default, flattree, ompi.\nAborted\n") ==
        std::vector<PermittedValue>{
            {"default", std::nullopt}, {"flattree", std::nullopt}, {"ompi", std::nullopt}});
  CHECK(listed_choices("nothing of the kind").empty());
}

}  // namespace hockney
