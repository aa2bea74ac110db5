#pragma once

namespace hockney {

/// The main function of hockney-settings: what the MPI library lets be set, with the values in
/// force and those there may be, as a table or as a hockney.settings/1 document; returns the exit
/// code.
int run_settings_program(int argc, char** argv);

}  // namespace hockney
