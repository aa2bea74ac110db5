#include "tune/traffic_fractions.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <sstream>

#include "core/text.hpp"

namespace hockney::tune {
namespace {

struct Sent {
  Flow pair;
  double bytes = 0;
};

/// "I 0 1 6555208 bytes 158 msgs sent ...": messages within the library's own operations (I) and
/// the program's (E). Other lines say nothing.
std::optional<Sent> read_sent(const std::string& line) {
  const bool is_message = line.starts_with("I\t") || line.starts_with("E\t");
  if (!is_message) return std::nullopt;
  std::istringstream in(line);
  std::string kind;
  Sent sent;
  in >> kind >> sent.pair.from >> sent.pair.to >> sent.bytes;
  return in ? std::optional(sent) : std::nullopt;
}

double share_of(const TrafficFractions& shares, const Flow& pair) {
  const auto found = shares.find(pair);
  return found == shares.end() ? 0 : found->second;
}

}  // namespace

TrafficFractions traffic_fractions(const std::vector<std::string>& profiles) {
  TrafficFractions shares;
  double total = 0;
  for (const std::string& profile : profiles) {
    for (const std::string& line : split(profile, '\n')) {
      const auto sent = read_sent(line);
      if (!sent) continue;
      shares[sent->pair] += sent->bytes;
      total += sent->bytes;
    }
  }
  if (total <= 0) return {};
  for (auto& [pair, bytes] : shares) bytes /= total;
  return shares;
}

double largest_difference(const TrafficFractions& a, const TrafficFractions& b) {
  double largest = 0;
  for (const TrafficFractions* side : {&a, &b}) {
    for (const auto& [pair, share] : *side) {
      largest = std::max(largest, std::abs(share_of(a, pair) - share_of(b, pair)));
    }
  }
  return largest;
}

}  // namespace hockney::tune
