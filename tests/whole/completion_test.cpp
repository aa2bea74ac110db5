#include <sstream>

#include "tests/driver/bad_input.hpp"
#include "tests/support/temporary_folder.hpp"

// The completion of bash itself, with the script that hockney prints.
namespace hockney::driver {
namespace {

using Texts = std::vector<std::string>;

/// What bash offers in the place of the last of these words.
Texts offered(const Texts& words) {
  const TemporaryFolder folder;
  folder.write("script", run_command({built("hockney"), "completion", "bash"}).out);
  std::string line = "source " + folder.path() + "/script; COMP_WORDS=(";
  for (const std::string& word : words) line += "'" + word + "' ";
  line += "); COMP_CWORD=" + std::to_string(words.size() - 1) +
          "; _hockney; printf '%s\\n' \"${COMPREPLY[@]}\"";
  const CommandResult result = run_command({"/bin/bash", "-c", line});
  INFO(line << '\n' << result.err);
  CHECK(result.exit_code == 0);
  CHECK(result.err.empty());
  Texts found;
  std::istringstream in(result.out);
  for (std::string word; std::getline(in, word);) {
    if (!word.empty()) found.push_back(word);
  }
  return found;
}

}  // namespace

TEST_CASE("bash completes subcommands, options and their values") {
  const std::string hockney = built("hockney");
  CHECK(offered({hockney, "co"}) == Texts{"compare", "completion"});
  CHECK(offered({hockney, "fit", "--max"}) == Texts{"--max-segments"});
  CHECK(offered({hockney, "fit", "--by", ""}) == Texts{"hop", "pair"});
  CHECK(offered({hockney, "fit", "--by", "=", "p"}) == Texts{"pair"});
  CHECK(offered({hockney, "run", "--launcher", "o"}) == Texts{"openmpi"});
  CHECK(offered({hockney, "import", "i"}) == Texts{"imb"});
  CHECK(offered({hockney, "export", ""}) == Texts{"csv", "folded"});
  CHECK(offered({hockney, "fit", "results/"}).empty());
}

TEST_CASE("bash completes names of configs") {
  const std::string hockney = built("hockney");
  CHECK(offered({hockney, "run", "qu"}) == Texts{"quick"});
  CHECK(offered({hockney, "run", "--budget", "60s", "nightly-c"}) == Texts{"nightly-collectives"});
  CHECK(offered({hockney, "scale", ""}) == Texts{"cannon", "halo"});
  CHECK(offered({hockney, "run", "configs/"}).empty());
}

TEST_CASE("bash completes what programs beside the driver know") {
  const std::string hockney = built("hockney");
  CHECK(offered({hockney, "tu"}) == Texts{"tune"});
  CHECK(offered({hockney, "tune", "--ver"}) == Texts{"--verified", "--verify"});
  CHECK(offered({hockney, "tune", "--oracle", "c"}) == Texts{"chosen"});
  CHECK(offered({hockney, "health", "list", "n"}) == Texts{"nights"});
}

#ifdef HOCKNEY_MPIEXEC
TEST_CASE("bash completes lists of operations") {
  const std::string program = built("hockney-pingpong");
  CHECK(offered({program, "--operations", "pingp"}) == Texts{"pingping", "pingpong"});
  CHECK(offered({program, "--operations", "barrier,b"}) ==
        Texts{"barrier,bandwidth", "barrier,bcast", "barrier,bidirectional-bandwidth"});
  CHECK(offered({program, "--cache", "c"}) == Texts{"cold"});
}
#endif

}  // namespace hockney::driver
