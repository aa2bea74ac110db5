#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "driver/campaign/failure_cause.hpp"

namespace hockney::campaign {
namespace {

/// A log of a failed launch and the line that explains it.
struct FailedLaunch {
  std::string of;
  std::string log;
  std::string cause;
};

const std::string open_mpi_ruler = std::string(74, '-') + "\n";
const std::string hydra_ruler = std::string(83, '=') + "\n";

/// What Open MPI's launcher prints of every job of which a rank failed.
const std::string open_mpi_end =
    open_mpi_ruler +
    "Primary job  terminated normally, but 2 processes returned\n"
    "a non-zero exit code. Per user-direction, the job has been "
    "aborted.\n" +
    open_mpi_ruler + open_mpi_ruler +
    "mpirun detected that one or more processes exited with non-zero "
    "status, thus causing\nthe job to be terminated. The first process "
    "to do so was:\n\n  Process name: [[91,1],0]\n  Exit code:    3\n" +
    open_mpi_ruler;

const std::string hydra_end =
    "\n" + hydra_ruler +
    "=   BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES\n=   PID 412 RUNNING AT n7\n"
    "=   EXIT CODE: 11\n=   CLEANING UP REMAINING PROCESSES\n" +
    hydra_ruler;

std::vector<FailedLaunch> failed_launches() {
  return {
      {"Open MPI, no path between ranks",
       open_mpi_ruler +
           "At least one pair of MPI processes are unable to reach each other for\n"
           "MPI communications.  This means that no Open MPI device has indicated\n"
           "that it can be used to communicate between these processes.  This is\n"
           "an error; Open MPI requires that all MPI processes be able to reach\n"
           "each other.  This error can sometimes be the result of forgetting to\n"
           "specify the \"self\" BTL.\n\n"
           "  Process 1 ([[17,1],1]) is on host: n3\n  Process 2 ([[17,1],1]) is on host: n3\n"
           "  BTLs attempted: tcp\n\nYour MPI job is now going to abort; sorry.\n" +
           open_mpi_ruler + open_mpi_ruler +
           "MPI_INIT has failed because at least one MPI process is unreachable\nfrom another.\n" +
           open_mpi_ruler +
           "[n3:51] *** An error occurred in MPI_Init\n[n3:51] *** reported by process [17,1]\n"
           "[n3:51] *** on a NULL communicator\n[n3:51] *** Unknown error\n"
           "[n3:51] *** MPI_ERRORS_ARE_FATAL (processes in this communicator will now abort,\n"
           "[n3:51] ***    and potentially your MPI job)\n"
           "[n3:40] 1 more process has sent help message help-mca-bml-r2.txt / unreachable proc\n"
           "[n3:40] Set MCA parameter \"orte_base_help_aggregate\" to 0 to see all help / error "
           "messages\n",
       "At least one pair of MPI processes are unable to reach each other for MPI communications. "
       "... This error can sometimes be the result of forgetting to specify the \"self\" BTL. "
       "(BTLs attempted: tcp)"},
      {"Open MPI, a component that is not there",
       open_mpi_ruler +
           "A requested component was not found, or was unable to be opened.  This\nmeans that "
           "this "
           "component is either not installed or is unable to be\nused on your system.\n\n"
           "Host:      n3\nFramework: pml\nComponent: zzz\n" +
           open_mpi_ruler + open_mpi_ruler +
           "It looks like MPI_INIT failed for some reason; likely to abort.\n\n" +
           "  mca_pml_base_open() failed\n  --> Returned \"Not found\" (-13)\n" + open_mpi_ruler,
       "A requested component was not found, or was unable to be opened. This means that this "
       "component is either not installed or is unable to be used on your system. (Host: n3, "
       "Framework: pml, Component: zzz)"},
      {"Open MPI, too few slots",
       open_mpi_ruler +
           "There are not enough slots available in the system to satisfy the 64\nslots that were "
           "requested by the application:\n\n  ./rma\n\nEither request fewer slots.\n" +
           open_mpi_ruler,
       "There are not enough slots available in the system to satisfy the 64 slots that were "
       "requested by the application:"},
      {"Open MPI, a warning before the error of a program",
       open_mpi_ruler +
           "WARNING: There was an error initializing an OpenFabrics device.\n\n  Local host: n3\n" +
           open_mpi_ruler + "4 ranks on 2 CPUs\nrank 1: MPI_Win_create: no memory (MPI_ERR_WIN)\n" +
           open_mpi_ruler +
           "MPI_ABORT was invoked on rank 1 in communicator MPI_COMM_WORLD\nwith errorcode 3.\n" +
           open_mpi_ruler,
       "rank 1: MPI_Win_create: no memory (MPI_ERR_WIN)"},
      {"Open MPI, a fatal error of a call",
       "[n3:71] *** An error occurred in MPI_Send\n[n3:71] *** reported by process [5,1]\n"
       "[n3:71] *** on communicator MPI_COMM_WORLD\n[n3:71] *** MPI_ERR_RANK: invalid rank\n"
       "[n3:71] *** MPI_ERRORS_ARE_FATAL (processes in this communicator will now abort,\n" +
           open_mpi_end,
       "An error occurred in MPI_Send: MPI_ERR_RANK: invalid rank"},
      {"Open MPI, a signal",
       "measuring\n[n3:90] *** Process received signal ***\n[n3:90] Signal: Bus error (7)\n"
       "[n3:90] Signal code: Non-existant physical address (2)\n[n3:90] Failing at address: 0x7f\n"
       "[n3:90] [ 0] /lib/libc.so.6(+0x3c050)[0x7f3a]\n[n3:90] *** End of error message ***\n" +
           open_mpi_ruler +
           "mpirun noticed that process rank 1 with PID 90 on node n3 exited on signal 7 " +
           "(Bus error).\n" + open_mpi_ruler,
       "Bus error (7)"},
      {"Open MPI 5, a rank that was killed",
       "measuring\n" + open_mpi_ruler +
           "prterun noticed that process rank 1 with PID 93 on node n3 exited on\nsignal 9 "
           "(Killed).\n" +
           open_mpi_ruler,
       "prterun noticed that process rank 1 with PID 93 on node n3 exited on signal 9 (Killed)."},
      {"Open MPI, the last words of a program",
       "first\nno such file 'x' (it is none)\n" + open_mpi_end, "no such file 'x' (it is none)"},
      {"Open MPI alone", open_mpi_end,
       "Primary job terminated normally, but 2 processes returned a non-zero exit code. Per "
       "user-direction, the job has been aborted."},
      {"MPICH, an error stack",
       "Abort(1007) on node 1 (rank 1 in comm 0): Fatal error in internal_Bcast: Invalid root, "
       "error "
       "stack:\ninternal_Bcast(107): MPI_Bcast(buffer=0x1, count=1, MPI_INT, 9, comm=0x44) failed\n"
       "internal_Bcast(72).: Invalid root (value given was 9)\n" +
           hydra_end,
       "Fatal error in internal_Bcast: Invalid root: Invalid root (value given was 9)"},
      {"MPICH, a signal",
       "[n7:412:0:412] Caught signal 11 (Segmentation fault: address not mapped)\n"
       "==== backtrace (tid:    412) ====\n 0  /lib/libucs.so.0(ucs_handle_error+0x2dc) [0x7f8a]\n"
       "=================================\n" +
           hydra_end +
           "YOUR APPLICATION TERMINATED WITH THE EXIT STRING: Segmentation fault "
           "(signal 11)\nThis typically refers to a problem with your application.\n",
       "Caught signal 11 (Segmentation fault: address not mapped)"},
      {"MPICH, a signal that only the launcher saw",
       hydra_end + "YOUR APPLICATION TERMINATED WITH THE EXIT STRING: Killed (signal 9)\n"
                   "Please see the FAQ page for debugging suggestions\n",
       "Killed (signal 9)"},
      {"MPICH, no such program",
       "[proxy:0@n7] HYDU_create_process (lib/utils/launch.c:24): execvp error on file ./rma (No "
       "such file or directory)\n" +
           hydra_end,
       "[proxy:0@n7] HYDU_create_process (lib/utils/launch.c:24): execvp error on file ./rma (No "
       "such file or directory)"},
      {"Intel MPI, no fabric",
       "MPI startup(): FI_PROVIDER=psm3\nAbort(1090447) on node 0 (rank 0 in comm 0): Fatal error "
       "in "
       "PMPI_Init: Other MPI error, error stack:\nMPIR_Init_thread(193)........: \n"
       "MPID_Init(1715)..............: \nMPIDI_OFI_mpi_init_hook(1673): \n"
       "open_fabric(2726)............: OFI fi_getinfo() failed (ofi_init.c:2726:open_fabric:No "
       "data "
       "available)\n",
       "Fatal error in PMPI_Init: Other MPI error: OFI fi_getinfo() failed "
       "(ofi_init.c:2726:open_fabric:No data available)"},
      {"Intel MPI, an abort of the program alone",
       "one\nAbort(5) on node 1 (rank 1 in comm 0): application called MPI_Abort(MPI_COMM_WORLD, "
       "5) - "
       "process 1\n",
       "one"},
      {"Slurm, memory",
       "slurmstepd: error: Detected 1 oom-kill event(s) in StepId=77.0. Some of your processes may "
       "have been killed.\nsrun: error: n2: task 1: Out Of Memory\n",
       "slurmstepd: error: Detected 1 oom-kill event(s) in StepId=77.0. Some of your processes may "
       "have been killed."},
      {"Slurm, a step that cannot be made",
       "srun: error: Unable to create step for job 77: Requested nodes are busy\n",
       "srun: error: Unable to create step for job 77: Requested nodes are busy"},
      {"Slurm, a program that refuses",
       "bad size 'x' (no number)\nsrun: error: n2: task 0: Exited with exit code 2\n"
       "srun: Job step aborted: Waiting up to 32 seconds for job step to finish.\n",
       "bad size 'x' (no number)"},
      {"the loader",
       "./rma: error while loading shared libraries: libmpi.so.40: cannot open shared object "
       "file\n" +
           open_mpi_end,
       "./rma: error while loading shared libraries: libmpi.so.40: cannot open shared object file"},
      {"hockney",
       "remark\nhockney-rma: not done within 60 s (at put, 8 bytes) see --limit\n" + open_mpi_end,
       "hockney-rma: not done within 60 s (at put, 8 bytes) see --limit"},
      {"control characters and cut text", "\x1b[31mred\x1b[0m\xc3 text\r\n", "[31mred[0m text"},
      {"nothing", "\n" + open_mpi_ruler + open_mpi_ruler + " \n", ""},
  };
}

}  // namespace

TEST_CASE("the log of a failed launch is told by the line that explains it") {
  for (const FailedLaunch& failed : failed_launches()) {
    INFO(failed.of);
    CHECK(failure_cause(failed.log) == failed.cause);
  }
}

TEST_CASE("a cause is one line of bounded length") {
  const std::string cause = failure_cause("hockney-rma: " + std::string(2000, 'x'));
  CHECK(cause.size() == 400);
  CHECK(cause.ends_with("x..."));
  CHECK(failure_cause_in_file("/no/such/log").empty());
}

TEST_CASE("failures are the same but for numbers and what is in brackets") {
  CHECK(is_same_failure("exit code 1: no way to each other (BTLs attempted: tcp)",
                        "exit code 1: no way to each other (BTLs attempted: vader)"));
  CHECK(is_same_failure("killed by signal 9, Killed: rank 3: x",
                        "killed by signal 9, Killed: rank 12: x"));
  CHECK_FALSE(is_same_failure("exit code 1: no way", "not done within 2 min: no way"));
}

}  // namespace hockney::campaign
