#include <algorithm>
#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "core/atomic_file.hpp"
#include "core/text.hpp"
#include "tests/driver/bad_input.hpp"
#include "tests/support/temporary_folder.hpp"

// Every config that ships, or that studies run, is one the driver takes, and makes the launches it
// promises.
namespace hockney::driver {

namespace fs = std::filesystem;

namespace {

struct ShippedConfig {
  std::string file;
  std::string program;
  std::ptrdiff_t launches = 0;  ///< over all settings; of each combination in a sweep
  bool is_sweep = false;
  bool has_queries = false;  ///< its MPI library has to be there and be asked
  /// Whether it is for the MPI library that this build is with, as far as a name can tell.
  [[nodiscard]] bool is_for_open_mpi() const { return file.find("-openmpi") != std::string::npos; }
  bool is_simulated = false;  ///< its program is one of another build
};

bool requests_library(const nlohmann::json& document) {
  for (const auto& axis : document.value("axes", nlohmann::json::array())) {
    if (axis.at("values") == "ask") return true;
  }
  return false;
}

std::vector<ShippedConfig> configs_in(const std::string& folder) {
  std::vector<ShippedConfig> configs;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".json") continue;
    const std::string file = entry.path().string();
    const auto document = nlohmann::json::parse(read_file(file));
    const auto settings = document.contains("settings") ? document.at("settings").size() : 1;
    // Ten is the default, and with a budget the guess before the first launch.
    const auto each = document.value("launches", std::size_t{10});
    configs.push_back({file, document.at("program").get<std::string>(),
                       static_cast<std::ptrdiff_t>(settings * each), document.contains("axes"),
                       requests_library(document),
                       document.value("/launcher/dialect"_json_pointer, "") == "smpirun"});
  }
  return configs;
}

std::vector<ShippedConfig> shipped_configs() { return configs_in(HOCKNEY_SOURCE_DIR "/configs"); }

/// Those that ship, and those of tests/configs.
std::vector<ShippedConfig> all_configs() {
  std::vector<ShippedConfig> configs = shipped_configs();
  std::ranges::move(configs_in(HOCKNEY_SOURCE_DIR "/tests/configs"), std::back_inserter(configs));
  return configs;
}

/// Lines that are no remarks about skipped combinations.
std::ptrdiff_t count_commands(const std::string& out) {
  const auto lines = split(out, '\n');
  return std::ranges::count_if(
      lines, [](const std::string& line) { return !line.empty() && !line.starts_with("#"); });
}

Arguments dry_run(const ShippedConfig& config, const std::string& out, const Arguments& more) {
  return with({built("hockney"), "run", config.file, "--dry-run", "--out", out}, more);
}

void check_commands(const ShippedConfig& config, const std::string& out,
                    const CommandResult& result) {
  INFO(config.file << "\n" << result.err);
  CHECK(result.exit_code == 0);
  CHECK(result.err.empty());
  const std::ptrdiff_t commands = count_commands(result.out);
  if (config.is_sweep) {
    CHECK(commands >= 4 * config.launches);
    CHECK(commands % config.launches == 0);
  } else {
    CHECK(commands == config.launches);
  }
  CHECK_THAT(result.out, Catch::Contains(" --output " + out + "/records/"));
  CHECK_FALSE(fs::exists(out));
}

void check_dry_run(const ShippedConfig& config, const Arguments& more) {
  const TemporaryFolder folder;
  const std::string out = folder.path() + "/out";
  check_commands(config, out, run_command(dry_run(config, out, more)));
}

}  // namespace

TEST_CASE("every config makes one command for each launch") {
  const TemporaryFolder programs;
  const auto configs = all_configs();
  CHECK(configs.size() >= 3);
  for (const ShippedConfig& config : configs) {
    if (config.has_queries) continue;
    programs.write_program(config.program, "#!/bin/sh\n");
    Arguments arguments = mock_launcher();
    arguments.insert(arguments.end(), {"--executable-dir", programs.path()});
    check_dry_run(config, arguments);
  }
}

TEST_CASE("configs are listed whole in a terminal of any width, and a line each elsewhere") {
  const auto listed = [](const std::string& columns) {
    return run_command({"/usr/bin/env", columns, built("hockney"), "run", "--list", "all"}).out;
  };
  const auto words = [](const std::string& text) {
    std::istringstream in(text);
    return std::multiset<std::string>(std::istream_iterator<std::string>(in), {});
  };
  const std::string whole = listed("COLUMNS=");
  CHECK_THAT(whole, !Catch::Contains("tests/benchmarks"));
  CHECK(std::ranges::count(whole, '\n') ==
        static_cast<std::ptrdiff_t>(shipped_configs().size()) + 2);
  for (const std::size_t columns : {60U, 80U, 150U}) {
    const std::string text = listed("COLUMNS=" + std::to_string(columns));
    CHECK(words(text) == words(whole));
    CHECK(std::ranges::max(split(text, '\n'), {}, &std::string::size).size() <= columns);
  }
}

#ifdef HOCKNEY_MPIEXEC
TEST_CASE("the usual list has no experiments and no configs of other libraries, and counts them") {
  const std::string usual = run_command({built("hockney"), "run", "--list"}).out;
  std::istringstream lines(usual);
  std::ptrdiff_t configs = 0;
  for (std::string line; std::getline(lines, line);) configs += line.find(' ') != std::string::npos;
  CHECK(configs <= 32);  // thirty, a heading and the last line
  CHECK_THAT(usual, Catch::Contains("\nquick ") && Catch::Contains("\nnightly "));
  for (const char* other : {"adjust-intel", "smpi-"}) {
    CHECK_THAT(usual, !Catch::Contains(other));
  }
  CHECK_THAT(usual, Catch::Contains(" configs of other MPI libraries and experiments: --list all"));
}

TEST_CASE("every config finds its program and a launcher by itself") {
  for (const ShippedConfig& config : all_configs()) {
    if (!config.has_queries && !config.is_simulated) check_dry_run(config, {});
  }
}

TEST_CASE("a shipped config for a simulator refuses programs that are not simulated") {
  for (const ShippedConfig& config : shipped_configs()) {
    if (!config.is_simulated) continue;
    check_refusal({built("hockney"), "run", config.file, "--dry-run"}, {{}, "no launcher found"});
  }
}

#ifdef HOCKNEY_OPEN_MPI
TEST_CASE("a shipped sweep asks the library it is for, and is refused by another") {
  const TemporaryFolder folder;
  const std::string out = folder.path() + "/out";
  std::vector<ShippedConfig> configs = shipped_configs();
  std::erase_if(configs, [](const ShippedConfig& config) { return !config.has_queries; });
  std::vector<Arguments> commands;
  for (const ShippedConfig& config : configs) {
    commands.push_back(dry_run(config, out, {"--ranks", "2"}));
  }
  const std::vector<CommandResult> results = run_together(commands, launches_at_a_time);
  for (std::size_t i = 0; i < configs.size(); ++i) {
    if (configs[i].is_for_open_mpi()) {
      check_commands(configs[i], out, results[i]);
    } else {
      check_refused(commands[i], {{}, "(this is Open MPI)"}, results[i]);
    }
  }
}

TEST_CASE("a shipped sweep of Open MPI runs to its table", "[nightly]") {
  const TemporaryFolder folder;
  auto config =
      nlohmann::json::parse(read_file(HOCKNEY_SOURCE_DIR "/configs/tuned-openmpi-allreduce.json"));
  config.erase("budget_seconds");
  for (const char* word : {"--epochs", "2"}) config["arguments"].push_back(word);
  // Ranks that wait give their core up, since other tests may run beside them.
  const CommandResult result =
      run_command({"/usr/bin/env", "OMPI_MCA_mpi_yield_when_idle=1", built("hockney"), "run",
                   folder.write("sweep.json", config.dump()), "--out", folder.path() + "/out",
                   "--ranks", "2", "--launches", "1", "--all"},
                  std::chrono::seconds(100));
  INFO(result.err);
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.out, Catch::Contains("by algorithm: allreduce") &&
                             Catch::Contains("by segment: allreduce") &&
                             Catch::Contains("ratio: to algorithm=default"));
}
#endif
#endif

}  // namespace hockney::driver
