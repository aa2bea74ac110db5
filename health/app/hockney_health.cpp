#include <array>

#include "core/cli/command_line.hpp"
#include "health/app/health.hpp"

int main(int argc, char** argv) {
  constexpr std::array<hockney::AddSubcommand, 1> subcommands{hockney::add_health};
  return hockney::drive(argc, argv, subcommands, HOCKNEY_VERSION);
}
