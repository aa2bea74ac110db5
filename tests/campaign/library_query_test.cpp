#include "campaign/library_query.hpp"

#include <catch2/catch.hpp>
#include <filesystem>

#include "tests/campaign/campaign_fixture.hpp"

namespace hockney::campaign {
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

  ControlVariable ask() { return LibraryQuery(campaign_.request())("I_MPI_ADJUST_BCAST"); }

 private:
  MockCampaign campaign_;
};

}  // namespace

TEST_CASE("presets of Intel MPI are those that its impi_info tells") {
  IntelStandIn intel("echo 'Arguments\n<presetid> - Preset identifier\nrange: 0-2'");
  CHECK(intel.ask().choices.size() == 3);
}

TEST_CASE("an impi_info that fails is not taken for one that lists nothing") {
  IntelStandIn broken(
      "echo \"$0: error while loading shared libraries: libmpi.so.12: cannot open\" >&2; exit 127");
  CHECK_THROWS_WITH(broken.ask(), Catch::Contains("impi_info -v I_MPI_ADJUST_BCAST' fails (exit "
                                                  "code 127: ") &&
                                      Catch::Contains("libmpi.so.12: cannot open) does "
                                                      "LD_LIBRARY_PATH name the folder"));
  IntelStandIn absent("");
  CHECK_THROWS_WITH(absent.ask(), Catch::StartsWith("no impi_info, which lists the values of "
                                                    "'I_MPI_ADJUST_BCAST' (it is neither beside"));
}

TEST_CASE("a variable that impi_info does not know is one the library knows nothing of") {
  IntelStandIn intel("echo \"Didn't find\"; exit 255");
  CHECK_THROWS_WITH(intel.ask(), Catch::StartsWith("the MPI library knows no"));
}

}  // namespace hockney::campaign
