#include "tune/refuted.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "core/json_fields.hpp"
#include "core/quantities.hpp"
#include "tune/verification.hpp"

namespace hockney {
namespace {

/// The point of a size that was refuted; a new one has the default of its neighbours, and no times.
TunedPoint& point_of(std::vector<TunedPoint>& points, const Refuted& refuted) {
  const auto is_of_curve = [&](const TunedPoint& point) {
    return point.operation == refuted.operation && point.ranks == refuted.ranks;
  };
  const auto first = std::ranges::find_if(points, is_of_curve);
  if (first == points.end()) {
    throw InputError({refuted.file + " verified " + refuted.operation + " on " +
                          std::to_string(refuted.ranks) + " ranks",
                      "no campaign that is named has them", "name that campaign, too"});
  }
  const auto last = std::find_if_not(first, points.end(), is_of_curve);
  const auto place = std::find_if(first, last, [&](const TunedPoint& point) {
    return point.bytes.value >= refuted.bytes.value;
  });
  if (place != last && place->bytes == refuted.bytes) return *place;
  const Choice base = first->base;
  return *points.insert(place, TunedPoint{.operation = refuted.operation,
                                          .ranks = refuted.ranks,
                                          .bytes = refuted.bytes,
                                          .base = base});
}

}  // namespace

std::vector<Refuted> read_refuted(std::string_view text, const std::string& file) {
  const JsonNode document = parse_json(text, file);
  document.require_schema(verification_schema,
                          "name the verification.json of a folder of --verify");
  std::vector<Refuted> refuted;
  for (const JsonNode& node : document.at("points").elements()) {
    if (!node.at("slower").boolean()) continue;
    const JsonNode point = node.at("point");
    refuted.push_back({.operation = node.at("operation").text(),
                       .ranks = read_value<int>(point.at("ranks")),
                       .bytes = read_value<Bytes>(point.at("bytes")),
                       .file = file});
  }
  return refuted;
}

void withdraw(Evidence& evidence, std::span<const Refuted> refuted) {
  for (const Refuted& found : refuted) {
    for (Candidate& candidate : point_of(evidence.points, found).candidates) {
      if (!candidate.shown) continue;
      candidate.shown = false;
      evidence.left_out.push_back(
          {candidate.setting, found.operation,
           "at " + format_bytes(found.bytes) + " the file was slower, says " + found.file, 0});
    }
  }
}

}  // namespace hockney
