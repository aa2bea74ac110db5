#include "core/samples.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "core/faults.hpp"
#include "core/point.hpp"
#include "core/record.hpp"
#include "core/statistics.hpp"

namespace hockney {
namespace {

bool has_samples(const Series& series) { return !series.samples_seconds.empty(); }

/// Sets the path that the counters prove. Without transport counters the planned path stays.
void name_path(Point& point, const Series& series) {
  if (series.transport) point.path = prove_path(*series.transport).path;
}

bool has(const Series& series, std::string_view flag) {
  return std::ranges::find(series.flags, flag) != series.flags.end();
}

std::string missed(int starts) {
  return fmt::format("{}, {} of them; the cores are busy with something else", missed_starts_reason,
                     starts);
}

/// Why a point has no sample; `otherwise` if none of its blocks began.
std::string reason_of(const Series& series, const std::string& otherwise) {
  if (has(series, corrupt_flag)) return std::string(wrong_data_reason);
  if (has(series, clock_jumped_flag)) return "a clock jumped in every block of it";
  return series.late_starts > 0 ? missed(series.late_starts) : otherwise;
}

/// Clears lists of values that some blocks of a damaged journal lack: it is not known to which
/// blocks the remaining values belong.
void keep_complete(Series& series) {
  for (std::vector<double>* values : {&series.starts_seconds, &series.skews_seconds,
                                      &series.noise_probes_seconds, &series.page_faults}) {
    if (values->size() != series.blocks.size()) values->clear();
  }
  if (series.locals_seconds.size() != series.blocks.size()) series.locals_seconds.clear();
}

constexpr std::size_t fewest_epochs = 8;

/// One value for each epoch; nullopt if the epoch has none.
using Epochs = std::vector<std::optional<double>>;

/// The logarithm of the median of every block that counts.
Epochs block_levels(const Series& series) {
  const std::vector<bool> counted = counted_blocks(series);
  Epochs levels;
  auto next = series.samples_seconds.begin();
  for (std::size_t block = 0; block < series.blocks.size(); ++block) {
    const auto last = next + series.blocks[block];
    const auto middle = median(std::vector<double>(next, last));
    const bool known = counted[block] && middle && *middle > 0;
    levels.push_back(known ? std::optional(std::log(*middle)) : std::nullopt);
    next = last;
  }
  return levels;
}

std::vector<double> known_of(const Epochs& epochs, std::size_t from) {
  std::vector<double> known;
  for (std::size_t epoch = from; epoch < epochs.size(); ++epoch) {
    if (const auto& level = epochs[epoch]) known.push_back(*level);
  }
  return known;
}

/// Excess of each epoch over the second half of the launch, median over the series.
Epochs pooled(const std::vector<Series>& series, std::size_t epochs) {
  std::vector<std::vector<double>> above(epochs);
  for (const Series& each : series) {
    const Epochs levels = block_levels(each);
    const auto settled = hodges_lehmann(known_of(levels, levels.size() / 2));
    for (std::size_t epoch = 0; settled && epoch < levels.size(); ++epoch) {
      if (const auto& level = levels[epoch]) above[epoch].push_back(*level - *settled);
    }
  }
  Epochs medians;
  for (const std::vector<double>& of_epoch : above) medians.push_back(median(of_epoch));
  return medians;
}

/// Of at least one sample. Rounding alone would put the mean of equal samples beside them.
double mean_between_extremes(std::span<const double> samples) {
  const auto [least, most] = std::ranges::minmax(samples);
  return std::clamp(sample_mean(samples), least, most);
}

/// Quantile q of samples with as much information as `effective` independent ones.
std::optional<double> tail(std::span<const double> samples, double q, double effective) {
  if (effective < static_cast<double>(samples_for_upper_bound(q))) return std::nullopt;
  return quantile(samples, q);
}

TailQuantiles tails_of(std::span<const double> samples, double effective) {
  return {.p90_seconds = tail(samples, 0.9, effective),
          .p99_seconds = tail(samples, 0.99, effective),
          .p999_seconds = tail(samples, 0.999, effective)};
}

/// Start times of the counted blocks that contain an outlier; empty if start times are missing.
std::vector<double> starts_of_outliers(const Series& series, double limit) {
  if (series.starts_seconds.size() != series.blocks.size()) return {};
  const std::vector<bool> counted = counted_blocks(series);
  std::vector<double> starts;
  auto next = series.samples_seconds.begin();
  for (std::size_t block = 0; block < series.starts_seconds.size(); ++block) {
    const auto last = next + series.blocks[block];
    const bool met = std::any_of(next, last, [&](double sample) { return sample > limit; });
    if (counted[block] && met) starts.push_back(series.starts_seconds[block]);
    next = last;
  }
  return starts;
}

std::optional<Outliers> outliers_of(const Series& series, std::span<const double> samples) {
  const auto limit = outlier_limit(samples);
  if (!limit) return std::nullopt;
  const auto beyond =
      std::ranges::count_if(samples, [&](double sample) { return sample > *limit; });
  return Outliers{.limit_seconds = *limit,
                  .count = static_cast<int>(beyond),
                  .at_seconds = starts_of_outliers(series, *limit)};
}

std::optional<double> page_faults_of(const Series& series) {
  if (series.page_faults.size() != series.blocks.size()) return std::nullopt;
  const std::vector<bool> counted = counted_blocks(series);
  std::vector<double> faults;
  for (std::size_t block = 0; block < counted.size(); ++block) {
    if (counted[block]) faults.push_back(series.page_faults[block]);
  }
  return median(faults);
}

/// Combines the series of one point in one launch.
LaunchMedian pooled(std::span<const LaunchMedian> series) {
  LaunchMedian median = series.front();
  if (series.size() == 1) return median;
  median.seconds = median_of_some(seconds_of(series));
  const auto same_path = [&](const LaunchMedian& other) { return other.path == median.path; };
  if (!std::ranges::all_of(series, same_path)) median.path.reset();
  return median;
}

}  // namespace

SampleStore::SampleStore(std::vector<PlannedPoint> points) : points_(std::move(points)) {
  for (const PlannedPoint& planned : points_) {
    series_.push_back({.point = planned.point, .bytes_per_sample = planned.bytes_per_sample});
  }
}

void SampleStore::add(const MeasurementBlock& block) {
  Series& series = series_.at(block.point);
  series.deliveries_checked = series.deliveries_checked.value_or(0) + block.deliveries_checked;
  for (const std::string& flag : block.flags) {
    if (std::ranges::find(series.flags, flag) == series.flags.end()) series.flags.push_back(flag);
  }
  if (block.is_check) return;
  series.batch = block.batch;
  series.blocks.push_back(static_cast<int>(block.samples_seconds.size()));
  if (block.started_seconds) series.starts_seconds.push_back(*block.started_seconds);
  if (block.skew_seconds) series.skews_seconds.push_back(*block.skew_seconds);
  if (!block.locals_seconds.empty()) series.locals_seconds.push_back(block.locals_seconds);
  series.late_starts += block.late_starts;
  if (block.noise_probe_seconds) series.noise_probes_seconds.push_back(*block.noise_probe_seconds);
  if (block.page_faults) series.page_faults.push_back(*block.page_faults);
  if (block.transport) {
    if (!series.transport) series.transport = Transport{};
    hockney::add(*series.transport, *block.transport);
  }
  series.samples_seconds.insert(series.samples_seconds.end(), block.samples_seconds.begin(),
                                block.samples_seconds.end());
}

std::vector<Series> SampleStore::series() const {
  std::vector<Series> filled;
  std::ranges::copy_if(series_, std::back_inserter(filled), has_samples);
  std::ranges::for_each(filled, keep_complete);
  const int warm_up = warm_up_epochs(filled);
  for (Series& series : filled) {
    series.warm_up_blocks = std::min(warm_up, static_cast<int>(series.blocks.size()) - 1);
    series.summary = summarise(series);
    name_path(series.point, series);
  }
  return filled;
}

std::vector<PlannedPoint> SampleStore::points(const std::string& reason) const {
  std::vector<PlannedPoint> points = points_;
  for (std::size_t i = 0; i < points.size(); ++i) {
    name_path(points[i].point, series_[i]);
    if (points[i].status != PointStatus::measured || has_samples(series_[i])) continue;
    points[i].status = has(series_[i], corrupt_flag) ? PointStatus::failed : PointStatus::skipped;
    points[i].reason = reason_of(series_[i], reason);
  }
  return points;
}

std::optional<double> SampleStore::widest_within() const {
  constexpr double normal_95 = 1.96;
  double widest = 0;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const PlannedPoint& planned = points_[i];
    if (planned.status != PointStatus::measured || is_of_other_suite(planned.point)) continue;
    const std::vector<double> samples = counted_samples(series_[i]);
    const auto error = median_error(samples);
    const auto middle = median(samples);
    if (!error || !middle) return std::nullopt;
    if (*error > 0) widest = std::max(widest, normal_95 * *error / *middle);
  }
  return widest;
}

int warm_up_epochs(const std::vector<Series>& series) {
  std::size_t epochs = 0;
  for (const Series& each : series) epochs = std::max(epochs, each.blocks.size());
  if (epochs < fewest_epochs) return 0;
  const Epochs above = pooled(series, epochs);
  const auto spread = median_absolute_deviation(known_of(above, epochs / 2));
  const double robust_deviation = 1.4826 * spread.value_or(0);
  const double limit = std::max(5 * robust_deviation, std::log(1.01));
  std::size_t warm_up = 0;
  while (warm_up < epochs / 2 && above[warm_up].value_or(0) > limit) ++warm_up;
  return static_cast<int>(warm_up);
}

std::vector<bool> counted_blocks(const Series& series) {
  const auto warm_up = static_cast<std::ptrdiff_t>(
      std::min(series.blocks.size(), static_cast<std::size_t>(series.warm_up_blocks)));
  std::vector<bool> counted(series.blocks.size(), true);
  std::fill_n(counted.begin(), warm_up, false);
  const std::vector<double>& noise_probes = series.noise_probes_seconds;
  if (noise_probes.size() != counted.size()) return counted;
  double shortest = std::numeric_limits<double>::infinity();
  for (std::size_t block = 0; block < counted.size(); ++block) {
    if (counted[block]) shortest = std::min(shortest, noise_probes[block]);
  }
  const double limit = undisturbed_limit * series.judgement.quiet_probe_seconds.value_or(shortest);
  for (std::size_t block = 0; block < counted.size(); ++block) {
    counted[block] = counted[block] && noise_probes[block] <= limit;
  }
  return counted;
}

std::vector<double> counted_samples(const Series& series) {
  if (series.counted) throw std::logic_error("the samples of a series that were dropped");
  const bool all_count = series.noise_probes_seconds.empty() && series.warm_up_blocks == 0 &&
                         series.judgement == CampaignJudgement();
  if (all_count) return series.samples_seconds;
  const std::vector<bool> counted = counted_blocks(series);
  std::vector<double> samples;
  auto next = series.samples_seconds.begin();
  for (std::size_t block = 0; block < counted.size(); ++block) {
    const auto last = next + series.blocks[block];
    if (counted[block]) samples.insert(samples.end(), next, last);
    next = last;
  }
  return samples;
}

CountedSamples counted(const Series& series) {
  if (series.counted) {
    return series.judgement.quiet_probe_seconds ? CountedSamples() : *series.counted;
  }
  const std::vector<double> samples = counted_samples(series);
  return {.number = samples.size(), .median_seconds = median(samples)};
}

std::optional<double> mean_of_all(const Series& series) {
  if (series.samples_seconds.empty()) return series.summary.mean_seconds;
  return mean_between_extremes(series.samples_seconds);
}

void drop_samples(Series& series) {
  if (const std::vector<double>& samples = series.samples_seconds; !samples.empty()) {
    Summary& summary = series.summary;
    summary.mean_seconds = mean_of_all(series);
    summary.minimum_seconds = std::ranges::min(samples);
    summary.maximum_seconds = std::ranges::max(samples);
  }
  series.counted = counted(series);
  for (auto* numbers : {&series.samples_seconds, &series.starts_seconds, &series.page_faults,
                        &series.skews_seconds}) {
    *numbers = std::vector<double>();  // assigning {} would keep the memory
  }
}

std::optional<double> outlier_limit(std::span<const double> samples) {
  constexpr std::size_t fewest = 4;  // needed for quartiles
  if (samples.size() < fewest) return std::nullopt;
  const double first = quantile(samples, 0.25).value_or(0);
  const double third = quantile(samples, 0.75).value_or(0);
  // If the clock's resolution hides all spread, one step more is no outlier.
  return third + std::max(3 * (third - first), 0.1 * third);
}

Summary summarise(const Series& series) {
  if (series.samples_seconds.empty()) return {};
  const std::vector<double> samples = counted_samples(series);
  const auto effective = effective_sample_size(samples);
  const auto undisturbed = std::ranges::count(counted_blocks(series), true);
  return {.median_seconds = median(samples),
          .minimum_seconds = std::ranges::min(series.samples_seconds),
          .maximum_seconds = std::ranges::max(series.samples_seconds),
          .mean_seconds = mean_between_extremes(series.samples_seconds),
          .within_seconds = quantile_interval(samples),
          .effective_samples = effective,
          .tails = tails_of(samples, effective.value_or(0)),
          .outliers = outliers_of(series, samples),
          .skew_seconds = median(series.skews_seconds),
          .page_faults = page_faults_of(series),
          .undisturbed_blocks = series.noise_probes_seconds.empty()
                                    ? std::nullopt
                                    : std::optional(static_cast<int>(undisturbed))};
}

std::optional<double> launch_median(const Record& record, const Series& series) {
  if (fault_of(record, series)) return std::nullopt;
  const std::optional<double> middle = counted(series).median_seconds;
  return middle && *middle > 0 ? middle : std::nullopt;
}

std::string why_no_median(const Record& record, const Series& series) {
  if (const auto fault = fault_of(record, series)) return std::string(cause_of(*fault));
  if (launch_median(record, series)) return "";
  if (counted(series).median_seconds) return "its median is 0: no time passed on the clock";
  return series.judgement.quiet_probe_seconds
             ? "another program used its cores during the whole launch"
             : "none of its samples counts";
}

void PointLaunches::add(std::size_t launch, double seconds,
                        const std::optional<std::string>& path) {
  series_.push_back({.launch = launch, .seconds = seconds, .path = path});
}

std::vector<LaunchMedian> PointLaunches::medians() const {
  std::vector<LaunchMedian> medians = series_;
  std::ranges::stable_sort(medians, {}, &LaunchMedian::launch);
  auto end = medians.begin();  // end of the pooled medians
  for (auto first = medians.begin(); first != medians.end();) {
    const auto next = std::find_if(first, medians.end(), [&](const LaunchMedian& series) {
      return series.launch != first->launch;
    });
    *end++ = pooled({first, next});
    first = next;
  }
  medians.erase(end, medians.end());
  return medians;
}

std::vector<double> PointLaunches::seconds() const { return seconds_of(medians()); }

std::vector<double> seconds_of(std::span<const LaunchMedian> medians) {
  std::vector<double> seconds;
  seconds.reserve(medians.size());
  for (const LaunchMedian& median : medians) seconds.push_back(median.seconds);
  return seconds;
}

std::optional<double> seconds_in(std::span<const LaunchMedian> medians, std::size_t launch) {
  const auto found = std::ranges::lower_bound(medians, launch, {}, &LaunchMedian::launch);
  const bool is_there = found != medians.end() && found->launch == launch;
  return is_there ? std::optional(found->seconds) : std::nullopt;
}

std::vector<double> launch_ratios(std::span<const LaunchMedian> times,
                                  std::span<const LaunchMedian> references) {
  std::vector<double> ratios;
  for (const LaunchMedian& time : times) {
    const auto reference = seconds_in(references, time.launch);
    if (reference) ratios.push_back(time.seconds / *reference);
  }
  return ratios;
}

std::string TimedSeries::setting() const {
  return record->campaign ? record->campaign->setting : "";
}

TimedRecords timed_series(std::span<const Record> records) {
  TimedRecords timed;
  for (std::size_t launch = 0; launch < records.size(); ++launch) {
    const Record& record = records[launch];
    if (record.status != LaunchStatus::complete) {
      ++timed.records_left_out;
      continue;
    }
    ++timed.records_used;
    for (const Series& series : record.series) {
      if (const auto seconds = launch_median(record, series)) {
        timed.series.push_back({launch, &record, &series, *seconds});
      } else {
        ++timed.series_without_time;
      }
    }
  }
  return timed;
}

}  // namespace hockney
