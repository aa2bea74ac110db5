#include <array>

#include "components/application/commands/commands.hpp"

int main(int argc, char** argv) {
  using namespace hockney::driver;
  constexpr std::array<hockney::AddSubcommand, 7> subcommands{
      add_predict, add_profile, add_map, add_where, add_scale, add_advise, add_export};
  return hockney::drive(
      argc, argv, subcommands, HOCKNEY_VERSION,
      {.examples = {{"hockney profile -- mpirun -n 4 ./app", "what a program does with MPI"},
                    {"hockney where -- mpirun -n 4 ./app", "where its ranks would run"},
                    {"hockney advise run.json results/hops", "what would help it"}}});
}
