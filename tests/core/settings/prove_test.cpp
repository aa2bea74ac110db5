#include "core/settings/prove.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "core/settings/collective_variable.hpp"
#include "core/settings/control_variable.hpp"

namespace hockney {
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
    {"OMPI_MCA_btl_vader_eager_limit", "4096", Proof::ignored, "'8192' is in force"},
    {"OMPI_MCA_btl_vader_eager_limit", "8192x", Proof::ignored, "'8192' is in force"},
    {"OMPI_MCA_btl_vader_eager_limt", "8192", Proof::ignored,
     "the library has no such variable here, did you mean 'OMPI_MCA_btl_vader_eager_limit'?"},
    {"OMPI_MCA_coll_tuned_allreduce_algorithm", "4", Proof::proven, ""},
    {"OMPI_MCA_coll_tuned_allreduce_algorithm", "ring", Proof::proven, ""},
    {"OMPI_MCA_coll_tuned_allreduce_algorithm", "99", Proof::ignored, "'ring' is in force"},
    {"OMPI_MCA_coll_tuned_allreduce_algorithm", "rng", Proof::ignored, "'ring' is in force"},
    {"OMPI_MCA_coll_tuned_use_dynamic_rules", "1", Proof::proven, ""},
    {"OMPI_MCA_coll_tuned_use_dynamic_rules", "yes", Proof::proven, ""},
    {"OMPI_MCA_coll_tuned_use_dynamic_rules", "TRUE", Proof::proven, ""},
    {"OMPI_MCA_coll_tuned_use_dynamic_rules", "no", Proof::ignored, "'true' is in force"},
    {"OMPI_MCA_coll_tuned_use_dynamic_rules", "maybe", Proof::ignored, "'true' is in force"},
    {"OMPI_MCA_btl_vader_flags", "send,put", Proof::proven, ""},
    {"OMPI_MCA_btl_vader_flags", "send", Proof::ignored, "'3' is in force"},
    {"OMPI_MCA_btl", "self,vader", Proof::proven, ""},
    {"OMPI_MCA_btl", "self,tcp", Proof::ignored, "'self,vader' is in force"},
    {"OMPI_MCA_some_ratio", "0.25", Proof::proven, ""},
    {"OMPI_MCA_unreadable", "1", Proof::unproven, "the library does not show its value"},
    {"OMPI_MCA_rmaps_base_mapping_policy", "core", Proof::unproven, "it is for the launcher"},
    {"MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM", "nb", Proof::proven, ""},
    {"MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM", "auto", Proof::ignored, "'nb' is in force"},
    {"MPIR_CVAR_ALLREDUCE_INTRA_ALGORITM", "nb", Proof::ignored,
     "the library has no such variable here, did you mean 'MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM'?"},
    {"MPIR_CVAR_DEVICE_COLLECTIVES", "none", Proof::unproven,
     "the library does not show its value"},
    {"I_MPI_SHM_CMA", "0", Proof::proven, ""},
    {"I_MPI_SHM_CMA", "1", Proof::ignored, "'0' is in force"},
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
        "OMPI_MCA_btl=a: 'self,vader' is in force");
}

TEST_CASE("variables of launchers' wiring do not steer MPI") {
  CHECK(steers_mpi("OMPI_MCA_btl"));
  CHECK(steers_mpi("LD_PRELOAD"));
  CHECK(steers_mpi("MALLOC_TRIM_THRESHOLD_"));
  CHECK(steers_mpi("GLIBC_TUNABLES"));
  CHECK_FALSE(asks_for_setting("GLIBC_TUNABLES"));
  CHECK_FALSE(asks_for_setting("LD_PRELOAD"));
  CHECK_FALSE(steers_mpi("OMPI_MCA_orte_hnp_uri"));
  CHECK_FALSE(steers_mpi("PATH"));
}

TEST_CASE("numbers are read as people and libraries write them") {
  CHECK(asked_number("0") == 0);
  CHECK(asked_number("-1") == -1);
  CHECK(asked_number("64k") == 65536);
  CHECK(asked_number("2G") == 2147483648);
  CHECK_FALSE(asked_number("").has_value());
  CHECK_FALSE(asked_number("4KB").has_value());
  CHECK_FALSE(asked_number("99999999999999999999").has_value());
  CHECK_FALSE(asked_number("9999999999999G").has_value());
  CHECK(asked_boolean("Enabled") == true);
  CHECK(asked_boolean("0") == false);
  CHECK_FALSE(asked_boolean("perhaps").has_value());
}

TEST_CASE("a document of settings survives being written and read") {
  const nlohmann::json document = to_json(library);
  CHECK(read_variables(parse_json(document.dump(), "s.json")) == library);
}

}  // namespace hockney
