#include <fmt/format.h>
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <iterator>

#include "components/application/analysis/trace.hpp"
#include "core/atomic_file.hpp"
#include "tests/components/application/library/program_profile.hpp"
#include "tests/support/temporary_folder.hpp"

// Whose files are whose: of several runs, and of several worlds of one run.
namespace hockney::profile {
namespace {

bool says_line(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}

}  // namespace

TEST_CASE("a world that the program spawns has a profile of its own, and both are named") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/profile.json";
  const CommandResult run = run_profiled(file, 2, {HOCKNEY_ENDINGS, "spawn"}, {"--log"});
  INFO(run.out << run.err);
  const std::string second = folder.path() + "/profile.world2.json";
  const Profile parents = load_profile(file);
  const Profile children = load_profile(second);
  CHECK(parents.world_ranks == 2);
  CHECK(children.world_ranks == 1);
  CHECK(parents.identity != children.identity);
  CHECK(calls_of(parents).contains("MPI_Comm_spawn"));
  CHECK(says_line(run.err, "the program had 2 worlds"));
  CHECK(says_line(run.err, file + "  2 ranks"));
  CHECK(says_line(run.err, second + "  1 rank"));
  CHECK(applications::load_trace(parents, file).ranks.size() == 2);
  CHECK(applications::load_trace(children, second).ranks.size() == 1);
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 4);
}

TEST_CASE("programs that one command runs one after the other have a profile each") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/profile.json";
  std::vector<std::string> words{HOCKNEY_DRIVER,
                                 "profile",
                                 "--mpi",
                                 "openmpi",
                                 "-o",
                                 file,
                                 "--",
                                 "/bin/sh",
                                 "-c",
                                 R"("$@"; "$@"; test $? = 3)",
                                 "sh"};
  for (const std::string& word : launcher(1)) words.push_back(word);
  words.insert(words.end(), {HOCKNEY_ENDINGS, "finalize"});
  const CommandResult run = run_in_mpi_environment(words, std::chrono::seconds(100));
  INFO(run.out << run.err);
  CHECK(load_profile(file).identity !=
        load_profile(folder.path() + "/profile.world2.json").identity);
  CHECK(run.exit_code == 0);
}

TEST_CASE("by hand, no profile replaces another one") {
  const TemporaryFolder folder;
  const std::string file = folder.write("profile.json", "mine");
  folder.write("profile.world2.json.rank5.part", "of an earlier run");
  const CommandResult shown = run_command({HOCKNEY_DRIVER, "profile", "--mpi", "openmpi", "--env"});
  const std::string preload = shown.out.substr(shown.out.find("LD_PRELOAD="));
  std::vector<std::string> words = launcher(2);
  words.insert(words.end(), {"env", preload.substr(0, preload.find('\n')),
                             "HOCKNEY_PROFILE_OUT=" + file, HOCKNEY_ENDINGS, "finalize"});
  const CommandResult run = run_in_mpi_environment(words, std::chrono::seconds(100));
  INFO(run.out << run.err);
  const std::string third = folder.path() + "/profile.world3.json";
  CHECK(read_file(file) == "mine");
  CHECK(load_profile(third).world_ranks == 2);
  CHECK(says_line(run.err, "the profile goes to '" + third + "'"));
}

TEST_CASE("what an earlier run left is refused, and says whose it is") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/profile.json";
  // The launcher ends with hockney profile, and the ranks save their parts when that is killed.
  run_in_mpi_environment(
      {"/bin/sh", "-c",
       R"("$@" & until test -s "$0.rank0.part.new"; do sleep 0.1; done; kill -9 $!; )"
       R"(until test -e "$0.rank0.part"; do sleep 0.1; done)",
       file, HOCKNEY_DRIVER, "profile", "-o", file, "--", HOCKNEY_MPIEXEC, "-n", "1",
       "--oversubscribe", HOCKNEY_ENDINGS, "forever"},
      std::chrono::seconds(100));
  REQUIRE(std::filesystem::exists(file + ".rank0.part"));
  const CommandResult run = run_profiled(file, 2, {HOCKNEY_ENDINGS, "kill"});
  INFO(run.out << run.err);
  CHECK(run.exit_code == 2);
  CHECK(says_line(run.err, "rank0.part' is there already (a run of '" HOCKNEY_ENDINGS
                           " forever' left it, begun 20"));
  CHECK(std::ranges::count(run.err, '\n') == 1);
  std::filesystem::remove(file + ".rank0.part");
  const CommandResult again = run_profiled(file, 2, {HOCKNEY_ENDINGS, "finalize"});
  INFO(again.out << again.err);
  CHECK(again.exit_code == 3);
  CHECK(load_profile(file).world_ranks == 2);
}

TEST_CASE("of several that are to write one profile only the first runs") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/profile.json";
  const std::string script = R"(for i in 1 2 3 4; do ( "$@" 2> "$0.$i"; echo $? ) & done; wait)";
  std::vector<std::string> words{"/bin/sh", "-c", script, folder.path() + "/said"};
  const std::string until = R"(until test $(cat "$0".* | grep -c locked) = 3; do sleep 0.1; done)";
  const std::vector<std::string> program{"/bin/sh", "-c", until, folder.path() + "/said"};
  for (const std::string& word : profiled(file, 1, program)) words.push_back(word);
  const CommandResult run = run_in_mpi_environment(words, std::chrono::seconds(100));
  INFO(run.out << run.err);
  std::vector<std::string> codes = split(run.out, '\n');
  std::ranges::sort(codes);
  CHECK(codes == std::vector<std::string>{"", "2", "2", "2", "3"});
  CHECK_FALSE(std::filesystem::exists(file + ".lock"));
  std::string refusals;
  for (int i = 1; i <= 4; ++i) refusals += read_file(folder.path() + "/said." + std::to_string(i));
  CHECK(says_line(refusals, "profile.json.lock' is locked ("));
}

TEST_CASE("a lock that a killed process left is taken over") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/profile.json";
  folder.write("profile.json.lock", "1 elsewhere");
  const CommandResult run = run_profiled(file, 1, {HOCKNEY_ENDINGS, "finalize"});
  INFO(run.out << run.err);
  CHECK(run.exit_code == 3);
  CHECK(load_profile(file).world_ranks == 1);
  CHECK_FALSE(std::filesystem::exists(file + ".lock"));
}

TEST_CASE("a program that is killed before MPI_Init is said to have been killed") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/profile.json";
  const CommandResult run = run_profiled(file, 1, {HOCKNEY_ENDINGS, "early"});
  INFO(run.out << run.err);
  CHECK(run.exit_code == 137);
  CHECK(says_line(run.err,
                  "no profile was written (the command ended with exit code 137, as after "
                  "signal 9 (Killed)"));
  CHECK_FALSE(says_line(run.err, "LD_PRELOAD"));
  const CommandResult alone = run_command(
      {HOCKNEY_DRIVER, "profile", "--mpi", "openmpi", "-o", file, "--", HOCKNEY_ENDINGS, "early"});
  INFO(alone.out << alone.err);
  CHECK(alone.exit_code == 137);
  CHECK(says_line(alone.err, "(the command was ended by signal 9 (Killed)"));
}

TEST_CASE("a launcher that finds no program is not said to have had a signal") {
  const TemporaryFolder folder;
  const CommandResult run = run_profiled(folder.path() + "/profile.json", 1, {"./missing"});
  INFO(run.out << run.err);
  CHECK(run.exit_code != 0);
  CHECK(says_line(run.err, fmt::format("no program './missing' (the command ended with exit code "
                                       "{}) check its name and PATH",
                                       run.exit_code)));
  CHECK_FALSE(says_line(run.err, "signal"));
}

TEST_CASE("hockney in a folder that LD_PRELOAD cannot name is refused before anything runs") {
  for (const char* name : {"a blank", "a:colon", "a$dollar"}) {
    const TemporaryFolder folder;
    namespace fs = std::filesystem;
    const fs::path root = fs::path(folder.path()) / name;
    const fs::path build = fs::path(HOCKNEY_DRIVER).parent_path().parent_path();
    fs::create_directories(root / "bin");
    fs::create_directory_symlink(build / "lib", root / "lib");
    for (const char* program : {"hockney", "hockney-application"}) {
      fs::copy_file(build / "bin" / program, root / "bin" / program);
    }
    const CommandResult run =
        run_command({(root / "bin/hockney").string(), "profile", "--mpi", "openmpi", "-o",
                     folder.path() + "/p.json", "--", "/bin/touch", folder.path() + "/ran"});
    INFO(run.out << run.err);
    CHECK(run.exit_code == 2);
    CHECK(says_line(run.err, "LD_PRELOAD takes no path with a blank, a colon or a $"));
    CHECK(std::ranges::count(run.err, '\n') == 1);
    CHECK_FALSE(fs::exists(folder.path() + "/ran"));
  }
}

}  // namespace hockney::profile
