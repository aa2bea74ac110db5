#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "driver/imports/suite_run.hpp"

// Forms of the suites' outputs over their versions, as their sources print them, with figures made
// up: what each table is read as.
namespace hockney::imports {
namespace {

/// Every figure as "operation bytes B ranks=N key=value ... microseconds", and what was not taken.
std::vector<std::string> figures_of(const std::vector<SuiteRun>& runs) {
  std::vector<std::string> found;
  for (const SuiteRun& run : runs) {
    for (const SuiteFigure& figure : run.figures) {
      const Point& point = figure.point;
      std::string text = point.operation + " " + std::to_string(point.bytes.value) +
                         " ranks=" + std::to_string(point.ranks);
      if (point.hop) text += " hop=" + *point.hop;
      for (const auto& [key, value] : point.parameters) {
        if (key != "timing") text += " " + key + "=" + value;
      }
      std::string time = std::to_string(figure.seconds * 1e6);
      time.resize(time.find('.') + 3);
      found.push_back(text + (figure.is_corrupt ? " corrupt " : " ") + time);
    }
    if (run.left_out.count > 0) found.push_back("left out " + std::to_string(run.left_out.count));
    if (run.not_understood.count > 0) {
      found.push_back("not understood " + std::to_string(run.not_understood.count));
    }
    if (run.assumed.count > 0) found.push_back("assumed " + std::to_string(run.assumed.count));
  }
  return found;
}

struct Form {
  const char* what;
  std::string text;
  std::vector<std::string> figures;
};

using Reader = std::vector<SuiteRun> (*)(const SuiteText&, const RunFacts&);

void check_forms(Reader read, const std::vector<Form>& forms) {
  for (const Form& form : forms) {
    INFO(form.what);
    CHECK(figures_of(read({"a.txt", form.text}, {.ranks = 6, .operation = {}})) == form.figures);
  }
}

TEST_CASE("outputs of the OSU Micro-Benchmarks of many versions and options") {
  check_forms(
      read_osu,
      {{"3.1: one-sided, both ways",
        "# OSU One Sided MPI_Put Bi-directional Bandwidth Test v3.1.1\n"
        "# Size     Bi-Bandwidth (MB/s)\n1000                    500.00\n",
        {"put-bidirectional-bandwidth 1000 ranks=2 4.00"}},
       {"5.7: from a device to the host",
        "# OSU MPI-CUDA Bandwidth Test v5.7\n"
        "# Send Buffer on DEVICE (D) and Receive Buffer on HOST (H)\n"
        "# Size      Bandwidth (MB/s)\n4000                   1000.00\n",
        {"bandwidth 4000 ranks=2 memory=cuda-to-host 4.00"}},
       {"6.1: memory that host and device share",
        "# OSU MPI-CUDA Latency Test v6.1\n"
        "# Send Buffer on MANAGED (M) and Receive Buffer on MANAGED (M)\n"
        "# Size          Latency (us)\n16                      9.25\n",
        {"pingpong 16 ranks=2 memory=cuda-managed 9.25"}},
       {"7.0: a collective on devices",
        "\n# OSU MPI-ROCM Allreduce Latency Test v7.0\n"
        "# Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations\n"
        "4096                   41.50             40.00             43.00        1000\n",
        {"allreduce 4096 ranks=6 memory=rocm 41.50"}},
       {"7.0: another library, and two devices' memory in its title",
        "#Using NCCL\n\n# OSU NCCL-CUDA All-to-All Personalized Exchange Latency Test v7.0\n"
        "# Size       Avg Latency(us)\n64                      33.00\n",
        {"alltoall 64 ranks=6 library=nccl memory=cuda 33.00"}},
       {"7.5: a pair on devices, of which the title alone tells",
        "\n# OSU MPI-CUDA Latency Test v7.5\n# Datatype: MPI_CHAR.\n"
        "# Size       Avg Latency(us)\n8                       3.25\n",
        {"pingpong 8 ranks=2 memory=cuda 3.25", "assumed 1"}},
       {"7.4: several datatypes in one run",
        "\n# OSU MPI Allreduce Latency Test v7.4\n# Datatype: MPI_INT.\n"
        "# Size       Avg Latency(us)\n8                       1.25\n"
        "# Datatype: MPI_FLOAT.\n# Size       Avg Latency(us)\n8                       1.75\n",
        {"allreduce 8 ranks=6 datatype=int 1.25", "allreduce 8 ranks=6 datatype=float 1.75"}},
       {"7.4: datatypes of a ping-pong, whose bytes are not said",
        "\n# OSU MPI Latency Test v7.4\n# Datatype: MPI_CHAR.\n# Size       Avg Latency(us)\n"
        "8                       0.50\n# Datatype: MPI_FLOAT.\n# Size       Avg Latency(us)\n"
        "8                       0.75\n",
        {"pingpong 8 ranks=2 0.50", "pingpong 8 ranks=2 datatype=float 0.75"}},
       {"7.3: percentiles and validation",
        "\n# OSU MPI Latency Test v7.3\n# Datatype: MPI_CHAR.\n"
        "# Size       Avg Latency(us)          Validation    P50 Tail Lat(us)    P90 Tail Lat(us)"
        "    P99 Tail Lat(us)\n"
        "8                       0.50                Pass                0.45                0.60"
        "                1.20\n"
        "16                      0.55                Fail                0.45                0.60"
        "                1.20\n",
        {"pingpong 8 ranks=2 0.50", "pingpong 16 ranks=2 corrupt 0.55"}},
       {"5.9: threads of both sides, printed before the title",
        "# Number of Sender threads: 3 \n# Number of Receiver threads: 3\n"
        "# OSU MPI Multi-threaded Latency Test v5.9\n# Size          Latency (us)\n"
        "4                       2.50\n"
        "# Number of Sender threads: 1 \n# Number of Receiver threads: 4\n"
        "# OSU MPI Multi-threaded Latency Test v5.9\n# Size          Latency (us)\n"
        "4                       3.50\n",
        {"threaded-pingpong 4 ranks=2 threads=3 2.50",
         "threaded-pingpong 4 ranks=2 receiver-threads=4 threads=1 3.50"}},
       {"7.2: forked processes",
        "# Number of forked processes in sender: 2\n# Number of forked processes in receiver: 2\n"
        "\n# OSU MPI Multi-process Latency Test v7.2\n# Size       Avg Latency(us)\n"
        "4                       2.50\n",
        {"pingpong 4 ranks=2 processes=2 2.50"}},
       {"7.4: pairs at the same time",
        "# OSU MPI Multi Latency Test v7.4\n# Datatype: MPI_CHAR.\n# Size       Avg Latency(us)\n"
        "32                      1.10\n",
        {"pingpong 32 ranks=2 concurrent=yes pairs=3 1.10"}},
       {"7.4: a grid of neighbours, which says its ranks",
        "Dimensions size = 4 2 \nTime took to create topology graph:12.50 us.\n\n"
        "# OSU MPI Neighborhood All-to-Allv Latency Test v7.4\n# Datatype: MPI_CHAR.\n"
        "# Size       Avg Latency(us)\n8                       4.25\n",
        {"neighbor-alltoallv 8 ranks=8 4.25"}},
       {"7.4: neighbours under a title of all ranks",
        "Dimensions size = 3 \nTime took to create topology graph:9.50 us.\n\n"
        "# OSU MPI All-to-Allw Personalized Exchange Latency Test v7.4\n# Datatype: MPI_CHAR.\n"
        "# Size       Avg Latency(us)\n8                       4.75\n",
        {"neighbor-alltoallw 8 ranks=3 4.75"}},
       {"7.3: nonblocking neighbours, in full",
        "Dimensions size = 5 \n\n# OSU MPI Non-blocking Neighborhood Alltoall Latency Test v7.3\n"
        "# Overall = Coll. Init + Compute + MPI_Test + MPI_Wait\n\n"
        "# Size           Overall(us)       Compute(us)    Coll. Init(us)      MPI_Test(us)"
        "      MPI_Wait(us)    Pure Comm.(us)     Min Comm.(us)     Max Comm.(us)        "
        "Overlap(%)\n"
        "64                      9.00              4.00              0.50              0.00"
        "              0.75              5.00              4.50              5.50             "
        "10.00\n",
        {"ineighbor-alltoall 64 ranks=5 work=none 5.00",
         "ineighbor-alltoall 64 ranks=5 work=alone 4.00",
         "ineighbor-alltoall 64 ranks=5 work=during 9.00"}},
       {"5.8: a nonblocking call with a capital letter in its title",
        "\n# OSU MPI Non-Blocking Broadcast Latency Test v5.8\n"
        "# Size           Overall(us)       Compute(us)    Pure Comm.(us)        Overlap(%)\n"
        "8                       3.00              2.00              1.50             33.33\n",
        {"ibcast 8 ranks=6 work=none 1.50", "ibcast 8 ranks=6 work=alone 2.00",
         "ibcast 8 ranks=6 work=during 3.00"}},
       {"7.4: each window, the same rates in messages behind them",
        "# OSU MPI Multiple Bandwidth / Message Rate Test v7.4\n"
        "# [ pairs: 2 ] [ window size: varied ]\n\n# Uni-directional Bandwidth (MB/sec)\n"
        "# Datatype: MPI_CHAR.\n#                  1          16\n"
        "1000        100.00      400.00\n\n# Message Rate Profile\n#                  1          "
        "16\n"
        "1000     100000.00   400000.00\n",
        {"message-rate 1000 ranks=4 window=1 20.00", "message-rate 1000 ranks=4 window=16 5.00"}},
       {"7.1: a layout whose size in flight is another",
        "\n# OSU MPI Latency Test v7.1\n# Size       Avg Latency(us)       Transmit Size\n"
        "64                      1.50                  32\n",
        {"pingpong 64 ranks=2 layout=derived 1.50"}},
       {"7.4: one-sided calls on a device",
        "# OSU MPI_Get-ROCM latency Test v7.4\n# Window creation: MPI_Win_create\n"
        "# Synchronization: MPI_Win_lock/unlock\n"
        "# Rank 0 Memory on HOST (H) and Rank 1 Memory on DEVICE (D)\n# Datatype: MPI_CHAR.\n"
        "# Size          Latency (us)\n8                       5.50\n",
        {"get 8 ranks=2 completion=origin memory=host-to-rocm synchronisation=lock "
         "window-kind=created 5.50"}},
       {"7.4: the start of MPI",
        "# OSU MPI Init Test v7.4\nnprocs: 16, min: 90 ms, max: 130 ms, avg: 110 ms\n",
        {"init 0 ranks=16 110000.00"}},
       {"blanks that were squeezed",
        "# OSU MPI Allreduce Latency Test v5.6.2\n# Size Avg Latency(us) Min Latency(us) Max "
        "Latency(us) Iterations\n8 1.50 1.00 2.00 1000\n# OSU MPI Bandwidth Test v3.1.1\n"
        "# Size Bandwidth (MB/s)\n1000 500.00\n",
        {"allreduce 8 ranks=6 1.50", "bandwidth 1000 ranks=2 2.00"}},
       {"7.4: percentiles behind single blanks",
        "\n# OSU MPI Bandwidth Test v7.4\n# Datatype: MPI_CHAR.\n"
        "# Size      Bandwidth (MB/s) P50 Tail BW(MB/s) P90 Tail BW(MB/s) P99.9 Tail BW(MB/s)\n"
        "1000                  500.00              9.97             10.23             10.46\n",
        {"bandwidth 1000 ranks=2 2.00"}},
       {"6.3: the Python of OMB",
        "# OMB-Py MPI Latency Test\n# Size (B)      Latency (us)\n8                  1.25\n",
        {"pingpong 8 ranks=2 language=python 1.25"}},
       {"a remark of a later version, and remarks behind rows",
        "# OSU MPI Latency Test v9.1\n# Rails: 2\n# Size       Avg Latency(us)        Rail skew\n"
        "8                       0.50                0.01 x\n"
        "16                      0.60                0.01   <- rendezvous?\n# the next: osu_bw\n",
        {"pingpong 8 ranks=2 0.50", "pingpong 16 ranks=2 0.60", "not understood 1"}},
       {"a table of which nothing is understood, and one of another library",
        "# OSU MPI Latency Test v9.1\n# Bytes   Ticks\n8   120\n"
        "# OSU OpenSHMEM Put Test v7.4\n# Size          Latency (us)\n8     1.00\n16    1.25\n",
        {"left out 1", "not understood 1", "left out 2"}}});
}

TEST_CASE("outputs of the Intel MPI Benchmarks of many versions and options") {
  const std::string line = "#---------------------------------------------------\n";
  const std::string wide =
      "#bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]   Mbytes/sec\n";
  const std::string plain = "#bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n";
  check_forms(
      read_imb,
      {{"3.2: several groups, the slowest of all",
        (line + "#    Intel (R) MPI Benchmark Suite V3.2.3, MPI-1 part\n" + line +
         "# Benchmarking Multi-Sendrecv \n# ( 3 groups of 2 processes each running "
         "simultaneously ) \n# Group  0:     0    1\n# Group  1:     2    3\n"
         "# Group  2:     4    5\n" +
         line + wide + "1000 1000 3.00 4.00 3.50 500.00\n"),
        {"sendrecv 1000 ranks=2 groups=3 4.00"}},
       {"2018: each group in its own row",
        ("# Benchmarking Multi-PingPong \n# ( 2 groups of 2 processes each running simultaneous ) "
         "\n# Group  0:     0    1\n\n# Group  1:     2    3\n\n" +
         line +
         "   Group   #bytes #repetitions      t[usec]   Mbytes/sec\n\n"
         "       0       64         1000         1.00        64.00\n"
         "       1       64         1000         2.00        32.00\n\n"
         "       0      128         1000         4.00        32.00\n"
         "       1      128         1000         8.00        16.00\n"),
        {"pingpong 64 ranks=2 groups=2 team=0 1.00", "pingpong 64 ranks=2 groups=2 team=1 2.00",
         "pingpong 128 ranks=2 groups=2 team=0 4.00", "pingpong 128 ranks=2 groups=2 team=1 8.00"}},
       {"4.0: processes that wait are no ranks",
        ("#    Intel (R) MPI Benchmarks 4.0 Update 2, MPI-1 part\n# Benchmarking PingPing \n"
         "# #processes = 2 \n# ( 14 additional processes waiting in MPI_Barrier)\n" +
         line + "#bytes #repetitions      t[usec]   Mbytes/sec\n8 1000 1.50 5.33\n"),
        {"pingping 8 ranks=2 1.50"}},
       {"2021: ranks in rows of a grid, and the operator's datatype",
        ("#    Intel(R) MPI Benchmarks 2021.3, MPI-1 part\n# MPI_Datatype                   :   "
         "MPI_BYTE \n# MPI_Datatype for reductions    :   MPI_DOUBLE \n# MPI_Op                 "
         "        :   MPI_SUM  \n# Benchmarking Reduce \n# #processes = 4; rank order (rowwise): "
         "\n#     0    1\n# \n#     2    3\n# \n" +
         line + plain + "16 1000 1.00 2.00 1.50\n# Benchmarking Bcast \n# #processes = 4 \n" +
         plain + "16 1000 1.00 3.00 1.50\n"),
        {"reduce 16 ranks=4 datatype=double operator=sum 2.00", "bcast 16 ranks=4 3.00"}},
       {"2021: options that change what is timed",
        ("#    Intel(R) MPI Benchmarks 2021.3, MPI-1 part\n# ./IMB-MPI1 -off_cache 40,64 -sync off "
         "-iter 50 Bcast \n# Benchmarking Bcast \n# #processes = 2 \n" +
         plain + "16 50 1.00 3.00 1.50\n"),
        {"bcast 16 ranks=2 barrier=none cache=cold 3.00"}},
       {"2021: the build for GPUs",
        ("#    Intel(R) MPI Benchmarks 2021.7, MPI-1 part (GPU)\n"
         "# ./IMB-MPI1-GPU -mem_alloc_type shared PingPong \n# Benchmarking PingPong \n"
         "# #processes = 2 \n#bytes #repetitions      t[usec]   Mbytes/sec\n8 1000 9.50 0.84\n"),
        {"pingpong 8 ranks=2 memory=gpu-managed 9.50"}},
       {"2021: a nonblocking call alone, and beside work",
        ("# Benchmarking Iallreduce_pure \n# #processes = 4 \n" + plain +
         "8 1000 1.00 1.20 1.10\n# Benchmarking Ibarrier \n# #processes = 4 \n"
         "#repetitions t_ovrl[usec] t_pure[usec]  t_CPU[usec]   overlap[%]\n1000 3.00 1.00 2.00 "
         "0.00\n"),
        {"iallreduce 8 ranks=4 work=none 1.20", "ibarrier 0 ranks=4 work=none 1.00",
         "ibarrier 0 ranks=4 work=alone 2.00", "ibarrier 0 ranks=4 work=during 3.00"}},
       {"2021: a target that computes",
        "# Benchmarking Truly_passive_put \n# #processes = 2 \n#\n#    MODE: NON-AGGREGATE \n#\n"
        "#bytes #repetitions t_pure[usec] t_ovrl[usec]\n8 100 2.00 5.00\n",
        {"put 8 ranks=2 work=none 2.00", "put 8 ranks=2 work=during 5.00"}},
       {"built with CHECK: defects",
        ("# Benchmarking Bcast \n# #processes = 2 \n"
         "#bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]      defects\n"
         "8 1000 1.00 2.00 1.50 0.00\n16 1000 1.00 2.50 1.50 1.00\n"),
        {"bcast 8 ranks=2 2.00", "bcast 16 ranks=2 corrupt 2.50"}},
       {"2019: times and rates of the same messages",
        "#    Intel(R) MPI Benchmarks 2019 Update 6, IMB-P2P part\n# Benchmarking PingPong\n"
        "# #processes = 2\n #bytes #repetitions      t[usec]   Mbytes/sec      Msg/sec\n"
        "1000 1000 2.00 500.00 500000\n",
        {"pingpong 1000 ranks=2 2.00"}},
       {"sizes that were not measured",
        ("# Benchmarking Alltoall \n# #processes = 64 \n" + plain +
         "8 1000 1.00 2.00 1.50\n16777216 out-of-mem.; needed X=   2.1 GB; use flag \"-mem X\"\n"),
        {"alltoall 8 ranks=64 2.00", "left out 1"}}});
}

TEST_CASE("outputs of nccl-tests and rccl-tests of many versions and options") {
  const std::string options =
      "# nThread 1 nGpus 1 minBytes 8 maxBytes 16 step: 2(factor) warmup iters: 5 iters: 20 ";
  const std::string header =
      "#       size         count      type   redop    root     time   algbw   busbw #wrong     "
      "time   algbw   busbw #wrong\n";
  const std::string devices =
      "#  Rank  0 Group  0 Pid  11 on  gpu-a device  0 [0000:17:00] NVIDIA H200\n"
      "#  Rank  1 Group  0 Pid  12 on  gpu-a device  1 [0000:18:00] NVIDIA H200\n";
  const std::string row = "8 2 float sum -1 20.00 0.00 0.00 0 10.00 0.00 0.00 0\n";
  check_forms(
      read_nccl,
      {{"2.0: errors in place of wrong elements, no group",
        (" ./build/all_reduce_perf -b 8\n# nThread 1 nGpus 2 minBytes 8 maxBytes 8 step: "
         "1048576(bytes) warmup iters: 5 iters: 20 validation: 1 \n#\n# Using devices\n"
         "#   Rank  0 Pid  77 on  gpu-b device  0 [0x04] Tesla V100\n"
         "#   Rank  1 Pid  77 on  gpu-b device  1 [0x06] Tesla V100\n#\n"
         "#       size         count    type   redop     time   algbw   busbw  error     time   "
         "algbw   busbw  error\n8 2 float sum 20.00 0.00 0.00 1e-07 10.00 0.00 0.00 1e-07\n"),
        {"allreduce 8 ranks=2 datatype=float gpus=2 operator=sum 20.00",
         "allreduce 8 ranks=2 datatype=float gpus=2 in-place=yes operator=sum 10.00"}},
       {"2.13: hosts, of which there are two",
        ("./all_gather_perf\n" + options +
         "agg iters: 1 validation: 1 graph: 0\n#\n# Using devices\n"
         "#  Rank  0 Group  0 Pid  11 on  gpu-a device  0 [0x17] NVIDIA A100\n"
         "#  Rank  1 Group  0 Pid  12 on  gpu-b device  0 [0x17] NVIDIA A100\n" +
         header + "32 4 float none -1 20.00 0.00 0.00 N/A 10.00 0.00 0.00 N/A\n"),
        {"allgather 16 ranks=2 hop=cross-node datatype=float nodes=2 20.00",
         "allgather 16 ranks=2 hop=cross-node datatype=float in-place=yes nodes=2 10.00"}},
       {"2.17: groups of different length, graphs and blocking calls",
        ("# nccl-tests version 2.17.6 nccl-headers=22807 nccl-library=22807\n"
         "# Collective test starting: alltoall_perf\n" +
         options + "agg iters: 4 validation: 1 graph: 20\n" +
         "# Blocking Enabled: wait for completion and barrier after each collective \n#\n"
         "# Using devices\n"
         "#  Rank  0 Group  0 Pid  11 on  gpu-a device  0 [0000:17:00] NVIDIA H200\n"
         "#  Rank  1 Group  1 Pid  12 on  gpu-a device  1 [0000:18:00] NVIDIA H200\n"
         "#  Rank  2 Group  0 Pid  13 on  gpu-a device  2 [0000:19:00] NVIDIA H200\n" +
         header + "16 2 float none -1 20.00 0.00 0.00 0 N/A 0.00 0.00 N/A\n"),
        {"alltoall 8 ranks=2 aggregated=4 blocking=barrier datatype=float "
         "graph=20 groups=2 20.00"}},
       {"2.17: times of the host, and time stamps",
        ("# Collective test starting: reduce_scatter_perf\n" + options +
         "agg iters: 1 validation: 1 graph: 0\n# Using devices\n" + devices +
         "#       size         count      type   redop    root  cputime   algbw   busbw  #wrong  "
         "cputime   algbw   busbw  #wrong           timestamp\n"
         "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            "
         " "
         "(us)  (GB/s)  (GB/s)         %Y-%m-%d %H:%M:%S\n"
         "64 8 float sum -1 20.00 0.00 0.00 0 10.00 0.00 0.00 2 2026-03-01 12:00:59\n"),
        {"reduce-scatter 64 ranks=2 clock=cpu datatype=float operator=sum 20.00",
         "reduce-scatter 64 ranks=2 clock=cpu datatype=float in-place=yes operator=sum corrupt "
         "10.00"}},
       {"2.19: percentiles of calls",
        ("# Collective test starting: broadcast_perf_mpi\n" + options +
         "agg iters: 1 validation: 1 graph: 0 unalign: 0\n"
         "# Per-Iteration Report: CUDA event timing; i_* uses max over process rows \n"
         "# Using devices\n" +
         devices +
         "#       size         count      type   redop    root     time   algbw   busbw  #wrong   "
         "i_min    i_max    i_p99    i_cv%     time   algbw   busbw  #wrong    i_min    i_max    "
         "i_p99    i_cv%\n"
         "8 2 float none 1 20.00 0.00 0.00 0 1 2 3 4 10.00 0.00 0.00 0 1 2 3 4\n"),
        {"bcast 8 ranks=2 datatype=float root=1 20.00",
         "bcast 8 ranks=2 datatype=float in-place=yes root=1 10.00"}},
       {"2.13: cycles and all datatypes",
        ("./all_reduce_perf\n" + options + "agg iters: 1 validation: 1 graph: 0\n" + devices +
         header + row + "16 4 float sum -1 30.00 0.00 0.00 0 15.00 0.00 0.00 0\n" + row +
         "16 4 float sum -1 31.00 0.00 0.00 0 16.00 0.00 0.00 0\n"),
        {"allreduce 8 ranks=2 datatype=float operator=sum 20.00",
         "allreduce 8 ranks=2 datatype=float in-place=yes operator=sum 10.00",
         "allreduce 16 ranks=2 datatype=float operator=sum 30.00",
         "allreduce 16 ranks=2 datatype=float in-place=yes operator=sum 15.00",
         "allreduce 8 ranks=2 datatype=float operator=sum 20.00",
         "allreduce 8 ranks=2 datatype=float in-place=yes operator=sum 10.00",
         "allreduce 16 ranks=2 datatype=float operator=sum 31.00",
         "allreduce 16 ranks=2 datatype=float in-place=yes operator=sum 16.00"}},
       {"rccl-tests, with the versions between the devices and the table",
        ("# Collective test starting: all_reduce_perf\n" + options +
         "agg iters: 1 validation: 1 graph: 0\n#\nrccl-tests: Version develop:1a2b3c4\n"
         "# Using devices\n"
         "#   Rank  0 Pid  91 on amd-a device  0 [0000:0c:00.0] AMD Instinct MI300X\n"
         "#   Rank  1 Pid  92 on amd-a device  1 [0000:22:00.0] AMD Instinct MI300X\n"
         "RCCL version : 2.22.3\nHIP version  : 6.3\n#\n" +
         header + row),
        {"allreduce 8 ranks=2 datatype=float operator=sum 20.00",
         "allreduce 8 ranks=2 datatype=float in-place=yes operator=sum 10.00"}},
       {"two programs of one rank each whose lines are mixed",
        ("./all_reduce_perf\n" + options + "graph: 0\n" + options + "graph: 0\n" +
         "#  Rank  0 Group  0 Pid  11 on  gpu-a device  0 [0x17] NVIDIA A100\n"
         "#  Rank  0 Group  0 Pid  12 on  gpu-b device  0 [0x17] NVIDIA A100\n" +
         header + header + row + row),
        {"left out 2"}},
       {"the same with a list of devices of each between",
        ("./all_reduce_perf\n" + options + "graph: 0\n" +
         "#  Rank  0 Group  0 Pid  11 on  gpu-a device  0 [0x17] NVIDIA A100\n" + options +
         "graph: 0\n" + "#  Rank  0 Group  0 Pid  12 on  gpu-b device  0 [0x17] NVIDIA A100\n" +
         header + header + row + row),
        {"left out 2"}}});
}

TEST_CASE("lines behind prefixes of launchers and logs are read") {
  const std::vector<std::string> printed{"",
                                         "# OSU MPI Latency Test v7.4",
                                         "# Datatype: MPI_CHAR.",
                                         "# Size       Avg Latency(us)",
                                         "8                       0.50",
                                         "16                      0.75"};
  const auto text = [&](const std::vector<std::string>& prefixes) {
    std::string all;
    for (std::size_t i = 0; i < printed.size(); ++i) {
      all += prefixes[i % prefixes.size()] + printed[i] + "\n";
    }
    return all;
  };
  const std::vector<std::vector<std::string>> forms{
      {"[1,0]<stdout>:"},
      {"[1,0]<stdout>: "},
      {"[prterun-login-77@1,0]<stdout>: "},
      {"0: "},
      {" 0: "},
      {"[0] "},
      {"(head, rank=0, pid=4711) [1,0]<stdout>:"},
      {"[pod/bench-launcher-x2k/mpi] "},
      {"worker-0  | "},
      {"> "},
      {"     1\t", "     2\t", "     3\t", "     4\t", "     5\t", "     6\t"},
      {"9:", "10:", "11:", "12:", "13:", "14:"},
      {"Thu Nov 26 09:59:58 2026<stdout>:", "Thu Nov 26 10:00:07 2026<stdout>:"},
      {"Tue Mar  3 09:59:58 2026[1,0]<stdout>:", "Tue Mar 13 10:00:07 2026[1,0]<stdout>:"},
      {"2026-03-01T12:00:00.123456789Z ", "2026-03-01T12:00:01.5Z "},
      {"2026-03-01T12:00:00+01:00 node7 bench[81]: ",
       "2026-03-01T12:00:03+01:00 node7 bench[81]: "},
      {"Mar  1 12:00:00 ", "Mar  1 12:00:09 "},
      {"12:00:00 ", "12:00:09 "},
      {"[   12.345678] ", "[   13.456789] "}};
  for (const std::vector<std::string>& prefixes : forms) {
    INFO(prefixes.front());
    CHECK(figures_of(read_osu({"a.txt", text(prefixes)}, {})) ==
          std::vector<std::string>{"pingpong 8 ranks=2 0.50", "pingpong 16 ranks=2 0.75"});
  }
}

TEST_CASE("outputs of several processes whose lines alternate are runs of their own") {
  std::string text;
  for (const char* line :
       {"# OSU MPI Latency Test v7.4", "# Size       Avg Latency(us)", "8 0.50", "16 0.75"}) {
    text += std::string("0: ") + line + "\n1: " + line + "\n";
  }
  text.insert(text.find("1: 8 0.50"), "1: warning: slow clock\n");
  const auto runs = read_osu({"a.txt", text}, {});
  REQUIRE(runs.size() == 2);
  CHECK(runs[0].figures.size() == 2);
  CHECK(runs[1].figures.size() == 2);
  CHECK(runs[0].left_out.count == 0);
  CHECK(runs[1].left_out.count == 1);
  CHECK(runs[1].left_out.first ==
        "a.txt line 6 'warning: slow clock': it has 3 words, the table 2 columns");
}

TEST_CASE("the option --memory says where buffers were that the title alone puts on a device") {
  const std::string text =
      "# OSU MPI-CUDA Latency Test v7.5\n# Size       Avg Latency(us)\n8 3.25\n";
  const auto runs = read_osu({"a.txt", text}, {.memory = "cuda-to-host"});
  CHECK(figures_of(runs) ==
        std::vector<std::string>{"pingpong 8 ranks=2 memory=cuda-to-host 3.25"});
}

}  // namespace
}  // namespace hockney::imports
