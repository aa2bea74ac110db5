#pragma once

// The simulator's compiler defines exit as a macro of one argument; CLI11 has functions named exit.
#ifdef exit
#undef exit
#endif

#include <CLI/CLI.hpp>
