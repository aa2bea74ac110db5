#include <array>

#include "components/tune/app/tune.hpp"
#include "core/cli/command_line.hpp"

int main(int argc, char** argv) {
  constexpr std::array<hockney::AddSubcommand, 1> subcommands{hockney::tune::add_tune};
  return hockney::drive(
      argc, argv, subcommands, HOCKNEY_VERSION,
      {.examples = {{"hockney tune results/bcast -o bcast.rules", "choose, and write the file"},
                    {"hockney tune results/bcast --verify bcast.rules",
                     "measure the file against the default"},
                    {"hockney tune --help-all", "everything else"}}});
}
