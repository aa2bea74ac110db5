#include "models/collectives/form_fit.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "models/collectives/size_segments.hpp"

namespace hockney::collectives {
namespace {

constexpr std::size_t ranks_for_held_out = 3;

Equation equation_of(const Form& form, const TimedWork& time) {
  return {form.row(time.work), time.seconds, time.scale_seconds};
}

bool is_known(const std::vector<double>& row) {
  return std::ranges::any_of(row, [](double entry) { return entry != 0; });
}

/// nullopt where the form has no time for one of the works.
std::optional<std::vector<SizeEquations>> by_size(const Form& form,
                                                  const std::vector<TimedWork>& times) {
  std::map<std::int64_t, std::vector<Equation>> sizes;
  for (const TimedWork& time : times) {
    Equation equation = equation_of(form, time);
    if (!is_known(equation.row)) return std::nullopt;
    sizes[time.work.bytes.value].push_back(std::move(equation));
  }
  std::vector<SizeEquations> result;
  result.reserve(sizes.size());
  for (auto& [bytes, equations] : sizes) result.push_back({bytes, std::move(equations)});
  return result;
}

const FormSegment& segment_of(const std::vector<FormSegment>& segments, Bytes bytes) {
  const auto found = std::ranges::lower_bound(segments, bytes, {}, &FormSegment::to);
  return found == segments.end() ? segments.back() : *found;
}

double time_of(const std::vector<double>& row, const std::vector<double>& parameters) {
  double seconds = 0;
  for (std::size_t j = 0; j < row.size(); ++j) seconds += row[j] * parameters[j];
  return seconds;
}

/// The parameters of each segment, fitted to the times that lie in it; nullopt where one has none.
std::optional<std::vector<FormSegment>> fit_segments(const Form& form,
                                                     std::vector<FormSegment> segments,
                                                     const std::vector<TimedWork>& times) {
  for (FormSegment& segment : segments) {
    std::vector<Equation> equations;
    for (const TimedWork& time : times) {
      const bool inside = time.work.bytes >= segment.from && time.work.bytes <= segment.to;
      if (inside) equations.push_back(equation_of(form, time));
    }
    const auto fit = fit_non_negative(equations);
    if (!fit) return std::nullopt;
    segment.parameters = fit->solution;
    segment.inseparable = fit->inseparable;
    segment.intervals.assign(fit->solution.size(), std::nullopt);
  }
  return segments;
}

std::vector<WorkError> errors_of(const FormFit& fit, const std::vector<TimedWork>& times) {
  std::vector<WorkError> errors;
  for (const TimedWork& time : times) {
    const double seconds = fit.at(time.work).value_or(0);
    errors.push_back({time.work, std::abs(seconds - time.seconds) / time.seconds});
  }
  return errors;
}

double mean_of(const std::vector<WorkError>& errors) {
  double sum = 0;
  for (const WorkError& error : errors) sum += error.relative;
  return sum / static_cast<double>(errors.size());
}

/// Every number of ranks predicted from the others, with the same segments.
void hold_out(FormFit& fit, const std::vector<TimedWork>& times) {
  std::set<int> ranks;
  for (const TimedWork& time : times) ranks.insert(time.work.ranks);
  if (ranks.size() < ranks_for_held_out) return;
  std::vector<WorkError> errors;
  for (const int left_out : ranks) {
    std::vector<TimedWork> train;
    std::vector<TimedWork> test;
    for (const TimedWork& time : times) {
      (time.work.ranks == left_out ? test : train).push_back(time);
    }
    const auto fitted = refit(fit, train);
    if (!fitted) return;
    const auto found = errors_of(*fitted, test);
    errors.insert(errors.end(), found.begin(), found.end());
  }
  fit.errors.held_out = mean_of(errors);
  fit.errors.held_out_worst = *std::ranges::max_element(errors, {}, &WorkError::relative);
}

}  // namespace

std::optional<double> FormFit::at(const schedules::Workload& work) const {
  const auto row = form.row(work);
  if (!is_known(row)) return std::nullopt;
  return time_of(row, segment_of(segments, work.bytes).parameters);
}

std::optional<FormFit> refit(const FormFit& fit, const std::vector<TimedWork>& times) {
  auto segments = fit_segments(fit.form, fit.segments, times);
  if (!segments) return std::nullopt;
  return FormFit{fit.form, std::move(*segments), {}};
}

std::optional<FormFit> fit_form(const Form& form, const std::vector<TimedWork>& times,
                                double noise_floor) {
  const auto sizes = by_size(form, times);
  if (!sizes || times.size() < form.parameters.size()) return std::nullopt;
  const auto starts = size_segments(*sizes, noise_floor);
  std::vector<FormSegment> segments;
  for (std::size_t k = 0; k < starts.size(); ++k) {
    const std::size_t end = k + 1 < starts.size() ? starts[k + 1] : sizes->size();
    segments.push_back(
        {.from = Bytes{(*sizes)[starts[k]].bytes}, .to = Bytes{(*sizes)[end - 1].bytes}});
  }
  auto fitted = fit_segments(form, std::move(segments), times);
  if (!fitted) return std::nullopt;
  FormFit fit{form, std::move(*fitted), {}};
  const auto errors = errors_of(fit, times);
  fit.errors.mape = mean_of(errors);
  fit.errors.maximum = std::ranges::max_element(errors, {}, &WorkError::relative)->relative;
  hold_out(fit, times);
  return fit;
}

}  // namespace hockney::collectives
