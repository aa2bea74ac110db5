#include <catch2/catch.hpp>
#include <filesystem>
#include <map>

#include "core/atomic_file.hpp"
#include "core/error.hpp"
#include "driver/campaign/launch_command.hpp"
#include "driver/campaign/mpi_stack.hpp"
#include "tests/driver/campaign/campaign_fixture.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hockney::campaign {

using Names = std::vector<std::string>;

namespace {

constexpr const char* open_mpi = "mpirun (Open MPI) 4.1.4";
constexpr const char* hydra = "HYDRA build details:";

/// A command's answer to --version.
std::string content_of(const std::string& file) { return read_file(file); }

/// A folder of commands that print their own content for --version.
struct Commands {
  TemporaryFolder folder;
  std::string script = folder.write_program("program.sh", "#!/bin/sh\n");

  Commands(std::initializer_list<std::map<std::string, std::string>::value_type> versions) {
    for (const auto& [name, version] : versions) folder.write_program(name, version);
  }
  [[nodiscard]] Launcher find(const LauncherConfig& config) const {
    return find_launcher(config, script, {.commands = {folder.path()}}, content_of);
  }
  [[nodiscard]] std::string path(const std::string& name) const {
    return folder.path() + "/" + name;
  }
};

}  // namespace

TEST_CASE("launchers beside the program's MPI library come first") {
  const ElfNeeds needs{{"libmpi.so.40"}, {"/opt/openmpi/lib"}};
  CHECK(launcher_candidates(Dialect::openmpi, needs) ==
        Names{"/opt/openmpi/bin/mpirun.openmpi", "/opt/openmpi/bin/mpirun",
              "/opt/openmpi/bin/mpiexec", "mpirun.openmpi", "mpirun", "mpiexec"});
  CHECK(launcher_candidates(Dialect::srun, needs) == Names{"srun"});
  CHECK(launcher_candidates(Dialect::hydra, {}) ==
        Names{"mpiexec.hydra", "mpiexec.mpich", "mpirun.mpich", "mpiexec", "mpirun"});
}

TEST_CASE(
    "the library path goes before the program's own folders, where it holds the MPI library") {
  const TemporaryFolder other;
  other.write("lib/libmpi.so.40", "");
  const std::string lib = other.path() + "/lib";
  const ElfNeeds needs{{"libc.so.6", "libmpi.so.40"}, {"/opt/openmpi/lib"}};
  const ElfNeeds seen = with_library_path(needs, {"/opt/none", other.path(), lib});
  CHECK(seen.libraries == needs.libraries);
  CHECK(seen.folders == Names{lib, "/opt/openmpi/lib"});
  CHECK(launcher_candidates(Dialect::openmpi, seen).front() ==
        other.path() + "/bin/mpirun.openmpi");
  CHECK(with_library_path({{"libc.so.6"}, {}}, {lib}).folders.empty());
}

TEST_CASE("a launcher of another MPI is passed over") {
  const Commands commands{{"mpirun", hydra}, {"mpiexec", open_mpi}};
  const Launcher launcher = commands.find({.dialect = Dialect::openmpi});
  CHECK(launcher.command == commands.path("mpiexec"));
  CHECK(launcher.kind == LauncherKind::openmpi4);
  CHECK(commands.find({.dialect = Dialect::hydra}).command == commands.path("mpirun"));
}

TEST_CASE("when only launchers of another MPI are there, the error names both") {
  const Commands commands{{"mpirun", hydra}};
  CHECK_THROWS_WITH(commands.find({.dialect = Dialect::openmpi}),
                    Catch::Contains("openmpi") && Catch::Contains("belongs to MPICH"));
  CHECK_THROWS_WITH(commands.find({.dialect = Dialect::srun}),
                    Catch::Contains("none of srun is in PATH"));
}

TEST_CASE("a named launcher must fit, but its version may be unknown") {
  const Commands commands{{"mine", "my wrapper 1.0"}, {"theirs", hydra}};
  const Launcher mine = commands.find({.dialect = Dialect::openmpi, .command = "mine"});
  CHECK(mine.command == commands.path("mine"));
  CHECK(mine.kind == LauncherKind::openmpi4);
  CHECK_THROWS_WITH(commands.find({.dialect = Dialect::openmpi, .command = "theirs"}),
                    Catch::Contains("belongs to MPICH"));
  CHECK_THROWS_WITH(commands.find({.dialect = Dialect::openmpi, .command = "none"}),
                    Catch::Contains("'none' not found"));
}

TEST_CASE("a program without MPI needs its dialect named") {
  const auto find = [](const LauncherConfig& config) {
    return find_launcher(config, "/proc/self/exe", {}, content_of);
  };
  CHECK_THROWS_WITH(find({}), Catch::Contains("--launcher"));
}

TEST_CASE("a version is asked of the command itself") {
  const TemporaryFolder folder;
  const std::string command = folder.write_program("l", "#!/bin/sh\necho \"got $1\" >&2\n");
  CHECK(probe_version(command) == "got --version\n");
}

TEST_CASE("programs are found by path and by name") {
  const TemporaryFolder folder;
  const std::string program = folder.write_program("bin/hockney-mock", "");
  folder.write("bin/data", "");
  CHECK(find_program("hockney-mock", "/", {folder.path() + "/bin"}) == program);
  CHECK(find_program("bin/hockney-mock", folder.path(), {}) == program);
  CHECK(find_program(program, "/elsewhere", {}) == program);
  CHECK_THROWS_WITH(find_program("hockney-mokc", "/", {folder.path() + "/bin"}),
                    Catch::Contains("did you mean 'hockney-mock'"));
  CHECK_THROWS_AS(find_program("data", "/", {folder.path() + "/bin"}), InputError);
  CHECK_THROWS_AS(find_program("bin", folder.path(), {folder.path()}), InputError);
}

namespace {

/// Intel MPI with programs that stand for its own, and what its impi_info does.
class IntelStandIn {
 public:
  explicit IntelStandIn(const std::string& impi_info) {
    const TemporaryFolder& folder = campaign_.parent();
    // What is launched is the first word that is a path.
    const std::string launcher = folder.write_program(
        "bin/mpiexec.hydra",
        "#!/bin/sh\nwhile [ \"${1#/}\" = \"$1\" ]; do shift; done\nexec \"$@\"\n");
    std::filesystem::create_symlink(HOCKNEY_MOCK_LAUNCH, folder.path() + "/bin/hockney-settings");
    if (!impi_info.empty()) folder.write_program("bin/impi_info", "#!/bin/sh\n" + impi_info + "\n");
    campaign_.request().program = folder.path() + "/bin/hockney-collectives";
    campaign_.request().launcher = {LauncherKind::intel, launcher, std::nullopt};
  }

  ControlVariable query() { return LibraryQuery(campaign_.request())("I_MPI_ADJUST_BCAST"); }
  [[nodiscard]] MockCampaign& campaign() { return campaign_; }

 private:
  MockCampaign campaign_;
};

}  // namespace

TEST_CASE("presets of Intel MPI are those that its impi_info tells") {
  IntelStandIn intel("echo 'Arguments\n<presetid> - Preset identifier\nrange: 0-2'");
  CHECK(intel.query().choices.size() == 3);
}

TEST_CASE("an impi_info that fails is not taken for one that lists nothing") {
  IntelStandIn broken(
      "echo \"$0: error while loading shared libraries: libmpi.so.12: cannot open\" >&2; exit 127");
  CHECK_THROWS_WITH(broken.query(), Catch::Contains("impi_info -v I_MPI_ADJUST_BCAST' fails (exit "
                                                    "code 127: ") &&
                                        Catch::Contains("libmpi.so.12: cannot open) does "
                                                        "LD_LIBRARY_PATH name the folder"));
  IntelStandIn absent("");
  CHECK_THROWS_WITH(absent.query(),
                    Catch::StartsWith("no impi_info, which lists the values of "
                                      "'I_MPI_ADJUST_BCAST' (it is neither beside"));
}

TEST_CASE("the cost of a launch is asked for first, unless that would cost a small budget") {
  IntelStandIn library("");
  const auto is_known = [&](double budget, std::optional<int> launches = std::nullopt) {
    library.campaign().launches(launches).budget(Seconds{budget});
    library.campaign().request().terms.start_up.reset();
    settle_request(library.campaign().request(), false);
    return library.campaign().request().terms.start_up.has_value();
  };
  CHECK(is_known(10));
  CHECK_FALSE(is_known(9));
  CHECK(is_known(9, 3));
  library.campaign().settings({"a", "b"});
  CHECK(is_known(9));
}

TEST_CASE("a variable that impi_info does not know is one the library knows nothing of") {
  IntelStandIn intel("echo \"Didn't find\"; exit 255");
  CHECK_THROWS_WITH(intel.query(), Catch::StartsWith("the MPI library knows no"));
}

}  // namespace hockney::campaign
