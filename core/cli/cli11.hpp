#pragma once

// The simulator's compiler makes exit a macro of one argument; CLI11 has functions of that name.
#ifdef exit
#undef exit
#endif

#include <CLI/CLI.hpp>
