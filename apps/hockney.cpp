#include "apps/subcommands.hpp"

int main(int argc, char** argv) {
  using namespace hockney;
  CLI::App driver("Measures how an MPI system communicates and fits models to it", "hockney");
  driver.set_version_flag("--version", HOCKNEY_VERSION);
  driver.require_subcommand(1);
  Action chosen;
  add_topo(driver, chosen);
  add_run(driver, chosen);
  add_fit(driver, chosen);
  add_compare(driver, chosen);
  add_self_test(driver, chosen);
  add_report(driver, chosen);
  add_export(driver, chosen);
  const auto finished = parse_command_line(driver, argc, argv);
  return static_cast<int>(finished ? *finished : guarded(chosen));
}
