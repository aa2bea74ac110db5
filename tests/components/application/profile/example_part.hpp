#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "components/application/profile/part.hpp"

namespace hockney::profile {

/// The facts of a rank of `app`, in a world of this identity.
inline std::string example_facts(const std::string& identity = "") {
  return R"({"host": {"name": "n1", "cpu_model": "", "kernel": "", "governor": "", "clocksource": "",
        "topology_digest": "", "cpus": 4, "load_average": 0}, "cpus": [0, 1],
        "command_line": ["app"], "environment": {}, "library": "Open MPI", "standard": "3.1")" +
         (identity.empty()
              ? std::string("}")
              : R"(, "identity": ")" + identity + R"(", "begun_utc": "2026-11-26T12:00:00Z"})");
}

/// A part of rank `rank` of 2: calls and messages of 8 bytes, in the first of two sites.
inline std::string example_part(int rank, PartHeader header = {},
                                const std::string& facts = example_facts(),
                                const std::vector<CpuRow>& cpu = {}) {
  static const std::string letters("\0/bin/app\0main\0solve\0", 21);
  const std::vector<CallRow> calls{
      {.key = {.function = 0, .site = 0, .communicator = 0, .region = 1, .size_class = 4},
       .count = 3,
       .bytes = 24,
       .min_bytes = 8,
       .max_bytes = 8,
       .ticks = 600,
       .min_ticks = 100,
       .max_ticks = 300}};
  const std::vector<MessageRow> messages{
      {.key = {.to = 1 - rank, .communicator = 0, .carrier = 0, .size_class = 4},
       .messages = 3,
       .bytes = 24,
       .min_bytes = 8,
       .max_bytes = 8}};
  const std::vector<CommunicatorRow> communicators{
      {.ranks_hash = 5,
       .made_by = static_cast<std::uint32_t>(Function::count),
       .size = 2,
       .predefined = 1}};
  const std::vector<SiteRow> sites{{.offset = 16, .module = 1, .function = 10}};
  const std::vector<RegionRow> regions{{.name = 15, .entered = 1, .ticks = 1000}};
  header.rank = rank;
  header.world_ranks = 2;
  header.begin_ticks = 1000;
  header.end_ticks = 3000;
  header.begin_ns = 0;
  header.end_ns = 1'000'000'000;
  const PartPieces pieces{facts, letters, calls, messages, communicators, sites, regions, cpu};
  pieces.count_in(header);
  std::string bytes(reinterpret_cast<const char*>(&header), sizeof header);
  for (const auto piece : pieces.bytes()) {
    bytes.append(reinterpret_cast<const char*>(piece.data()), piece.size());
  }
  return bytes;
}

}  // namespace hockney::profile
