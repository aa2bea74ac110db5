#include "models/collectives/rank_scaling.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "core/samples.hpp"
#include "models/collectives/form_fit.hpp"
#include "models/collectives/measured_network.hpp"

namespace hockney::collectives {
namespace {

constexpr std::array term_names{"constant", "log2", "linear"};

std::vector<double> terms_at(int ranks) {
  return {1, std::log2(static_cast<double>(ranks)), static_cast<double>(ranks)};
}

/// Puts values into curves.
class Gathering {
 public:
  void begin(const Record& record) {
    library_ = record.provenance.mpi.library;
    setting_ = record.campaign ? setting_without_ranks(*record.campaign) : "";
  }

  void add(const std::string& quantity, ScalingUnit unit, int ranks, double value) {
    if (!(value > 0) || ranks < 1) return;
    const auto is_it = [&](const ScalingCurve& curve) {
      return curve.quantity == quantity && curve.setting == setting_ &&
             curve.mpi_library == library_;
    };
    auto found = std::ranges::find_if(curves_, is_it);
    if (found == curves_.end()) {
      curves_.push_back(
          {.quantity = quantity, .unit = unit, .setting = setting_, .mpi_library = library_});
      found = std::prev(curves_.end());
    }
    const auto place = std::ranges::lower_bound(found->ranks, ranks);
    const auto row = found->values.begin() + (place - found->ranks.begin());
    if (place != found->ranks.end() && *place == ranks) return row->push_back(value);
    found->ranks.insert(place, ranks);
    found->values.insert(row, {value});
  }

  std::vector<ScalingCurve> take() { return std::move(curves_); }

 private:
  std::string library_;
  std::string setting_;
  std::vector<ScalingCurve> curves_;
};

/// The point without fields that change with the number of ranks.
std::string quantity_of(Point point) {
  point.ranks = 0;
  point.hop.reset();
  point.pair.clear();
  std::string name = point.operation;
  for (const auto& [key, value] : point.parameters) name += fmt::format(" {}={}", key, value);
  return name;
}

/// Largest memory of one communicator on any rank [B]; 0 if not measured.
double bytes_of_communicator(const std::vector<MemoryUse>& memory) {
  std::map<int, std::int64_t> without;
  for (const MemoryUse& use : memory) {
    if (use.communicators == 0) without[use.rank] = use.pss_bytes;
  }
  double most = 0;
  for (const MemoryUse& use : memory) {
    const auto before = without.find(use.rank);
    if (use.communicators.value_or(0) == 0 || before == without.end()) continue;
    most = std::max(most, static_cast<double>(use.pss_bytes - before->second) / *use.communicators);
  }
  return most;
}

void add_memory(const Record& record, Gathering& gathering) {
  const auto ranks = static_cast<int>(record.ranks.size());
  std::int64_t most = 0;
  for (const MemoryUse& use : record.memory) {
    if (use.moment == "after-init") most = std::max(most, use.pss_bytes);
  }
  gathering.add("memory after-init", ScalingUnit::bytes, ranks, static_cast<double>(most));
  gathering.add("memory of a communicator", ScalingUnit::bytes, ranks,
                bytes_of_communicator(record.memory));
}

/// One time of each quantity and number of ranks: of several teams, the median.
void add_times(const Record& record, Gathering& gathering) {
  std::map<std::pair<std::string, int>, PointLaunches> launches;
  for (const Series& series : record.series) {
    if (series.point.bytes.value != 0) continue;
    Point point = series.point;
    point.parameters.erase("team");
    const auto seconds = launch_median(record, series);
    if (seconds) launches[{quantity_of(point), point.ranks}].add(0, *seconds);
  }
  for (const auto& [place, times] : launches) {
    gathering.add(place.first, ScalingUnit::seconds, place.second, times.seconds().front());
  }
}

/// The values of the terms that fit these best in relative error.
std::optional<NonNegativeFit> fit_terms(const std::vector<int>& ranks,
                                        const std::vector<double>& values,
                                        const std::vector<double>& scales) {
  std::vector<Equation> equations;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    equations.push_back({terms_at(ranks[i]), values[i], scales[i]});
  }
  return fit_non_negative(equations);
}

double value_at(const std::vector<double>& solution, int ranks) {
  const std::vector<double> terms = terms_at(ranks);
  double value = 0;
  for (std::size_t j = 0; j < terms.size(); ++j) value += terms[j] * solution[j];
  return value;
}

std::optional<double> held_out(const std::vector<int>& ranks, const std::vector<double>& values) {
  double sum = 0;
  for (std::size_t left_out = 0; left_out < ranks.size(); ++left_out) {
    std::vector<int> others = ranks;
    std::vector<double> theirs = values;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(left_out));
    theirs.erase(theirs.begin() + static_cast<std::ptrdiff_t>(left_out));
    const auto fit = fit_terms(others, theirs, theirs);
    if (!fit) return std::nullopt;
    sum += std::abs(value_at(fit->solution, ranks[left_out]) / values[left_out] - 1);
  }
  return sum / static_cast<double>(ranks.size());
}

/// Over the fits to single launches, and with that of all in it.
void add_intervals(Scaling& scaling, const std::vector<double>& pooled) {
  std::vector<std::vector<double>> of_terms(scaling.terms.size());
  for (std::size_t launch = 0; launch < scaling.curve.launches(); ++launch) {
    std::vector<double> values;
    for (const auto& row : scaling.curve.values) values.push_back(row[launch]);
    const auto fit = fit_terms(scaling.curve.ranks, values, pooled);
    if (!fit) return;
    for (std::size_t j = 0; j < of_terms.size(); ++j) of_terms[j].push_back(fit->solution[j]);
  }
  for (std::size_t j = 0; j < of_terms.size(); ++j) {
    auto interval = quantile_interval(of_terms[j]);
    if (!interval) continue;
    interval->low = std::min(interval->low, scaling.terms[j].value);
    interval->high = std::max(interval->high, scaling.terms[j].value);
    scaling.terms[j].interval = interval;
  }
}

}  // namespace

std::size_t ScalingCurve::launches() const {
  std::size_t fewest = values.empty() ? 0 : values.front().size();
  for (const auto& row : values) fewest = std::min(fewest, row.size());
  return fewest;
}

double Scaling::at(int ranks) const {
  std::vector<double> solution;
  for (const ScalingTerm& term : terms) solution.push_back(term.value);
  return value_at(solution, ranks);
}

std::vector<ScalingCurve> collect_scaling(std::span<const Record> records) {
  Gathering gathering;
  for (const Record& record : records) {
    if (record.procedure != startup_procedure || record.status != LaunchStatus::complete) continue;
    gathering.begin(record);
    add_times(record, gathering);
    add_memory(record, gathering);
  }
  return gathering.take();
}

std::optional<Scaling> fit_scaling(const ScalingCurve& curve) {
  if (curve.ranks.size() < ranks_per_scaling) return std::nullopt;
  std::vector<double> pooled;
  for (const auto& row : curve.values) pooled.push_back(*median(row));
  const auto fit = fit_terms(curve.ranks, pooled, pooled);
  if (!fit) return std::nullopt;
  Scaling scaling{.curve = curve};
  for (std::size_t j = 0; j < term_names.size(); ++j) {
    const bool is_separable = std::ranges::find(fit->inseparable, j) == fit->inseparable.end();
    scaling.terms.push_back(
        {.name = term_names[j], .value = fit->solution[j], .is_separable = is_separable});
  }
  for (std::size_t i = 0; i < pooled.size(); ++i) {
    const double error = std::abs(value_at(fit->solution, curve.ranks[i]) / pooled[i] - 1);
    scaling.max_relative_error = std::max(scaling.max_relative_error, error);
  }
  scaling.held_out_error = held_out(curve.ranks, pooled);
  add_intervals(scaling, pooled);
  return scaling;
}

std::vector<Scaling> fit_scalings(std::span<const Record> records) {
  std::vector<Scaling> scalings;
  for (const ScalingCurve& curve : collect_scaling(records)) {
    if (auto scaling = fit_scaling(curve)) scalings.push_back(std::move(*scaling));
  }
  return scalings;
}

}  // namespace hockney::collectives
