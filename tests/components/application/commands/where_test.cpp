#include "tests/driver/bad_input.hpp"

// What `hockney where` refuses before anything is started; launches are in
// tests/components/application/where/launched.
namespace hockney::driver {
namespace {

TEST_CASE("where refuses commands without a launcher or a program") {
  check_refusals({built("hockney"), "where"},
                 {{{}, "no command"},
                  {{"--", "no-such-launcher", "-n", "2", "./app"},
                   "'no-such-launcher -n 2 ./app' starts no ranks"},
                  {{"--", "/bin/ls", "x"}, "'/bin/ls x' starts no ranks"},
                  {{"--", "mpirun", "-n", "2"}, "the command has no program"},
                  {{"--program", "b", "--", "mpirun", "a"}, "no word 'b' in the command"},
                  {{"--limit", "soon", "--", "/bin/ls", "a"}, "soon"},
                  {{"--program", "a", "--", "mpirun", "a", ":", "b"}, "no program 'b'"},
                  {{"--", "flux", "run", "-n", "2", "/bin/true"}, "no program 'flux'"},
                  {{"--prov"}, "did you mean '--prove'?"}});
}

}  // namespace
}  // namespace hockney::driver
