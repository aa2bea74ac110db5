// Every config that ships is one the driver takes, and makes the launches it promises.

#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/atomic_file.hpp"
#include "tests/apps/bad_input.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace hockney;
namespace fs = std::filesystem;

namespace {

struct ShippedConfig {
  std::string file;
  std::string program;
  std::ptrdiff_t launches = 0;  ///< over all settings
};

std::vector<ShippedConfig> shipped_configs() {
  std::vector<ShippedConfig> configs;
  for (const auto& entry : fs::recursive_directory_iterator(HOCKNEY_SOURCE_DIR "/configs")) {
    if (entry.path().extension() != ".json") continue;
    const std::string file = entry.path().string();
    const auto document = nlohmann::json::parse(read_file(file));
    const auto settings = document.contains("settings") ? document.at("settings").size() : 1;
    // Ten is the default, and with a budget the guess before the first launch.
    const auto each = document.value("launches", std::size_t{10});
    configs.push_back({file, document.at("program").get<std::string>(),
                       static_cast<std::ptrdiff_t>(settings * each)});
  }
  return configs;
}

void check_dry_run(const ShippedConfig& config, const Arguments& more) {
  const TemporaryFolder folder;
  const std::string out = folder.path() + "/out";
  Arguments command{built("hockney"), "run", config.file, "--dry-run", "--out", out};
  command.insert(command.end(), more.begin(), more.end());
  const CommandResult result = run_command(command);
  INFO(config.file << "\n" << result.err);
  CHECK(result.exit_code == 0);
  CHECK(result.err.empty());
  CHECK(std::count(result.out.begin(), result.out.end(), '\n') == config.launches);
  CHECK_THAT(result.out, Catch::Contains(" --output " + out + "/records/"));
  CHECK_FALSE(fs::exists(out));
}

}  // namespace

TEST_CASE("every shipped config makes one command for each launch") {
  const TemporaryFolder programs;
  const auto configs = shipped_configs();
  CHECK(configs.size() >= 3);
  for (const ShippedConfig& config : configs) {
    programs.write_program(config.program, "#!/bin/sh\n");
    Arguments arguments = mock_launcher();
    arguments.insert(arguments.end(), {"--executable-dir", programs.path()});
    check_dry_run(config, arguments);
  }
}

#ifdef HOCKNEY_MPIEXEC
TEST_CASE("every shipped config finds its program and a launcher by itself") {
  for (const ShippedConfig& config : shipped_configs()) check_dry_run(config, {});
}
#endif
