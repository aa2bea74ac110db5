#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "components/application/screens/comparison_report.hpp"
#include "core/text.hpp"
#include "tests/support/synthetic_program.hpp"

namespace hockney::report {
namespace {

using applications::Comparison;
using applications::Scaling;

SyntheticProgram run_of(int ranks, double computing, double mpi) {
  SyntheticProgram program(ranks, 4);
  program.every_time(computing, mpi);
  program.calls("MPI_Allreduce", 10, 8, ranks * mpi);
  return program;
}

profile::Profile with_variable(const std::string& value, double computing) {
  return run_of(4, computing, 1)
      .with([&](profile::Profile& all) { all.provenance.environment["OMPI_MCA_btl"] = value; })
      .profile();
}

std::vector<std::string> labels_of(const Comparison& comparison) {
  return strings_of(screen_of(comparison).rows, &SummaryRow::label);
}

}  // namespace

TEST_CASE("the screen of settings names what parts them") {
  const Comparison comparison =
      compare({with_variable("tcp,self", 9), with_variable("vader,self", 4)}, Scaling::strong);
  CHECK(labels_of(comparison) == std::vector<std::string>{"4 ranks OMPI_MCA_btl=tcp,self",
                                                          "4 ranks OMPI_MCA_btl=vader,self"});
  const Screen screen = screen_of(comparison);
  CHECK(screen.answer.front().starts_with(
      "4 ranks OMPI_MCA_btl=vader,self: speed-up 2.00 over 4 ranks OMPI_MCA_btl=tcp,self; "));
  CHECK(screen.reliability.size() == 1);

  const Comparison other =
      compare({run_of(4, 8, 2).profile(),
               run_of(4, 8, 2)
                   .with([](profile::Profile& all) { all.provenance.mpi.library = "MPICH 4.0"; })
                   .profile()},
              Scaling::strong);
  CHECK(labels_of(other) ==
        std::vector<std::string>{"4 ranks Open MPI v4.1.4", "4 ranks MPICH 4.0"});
}

TEST_CASE("a run on too few CPUs is called so, not by the launcher's variable") {
  const auto reported = [](int ranks, const std::string& value) {
    return run_of(ranks, 8, 2)
        .with([&](profile::Profile& all) {
          all.provenance.environment["OMPI_MCA_mpi_oversubscribe"] = value;
        })
        .profile();
  };
  CHECK(labels_of(compare({reported(2, "0"), reported(4, "1")}, Scaling::strong)) ==
        std::vector<std::string>{"2 ranks", "4 ranks, oversubscribed"});
}

TEST_CASE("launches have intervals, and too few of them say how many it takes") {
  std::vector<profile::Profile> profiles;
  for (int launch = 0; launch < 7; ++launch) {
    profiles.push_back(run_of(2, 8 + launch, 2).profile());
    profiles.push_back(run_of(4, 4 + 0.5 * launch, 1).profile());
  }
  Screen screen = screen_of(compare(profiles, Scaling::strong));
  CHECK(screen.reliability.front() == "7 launches of each: intervals (95 %) are over launches");
  CHECK(screen.answer.front().starts_with("4 ranks: speed-up 2.00 (1.25 .. 3.20) over 2 ranks"));
  profiles.resize(5);
  screen = screen_of(compare(profiles, Scaling::strong));
  CHECK(
      screen.reliability.front() ==
      "2 to 3 launches of a run: an interval of a time needs 6, one of a speed-up 7 of both runs");
}

TEST_CASE("runs whose CPUs were taken are named, and no change of the program is told from them") {
  const auto starved = [](double waiting) {
    return run_of(2, 8, 2)
        .with([&](profile::Profile& all) {
          for (profile::Rank& rank : all.ranks) {
            rank.seconds += waiting;
            rank.cpu = profile::CpuUse{
                .user_seconds = 10, .waiting_seconds = waiting, .mpi_waiting_seconds = 0.0};
          }
          all.seconds += waiting;
          all.provenance.environment["OMPI_MCA_btl"] = waiting > 1 ? "tcp" : "vader";
        })
        .profile();
  };
  const Comparison comparison = compare({starved(0.1), starved(10)}, Scaling::strong);
  CHECK(comparison.is_starved());
  CHECK(comparison.runs[0].starved_launches == 0);
  CHECK(comparison.runs[1].starved_launches == 1);
  CHECK(*comparison.runs[1].cpu_fraction == Approx(0.5));
  const Screen screen = screen_of(comparison);
  CHECK(screen.verdict ==
        "not compared: other processes or ranks took the CPUs of 2 ranks OMPI_MCA_btl=tcp (got "
        "0.50 of a CPU); run again on free cores");
  CHECK(screen.answer.front() == screen.verdict);
  CHECK(screen.answer.at(1).find("says nothing about the program") != std::string::npos);
  const nlohmann::json json = to_json(comparison);
  CHECK(json.at("starved") == true);
  CHECK(json.at("runs").at(1).at("grew").is_null());
  CHECK(json.at("runs").at(1).at("starved_launches") == 1);
  CHECK(json.at("runs").at(1).at("fractions").at("not_scheduled").get<double>() == Approx(0.5));
  CHECK_FALSE(compare({starved(0.1), run_of(4, 4, 1).profile()}, Scaling::strong).is_starved());
}

}  // namespace hockney::report
