#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "components/application/profile/part.hpp"

namespace hockney::profile {

/// What a rank says of itself, as little as a part needs.
inline constexpr std::string_view synthetic_facts =
    R"({"host": {"name": "n1", "cpu_model": "", "kernel": "", "governor": "", "clocksource": "",
        "topology_digest": "", "cpus": 4, "load_average": 0}, "cpus": [0, 1],
        "command_line": ["app"], "environment": {}, "library": "Open MPI", "standard": "3.1"})";

/// The bytes of a part.
inline std::string bytes_of_part(PartHeader header, const PartPieces& pieces) {
  pieces.count_in(header);
  std::string bytes(reinterpret_cast<const char*>(&header), sizeof header);
  for (const auto piece : pieces.bytes()) {
    bytes.append(reinterpret_cast<const char*>(piece.data()), piece.size());
  }
  return bytes;
}

/// A part of one rank of many, which ran for a second of 1e9 ticks: `ticks` in a call from each
/// site, and a message to each of the next ranks.
struct SyntheticPart {
  int rank = 0;
  int ranks = 1;
  int sites = 1;
  int neighbours = 0;
  std::int64_t ticks = 100;
};

inline std::string bytes_of(const SyntheticPart& part) {
  const std::string letters("\0/bin/app\0", 10);
  const std::vector<CommunicatorRow> communicators{
      {.ranks_hash = 5,
       .made_by = static_cast<std::uint32_t>(Function::count),
       .size = part.ranks,
       .predefined = 1}};
  std::vector<SiteRow> sites;
  std::vector<CallRow> calls;
  for (int i = 0; i < part.sites; ++i) {
    const auto site = static_cast<std::uint32_t>(i);
    sites.push_back({.offset = 16 * i, .module = 1});
    calls.push_back({.key = {.function = 0, .site = site, .communicator = 0},
                     .count = 1,
                     .ticks = part.ticks,
                     .min_ticks = part.ticks,
                     .max_ticks = part.ticks});
  }
  std::vector<MessageRow> messages;
  for (int i = 1; i <= part.neighbours; ++i) {
    messages.push_back(
        {.key = {.to = (part.rank + i) % part.ranks, .communicator = 0}, .messages = 1});
  }
  return bytes_of_part({.rank = part.rank,
                        .world_ranks = part.ranks,
                        .end_ticks = 1'000'000'000,
                        .end_ns = 1'000'000'000},
                       {.facts = synthetic_facts,
                        .letters = letters,
                        .calls = calls,
                        .messages = messages,
                        .communicators = communicators,
                        .sites = sites,
                        .regions = {},
                        .log = {}});
}

}  // namespace hockney::profile
