#include "campaign/dialect.hpp"

#include <catch2/catch.hpp>

#include "core/error.hpp"

namespace hockney::campaign {

TEST_CASE("launchers are recognised by what they print") {
  CHECK(recognise_launcher("mpirun (Open MPI) 4.1.4\n\nReport bugs to http://...") ==
        LauncherKind::openmpi4);
  CHECK(recognise_launcher("mpirun (Open MPI) 3.1.3") == LauncherKind::openmpi4);
  CHECK(recognise_launcher("mpirun (Open MPI) 5.0.8") == LauncherKind::openmpi5);
  CHECK(recognise_launcher("mpirun (Open MPI) 10.0.0") == LauncherKind::openmpi5);
  CHECK(recognise_launcher("prterun (PRRTE) 3.0.8") == LauncherKind::openmpi5);
  CHECK(recognise_launcher("mpirun (OpenRTE) 4.0.3") == LauncherKind::openmpi4);
  CHECK(recognise_launcher("HYDRA build details:\n    Version:  4.0.2\n") == LauncherKind::mpich);
  CHECK(recognise_launcher("Intel(R) MPI Library for Linux* OS, Version 2021.11 Build 2023") ==
        LauncherKind::intel);
  CHECK(recognise_launcher("SimGrid version 3.32") == LauncherKind::simgrid);
  CHECK(recognise_launcher("slurm-wlm 22.05.8") == LauncherKind::slurm);
  CHECK_FALSE(recognise_launcher("my own launcher 1.0").has_value());
  CHECK_FALSE(recognise_launcher("").has_value());
}

TEST_CASE("dialects are read by name") {
  CHECK_FALSE(parse_dialect("auto").has_value());
  for (const Dialect dialect :
       {Dialect::openmpi, Dialect::hydra, Dialect::srun, Dialect::smpirun}) {
    CHECK(parse_dialect(std::string(word(dialect))) == dialect);
    CHECK(dialect_of(usual_kind(dialect)) == dialect);
  }
  CHECK_THROWS_WITH(parse_dialect("srum"), Catch::Contains("did you mean 'srun'"));
}

TEST_CASE("every family but Slurm's has its dialect") {
  for (const MpiFamily family : {MpiFamily::openmpi, MpiFamily::mpich, MpiFamily::simgrid}) {
    CHECK(family_of(usual_kind(natural_dialect(family))) == family);
  }
  CHECK_FALSE(family_of(LauncherKind::slurm).has_value());
}

}  // namespace hockney::campaign
