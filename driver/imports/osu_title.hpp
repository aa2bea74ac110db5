#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace hockney::imports {

/// The content of an OSU Micro-Benchmark's title, such as
/// "# OSU MPI-CUDA Non-blocking Allreduce Latency Test v7.4".
struct OsuTitle {
  std::string operation;    ///< empty for unsupported libraries, such as OpenSHMEM
  bool of_pair = false;     ///< between two ranks, in a job of any size
  int ways = 1;             ///< messages in the printed rate per operation of a pair
  std::string library;      ///< "MPI", "NCCL", ...
  std::string accelerator;  ///< "cuda", "rocm", "openacc"; empty for hosts
  bool managed = false;     ///< buffers shared by device and host
  std::string version;      ///< empty if not printed
  std::map<std::string, std::string> parameters;
};

/// nullopt if the line is no title.
std::optional<OsuTitle> osu_title(std::string_view line);

/// What the title of a program would say: "osu_allreduce".
OsuTitle title_of_program(const std::string& program);

}  // namespace hockney::imports
