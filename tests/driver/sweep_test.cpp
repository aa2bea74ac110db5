#include <nlohmann/json.hpp>

#include "core/record_file.hpp"
#include "core/settings.hpp"
#include "core/text.hpp"
#include "tests/driver/bad_input.hpp"
#include "tests/support/temporary_folder.hpp"

// Sweeps and the proof of settings as users see them, under the MPI at hand.
namespace hockney::driver {

using Json = nlohmann::json;

#ifdef HOCKNEY_OPEN_MPI

namespace {

/// One short launch under each value of a variable.
Json config_of(const std::string& variable, const Json& values) {
  return {{"schema", "hockney.campaign/1"},
          {"name", "proof"},
          {"program", "hockney-pingpong"},
          {"arguments", {"--sizes", "8", "--epochs", "1", "--samples", "2"}},
          {"launches", 1},
          {"axes", {{{"name", "x"}, {"variable", variable}, {"values", values}}}}};
}

struct Outcome {
  CommandResult command;
  std::vector<Record> records;  ///< of complete launches
};

Outcome run(const TemporaryFolder& folder, const Json& config, const Arguments& more = {}) {
  Arguments command = with({built("hockney"), "run", folder.write("c.json", config.dump()), "--out",
                            folder.path() + "/out"},
                           more);
  Outcome outcome{.command = run_command(command, std::chrono::seconds(100))};
  if (std::filesystem::exists(folder.path() + "/out/records")) {
    outcome.records = load_records({folder.path() + "/out/records"});
  }
  return outcome;
}

const RequestedSetting& setting_of(const Record& record, const std::string& variable) {
  const auto& requested = record.provenance.mpi.requested;
  return *std::ranges::find(requested, variable, &RequestedSetting::variable);
}

constexpr const char* algorithm = "OMPI_MCA_coll_tuned_allreduce_algorithm";

}  // namespace

TEST_CASE("a value that Open MPI takes is proven, by name as by number") {
  const TemporaryFolder folder;
  const Outcome outcome = run(folder, config_of(algorithm, {"ring", "4"}));
  INFO(outcome.command.err);
  CHECK(outcome.command.exit_code == 0);
  REQUIRE(outcome.records.size() == 2);
  for (const Record& record : outcome.records) {
    CHECK(setting_of(record, algorithm).proof == Proof::proven);
    CHECK(setting_of(record, algorithm).effective == "ring");
  }
}

TEST_CASE("a value that Open MPI ignores fails the launch, or is flagged on demand") {
  const TemporaryFolder folder;
  Json config = config_of(algorithm, {nullptr, "99"});
  const Outcome outcome = run(folder, config);
  CHECK(outcome.command.exit_code == 3);
  CHECK_THAT(outcome.command.err, Catch::Contains("setting ignored") &&
                                      Catch::Contains(algorithm) &&
                                      Catch::Contains("'ignore' is effective"));
  CHECK(outcome.records.size() == 1);
  config["ignored_settings"] = "flag";
  const TemporaryFolder other;
  const Outcome flagged = run(other, config);
  CHECK(flagged.command.exit_code == 0);
  CHECK(flagged.records.size() == 2);
  CHECK_THAT(flagged.command.out,
             Catch::Contains("the MPI library ignored " + std::string(algorithm) + "=99"));
}

TEST_CASE("a misspelt MCA name is refused before the first launch, with the nearest one") {
  const TemporaryFolder folder;
  const Outcome outcome =
      run(folder, config_of("OMPI_MCA_btl_vader_eager_limt", {nullptr, "8192"}));
  CHECK(outcome.command.exit_code == 2);
  CHECK_THAT(outcome.command.err,
             Catch::Contains("nothing reads 'OMPI_MCA_btl_vader_eager_limt'") &&
                 Catch::Contains("did you mean 'OMPI_MCA_btl_vader_eager_limit'?"));
}

TEST_CASE("Open MPI is asked for the values of an axis") {
  const TemporaryFolder folder;
  const Outcome outcome = run(folder, config_of(algorithm, "ask"), {"--dry-run", "--ranks", "2"});
  INFO(outcome.command.err);
  CHECK(outcome.command.exit_code == 0);
  CHECK_THAT(outcome.command.out, Catch::Contains("--setting x=default ") &&
                                      Catch::Contains("--setting x=ring ") &&
                                      Catch::Contains(std::string(algorithm) + "=rabenseifner ") &&
                                      !Catch::Contains("x=ignore"));
  const Outcome unknown = run(folder, config_of("OMPI_MCA_coll_tuned_nonsense", "ask"));
  CHECK(unknown.command.exit_code == 2);
  CHECK_THAT(unknown.command.err, Catch::Contains("knows no 'OMPI_MCA_coll_tuned_nonsense'"));
  const Outcome open = run(folder, config_of("OMPI_MCA_btl_tcp_eager_limit", "ask"));
  CHECK(open.command.exit_code == 2);
  CHECK_THAT(open.command.err, Catch::Contains("the MPI library does not list them"));
}

namespace {

/// "mca:coll:tuned:param:NAME:enumerator:value:4:ring" of ompi_info for one variable.
std::vector<PermittedValue> choices_of_ompi_info(const std::string& variable) {
  const CommandResult result =
      run_command({"ompi_info", "--param", "coll", "tuned", "--level", "9", "--parsable"});
  const std::string mark = ":param:" + variable + ":enumerator:value:";
  std::vector<PermittedValue> choices;
  for (const std::string& line : split(result.out, '\n')) {
    const std::size_t at = line.find(mark);
    if (at == std::string::npos) continue;
    const std::vector<std::string> parts = split(line.substr(at + mark.size()), ':');
    choices.push_back({parts.at(1), std::stoi(parts.at(0))});
  }
  return choices;
}

}  // namespace

TEST_CASE("what MPI_T lists of an algorithm is what ompi_info lists") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/settings.json";
  const CommandResult result =
      run_command({"/usr/bin/env", "OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
                   built("hockney-settings"), "-o", file});
  CHECK(result.exit_code == 0);
  const auto variables = read_variables(load_json(file));
  for (const std::string name : {"coll_tuned_allreduce_algorithm", "coll_tuned_bcast_algorithm",
                                 "coll_tuned_barrier_algorithm"}) {
    CAPTURE(name);
    const ControlVariable* found = find_variable(variables, "OMPI_MCA_" + name);
    REQUIRE(found != nullptr);
    CHECK(found->choices.size() > 5);
    CHECK(found->choices == choices_of_ompi_info(name));
  }
}

#endif

#ifdef HOCKNEY_MPIEXEC
TEST_CASE("hockney-settings lists what the library lets be set") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/settings.json";
  const CommandResult result =
      run_command({"/usr/bin/env", "OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
                   built("hockney-settings"), "--json", "-o", file});
  CHECK(result.exit_code == 0);
  const Json document = load_json(file).json();
  CHECK(document.at("schema") == "hockney.settings/1");
  CHECK(document.at("variables").size() > 10);
  CHECK(Json::parse(result.out) == document);
  const CommandResult unknown = run_command(
      {"/usr/bin/env", "OMPI_ALLOW_RUN_AS_ROOT=1", built("hockney-settings"), "no_such_thing"});
  CHECK(unknown.exit_code == 2);
  CHECK_THAT(unknown.err, Catch::StartsWith("no setting 'no_such_thing'"));
}
#endif

}  // namespace hockney::driver
