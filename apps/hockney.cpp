#include "apps/subcommands.hpp"

namespace hockney {
namespace {

ExitCode drive(int argc, char** argv) {
  CLI::App driver("Measures how an MPI system communicates and fits models to it", "hockney");
  driver.set_version_flag("--version", HOCKNEY_VERSION);
  driver.require_subcommand(1);
  Action chosen;
  add_topo(driver, chosen);
  add_run(driver, chosen);
  add_fit(driver, chosen);
  add_predict(driver, chosen);
  add_compare(driver, chosen);
  add_guidelines(driver, chosen);
  add_tune(driver, chosen);
  add_health(driver, chosen);
  add_self_test(driver, chosen);
  add_report(driver, chosen);
  add_export(driver, chosen);
  const auto finished = parse_command_line(driver, argc, argv);
  return finished ? *finished : chosen();
}

}  // namespace
}  // namespace hockney

int main(int argc, char** argv) {
  return static_cast<int>(hockney::guarded([&] { return hockney::drive(argc, argv); }));
}
