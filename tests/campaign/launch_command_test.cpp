#include "campaign/launch_command.hpp"

#include <catch2/catch.hpp>

namespace hockney::campaign {

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
