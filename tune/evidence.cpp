#include "tune/evidence.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include "core/error.hpp"
#include "core/quantities.hpp"
#include "core/text.hpp"
#include "tune/campaign_launches.hpp"
#include "tune/setting_choice.hpp"
#include "verdicts/compare.hpp"
#include "verdicts/family_intervals.hpp"
#include "verdicts/power.hpp"
#include "verdicts/rank_tests.hpp"

namespace hockney::tune {
namespace {

using Launches = std::vector<Record>;

/// "bcast of 8 on 4 ranks"
std::string text_of(const TunedPoint& point) {
  return point.operation + " of " + format_bytes(point.bytes) + " on " +
         std::to_string(point.ranks) + " ranks";
}

class Gathering {
 public:
  explicit Gathering(Evidence& evidence) : evidence_(evidence) {}

  void add(const CampaignLaunches& campaign) {
    base_ = &campaign.settings.at(campaign.base);
    const Launches& base = *base_;
    add_base(base);
    for (const auto& [setting, launches] : campaign.settings) {
      if (setting != campaign.base) add_setting(setting, launches);
    }
  }

 private:
  [[nodiscard]] verdicts::CompareOptions compare_options() const {
    return {.alpha = evidence_.options.alpha,
            .correction = verdicts::Correction::none,
            .origin = verdicts::Origin::one_campaign};
  }

  TunedPoint& point_of(const Point& point) {
    return point_at(evidence_, point.operation, point.ranks, point.bytes);
  }

  /// What is measured of the default alone stays with it.
  void add_base(const Launches& base) {
    for (const verdicts::MatchedPoint& matched : verdicts::match_points(base, {})) {
      std::vector<double> seconds;
      seconds.reserve(matched.a.launches.size());
      for (const verdicts::LaunchTime& launch : matched.a.launches)
        seconds.push_back(launch.seconds);
      TunedPoint& point = point_of(matched.point);
      const auto [known, is_new] = seen_.try_emplace(text_of(point), curve_name(matched.point));
      if (known->second != curve_name(matched.point)) reject_kinds(point, known->second, matched);
      require_exact(matched.a);
      if (point.base_seconds || seconds.empty()) continue;
      point.base = forced_choice(base.front(), point.operation).value_or(Choice());
      point.base_seconds = median(seconds);
      point.base_interval_seconds = quantile_interval(seconds);
    }
  }

  [[noreturn]] static void reject_kinds(const TunedPoint& point, const std::string& one,
                                        const verdicts::MatchedPoint& other) {
    throw InputError({"several kinds of " + text_of(point),
                      "'" + one + "' and '" + curve_name(other.point) +
                          "', between which no selection file can tell",
                      "choose one with --parameters"});
  }

  /// Launches of a simulator without noise differ by the order of their points alone.
  void require_exact(const verdicts::SideTimes& side) const {
    if (evidence_.options.trust == Trust::launches || side.launches.empty()) return;
    const auto [low, high] = std::ranges::minmax(side.launches, {}, &verdicts::LaunchTime::seconds);
    constexpr double tolerance = 0.005;
    if (high.seconds - low.seconds <= tolerance * low.seconds) return;
    throw InputError({"these launches differ",
                      "by more than 0.5 %, and --exact is for simulators without noise",
                      "leave it out"});
  }

  void add_setting(const std::string& setting, const Launches& launches) {
    for (const verdicts::MatchedPoint& matched : verdicts::match_points(launches, {}))
      require_exact(matched.a);
    std::set<std::string> unfit;
    ++sides_;
    for (const verdicts::Comparison& found :
         compare(*base_, launches, compare_options()).comparisons) {
      const std::string& operation = found.point.operation;
      const auto choice = forced_choice(launches.front(), operation);
      const auto others = other_differences(launches.front(), base_->front(), operation);
      if (choice && others.empty()) {
        add_candidate(setting, *choice, found);
      } else if (!others.empty() && unfit.insert(operation).second) {
        evidence_.left_out.push_back(
            {setting, operation, "it differs from the default in " + join(others) + " too", 0});
      }
    }
  }

  void add_candidate(const std::string& setting, const Choice& choice,
                     const verdicts::Comparison& found) {
    TunedPoint& point = point_of(found.point);
    if (choice == point.base) return;
    if (std::ranges::find(point.candidates, choice, &Candidate::choice) != point.candidates.end()) {
      throw InputError({text_of(point) + " was measured twice with " + describe(choice),
                        "two settings or campaigns hold it", "name one of them"});
    }
    point.candidates.push_back({.choice = choice,
                                .setting = setting,
                                .seconds = found.b.median_seconds,
                                .interval_seconds = found.b.interval_seconds,
                                .ratio = found.ratio,
                                .ratio_interval = found.ratio_interval,
                                .launches = found.b.launches,
                                .p = found.p,
                                .smallest_p = found.smallest_p,
                                .contrast = found.contrast});
    point.candidates.back().contrast.sides = sides_;
  }

  Evidence& evidence_;
  const Launches* base_ = nullptr;
  std::size_t sides_ = 0;                    ///< settings held against their base so far
  std::map<std::string, std::string> seen_;  ///< the curve at each point
};

std::vector<Candidate*> measured_candidates(Evidence& evidence) {
  std::vector<Candidate*> family;
  for (TunedPoint& point : evidence.points) {
    for (Candidate& candidate : point.candidates) family.push_back(&candidate);
  }
  return family;
}

/// Pairs of launches from which on the smallest p-value of a whole family stays at or below alpha.
std::size_t pairs_for(double factor, double alpha) {
  std::size_t pairs = 1;
  while (factor * verdicts::smallest_signed_rank_p(pairs) > alpha) ++pairs;
  return pairs;
}

/// All candidates at all points are one family.
void judge(Evidence& evidence) {
  const EvidenceOptions& options = evidence.options;
  const std::vector<Candidate*> family = measured_candidates(evidence);
  std::vector<verdicts::Contrast> contrasts;
  std::vector<double> by_ranks;
  double smallest = 1;
  for (const Candidate* candidate : family) {
    contrasts.push_back(candidate->contrast);
    by_ranks.push_back(candidate->p);
    smallest = std::min(smallest, candidate->smallest_p);
  }
  const verdicts::FamilyTest test =
      test_family(contrasts, by_ranks, options.correction, 0, verdicts::Alternative::either);
  const auto critical = critical_value(test, options.alpha);
  const bool is_exact = options.trust == Trust::exact;
  const bool has_intervals = !is_exact && options.correction == verdicts::Correction::max_t;
  const auto shifts = has_intervals ? family_intervals(contrasts, test, options.alpha,
                                                       verdicts::Alternative::either)
                                    : std::vector<std::optional<Interval>>(family.size());
  for (std::size_t i = 0; i < family.size(); ++i) {
    Candidate& candidate = *family[i];
    candidate.p = test.p[i];
    candidate.p_adjusted = test.p_adjusted[i];
    const bool gains = candidate.ratio < 1 - options.least_gain;
    const bool differs = candidate.p_adjusted <= options.alpha;
    candidate.shown = gains && (is_exact || differs);
    if (shifts[i]) {
      const verdicts::Shown verdict = !differs              ? verdicts::Shown::nothing
                                      : candidate.ratio < 1 ? verdicts::Shown::below
                                                            : verdicts::Shown::above;
      candidate.family_interval = verdicts::ratio_interval(agreeing(*shifts[i], 0, verdict));
    }
    if (candidate.shown || !gains || !critical) continue;
    candidate.launches_needed =
        launches_to_show(candidate.contrast, 0,
                         {*critical, options.alpha / (2 * static_cast<double>(family.size()))});
  }
  evidence.family = family.size();
  const double factor =
      options.correction == verdicts::Correction::holm ? static_cast<double>(family.size()) : 1.0;
  if (!is_exact && !family.empty() && factor * smallest > options.alpha) {
    evidence.launches_needed = pairs_for(factor, options.alpha);
  }
}

std::string only_library(const std::vector<CampaignLaunches>& campaigns) {
  std::set<std::string> libraries;
  for (const CampaignLaunches& campaign : campaigns) {
    for (const auto& [setting, launches] : campaign.settings) {
      for (const Record& record : launches) libraries.insert(record.provenance.mpi.library);
    }
  }
  if (libraries.size() == 1) return *libraries.begin();
  throw InputError({"launches of several MPI libraries",
                    join({libraries.begin(), libraries.end()}, " and "),
                    "name campaigns of one of them"});
}

}  // namespace

TunedPoint& point_at(Evidence& evidence, const std::string& operation, int ranks, Bytes bytes) {
  const auto found = std::ranges::find_if(evidence.points, [&](const TunedPoint& point) {
    return point.operation == operation && point.ranks == ranks && point.bytes == bytes;
  });
  if (found != evidence.points.end()) return *found;
  return evidence.points.emplace_back(
      TunedPoint{.operation = operation, .ranks = ranks, .bytes = bytes});
}

void sort_points(Evidence& evidence) {
  std::ranges::sort(evidence.points, {}, [](const TunedPoint& point) {
    return std::tuple(point.operation, point.ranks, point.bytes.value);
  });
}

Evidence gather_evidence(std::vector<Record> records, const EvidenceOptions& options) {
  Evidence evidence{.options = options};
  const auto campaigns = campaign_launches(std::move(records), options, evidence.left_out);
  evidence.library = only_library(campaigns);
  Gathering gathering(evidence);
  for (const CampaignLaunches& campaign : campaigns) {
    evidence.campaigns.push_back(campaign.name);
    evidence.base = campaign.base;
    gathering.add(campaign);
  }
  sort_points(evidence);
  judge(evidence);
  return evidence;
}

void note(const LeftOut& found, std::vector<LeftOut>& left_out) {
  const auto known = std::ranges::find_if(left_out, [&](const LeftOut& other) {
    return other.setting == found.setting && other.operation == found.operation &&
           other.why == found.why;
  });
  if (known == left_out.end()) {
    left_out.push_back(found);
  } else {
    known->points += found.points;
  }
}

}  // namespace hockney::tune
