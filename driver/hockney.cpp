#include <array>

#include "core/cli/command_line.hpp"
#include "driver/subcommands.hpp"

namespace hockney::driver {
namespace {

template <const BesideProgram& command>
void add_program(CommandLine& driver, Action& chosen) {
  add_beside(driver, chosen, command);
}

constexpr std::array<AddSubcommand, 18> subcommands{add_topo,
                                                    add_run,
                                                    add_fit,
                                                    add_program<predict_beside>,
                                                    add_compare,
                                                    add_guidelines,
                                                    add_program<tune_beside>,
                                                    add_program<profile_beside>,
                                                    add_program<map_beside>,
                                                    add_program<where_beside>,
                                                    add_program<scale_beside>,
                                                    add_program<advise_beside>,
                                                    add_program<health_beside>,
                                                    add_self_test,
                                                    add_report,
                                                    add_program<export_beside>,
                                                    add_import,
                                                    add_completion};

}  // namespace
}  // namespace hockney::driver

int main(int argc, char** argv) {
  return hockney::drive(
      argc, argv, hockney::driver::subcommands, HOCKNEY_VERSION,
      {.examples = {{"hockney run quick", "measure this machine, ten seconds"},
                    {"hockney fit results/x", "models of what was measured"},
                    {"hockney compare results/before results/after", "did anything change?"}},
       .first = {{"hockney run quick", "how fast messages are on this machine, in ten seconds"},
                 {"hockney run quick --vary OMPI_MCA_btl=default,self+tcp",
                  "what if a setting of the MPI library were another?"},
                 {"hockney run --list", "what else can be measured, and how long it takes"},
                 {"hockney profile -- mpirun -n 4 ./app",
                  "what a program does with MPI, and what it waits for"},
                 {"hockney where -- mpirun -n 4 ./app",
                  "where its ranks and threads will run, and what is wrong"}}});
}
