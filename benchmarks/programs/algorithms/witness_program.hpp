#pragma once

namespace hockney {

/// The main function of hockney-algorithms.
int run_witness_program(int argc, char** argv);

}  // namespace hockney
