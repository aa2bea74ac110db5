#include <array>

#include "components/health/app/health.hpp"
#include "core/cli/command_line.hpp"
#include "driver/subcommands.hpp"

namespace hockney::health {
namespace {

/// The commands for every night.
CommandHelp nightly_help() {
  return {.examples = {{"hockney health ingest results/tonight", "add a night"},
                       {"hockney health check", "what changed; exit code 1 if anything got worse"},
                       {"hockney health list nights", "what the history holds"}}};
}

void add_health(CommandLine& driver, Action& chosen) {
  CommandLine app =
      driver.add_subcommand(driver::health_beside.name, driver::health_beside.summary);
  app.require_subcommands(1, 1);
  add_health_ingest(app, chosen);
  add_health_forget(app, chosen);
  add_health_check(app, chosen);
  add_health_calibrate(app, chosen);
  add_health_note(app, chosen);
  add_health_accept(app, chosen);
  add_health_maintenance(app, chosen);
  add_health_rename(app, chosen);
  add_health_list(app, chosen);
  add_health_reference(app, chosen);
  add_health_node(app, chosen);
  describe(app, nightly_help());
}

}  // namespace
}  // namespace hockney::health

int main(int argc, char** argv) {
  constexpr std::array<hockney::AddSubcommand, 1> subcommands{hockney::health::add_health};
  return hockney::drive(argc, argv, subcommands, HOCKNEY_VERSION, hockney::health::nightly_help());
}
