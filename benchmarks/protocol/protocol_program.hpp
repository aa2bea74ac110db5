#pragma once

namespace hockney {

/// The main function of hockney-protocol; exit codes as run_program. 1 when findings contradict
/// each other.
int run_protocol_program(int argc, char** argv);

}  // namespace hockney
