#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace hockney::imports {

/// What the title of an OSU Micro-Benchmark says, such as
/// "# OSU MPI-CUDA Non-blocking Allreduce Latency Test v7.4".
struct OsuTitle {
  std::string operation;    ///< empty for libraries that are not read, such as OpenSHMEM
  bool of_pair = false;     ///< two ranks, whatever else the job had
  int ways = 1;             ///< messages that the printed rate counts for one operation of a pair
  std::string library;      ///< "MPI", "NCCL", ...
  std::string accelerator;  ///< "cuda", "rocm", "openacc"; empty for hosts
  bool managed = false;     ///< buffers that a device and the host share
  std::string version;      ///< empty where it is not printed
  std::map<std::string, std::string> parameters;
};

/// Nullopt for a line that is no title.
std::optional<OsuTitle> osu_title(std::string_view line);

/// The memory of a point by what a header says of both sides' buffers, "# Send Buffer on DEVICE
/// (D) and Receive Buffer on HOST (H)": "cuda-to-host". Nullopt for any other line.
std::optional<std::string> osu_memory(std::string_view line, const OsuTitle& title);

/// The memory where the title alone tells of it: "cuda", "cuda-managed"; empty for hosts.
std::string memory_of(const OsuTitle& title);

}  // namespace hockney::imports
