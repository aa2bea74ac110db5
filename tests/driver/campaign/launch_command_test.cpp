#include <catch2/catch.hpp>

#include "core/error.hpp"
#include "driver/campaign/launch_command.hpp"

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

using Words = std::vector<std::string>;

namespace {

Job job_of_two() {
  return {.ranks = 2,
          .environment = {{"OMPI_MCA_pml", "ob1"}, {"UCX_TLS", "tcp,self"}},
          .launcher_arguments = {"--host", "a,b"},
          .program = {"/opt/prog", "--sizes", "0:4M"}};
}

Words words(LauncherKind kind, const std::string& command, const Job& job,
            std::optional<MpiFamily> programs = {}) {
  return launch_command({kind, command, programs}, job).arguments;
}

}  // namespace

TEST_CASE("the command of Open MPI 4") {
  Job job = job_of_two();
  const Words expected{"mpirun", "--oversubscribe", "--bind-to", "none", "-n",        "2",
                       "-x",     "UCX_TLS",         "--host",    "a,b",  "/opt/prog", "--sizes",
                       "0:4M"};
  CHECK(words(LauncherKind::openmpi4, "mpirun", job) == expected);
  CHECK(launch_command({LauncherKind::openmpi4, "mpirun", {}}, job).environment == job.environment);
  job.as_root = true;
  CHECK(words(LauncherKind::openmpi4, "mpirun", job)[1] == "--allow-run-as-root");
}

TEST_CASE("the command of Open MPI 5") {
  Job job = job_of_two();
  CHECK(words(LauncherKind::openmpi5, "mpirun", job) ==
        Words{"mpirun", "--map-by", ":OVERSUBSCRIBE", "--bind-to", "none", "-n", "2", "-x",
              "UCX_TLS", "--host", "a,b", "/opt/prog", "--sizes", "0:4M"});
  job.launcher_arguments = {"--map-by", "node", "--bind-to", "core"};
  CHECK(words(LauncherKind::openmpi5, "mpirun", job) ==
        Words{"mpirun", "-n", "2", "-x", "UCX_TLS", "--map-by", "node", "--bind-to", "core",
              "/opt/prog", "--sizes", "0:4M"});
}

TEST_CASE("the command of MPICH") {
  CHECK(words(LauncherKind::mpich, "mpiexec.hydra", job_of_two()) ==
        Words{"mpiexec.hydra", "-n", "2", "-bind-to", "none", "-genv", "OMPI_MCA_pml", "ob1",
              "-genv", "UCX_TLS", "tcp,self", "--host", "a,b", "/opt/prog", "--sizes", "0:4M"});
}

TEST_CASE("the command of Intel MPI") {
  Job job = job_of_two();
  job.environment = {{"I_MPI_ADJUST_BCAST", "3"}};
  CHECK(words(LauncherKind::intel, "mpiexec.hydra", job) ==
        Words{"mpiexec.hydra", "-n", "2", "-genv", "I_MPI_PIN", "0", "-genv", "I_MPI_ADJUST_BCAST",
              "3", "--host", "a,b", "/opt/prog", "--sizes", "0:4M"});
  job.environment = {{"I_MPI_PIN", "1"}};
  CHECK(words(LauncherKind::intel, "mpiexec.hydra", job) ==
        Words{"mpiexec.hydra", "-n", "2", "-genv", "I_MPI_PIN", "1", "--host", "a,b", "/opt/prog",
              "--sizes", "0:4M"});
}

TEST_CASE("the command of Slurm carries values with commas in the environment") {
  const Launcher launcher{LauncherKind::slurm, "srun", MpiFamily::openmpi};
  const Command command = launch_command(launcher, job_of_two());
  CHECK(command.arguments == Words{"srun", "-n", "2", "--export=ALL", "--kill-on-bad-exit=1",
                                   "--cpu-bind=none", "--mpi=pmix", "--host", "a,b", "/opt/prog",
                                   "--sizes", "0:4M"});
  CHECK(command.environment.at("UCX_TLS") == "tcp,self");
  Job job = job_of_two();
  job.launcher_arguments = {"--mpi=pmi2", "--cpu-bind=cores"};
  CHECK(launch_command(launcher, job).arguments ==
        Words{"srun", "-n", "2", "--export=ALL", "--kill-on-bad-exit=1", "--mpi=pmi2",
              "--cpu-bind=cores", "/opt/prog", "--sizes", "0:4M"});
  CHECK(words(LauncherKind::slurm, "srun", job_of_two(), MpiFamily::mpich) ==
        Words{"srun", "-n", "2", "--export=ALL", "--kill-on-bad-exit=1", "--cpu-bind=none",
              "--mpi=pmi2", "--host", "a,b", "/opt/prog", "--sizes", "0:4M"});
  CHECK(words(LauncherKind::slurm, "srun", job_of_two()) ==
        Words{"srun", "-n", "2", "--export=ALL", "--kill-on-bad-exit=1", "--cpu-bind=none",
              "--host", "a,b", "/opt/prog", "--sizes", "0:4M"});
}

TEST_CASE("each node gets its ranks, and goes on without the others") {
  const Job job{.ranks = 6, .per_node = 3, .program = {"p"}};
  CHECK(words(LauncherKind::openmpi4, "mpirun", job) ==
        Words{"mpirun", "--oversubscribe", "--map-by", "ppr:3:node", "--enable-recovery",
              "--bind-to", "none", "p"});
  CHECK(words(LauncherKind::openmpi5, "mpirun", job) ==
        Words{"mpirun", "--map-by", "ppr:3:node:OVERSUBSCRIBE", "--bind-to", "none", "p"});
  CHECK(words(LauncherKind::slurm, "srun", job) ==
        Words{"srun", "-n", "6", "--export=ALL", "--kill-on-bad-exit=0", "--ntasks-per-node=3",
              "--cpu-bind=none", "p"});
  CHECK(words(LauncherKind::mpich, "mpiexec", job) ==
        Words{"mpiexec", "-n", "6", "-ppn", "3", "-bind-to", "none", "p"});
}

TEST_CASE("the command of SimGrid") {
  Job job = job_of_two();
  job.environment.clear();
  job.launcher_arguments = {"-platform", "p.xml", "-hostfile", "h.txt", "--cfg=smpi/host-speed:1"};
  CHECK(words(LauncherKind::simgrid, "smpirun", job) ==
        Words{"smpirun", "-np", "2", "-platform", "p.xml", "-hostfile", "h.txt",
              "--cfg=smpi/host-speed:1", "/opt/prog", "--sizes", "0:4M"});
}

TEST_CASE("a command is printed as a shell takes it") {
  const Command command{{"mpirun", "-x", "A", "a b", "it's", "", "$HOME", "--sizes=0:4M"},
                        {{"A", "x;y"}, {"B", "1,2"}}};
  CHECK(to_shell(command) == "A='x;y' B=1,2 mpirun -x A 'a b' 'it'\\''s' '' '$HOME' --sizes=0:4M");
}

}  // namespace hockney::campaign
