#include <catch2/catch.hpp>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/environment.hpp"
#include "core/json_node.hpp"
#include "core/settings.hpp"

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
  CHECK(described_range("range: -2147483648-2147483647").empty());
  CHECK(described_range("range: 2147483646-2147483647") ==
        Choices{{"2147483646", 2147483646}, {"2147483647", 2147483647}});
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

namespace {

ControlVariable number(const std::string& name, const std::string& value) {
  return {.name = name, .type = "unsigned long", .value = value};
}

/// A library with one variable of each kind.
const std::vector<ControlVariable> library{
    number("btl_vader_eager_limit", "8192"),
    {.name = "coll_tuned_allreduce_algorithm",
     .type = "int",
     .value = "4",
     .choices = {{"ignore", 0}, {"ring", 4}, {"rabenseifner", 6}}},
    {.name = "coll_tuned_use_dynamic_rules",
     .type = "bool",
     .value = "1",
     .choices = {{"false", 0}, {"true", 1}}},
    {.name = "btl_vader_flags",
     .type = "unsigned",
     .value = "3",
     .choices = {{"send", 1}, {"put", 2}, {"get", 4}}},
    {.name = "btl", .type = "text", .value = "self,vader"},
    {.name = "some_ratio", .type = "double", .value = "0.250000"},
    {.name = "unreadable", .type = ""},
    {.name = "MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM",
     .type = "int",
     .value = "1",
     .choices = {{"auto", 0}, {"nb", 1}}},
    {.name = "MPIR_CVAR_DEVICE_COLLECTIVES", .type = "int", .value = "1"},
    {.name = "MPIR_CVAR_INTEL_SHM_CMA", .aliases = {"I_MPI_SHM_CMA"}, .type = "int", .value = "0"},
    {.name = "MPIR_CVAR_INTEL_FABRICS", .aliases = {"I_MPI_FABRICS"}, .type = "text", .value = ""},
};

struct Case {
  std::string variable;
  std::string requested;
  Proof proof;
  std::string reason;
};

const std::vector<Case> cases{
    {"OMPI_MCA_btl_vader_eager_limit", "8192", Proof::proven, ""},
    {"OMPI_MCA_btl_vader_eager_limit", "8K", Proof::proven, ""},
    {"OMPI_MCA_btl_vader_eager_limit", "0x2000", Proof::proven, ""},
    {"OMPI_MCA_btl_vader_eager_limit", "4096", Proof::ignored, "'8192' is effective"},
    {"OMPI_MCA_btl_vader_eager_limit", "8192x", Proof::ignored, "'8192' is effective"},
    {"OMPI_MCA_btl_vader_eager_limt", "8192", Proof::ignored,
     "the library has no such variable here, did you mean 'OMPI_MCA_btl_vader_eager_limit'?"},
    {"OMPI_MCA_coll_tuned_allreduce_algorithm", "4", Proof::proven, ""},
    {"OMPI_MCA_coll_tuned_allreduce_algorithm", "ring", Proof::proven, ""},
    {"OMPI_MCA_coll_tuned_allreduce_algorithm", "99", Proof::ignored, "'ring' is effective"},
    {"OMPI_MCA_coll_tuned_allreduce_algorithm", "rng", Proof::ignored, "'ring' is effective"},
    {"OMPI_MCA_coll_tuned_use_dynamic_rules", "1", Proof::proven, ""},
    {"OMPI_MCA_coll_tuned_use_dynamic_rules", "yes", Proof::proven, ""},
    {"OMPI_MCA_coll_tuned_use_dynamic_rules", "TRUE", Proof::proven, ""},
    {"OMPI_MCA_coll_tuned_use_dynamic_rules", "no", Proof::ignored, "'true' is effective"},
    {"OMPI_MCA_coll_tuned_use_dynamic_rules", "maybe", Proof::ignored, "'true' is effective"},
    {"OMPI_MCA_btl_vader_flags", "send,put", Proof::proven, ""},
    {"OMPI_MCA_btl_vader_flags", "send", Proof::ignored, "'3' is effective"},
    {"OMPI_MCA_btl", "self,vader", Proof::proven, ""},
    {"OMPI_MCA_btl", "self,tcp", Proof::ignored, "'self,vader' is effective"},
    {"OMPI_MCA_some_ratio", "0.25", Proof::proven, ""},
    {"OMPI_MCA_unreadable", "1", Proof::unproven, "the library does not show its value"},
    {"OMPI_MCA_rmaps_base_mapping_policy", "core", Proof::unproven, "it is for the launcher"},
    {"MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM", "nb", Proof::proven, ""},
    {"MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM", "auto", Proof::ignored, "'nb' is effective"},
    {"MPIR_CVAR_ALLREDUCE_INTRA_ALGORITM", "nb", Proof::ignored,
     "the library has no such variable here, did you mean 'MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM'?"},
    {"MPIR_CVAR_DEVICE_COLLECTIVES", "none", Proof::unproven,
     "the library does not show its value"},
    {"I_MPI_SHM_CMA", "0", Proof::proven, ""},
    {"I_MPI_SHM_CMA", "1", Proof::ignored, "'0' is effective"},
    {"I_MPI_FABRICS", "ofi", Proof::unproven, "the library does not show its value"},
    {"I_MPI_ADJUST_ALLREDUCE", "5", Proof::unproven, "the library does not show it"},
    {"UCX_TLS", "tcp", Proof::unproven, "the library does not show it"},
};

}  // namespace

TEST_CASE("what is asked for is compared with what is in force") {
  for (const Case& expected : cases) {
    CAPTURE(expected.variable, expected.requested);
    const RequestedSetting setting = prove(expected.variable, expected.requested, library);
    CHECK(setting.variable == expected.variable);
    CHECK(setting.requested == expected.requested);
    CHECK(setting.proof == expected.proof);
    CHECK(setting.reason == expected.reason);
  }
}

TEST_CASE("a library that shows nothing proves nothing and denies nothing") {
  const RequestedSetting setting = prove("OMPI_MCA_btl", "self", {});
  CHECK(setting.proof == Proof::unproven);
  CHECK_FALSE(setting.effective.has_value());
}

TEST_CASE("every variable that asks for a setting is judged, and no other") {
  const auto settings = prove_all({{"OMPI_MCA_btl", "self,vader"},
                                   {"LD_PRELOAD", "x.so"},
                                   {"OMPI_MCA_ess_base_vpid", "0"},
                                   {"HOME", "/"},
                                   {"UCX_TLS", "tcp"}},
                                  library);
  REQUIRE(settings.size() == 2);
  CHECK(settings[0].variable == "OMPI_MCA_btl");
  CHECK(settings[0].effective == "self,vader");
  CHECK(settings[1].variable == "UCX_TLS");
  CHECK(complaint_of(prove("OMPI_MCA_btl", "a", library)) ==
        "OMPI_MCA_btl=a: 'self,vader' is effective");
}

TEST_CASE("variables of launchers' wiring do not steer MPI") {
  CHECK(steers_mpi("OMPI_MCA_btl"));
  CHECK(steers_mpi("LD_PRELOAD"));
  CHECK(steers_mpi("MALLOC_TRIM_THRESHOLD_"));
  CHECK(steers_mpi("GLIBC_TUNABLES"));
  CHECK_FALSE(requests_setting("GLIBC_TUNABLES"));
  CHECK_FALSE(requests_setting("LD_PRELOAD"));
  CHECK_FALSE(steers_mpi("OMPI_MCA_orte_hnp_uri"));
  CHECK_FALSE(steers_mpi("PATH"));
}

TEST_CASE("numbers are read as people and libraries write them") {
  CHECK(requested_number("0") == 0);
  CHECK(requested_number("-1") == -1);
  CHECK(requested_number("64k") == 65536);
  CHECK(requested_number("2G") == 2147483648);
  CHECK_FALSE(requested_number("").has_value());
  CHECK_FALSE(requested_number("4KB").has_value());
  CHECK_FALSE(requested_number("99999999999999999999").has_value());
  CHECK_FALSE(requested_number("9999999999999G").has_value());
  CHECK_FALSE(requested_number("-9999999999999G").has_value());
  CHECK(requested_number("-8589934592G") == std::numeric_limits<std::int64_t>::min());
  CHECK(requested_boolean("Enabled") == true);
  CHECK(requested_boolean("0") == false);
  CHECK_FALSE(requested_boolean("perhaps").has_value());
}

TEST_CASE("a document of settings survives being written and read") {
  const nlohmann::json document = to_json(library);
  CHECK(read_variables(parse_json(document.dump(), "s.json")) == library);
}

}  // namespace hockney
