#include "components/tune/deciding.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <compare>
#include <map>
#include <set>
#include <span>

#include "components/tune/formats.hpp"
#include "components/tune/open_mpi_algorithms.hpp"
#include "core/error.hpp"
#include "core/quantities.hpp"
#include "core/text.hpp"

namespace hockney::tune {
namespace {

const std::vector<std::string>& required_columns() {
  static const std::vector<std::string> columns{"operation", "ranks", "bytes", "algorithm",
                                                "seconds",   "low",   "high"};
  return columns;
}

/// One line with cells by the header's names.
class CsvRow {
 public:
  CsvRow(const std::vector<std::string>& header, const std::string& line, std::string place)
      : place_(std::move(place)) {
    const std::vector<std::string> cells = split(line, ',');
    if (cells.size() != header.size()) {
      throw InputError({fmt::format("{}: {} columns", place_, cells.size()),
                        fmt::format("the header has {}", header.size()), "write one cell each"});
    }
    for (std::size_t i = 0; i < header.size(); ++i) cells_[header[i]] = cells[i];
  }

  [[nodiscard]] std::string text(const std::string& column) const {
    const auto found = cells_.find(column);
    return found == cells_.end() ? std::string() : found->second;
  }

  [[nodiscard]] double seconds(const std::string& column) const {
    const std::string cell = text(column);
    const auto value = as_number<double>(cell);
    if (value && std::isfinite(*value) && *value > 0) return *value;
    throw InputError({fmt::format("{}: bad {} '{}'", place_, column, cell),
                      "it is a time in seconds", "write it like 1.5e-6"});
  }

  template <class Number>
  [[nodiscard]] Number count(const std::string& column, Number least) const {
    return parse_count<Number>(fmt::format("{}: {}", place_, column), text(column), least);
  }

 private:
  std::string place_;
  std::map<std::string, std::string> cells_;
};

Choice choice_in(const CsvRow& row, const std::string& operation, Target target) {
  Choice choice{.algorithm = row.text("algorithm")};
  if (choice.algorithm == "default") return {};
  if (!row.text("segment").empty()) choice.segment = parse_bytes(row.text("segment")).value;
  if (!row.text("fanout").empty()) choice.fanout = row.count<int>("fanout", 0);
  const Library library = format_of(target).library;
  if (library == Library::open_mpi) choice.number = open_mpi_number(operation, choice);
  if (library == Library::intel) choice.number = row.count<int>("algorithm", 1);
  return choice;
}

PredictedRow read_row(const CsvRow& row, Target target) {
  const std::string operation = row.text("operation");
  return {.operation = operation,
          .ranks = row.count<int>("ranks", 2),
          .bytes = {row.count<std::int64_t>("bytes", 0)},
          .choice = choice_in(row, operation, target),
          .seconds = row.seconds("seconds"),
          .low = row.seconds("low"),
          .high = row.seconds("high")};
}

std::vector<std::string> read_header(const std::string& line, const std::string& file) {
  std::vector<std::string> header = split(line, ',');
  for (const std::string& column : required_columns()) {
    if (std::ranges::find(header, column) != header.end()) continue;
    throw InputError({fmt::format("{}: no column '{}'", file, column),
                      "the first line names the columns", "give " + join(required_columns(), ",")});
  }
  return header;
}

void add_candidate(TunedPoint& point, const PredictedRow& row, double least_gain) {
  if (std::ranges::find(point.candidates, row.choice, &Candidate::choice) !=
      point.candidates.end()) {
    return;
  }
  Candidate candidate{.choice = row.choice,
                      .setting = "predicted",
                      .source = Basis::predicted,
                      .seconds = row.seconds,
                      .interval_seconds = Interval{row.low, row.high, default_level}};
  if (const auto& base = point.base_seconds) {
    const double low = point.base_interval_seconds ? point.base_interval_seconds->low : *base;
    candidate.ratio = row.seconds / *base;
    candidate.shown = candidate.ratio < 1 - least_gain && row.high < low;
  }
  point.candidates.push_back(std::move(candidate));
}

/// Drops points without the default's time: no candidate can be shown faster, and a rule would only
/// split those of its neighbours.
void drop_without_base(Evidence& evidence) {
  for (const TunedPoint& point : evidence.points) {
    if (point.base_seconds) continue;
    note({"predicted", point.operation, "nothing is known of the default's time", 1},
         evidence.left_out);
  }
  std::erase_if(evidence.points, [](const TunedPoint& point) { return !point.base_seconds; });
}

/// The cost of a sequence of options.
struct Cost {
  int changes = 0;
  double regret = 0;

  friend auto operator<=>(const Cost&, const Cost&) = default;
};

/// The cheapest sequence that ends with one option of a point.
struct Path {
  Option option;
  Choice choice;
  Cost cost;
  std::size_t before = 0;  ///< index among the options of the point before
};

Choice choice_of(const TunedPoint& point, const Option& option) {
  return option.candidate == nullptr ? point.base : option.candidate->choice;
}

Path extended(const std::vector<Path>& before, const TunedPoint& point, const Option& option) {
  Path best{.option = option, .choice = choice_of(point, option)};
  bool is_first = true;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const int change = before[i].choice == best.choice ? 0 : 1;
    const Cost cost{before[i].cost.changes + change, before[i].cost.regret + option.regret};
    if (!is_first && best.cost <= cost) continue;
    best.cost = cost;
    best.before = i;
    is_first = false;
  }
  if (before.empty()) best.cost.regret = option.regret;
  return best;
}

std::size_t cheapest(const std::vector<Path>& paths) {
  const auto best =
      std::ranges::min_element(paths, [](const Path& a, const Path& b) { return a.cost < b.cost; });
  return static_cast<std::size_t>(best - paths.begin());
}

/// Consecutive points of one operation and number of ranks, or of one operation.
template <class Same>
std::vector<std::span<const TunedPoint>> runs(std::span<const TunedPoint> points, Same same) {
  std::vector<std::span<const TunedPoint>> found;
  std::size_t first = 0;
  for (std::size_t i = 1; i <= points.size(); ++i) {
    if (i < points.size() && same(points[first], points[i])) continue;
    found.push_back(points.subspan(first, i - first));
    first = i;
  }
  return found;
}

/// Among measured candidates that gain enough but are not shown to, the one closest to being shown.
std::optional<Candidate> closest_to_shown(const TunedPoint& point, const EvidenceOptions& options) {
  std::optional<Candidate> closest;
  const auto is_nearer = [](const Candidate& a, const Candidate& b) {
    return std::pair(a.p_adjusted, a.ratio) < std::pair(b.p_adjusted, b.ratio);
  };
  for (const Candidate& candidate : point.candidates) {
    const bool is_open = candidate.source == Basis::measured &&
                         candidate.ratio < 1 - options.least_gain &&
                         candidate.p_adjusted > options.alpha;
    if (is_open && (!closest || is_nearer(candidate, *closest))) closest = candidate;
  }
  return closest;
}

Decision decision_at(const TunedPoint& point, const Option& option,
                     const EvidenceOptions& evidence) {
  Decision decision{.operation = point.operation,
                    .ranks = point.ranks,
                    .bytes = point.bytes,
                    .choice = point.base,
                    .regret = option.regret};
  const Candidate* candidate = option.candidate;
  if (candidate == nullptr) {
    if (point.base.is_default()) decision.closest = closest_to_shown(point, evidence);
    return decision;
  }
  decision.choice = candidate->choice;
  decision.setting = candidate->setting;
  decision.source = candidate->source;
  decision.ratio = candidate->ratio;
  decision.ratio_interval = candidate->ratio_interval;
  decision.family_interval = candidate->family_interval;
  decision.p_adjusted = candidate->p_adjusted;
  return decision;
}

/// The time of a choice at a point as a multiple of the default's; nullopt if unknown.
std::optional<double> ratio_of(const TunedPoint& point, const Choice& choice) {
  if (choice == point.base) return 1.0;
  const auto found = std::ranges::find(point.candidates, choice, &Candidate::choice);
  return found == point.candidates.end() ? std::nullopt : std::optional(found->ratio);
}

/// The logarithm of the time of `b` over that of `a`.
std::optional<double> distance(const TunedPoint& point, const Choice& a, const Choice& b) {
  const auto of_a = ratio_of(point, a);
  const auto of_b = ratio_of(point, b);
  if (!of_a || !of_b) return std::nullopt;
  return std::log(*of_b / *of_a);
}

/// Whether the choice is slower than the default at this point, or has no time there. Then its
/// useful range is unknown.
bool is_doubtful(const TunedPoint& point, const Choice& choice) {
  const auto ratio = ratio_of(point, choice);
  return !ratio || *ratio > 1;
}

/// The size at which the choice changes from that of the smaller point to that of the larger.
std::int64_t change_between(const TunedPoint& a, const Choice& of_a, const TunedPoint& b,
                            const Choice& of_b, Replication replication) {
  if (replication == Replication::launches && of_b == b.base && is_doubtful(b, of_a))
    return a.bytes.value + 1;
  if (replication == Replication::launches && of_a == a.base && is_doubtful(a, of_b))
    return b.bytes.value;
  const auto before = distance(a, of_a, of_b);
  const auto after = distance(b, of_a, of_b);
  const bool do_cross = before && after && *before >= 0 && *after < 0;
  if (!do_cross) return boundary(a.bytes.value, b.bytes.value);
  return boundary(a.bytes.value, b.bytes.value, *before / (*before - *after));
}

/// The rules of the sizes of one curve.
RanksRule rule_of(std::span<const TunedPoint> curve, std::span<const Decision> decided,
                  const DecideOptions& options) {
  RanksRule rule{.measured = curve.front().ranks, .sizes = {}};
  const bool is_extended = options.beyond == Beyond::extended;
  const std::int64_t smallest = curve.front().bytes.value;
  if (!is_extended && smallest > 0) rule.sizes.push_back({0, Choice(), false});
  for (std::size_t i = 0; i < curve.size(); ++i) {
    std::int64_t from = is_extended ? 0 : smallest;
    if (i > 0) {
      from = change_between(curve[i - 1], decided[i - 1].choice, curve[i], decided[i].choice,
                            options.replication);
    }
    rule.sizes.push_back({from, decided[i].choice, true});
  }
  // An operation without data has no larger size.
  const std::int64_t largest = curve.back().bytes.value;
  if (!is_extended && largest > 0) rule.sizes.push_back({largest + 1, Choice(), false});
  return rule;
}

RanksRule left_to_library(int from) {
  return {.from = from, .measured = 0, .sizes = {{0, Choice(), false}}};
}

/// Adds the rules of a number of ranks that is larger than the present ones.
void add_ranks(OperationRules& rules, RanksRule rule, Beyond beyond) {
  constexpr int fewest = 2;
  if (!rules.ranks.empty()) {
    const int before = rules.ranks.back().measured;
    rule.from = static_cast<int>(boundary(before, rule.measured));
  } else if (beyond == Beyond::extended || rule.measured <= fewest) {
    rule.from = fewest;
  } else {
    rules.ranks.push_back(left_to_library(fewest));
    rule.from = rule.measured;
  }
  rules.ranks.push_back(std::move(rule));
}

/// The default and the candidates shown to be faster, with a regret of at most `most_regret`.
std::vector<Option> options_at(const TunedPoint& point, double most_regret) {
  std::vector<Option> options{{nullptr, 1}};
  double best = 1;
  for (const Candidate& candidate : point.candidates) {
    if (!candidate.shown) continue;
    options.push_back({&candidate, candidate.ratio});
    best = std::min(best, candidate.ratio);
  }
  for (Option& option : options) option.regret = option.regret / best - 1;
  std::erase_if(options, [&](const Option& option) { return option.regret > most_regret; });
  return options;
}

/// One option for each point of a curve, in order of bytes. The sequence has the fewest changes
/// from point to point and, among these, the least total regret (Viterbi 1967).
std::vector<Option> fewest_rules(std::span<const TunedPoint> curve, double most_regret) {
  std::vector<std::vector<Path>> steps;
  for (const TunedPoint& point : curve) {
    const std::vector<Path> before = steps.empty() ? std::vector<Path>() : steps.back();
    std::vector<Path>& here = steps.emplace_back();
    for (const Option& option : options_at(point, most_regret)) {
      here.push_back(extended(before, point, option));
    }
  }
  std::vector<Option> chosen(curve.size());
  std::size_t index = steps.empty() ? 0 : cheapest(steps.back());
  for (std::size_t i = steps.size(); i > 0; --i) {
    const Path& path = steps[i - 1][index];
    chosen[i - 1] = path.option;
    index = path.before;
  }
  return chosen;
}

}  // namespace

std::vector<PredictedRow> read_predicted(const std::string& text, const std::string& file,
                                         Target target) {
  std::vector<std::string> header;
  std::vector<PredictedRow> rows;
  int number = 0;
  for (const std::string& line : split(text, '\n')) {
    ++number;
    if (line.empty() || line.starts_with('#')) continue;
    if (header.empty()) {
      header = read_header(line, file);
    } else {
      rows.push_back(read_row(CsvRow(header, line, fmt::format("{}:{}", file, number)), target));
    }
  }
  if (!rows.empty()) return rows;
  throw InputError({file + ": no predictions", "it has no line below a header",
                    "give " + join(required_columns(), ",")});
}

void add_predicted(Evidence& evidence, const std::vector<PredictedRow>& rows) {
  for (const PredictedRow& row : rows) {
    TunedPoint& point = point_at(evidence, row.operation, row.ranks, row.bytes);
    if (!row.choice.is_default() || point.base_seconds) continue;
    point.base_seconds = row.seconds;
    point.base_interval_seconds = Interval{row.low, row.high, default_level};
  }
  for (const PredictedRow& row : rows) {
    if (row.choice.is_default()) continue;
    add_candidate(point_at(evidence, row.operation, row.ranks, row.bytes), row,
                  evidence.options.least_gain);
  }
  drop_without_base(evidence);
  sort_points(evidence);
}

std::int64_t boundary(std::int64_t a, std::int64_t b, double share) {
  const auto low = std::log(static_cast<double>(std::max<std::int64_t>(a, 1)));
  const double at = low + share * (std::log(static_cast<double>(b)) - low);
  const double exact = std::exp(at);
  const double nearest = std::round(exact);
  constexpr double rounding = 1e-9;  // keeps whole numbers exact
  const bool is_whole = std::abs(exact - nearest) <= rounding * exact;
  const auto size = whole_number<std::int64_t>(is_whole ? nearest : std::ceil(exact));
  return std::clamp<std::int64_t>(size, a + 1, b);
}

bool changes_nothing(const Decisions& decisions) {
  return std::ranges::all_of(decisions.points,
                             [](const Decision& decision) { return decision.choice.is_default(); });
}

Decisions decide_all(const Evidence& evidence, const DecideOptions& options) {
  Decisions result;
  const auto same_operation = [](const TunedPoint& a, const TunedPoint& b) {
    return a.operation == b.operation;
  };
  const auto same_ranks = [](const TunedPoint& a, const TunedPoint& b) {
    return a.ranks == b.ranks;
  };
  for (const auto operation : runs(std::span(evidence.points), same_operation)) {
    OperationRules rules{.operation = operation.front().operation, .ranks = {}};
    for (const auto curve : runs(operation, same_ranks)) {
      const std::vector<Option> chosen = fewest_rules(curve, options.most_regret);
      const std::size_t first = result.points.size();
      for (std::size_t i = 0; i < curve.size(); ++i) {
        result.points.push_back(decision_at(curve[i], chosen[i], evidence.options));
      }
      const auto decided = std::span<const Decision>(result.points).subspan(first);
      add_ranks(rules, rule_of(curve, decided, options), options.beyond);
    }
    if (options.beyond == Beyond::library) {
      rules.ranks.push_back(left_to_library(rules.ranks.back().measured + 1));
    }
    result.rules.push_back(std::move(rules));
  }
  return result;
}

}  // namespace hockney::tune
