#include <catch2/catch.hpp>
#include <nlohmann/json_fwd.hpp>
#include <sstream>

#include "components/application/screens/profile_report.hpp"
#include "tests/support/profile_view.hpp"
#include "tests/support/synthetic_program.hpp"

namespace hockney::report {
namespace {

std::string mpip_of(const ProfileView& view) {
  std::ostringstream out;
  print_mpip_report(out, view);
  return out.str();
}

/// The lines of a section, from the one below its title.
std::vector<std::string> section(const std::string& report, const std::string& title) {
  std::istringstream lines(report.substr(report.find("@--- " + title)));
  std::vector<std::string> found;
  std::string line;
  std::getline(lines, line);
  std::getline(lines, line);
  while (std::getline(lines, line) && !line.starts_with("---")) found.push_back(line);
  return found;
}

std::string example_report() {
  SyntheticProgram program(2);
  program.time(0, 8, 1, 1).time(1, 6, 4);
  program.calls("MPI_Waitall", 4, 0, 4).calls("MPI_Send", 10, 1000, 1);
  program.calls("MPI_Recv", 10, 1000, 0.5).calls("MPI_File_write", 1, 5000, 0.25);
  ProfileView view = view_of(program.profile(), "p.json");
  view.site_names = {{.function = "exchange", .place = "poisson.c:52"}};
  return mpip_of(view);
}

}  // namespace

TEST_CASE("the layout of mpiP: times of tasks, with files in MPI") {
  CHECK(section(example_report(), "MPI Time") ==
        std::vector<std::string>{
            "Task    AppTime    MPITime     MPI%", "   0       10.0       2.00    20.00",
            "   1       10.0       4.00    40.00", "   *       20.0       6.00    30.00"});
}

TEST_CASE("the layout of mpiP: call sites, and their time and bytes") {
  const std::string report = example_report();
  CHECK(section(report, "Callsites").at(1) ==
        "  1   0 poisson.c                  52 exchange                 Waitall");
  CHECK(section(report, "Aggregate Time").at(1) ==
        "Waitall                   1       4000   20.00   66.67          4      -");
  // What sends: neither receives nor files.
  const auto sent = section(report, "Aggregate Sent");
  REQUIRE(sent.size() == 2);
  CHECK(sent[1] == "Send                      2         10      10000       1000 100.00");
  CHECK(section(report, "Callsite Time").at(2) ==
        "Send                 2    *     10      100      100      100   5.00  16.67");
  CHECK(section(report, "Callsite Message").at(1) ==
        "Send                 2    *      10      1000      1000      1000     10000");
}

TEST_CASE("the layout of mpiP: a site without a name has its address, and none is unknown") {
  const ProfileView view = view_of(SyntheticProgram(1)
                                       .calls("MPI_Barrier", 1, 0, 1)
                                       .with([](profile::Profile& all) {
                                         all.sites[0].function.clear();
                                         all.calls.push_back({.call = "MPI_Wait", .count = 1});
                                       })
                                       .profile(),
                                   "p.json");
  const auto sites = section(mpip_of(view), "Callsites");
  CHECK(sites.at(1) == "  1   0 0x1234                        [unknown]                Barrier");
  CHECK(sites.at(2) == "  2   0 -                             [unknown]                Wait");
}

}  // namespace hockney::report
