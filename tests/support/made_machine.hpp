#pragma once

#include <optional>
#include <string>
#include <vector>

#include "components/application/analysis/trace_analysis.hpp"
#include "components/application/projection/machine.hpp"
#include "core/record.hpp"

namespace hockney {

/// Messages between ranks of a hop class take exactly alpha + beta x bytes.
struct PingPong {
  std::string hop;
  double alpha_seconds = 0;
  double beta_seconds_per_byte = 0;
};

inline Series series_of(const std::string& operation, const std::string& hop, std::int64_t bytes,
                        double seconds) {
  Series series;
  series.point = {.operation = operation, .bytes = {bytes}, .ranks = 2, .hop = hop, .pair = {0, 1}};
  series.samples_seconds = {seconds};
  series.blocks = {1};
  return series;
}

/// Launches of ping-pongs that found just that.
inline std::vector<Record> launches_of(const std::vector<PingPong>& pairs, int launches = 6) {
  Record record{.procedure = "pingpong"};
  for (const PingPong& pair : pairs) {
    for (std::int64_t bytes = 8; bytes <= 1 << 20; bytes *= 4) {
      const double seconds =
          pair.alpha_seconds + pair.beta_seconds_per_byte * static_cast<double>(bytes);
      record.series.push_back(series_of("pingpong", pair.hop, bytes, seconds));
    }
  }
  return {static_cast<std::size_t>(launches), record};
}

/// A launch of hockney-protocol that found this eager limit between two ranks.
inline Record limit_of(std::int64_t bytes, bool is_one_node) {
  Record record{.procedure = "protocol"};
  record.ranks = {{.rank = 0, .host = "a"}, {.rank = 1, .host = is_one_node ? "a" : "b"}};
  record.protocols = {{.hop = "l3", .pair = {0, 1}, .eager_limit_bytes = bytes}};
  return record;
}

/// The machine of these records, as far as it is one for the hosts of a run.
inline projection::Machine machine_for(const applications::TraceAnalysis& run,
                                       const std::vector<Record>& records) {
  projection::Selection selection;
  selection.hosts = run.trace().hosts();
  return {records, std::nullopt, selection};
}

}  // namespace hockney
