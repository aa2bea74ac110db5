// hockney-io: files by MPI. They are removed when the program ends, in whatever way.

#include <mpi.h>

#include "benchmarks/harness/file_system.hpp"
#include "benchmarks/programs/io/file_checks.hpp"
#include "benchmarks/programs/launch/program.hpp"

int main(int argc, char** argv) {
  using namespace hockney::benchmarks;
  FileJanitor janitor;
  return programs::run_program(
      {.name = "hockney-io",
       .procedure = "io",
       .description = "Time of writing, reading and opening files by MPI, independently and "
                      "collectively",
       .operations = "file-write,file-read,file-write-all,file-read-all,file-open-close",
       .usual = "all but the nonblocking ones",
       .sizes = "4K:4M:1",
       .measures_files = true,
       .check =
           [&](const programs::LaunchOptions& options) {
             programs::check_folder(options);
             janitor.watch(options.files.path, own_file_prefix());
           },
       .agree =
           [](programs::LaunchOptions& options) {
             programs::agree_on_files(MPI_COMM_WORLD, options);
           },
       .help = {.examples = {{"mpirun -n 2 hockney-io --path .", "write and read, each and all"},
                             {"mpirun -n 2 hockney-io --path . --operations C_Write_Shared --cache "
                              "synced",
                              "IMB's names"},
                             {"mpirun -n 2 hockney-io --path . --files one,per-rank --layout all "
                              "--sizes 64K",
                              "layouts"}},
                .common = {"--path", "--pointer", "--files", "--layout", "--cache", "--space"}}},
      argc, argv);
}
