#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/json_functions.hpp"

namespace hockney::where {

/// CPU time that a control group leaves to its processes.
struct CpuLimit {
  std::string file;         ///< its folder and the file with the limit
  std::uint64_t group = 0;  ///< inode of its folder: names repeat in containers
  double cpus = 0;          ///< quota by period

  friend bool operator==(const CpuLimit&, const CpuLimit&) = default;
};

/// The limits of this process's control group and of all above it that it sees: cpu.max of version
/// 2, cpu.cfs_quota_us of version 1. `root` replaces / in file names, for tests.
std::vector<CpuLimit> read_cpu_limits(const std::string& root = "");

void read_into(const JsonNode& node, CpuLimit& limit);
void to_json(nlohmann::json& json, const CpuLimit& limit);

}  // namespace hockney::where

template <>
inline constexpr bool hockney::has_json_functions<hockney::where::CpuLimit> = true;
