

// The programs that measure kernels against bad input.

#ifdef HOCKNEY_MPIEXEC

#include "tests/driver/bad_input.hpp"

namespace hockney::driver {

TEST_CASE("bad grids, mappings and ways of a halo are refused in one line") {
  check_refusals({built("hockney-halo")},
                 {{{"--points", "64"}, "a grid has two or three dimensions"},
                  {{"--points", "64x64,"}, "bad value '' for --points"},
                  {{"--points", "0x64"}, "bad value '0' for --points"},
                  {{"--grid", "2y2"}, "bad value '2y2' for --grid"},
                  {{"--ways", "imediate"}, "did you mean 'immediate'?"},
                  {{"--work", "durin"}, "did you mean 'during'?"},
                  {{"--iterations", "0"}, "bad value '0' for --iterations"},
                  {{"--sizes", "64"}, "unknown option '--sizes'"},
                  {{"--budget", "3s", "--epochs", "2"}, "both --budget and --epochs"},
                  {{"--launch", "1"}, "without --campaign"}});
}

/// By itself a program is one rank, which says so of what it was asked for.
TEST_CASE("kernels that the ranks cannot make are refused in one line") {
  check_refusals({built("hockney-halo")},
                 {{{"--grid", "2x2"}, "start 4 ranks"},
                  {{"--grid", "1x1", "--points", "8x8x8"}, "as many dimensions"},
                  {{"--mapping", "2x1"}, "tiles of that size do not fill 1x1"},
                  {{"--mapping", "linear,2x1"}, "tiles of that size do not fill 1x1"},
                  {{"--mapping", "linear,"}, "bad value '' for --mapping"},
                  {{"--ways", "blocking", "--work", "during"}, "nothing to measure"},
                  {{}, "halo needs at least two"}});
  check_refusals({built("hockney-cannon")}, {{{}, "Cannon's product needs a square of them"},
                                             {{"--sizes", "0"}, "bad value '0' for --sizes"},
                                             {{"--ways", "fense"}, "did you mean 'fence'?"}});
}

}  // namespace hockney::driver

#endif
