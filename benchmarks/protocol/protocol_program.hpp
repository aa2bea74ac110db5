#pragma once

namespace hockney {

/// The main function of hockney-protocol; exit codes as run_program. 1 when what was found speaks
/// against what the library states, or against itself.
int run_protocol_program(int argc, char** argv);

}  // namespace hockney
