// The driver without its command line: mock_driver CONFIG FOLDER [--resume]. The config names its
// launcher's command.

#include <filesystem>
#include <iostream>

#include "driver/campaign/execution.hpp"
#include "driver/campaign/mpi_stack.hpp"
#include "driver/campaign/outcome.hpp"

int main(int argc, char** argv) {
  using namespace hockney;
  try {
    campaign::Request request{.config = campaign::load_config(argv[1])};
    request.program = request.config.program;
    request.launcher = {campaign::LauncherKind::openmpi4, *request.config.launcher.command,
                        std::nullopt};
    request.ranks = request.config.ranks.value_or(2);
    request.folder = argv[2];
    request.resume = argc > 3;
    request.grace = {0.2};
    settle_request(request, false);
    const campaign::Manifest manifest =
        run_campaign(request, [](const campaign::Step&) {}).manifest;
    const auto missing = what_is_missing(manifest, campaign::campaign_folder(request.folder));
    if (missing) throw RunError(*missing);
  } catch (const Error& error) {
    std::cerr << error.what() << '\n';
    return static_cast<int>(error.code());
  }
  return 0;
}
