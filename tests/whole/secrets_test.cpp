#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/atomic_file.hpp"
#include "core/record_file.hpp"
#include "tests/driver/bad_input.hpp"
#include "tests/support/nightly_site.hpp"
#include "tests/support/synthetic_program.hpp"
#include "tests/support/temporary_folder.hpp"

// Documents of an older version have secrets; nothing that is made of them keeps one.
namespace hockney::driver {
namespace {

const std::string secret = "hunter2";

/// Puts secrets where documents have variables and command lines.
void add_secrets(nlohmann::json& document) {
  nlohmann::json& provenance = document["provenance"];
  provenance["command_line"] = {"./app", "--password=" + secret, "--token", secret,
                                "MY_SECRET=" + secret};
  provenance["environment"]["FI_OPX_UUID"] = secret;
  provenance["environment"]["HOCKNEY_API_TOKEN"] = secret;
  provenance["mpi"]["settings"]["x_key"] = secret;
}

std::string profile_with_secrets(const TemporaryFolder& folder, const std::string& name,
                                 int ranks) {
  nlohmann::json document = SyntheticProgram(ranks, 2)
                                .halo({.sizes = {ranks}, .bytes = {2000}, .messages = 10})
                                .every_time(6, 4)
                                .calls("MPI_Waitall", 120, 0, 48)
                                .profile();
  add_secrets(document);
  return folder.write(name, document.dump());
}

void add_secrets_to_files(const std::string& folder) {
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    auto document = nlohmann::json::parse(read_file(entry.path().string()));
    add_secrets(document);
    write_atomically(entry.path().string(), document.dump());
  }
}

std::string without_secret_in(const Arguments& arguments, int expected = 0) {
  Arguments command = with({built("hockney")}, arguments);
  const CommandResult result = run_command(command);
  INFO(arguments[0] << ' ' << arguments[1] << '\n' << result.err);
  CHECK(result.exit_code == expected);
  CHECK(result.out.find(secret) == std::string::npos);
  CHECK(result.err.find(secret) == std::string::npos);
  return result.out;
}

void check_files(const std::string& folder) {
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    INFO(entry.path());
    if (entry.is_regular_file()) {
      CHECK(read_file(entry.path().string()).find(secret) == std::string::npos);
    }
  }
}

}  // namespace

TEST_CASE("what is made of profiles with secrets keeps none") {
  const TemporaryFolder folder;
  const std::string two = profile_with_secrets(folder, "p2.json", 2);
  const std::string four = profile_with_secrets(folder, "p4.json", 4);
  const TemporaryFolder made;
  CHECK_THAT(without_secret_in({"profile", "show", four}),
             Catch::Contains("./app --password=set --token set MY_SECRET=set"));
  for (const char* form : {"--all", "--json", "--mpip", "--csv"}) {
    without_secret_in({"profile", "show", four, form});
  }
  without_secret_in({"profile", "show", four, "--page", made.path() + "/p4.html"});
  CHECK_THAT(without_secret_in({"profile", "compare", two, four, "--json", "--page",
                                made.path() + "/runs.html", "-o", made.path() + "/runs.json"}),
             Catch::Contains("--password=set"));
  without_secret_in({"map", four, "--page", made.path() + "/map.html"});
  check_files(made.path());
}

TEST_CASE("what is made of records with secrets keeps none") {
  NightlySite site;
  const std::int64_t day = parse_day("2026-10-01");
  for (int night = 0; night < 2; ++night) site.add_night(day + night, 1);
  add_secrets_to_files(site.records());
  const TemporaryFolder made;
  without_secret_in({"report", site.records(), "--all"});
  without_secret_in({"report", site.records(), "-o", made.path() + "/page.html"});
  without_secret_in({"export", "csv", site.records(), "--launches"});
  const std::string history = made.path() + "/history.sqlite";
  without_secret_in({"health", "ingest", site.records(), "--history", history});
  CHECK_THAT(read_file(history), Catch::Contains(R"("environment.FI_OPX_UUID":"set")"));
  without_secret_in({"health", "check", "--day", day_text(day + 1), "--history", history});
  check_files(made.path());
}

}  // namespace hockney::driver
