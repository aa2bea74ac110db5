#include "components/tune/evidence.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "components/tune/open_mpi_algorithms.hpp"
#include "components/tune/rules.hpp"
#include "core/algorithm_use.hpp"
#include "core/collectives.hpp"
#include "core/error.hpp"
#include "core/faults.hpp"
#include "core/point.hpp"
#include "core/quantities.hpp"
#include "core/record.hpp"
#include "core/text.hpp"
#include "verdicts/compare.hpp"
#include "verdicts/multiplicity.hpp"
#include "verdicts/rank_tests.hpp"

namespace hockney::tune {
namespace {

/// The launches of one campaign by setting.
struct CampaignLaunches {
  std::string name;
  std::string base;  ///< the default setting
  std::map<std::string, std::vector<Record>> settings;
};

constexpr std::string_view default_place = "default";

/// Why a series is no evidence for its setting; empty if it is.
std::string objection(const Record& record, const Series& series) {
  if (const auto fault = fault_of(record, series)) return std::string(cause_of(*fault));
  const bool is_substituted = std::ranges::count(series.flags, algorithm_substituted_flag) > 0;
  return is_substituted ? "another algorithm ran than the requested one" : "";
}

bool has_parameters(const Point& point, const std::map<std::string, std::string>& wanted) {
  return std::ranges::all_of(wanted, [&](const auto& parameter) {
    const auto found = point.parameters.find(parameter.first);
    return found != point.parameters.end() && found->second == parameter.second;
  });
}

using Place = std::pair<std::string, std::int64_t>;

Place place_of(const Point& point) {
  Point plain = point;
  plain.algorithm.reset();
  return {curve_name(plain), point.bytes.value};
}

/// The points of a setting with an objection to any launch. If one launch ran another algorithm,
/// the others may have too.
std::map<Place, std::string> objections_to(const std::vector<Record>& launches) {
  std::map<Place, std::string> objections;
  for (const Record& record : launches) {
    for (const Series& series : record.series) {
      std::string why = objection(record, series);
      if (!why.empty()) objections[place_of(series.point)] = std::move(why);
    }
  }
  return objections;
}

void keep_evidence(std::vector<Record>& launches, const EvidenceOptions& options,
                   std::vector<LeftOut>& left_out) {
  const auto objections = objections_to(launches);
  const std::string setting = launches.front().campaign->setting;
  const auto drop = [&](const auto& item) {
    const Collective* const collective = find_collective(item.point.operation);
    return collective == nullptr || !is_of_all_ranks(*collective) ||
           is_of_other_suite(item.point) || !has_parameters(item.point, options.parameters) ||
           objections.contains(place_of(item.point));
  };
  for (Record& record : launches) {
    std::erase_if(record.points.own(), drop);
    std::erase_if(record.series, drop);
    for (PlannedPoint& planned : record.points.own()) planned.point.algorithm.reset();
    for (Series& series : record.series) series.point.algorithm.reset();
  }
  for (const auto& [place, why] : objections) {
    note({setting, split(place.first, ' ').front(), why, 1}, left_out);
  }
}

bool is_default_place(const Record& record) {
  const auto& axes = record.campaign->axes;
  if (axes.empty()) return record.campaign->setting == default_place;
  return std::ranges::all_of(axes, [](const auto& axis) { return axis.second == default_place; });
}

/// The default setting of a campaign.
std::string base_of(const CampaignLaunches& campaign, const std::string& wanted) {
  std::vector<std::string> names;
  for (const auto& [setting, launches] : campaign.settings) {
    if (wanted.empty() ? is_default_place(launches.front()) : setting == wanted) return setting;
    names.push_back(setting);
  }
  if (!wanted.empty()) {
    throw InputError({fmt::format("unknown setting '{}' of campaign '{}'", wanted, campaign.name),
                      "no complete launch has it", suggest(wanted, names)});
  }
  throw InputError(
      {fmt::format("campaign '{}' has no default setting", campaign.name),
       fmt::format("of its settings {} none leaves all axes at 'default'", join(names)),
       "name one with --default"});
}

/// Sorts complete launches by campaign and setting, and keeps the series that are evidence. These
/// have hockney's own timing, the requested parameters and no objection; objections are counted in
/// `left_out`. Points lose their algorithm, in which settings differ. InputError without a default
/// setting or without launches.
std::vector<CampaignLaunches> campaign_launches(std::vector<Record> records,
                                                const EvidenceOptions& options,
                                                std::vector<LeftOut>& left_out) {
  std::map<std::string, CampaignLaunches> campaigns;
  for (Record& record : records) {
    if (record.status != LaunchStatus::complete || !record.campaign) continue;
    CampaignLaunches& campaign = campaigns[record.campaign->name];
    campaign.name = record.campaign->name;
    campaign.settings[record.campaign->setting].push_back(std::move(record));
  }
  if (campaigns.empty()) {
    throw InputError({"no complete launch of a campaign", "a choice needs settings to choose from",
                      "name the folder of one that 'hockney run' made"});
  }
  std::vector<CampaignLaunches> result;
  for (auto& [name, campaign] : campaigns) {
    for (auto& [setting, launches] : campaign.settings) {
      keep_evidence(launches, options, left_out);
    }
    campaign.base = base_of(campaign, options.base);
    result.push_back(std::move(campaign));
  }
  return result;
}

using Launches = std::vector<Record>;

/// "bcast of 8 on 4 ranks"
std::string text_of(const TunedPoint& point) {
  return fmt::format("{} of {} on {} ranks", point.operation, format_bytes(point.bytes),
                     point.ranks);
}

class EvidenceCollector {
 public:
  explicit EvidenceCollector(Evidence& evidence) : evidence_(evidence) {}

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

  /// Adds the default's points; those without other settings keep the default.
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
                      fmt::format("'{}' and '{}', which no selection file can distinguish", one,
                                  curve_name(other.point)),
                      "choose one with --parameters"});
  }

  /// For exact times: InputError if launches differ by more than 0.5 %. In a simulator without
  /// noise only the order of points can change times.
  void require_exact(const verdicts::SideTimes& side) const {
    if (evidence_.options.replication == Replication::launches || side.launches.empty()) return;
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
      const auto others = other_differences(launches.front(), base_->front());
      if (choice && others.empty()) {
        add_candidate(setting, *choice, found);
      } else if (!others.empty() && unfit.insert(operation).second) {
        evidence_.left_out.push_back(
            {setting, operation, fmt::format("it differs from the default in {} too", join(others)),
             0});
      }
    }
  }

  void add_candidate(const std::string& setting, const Choice& choice,
                     const verdicts::Comparison& found) {
    TunedPoint& point = point_of(found.point);
    if (choice == point.base) return;
    if (std::ranges::find(point.candidates, choice, &Candidate::choice) != point.candidates.end()) {
      throw InputError(
          {fmt::format("{} was measured twice with {}", text_of(point), describe(choice)),
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
  std::size_t sides_ = 0;                    ///< settings compared with their base so far
  std::map<std::string, std::string> seen_;  ///< the curve at each point
};

std::vector<Candidate*> measured_candidates(Evidence& evidence) {
  std::vector<Candidate*> family;
  for (TunedPoint& point : evidence.points) {
    for (Candidate& candidate : point.candidates) family.push_back(&candidate);
  }
  return family;
}

/// Tests all candidates at all points as one family.
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
  const verdicts::FamilyResult result = judge(contrasts, by_ranks, options.correction,
                                              options.alpha, 0, verdicts::Alternative::either);
  const bool is_exact = options.replication == Replication::exact;
  for (std::size_t i = 0; i < family.size(); ++i) {
    Candidate& candidate = *family[i];
    candidate.p = result.test.p[i];
    candidate.p_adjusted = result.test.p_adjusted[i];
    const verdicts::Shown shown =
        verdicts::shown_by(candidate.p_adjusted, options.alpha, candidate.ratio, 0);
    const bool gains = candidate.ratio < 1 - options.least_gain;
    candidate.shown = gains && (is_exact || shown != verdicts::Shown::nothing);
    if (!is_exact && result.shifts[i]) {
      candidate.family_interval = verdicts::ratio_interval(agreeing(*result.shifts[i], 0, shown));
    }
    if (candidate.shown || !gains || !result.threshold) continue;
    candidate.launches_needed = launches_to_show(candidate.contrast, 0, *result.threshold);
  }
  evidence.family = family.size();
  if (!is_exact && !family.empty() && result.factor * smallest > options.alpha) {
    evidence.launches_needed = result.launches_for(options.alpha, verdicts::smallest_signed_rank_p);
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

using Variables = std::map<std::string, std::string>;

constexpr std::string_view open_mpi_prefix = "OMPI_MCA_";

Variables requested_by(const Record& launch) {
  Variables requested;
  for (const RequestedSetting& setting : launch.provenance.mpi.requested) {
    requested[setting.variable] = setting.requested;
  }
  return requested;
}

/// Whether a value leaves the decision to the library.
bool forces_nothing(std::string_view value) {
  constexpr std::array<std::string_view, 5> words{"", "0", "ignore", "auto", "default"};
  return std::ranges::find(words, value) != words.end();
}

/// The effective value of a variable of Open MPI.
std::string effective(const Record& launch, const std::string& name) {
  const auto& settings = launch.provenance.mpi.settings;
  const auto found = settings.find(name);
  return found == settings.end() ? std::string() : found->second;
}

std::int64_t size_of(const std::string& text) {
  try {
    return text.empty() ? 0 : parse_bytes(text).value;
  } catch (const InputError&) {
    return 0;
  }
}

void complete_open_mpi(const Record& launch, const std::string& operation, Choice& choice) {
  const std::string name =
      algorithm_variable(Library::open_mpi, operation).substr(open_mpi_prefix.size());
  choice.number = as_number<int>(effective(launch, name));
  if (!choice.number) choice.number = open_mpi_number(operation, {.algorithm = choice.algorithm});
  if (as_number<int>(choice.algorithm) && choice.number) {
    choice.algorithm = open_mpi_name(operation, *choice.number);
  }
  if (const std::string segment = effective(launch, name + "_segmentsize"); !segment.empty()) {
    choice.segment = size_of(segment);
  }
  if (choice.algorithm == "chain") {
    choice.fanout = as_number<int>(effective(launch, name + "_chain_fanout")).value_or(0);
  }
}

/// Adds the value of one variable to the choice.
void add_variable(const std::string& variable, const std::string& value,
                  const CollectiveVariable& meaning, Choice& choice) {
  const bool is_of_tree = meaning.companion_of == "chain" || meaning.companion_of == "tree";
  if (meaning.role == CollectiveRole::algorithm) {
    if (!forces_nothing(value)) choice.algorithm = value;
  } else if (meaning.role == CollectiveRole::segment) {
    choice.segment = size_of(value);
  } else if (!is_of_tree) {
    choice.variables[variable] = value;
  }
}

/// Names with different values, or in only one of the two.
std::vector<std::string> differing(const Variables& a, const Variables& b) {
  std::vector<std::string> names;
  for (const auto& [name, value] : a) {
    const auto other = b.find(name);
    if (other == b.end() || other->second != value) names.push_back(name);
  }
  for (const auto& [name, value] : b) {
    if (!a.contains(name)) names.push_back(name);
  }
  return names;
}

std::vector<std::string> differing_axes(const Record& launch, const Record& base) {
  return differing(launch.campaign ? launch.campaign->axes : Variables(),
                   base.campaign ? base.campaign->axes : Variables());
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
  EvidenceCollector gathering(evidence);
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

std::optional<Choice> forced_choice(const Record& launch, const std::string& operation) {
  Choice choice;
  bool is_open_mpi = false;
  for (const auto& [variable, value] : requested_by(launch)) {
    const auto meaning = collective_variable(variable);
    if (!meaning || meaning->operation != plain_name(operation)) continue;
    is_open_mpi = is_open_mpi || meaning->library == Library::open_mpi;
    add_variable(variable, value, *meaning, choice);
  }
  if (choice.is_default()) return std::nullopt;
  if (is_open_mpi) {
    complete_open_mpi(launch, operation, choice);
  } else {
    choice.number = as_number<int>(choice.algorithm);
  }
  return choice;
}

std::vector<std::string> other_differences(const Record& launch, const Record& base) {
  std::vector<std::string> others;
  std::size_t explained = 0;
  for (const std::string& variable : differing(requested_by(launch), requested_by(base))) {
    if (collective_variable(variable)) {
      ++explained;
    } else {
      others.push_back(variable);
    }
  }
  const std::vector<std::string> axes = differing_axes(launch, base);
  return others.empty() && axes.size() > explained ? axes : others;
}

}  // namespace hockney::tune
