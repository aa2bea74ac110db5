#include "core/cli/driver.hpp"

#include "core/cli/cli11.hpp"
#include "core/cli/command_line.hpp"
#include "core/cli/standard_output.hpp"

namespace hockney {

int drive(int argc, char** argv, std::span<const AddSubcommand> subcommands, const char* version) {
  StandardOutput output;
  return output.finish(guarded([&] {
    CLI::App driver("Measures how an MPI system communicates and fits models to it", "hockney");
    driver.set_version_flag("--version", version);
    driver.require_subcommand(1);
    Action chosen;
    for (const AddSubcommand add : subcommands) add(driver, chosen);
    const auto finished = parse_command_line(driver, argc, argv);
    return finished ? *finished : chosen();
  }));
}

}  // namespace hockney
