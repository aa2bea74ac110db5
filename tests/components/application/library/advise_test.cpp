#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/record_file.hpp"
#include "tests/components/application/library/program_profile.hpp"
#include "tests/driver/bad_input.hpp"
#include "tests/support/launches.hpp"
#include "tests/support/temporary_folder.hpp"

// hockney advise, of a program with an eager limit that is too small: named, launched with another,
// and the launches kept.
namespace hockney::profile {
namespace {

/// 20 us + 1 ns/B, and an eager limit that TCP's variable states.
std::string machine_with_limit(const TemporaryFolder& folder) {
  Record record = pingpong_launch(20e-6, 1e-9);
  save_record(record, folder.path() + "/pingpong.json");
  record.procedure = "protocol";
  record.points = {};
  record.series.clear();
  record.protocols = {{.hop = "l3",
                       .pair = {0, 1},
                       .eager_limit_bytes = 65480,
                       .stated = {{"btl_tcp_eager_limit", 65536, 56}}}};
  save_record(record, folder.path() + "/protocol.json");
  return folder.path();
}

/// In which Open MPI sends by TCP, and waits for receives of more than 4040 B.
std::vector<std::string> with_small_limit(const std::vector<std::string>& command) {
  std::vector<std::string> words{"env", "OMPI_MCA_btl=self,tcp",
                                 "OMPI_MCA_btl_tcp_eager_limit=4096"};
  words.insert(words.end(), command.begin(), command.end());
  return words;
}

std::vector<std::string> faulty(const std::vector<std::string>& arguments) {
  std::vector<std::string> words = launcher(2);
  words.emplace_back(HOCKNEY_FAULTY);
  words.insert(words.end(), arguments.begin(), arguments.end());
  return words;
}

}  // namespace

TEST_CASE("an advice is launched beside the program as it was, and its launches are kept") {
  const TemporaryFolder folder;
  const TemporaryFolder records;
  const std::string machine = machine_with_limit(records);
  const std::string file = folder.path() + "/run.json";
  const std::string trial = folder.path() + "/trial";
  const std::vector<std::string> program = faulty({"late-receiver", "40", "16384"});
  const auto run = [&](std::vector<std::string> words, bool with_program) {
    if (with_program) words.insert(words.end(), program.begin(), program.end());
    return run_in_mpi_environment(with_small_limit(words), std::chrono::seconds(60));
  };
  const CommandResult recorded =
      run({driver::built("hockney"), "profile", "--log", "-o", file, "--"}, true);
  INFO(recorded.err);
  REQUIRE(recorded.exit_code == 0);
  const CommandResult result = run({driver::built("hockney"), "advise", file, machine, "--json",
                                    "--blocks", "2", "-o", trial, "--verify", "--"},
                                   true);
  INFO(result.out << result.err);
  CHECK(result.exit_code == driver::no_verdict);  // two launches show nothing
  const auto document = nlohmann::json::parse(result.out);
  CHECK(document.at("schema") == "hockney.advice/1");
  REQUIRE(document.at("advice").size() == 1);
  const auto& advice = document.at("advice")[0];
  CHECK(advice.at("variables") == nlohmann::json{{"OMPI_MCA_btl_tcp_eager_limit", "32768"}});
  CHECK(advice.at("range_seconds").at("high") < document.at("measured_seconds"));
  const auto& verified = advice.at("verified");
  CHECK(verified.at("launches") == 2);
  CHECK(verified.at("proof") == "proven");
  CHECK(verified.at("ratio") > 0);
  for (const char* name : {"round-1-as-it-was.json", "round-2-as-it-was.json",
                           "round-1-advice-1.json", "round-2-advice-1.log", "advice.json"}) {
    CHECK(std::filesystem::exists(trial + "/" + name));
  }
  CHECK(load_profile(trial + "/round-1-advice-1.json")
            .provenance.environment.at("OMPI_MCA_btl_tcp_eager_limit") == "32768");

  const auto refuses = [&](const std::vector<std::string>& more, const std::string& words,
                           int code = driver::bad_input) {
    driver::check_refusal({driver::built("hockney"), "advise", file, machine},
                          {.arguments = more, .words = words, .exit_code = code});
  };
  refuses({"-o", trial}, "--out without --verify");
  refuses({"--verify", "--", "/nowhere/mpirun"}, "no program '/nowhere/mpirun'");
  refuses({"--verify", "mpirun", "-n", "2"}, "unknown option '-n'");
  refuses({"--blocks", "0"}, "--blocks");
  driver::check_refusal({driver::built("hockney"), "advise", file},
                        {.arguments = {}, .words = "RECORDS"});
}

}  // namespace hockney::profile
