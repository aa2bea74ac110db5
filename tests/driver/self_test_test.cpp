#include <nlohmann/json.hpp>

#include "core/atomic_file.hpp"
#include "core/json_node.hpp"
#include "core/record_file.hpp"
#include "tests/driver/bad_input.hpp"
#include "tests/support/launches.hpp"
#include "tests/support/temporary_folder.hpp"
#include "verdicts/self_test.hpp"

namespace hockney::driver {

namespace fs = std::filesystem;

namespace {

std::string launch_file(const TemporaryFolder& folder, int launch) {
  return folder.path() + "/launch-" + std::to_string(launch) + ".json";
}

/// Twelve launches in which "slow-10" is a tenth slower than "a" and "b" is the same, each with two
/// syncs, one of which is wrong in the first launch.
void write_campaign(const TemporaryFolder& folder) {
  for (int launch = 1; launch <= 12; ++launch) {
    Record record = launch_of("default");
    record.campaign->launch = launch;
    record.provenance.mpi.library = "Some MPI 1.0";
    record.provenance.hosts = {{.name = "node1"}};
    record.ranks.resize(2);
    record.sync = Synchronisation{.scheme = "same-clock"};
    record.sync->checks = {{.estimate_seconds = 1e-8, .bound_seconds = 3e-7, .passed = true},
                           {.estimate_seconds = launch == 1 ? -5e-7 : -2e-8,
                            .bound_seconds = 3e-7,
                            .passed = launch != 1}};
    const double seconds = 1e-6 * (1 + 0.001 * (launch * 7 % 12));
    for (const auto& [variant, slow] : {std::pair("a", 1.0), {"b", 1.0}, {"slow-10", 1.1}}) {
      Point point = simple_point("pingpong", 8);
      point.parameters["variant"] = variant;
      add_measured(record, point, seconds * slow);
    }
    save_record(record, launch_file(folder, launch));
  }
}

/// A hockney-self-test that hands out the records of write_campaign in their order, as far as they
/// are there, without MPI.
class MockSelfTest {
 public:
  MockSelfTest() {
    write_campaign(records_);
    programs_.write_program("hockney-self-test",
                            "#!/bin/sh\n"
                            "while [ $# -gt 0 ]; do\n"
                            "  case $1 in --output) out=$2 ;; --launch) launch=$2 ;; esac\n"
                            "  shift\n"
                            "done\n"
                            "cp '" +
                                records_.path() + "'/launch-$launch.json \"$out\"\n");
  }

  void lose(int launch) const { fs::rename(launch_file(records_, launch), hidden(launch)); }
  void find_again(int launch) const { fs::rename(hidden(launch), launch_file(records_, launch)); }

  [[nodiscard]] std::string out() const { return out_.path() + "/campaign"; }
  [[nodiscard]] std::string document() const { return out() + "/self-test.json"; }

  [[nodiscard]] Arguments command(const Arguments& more) const {
    Arguments command{built("hockney"),   "self-test",     "--out", out(),
                      "--executable-dir", programs_.path()};
    for (const Arguments& words : {mock_launcher(), more}) {
      command.insert(command.end(), words.begin(), words.end());
    }
    return command;
  }

 private:
  [[nodiscard]] std::string hidden(int launch) const { return launch_file(records_, launch) + "-"; }

  TemporaryFolder records_;
  TemporaryFolder programs_;
  TemporaryFolder out_;
};

}  // namespace

TEST_CASE("a self-test prints and writes the same document") {
  const TemporaryFolder folder;
  write_campaign(folder);
  const std::string file = folder.path() + ".document";
  const CommandResult result = run_command(
      {built("hockney"), "self-test", folder.path(), "--each", "6", "--json", "--output", file});
  CHECK(result.exit_code == verdict_failed);
  CHECK(result.out == read_file(file));
  const verdicts::SelfTest test = verdicts::read_self_test(load_json(file));
  fs::remove(file);
  REQUIRE(test.variants.size() == 2);
  CHECK(test.variants[0].different == verdicts::Rate{0, 2});
  CHECK(test.variants[1].different == verdicts::Rate{2, 2});
  CHECK(test.variants[1].ratio == Approx(1.1));
  REQUIRE(test.clock.truth);
  CHECK(test.clock.truth->within == verdicts::Rate{23, 24});
  CHECK(test.clock.truth->median_error_seconds == Approx(1.5e-8));
  CHECK(test.clock.truth->largest_error_seconds == Approx(5e-7));
  CHECK(test.clock.truth->median_bound_seconds == Approx(3e-7));
}

TEST_CASE("one command measures, evaluates, and leaves the result beside the records") {
  const MockSelfTest mock;
  const CommandResult result = run_command(mock.command({"--launches", "12", "--each", "6"}));
  CHECK(result.exit_code == verdict_failed);
  CHECK_THAT(result.out, Catch::StartsWith("self-test of 12 launches, in campaigns of 6\n"));
  CHECK_THAT(result.err, Catch::Contains("result in " + mock.document()));
  const verdicts::SelfTest test = verdicts::read_self_test(load_json(mock.document()));
  CHECK(test.launches == 12);
  CHECK(test.measured.mpi_libraries == std::vector<std::string>{"Some MPI 1.0"});
  CHECK(test.measured.hosts == std::vector<std::string>{"node1"});
  CHECK(test.measured.ranks == std::vector<int>{2});
  CHECK(test.clock.truth->within == verdicts::Rate{23, 24});
  // Its records say the same again, and the result is none of them.
  const CommandResult again =
      run_command({built("hockney"), "self-test", mock.out(), "--each", "6"});
  CHECK(again.exit_code == verdict_failed);
  CHECK(again.out == result.out);
}

TEST_CASE("a self-test that lost launches keeps the others, and is resumed") {
  const MockSelfTest mock;
  const Arguments arguments{"--launches", "12", "--each", "6", "--json"};
  mock.lose(12);
  const CommandResult short_of = run_command(mock.command(arguments));
  CHECK(short_of.exit_code == run_failed);
  CHECK(short_of.out.empty());
  CHECK_THAT(short_of.err, Catch::Contains("11 of 12 launches are complete"));
  CHECK_THAT(short_of.err, Catch::Contains("--resume"));
  CHECK_FALSE(fs::exists(mock.document()));
  CHECK(load_records({mock.out() + "/records"}).size() == 11);
  mock.find_again(12);
  Arguments resumed = arguments;
  resumed.emplace_back("--resume");
  const CommandResult whole = run_command(mock.command(resumed));
  CHECK(whole.exit_code == verdict_failed);
  nlohmann::json printed = parse_json(whole.out, "printed").json();
  printed.erase("summary");
  CHECK(printed == parse_json(read_file(mock.document()), "stored").json());
  CHECK(verdicts::read_self_test(load_json(mock.document())).launches == 12);
}

TEST_CASE("what is left of a self-test is evaluated when it is enough, and 3 is returned") {
  const MockSelfTest mock;  // has no thirteenth launch
  const CommandResult result = run_command(mock.command({"--launches", "13", "--each", "6"}));
  CHECK(result.exit_code == run_failed);
  CHECK_THAT(result.out, Catch::StartsWith("self-test of 12 launches, in campaigns of 6\n"));
  CHECK_THAT(result.err, Catch::Contains("12 of 13 launches are complete"));
  CHECK(verdicts::read_self_test(load_json(mock.document())).launches == 12);
}

#ifdef HOCKNEY_OPEN_MPI
TEST_CASE("the self-test measures with MPI") {
  // Ping-pong alone, since collectives take long where the ranks share their CPUs with others.
  const TemporaryFolder folder;
  folder.write_program("hockney-self-test", "#!/bin/sh\nexec '" + built("hockney-self-test") +
                                                "' --operations pingpong --sizes 8 --samples 5 "
                                                "\"$@\" --budget 0.1s\n");
  const std::string out = folder.path() + "/campaign";
  const CommandResult result =
      run_command({built("hockney"), "self-test", "--launches", "12", "--each", "6", "--out", out,
                   "--executable-dir", folder.path(), "--launcher", "openmpi", "--launcher-command",
                   HOCKNEY_MPIEXEC},
                  std::chrono::seconds(110));
  INFO(result.err);
  CHECK(result.exit_code == 0);
  const verdicts::SelfTest test = verdicts::read_self_test(load_json(out + "/self-test.json"));
  CHECK(test.launches == 12);
  CHECK(test.variants.size() == 4);
  CHECK(test.measured.hosts.size() == 1);
  CHECK(test.measured.ranks == std::vector<int>{2});
  REQUIRE(test.clock.truth);
  CHECK(test.clock.truth->within == verdicts::Rate{300, 300});
  CHECK(load_records({out}).front().procedure == "self-test");
}
#endif

}  // namespace hockney::driver
