#include "components/tune/verification.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <sstream>

#include "core/error.hpp"
#include "core/json_node.hpp"
#include "core/json_values.hpp"
#include "core/point.hpp"
#include "core/quantities.hpp"
#include "core/record_json.hpp"
#include "core/text.hpp"

namespace hockney::tune {
namespace {

struct Sent {
  Flow pair;
  double bytes = 0;
};

/// "I 0 1 6555208 bytes 158 msgs sent ...": messages within the library's own operations (I) and
/// the program's (E). nullopt for other lines.
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

constexpr double exact_tolerance = 0.005;
constexpr std::int64_t element = 8;  // of double, the type of reductions [B]

/// The size at the geometric middle, in whole elements.
std::int64_t middle(std::int64_t a, std::int64_t b) {
  const double exact = std::sqrt(static_cast<double>(a) * static_cast<double>(b));
  return element * whole_number<std::int64_t>(exact / static_cast<double>(element));
}

/// Removes the algorithms of points, since the file is compared with any algorithms.
void forget_algorithms(std::vector<Record>& records) {
  const auto is_unwanted = [](const auto& item) { return is_of_other_suite(item.point); };
  for (Record& record : records) {
    std::erase_if(record.points.own(), is_unwanted);
    std::erase_if(record.series, is_unwanted);
    for (PlannedPoint& planned : record.points.own()) planned.point.algorithm.reset();
    for (Series& series : record.series) series.point.algorithm.reset();
  }
}

verdicts::CompareOptions compare_options(const EvidenceOptions& options,
                                         verdicts::Correction correction) {
  return {
      .alpha = options.alpha, .correction = correction, .origin = verdicts::Origin::one_campaign};
}

bool same_point(const Point& a, const Point& b) {
  return a.bytes == b.bytes && curve_name(a) == curve_name(b);
}

/// Adds the comparison of the file with one other setting, at the points of the verification.
void add_rival(const std::string& setting, const verdicts::CompareSet& set,
               Verification& verification) {
  for (VerifiedPoint& point : verification.points) {
    for (const verdicts::Comparison& found : set.comparisons) {
      if (!same_point(found.point, point.comparison.point)) continue;
      const double regret = found.ratio - 1;
      if (point.regret && *point.regret >= regret) continue;
      point.best = setting;
      point.regret = regret;
      point.regret_interval.reset();
      if (const auto& interval = found.ratio_interval) {
        point.regret_interval = Interval{interval->low - 1, interval->high - 1, interval->level};
      }
    }
  }
}

std::optional<double> mean(const std::vector<double>& values) {
  if (values.empty()) return std::nullopt;
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

void summarise_points(Verification& verification) {
  std::vector<double> gains;
  std::vector<double> regrets;
  for (const VerifiedPoint& point : verification.points) {
    gains.push_back(1 - point.comparison.ratio);
    if (point.regret) regrets.push_back(*point.regret);
    if (point.slower) ++verification.slower;
  }
  verification.mean_gain = mean(gains);
  verification.mean_regret = mean(regrets);
  if (!regrets.empty()) verification.largest_regret = *std::ranges::max_element(regrets);
}

/// Whether a variable was effective in one launch, and the reason if unproven.
struct ReadBack {
  Proof proof;
  std::string words;
};

ReadBack read_back(const Record& record, const std::string& variable, const std::string& value) {
  const auto& requested = record.provenance.mpi.requested;
  const auto found = std::ranges::find(requested, variable, &RequestedSetting::variable);
  if (found != requested.end() && found->requested == value) return {found->proof, found->reason};
  return {Proof::ignored, "the ranks did not see it"};
}

/// The point of a slower size. A new point has the default choice of its neighbours, and no times.
TunedPoint& slower_point(std::vector<TunedPoint>& points, const SlowerSize& slower) {
  const auto is_of_curve = [&](const TunedPoint& point) {
    return point.operation == slower.operation && point.ranks == slower.ranks;
  };
  const auto first = std::ranges::find_if(points, is_of_curve);
  if (first == points.end()) {
    throw InputError(
        {fmt::format("{} verified {} on {} ranks", slower.file, slower.operation, slower.ranks),
         "no campaign that is named has them", "name that campaign, too"});
  }
  const auto last = std::find_if_not(first, points.end(), is_of_curve);
  const auto place = std::find_if(first, last, [&](const TunedPoint& point) {
    return point.bytes.value >= slower.bytes.value;
  });
  if (place != last && place->bytes == slower.bytes) return *place;
  const Choice base = first->base;
  return *points.insert(place, TunedPoint{.operation = slower.operation,
                                          .ranks = slower.ranks,
                                          .bytes = slower.bytes,
                                          .base = base});
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

std::vector<Bytes> held_out_sizes(std::span<const TunedPoint> points) {
  std::set<std::int64_t> measured;
  for (const TunedPoint& point : points) measured.insert(point.bytes.value);
  std::set<std::int64_t> sizes;
  std::int64_t before = 0;
  for (const std::int64_t size : measured) {
    const std::int64_t between = middle(before, size);
    if (before > 0 && between > before && between < size) sizes.insert(between);
    before = size;
  }
  if (sizes.empty()) sizes = measured;
  std::vector<Bytes> result;
  result.reserve(sizes.size());
  for (const std::int64_t size : sizes) result.push_back({size});
  return result;
}

bool is_faster(const VerifiedPoint& point, Replication replication) {
  return replication == Replication::exact ? point.comparison.ratio < 1 - exact_tolerance
                                           : point.comparison.verdict == verdicts::Verdict::faster;
}

Verification verify(VerifyingLaunches launches, const EvidenceOptions& options) {
  forget_algorithms(launches.base);
  forget_algorithms(launches.tuned);
  Verification verification{.options = options};
  const verdicts::CompareSet set =
      compare(launches.base, launches.tuned, compare_options(options, options.correction));
  for (const verdicts::Comparison& comparison : set.comparisons) {
    const bool is_slower = options.replication == Replication::exact
                               ? comparison.ratio > 1 + exact_tolerance
                               : comparison.verdict == verdicts::Verdict::slower;
    verification.points.push_back({.comparison = comparison, .slower = is_slower});
  }
  verification.oversubscribed = set.oversubscribed;
  if (verification.points.empty()) {
    throw RunError({"nothing to compare", "no size was measured by the default and with the file",
                    "let launches last longer"});
  }
  verification.missing = set.only_in_a;
  verification.missing.insert(verification.missing.end(), set.only_in_b.begin(),
                              set.only_in_b.end());
  if (!launches.forced.empty()) add_rival("default", set, verification);
  for (auto& [setting, records] : launches.forced) {
    forget_algorithms(records);
    add_rival(
        setting,
        compare(records, launches.tuned, compare_options(options, verdicts::Correction::none)),
        verification);
  }
  summarise_points(verification);
  return verification;
}

Effect effect_of(const std::vector<Record>& tuned,
                 const std::map<std::string, std::string>& variables) {
  Effect effect{.proof = variables.empty() ? Proof::unproven : Proof::proven};
  for (const auto& [variable, value] : variables) {
    std::string line = variable + ": effective in all launches";
    for (const Record& record : tuned) {
      const ReadBack seen = read_back(record, variable, value);
      if (seen.proof == Proof::proven) continue;
      const bool is_ignored = seen.proof == Proof::ignored || effect.proof == Proof::ignored;
      effect.proof = is_ignored ? Proof::ignored : Proof::unproven;
      line = fmt::format("{}: {}", variable, seen.words);
    }
    effect.evidence.push_back(line);
  }
  return effect;
}

std::vector<SlowerSize> read_slower_sizes(std::string_view text, const std::string& file) {
  const JsonNode document = parse_json(text, file);
  document.require_schema(verification_schema,
                          "name the verification.json of a folder of --verify");
  std::vector<SlowerSize> slower;
  for (const JsonNode& node : document.at("points").elements()) {
    if (!node.at("slower").boolean()) continue;
    const JsonNode point = node.at("point");
    slower.push_back({.operation = node.at("operation").text(),
                      .ranks = read_value<int>(point.at("ranks")),
                      .bytes = read_value<Bytes>(point.at("bytes")),
                      .file = file});
  }
  return slower;
}

void leave_to_default(Evidence& evidence, std::span<const SlowerSize> slower) {
  for (const SlowerSize& found : slower) {
    for (Candidate& candidate : slower_point(evidence.points, found).candidates) {
      if (!candidate.shown) continue;
      candidate.shown = false;
      evidence.left_out.push_back(
          {candidate.setting, found.operation,
           fmt::format("at {} the file was slower, says {}", format_bytes(found.bytes), found.file),
           0});
    }
  }
}

}  // namespace hockney::tune
