#include <array>

#include "apps/subcommands.hpp"
#include "core/cli/command_line.hpp"
#include "health/app/health.hpp"
#include "tune/app/tune.hpp"

namespace hockney::apps {
namespace {

void add_tune_program(CLI::App& driver, Action& chosen) {
  add_beside(driver, chosen, "tune", tune::tune_summary);
}

void add_health_program(CLI::App& driver, Action& chosen) {
  if constexpr (HOCKNEY_HAS_HEALTH != 0) {
    add_beside(driver, chosen, "health", health::health_summary);
  } else {
    add_left_out(
        driver, chosen, "health", health::health_summary, "it was configured without SQLite",
        "configure with -DHOCKNEY_FETCH=ON, or install SQLite and SQLiteCpp, and build again");
  }
}

constexpr std::array<AddSubcommand, 18> subcommands{
    add_topo,           add_run,       add_fit,    add_predict, add_compare, add_guidelines,
    add_tune_program,   add_profile,   add_map,    add_where,   add_scale,   add_advise,
    add_health_program, add_self_test, add_report, add_export,  add_import,  add_completion};

}  // namespace
}  // namespace hockney::apps

int main(int argc, char** argv) {
  return hockney::drive(
      argc, argv, hockney::apps::subcommands, HOCKNEY_VERSION,
      {.examples = {{"hockney run quick", "measure this machine, ten seconds"},
                    {"hockney fit results/x", "models of what was measured"},
                    {"hockney compare results/before results/after", "did anything change?"}}});
}
