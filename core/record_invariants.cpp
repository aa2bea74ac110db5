#include "core/record_invariants.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <vector>

#include "core/invariants.hpp"
#include "core/json_fields.hpp"
#include "core/record.hpp"

namespace hockney {
namespace {

template <class Sized>
std::optional<double> size_of(const Sized& list) {
  return if_known(static_cast<double>(list.size()));
}

std::optional<double> largest(const std::vector<double>& numbers) {
  return numbers.empty() ? std::nullopt : if_known(*std::ranges::max_element(numbers));
}

/// Longest time of a launch, apart from clocks, which can differ by any time after a jump.
double longest_time(const Record& record) {
  // Under SMPI elapsed_seconds is time of the host, and all other times are simulated.
  if (record.sync && record.sync->scheme == "simulated") return longest_seconds;
  constexpr double outlier_limit_factor = 4;  // Q3 + 3 IQR, of the longest sample
  constexpr double longest_start = 3600;      // MPI_Init is timed before elapsed_seconds starts
  return std::max(outlier_limit_factor * record.elapsed_seconds, longest_start);
}

std::string long_measuring(const Record& record) {
  return above(if_known(longest_time(record) < longest_seconds ? record.elapsed_seconds : 0),
               {{"measuring_seconds", record.measuring_seconds}});
}

std::string long_time(const Record& record) {
  const double longest = longest_time(record);
  const auto of_series = [&](const Series& series) {
    const Summary& summary = series.summary;
    const auto limit =
        summary.outliers ? std::optional(summary.outliers->limit_seconds) : std::nullopt;
    return first_of({above_in("samples_seconds", series.samples_seconds, longest),
                     above_in("starts_seconds", series.starts_seconds, longest),
                     above_in("noise_probes_seconds", series.noise_probes_seconds, longest),
                     above_in("skews_seconds", series.skews_seconds, longest),
                     above_in("locals_seconds", series.locals_seconds, longest),
                     above(longest, {{"summary.maximum_seconds", summary.maximum_seconds},
                                     {"summary.median_seconds", summary.median_seconds},
                                     {"summary.outliers.limit_seconds", limit}})});
  };
  const auto of_noise = [&](const CoreNoise& noise) {
    return above(longest, {{"recorded_seconds", noise.recorded_seconds}});
  };
  const auto of_line = [&](const LineProbe& line) {
    return above(longest, {{"seconds", line.seconds}});
  };
  const auto of_rank = [&](const RankProbe& rank) {
    return above(longest, {{"noise_probe_seconds", rank.noise_probe_seconds}});
  };
  const auto of_machine = [&](const MachineProbe& probe) {
    return first_of({above(longest, {{"at_seconds", probe.at_seconds}}),
                     broken_in("lines", probe.lines, of_line),
                     broken_in("ranks", probe.ranks, of_rank)});
  };
  return first_of({above(longest, {{"clock.resolution_seconds", record.clock.resolution_seconds},
                                   {"clock.cost_seconds", record.clock.cost_seconds}}),
                   broken_in("series", record.series, of_series),
                   broken_in("noise", record.noise, of_noise),
                   broken_in("machine", record.machine, of_machine)});
}

std::string unknown_rank(const Record& record) {
  int last = 0;
  for (const RankPlace& place : record.ranks) last = std::max(last, place.rank);
  if (last == 0) return {};  // ranks are not known
  const auto of_rank = [&](const auto& item) { return above(last, {{"rank", item.rank}}); };
  const auto of_machine = [&](const MachineProbe& probe) {
    return first_of(
        {broken_in("ranks", probe.ranks, of_rank),
         broken_in("lines", probe.lines,
                   [&](const LineProbe& line) { return above_in("pair", line.pair, last); }),
         broken_in("memory", probe.memory, of_rank), broken_in("devices", probe.devices, of_rank)});
  };
  const auto of_buffers = [&](const BufferMemoryUse& use) {
    return above_in("ranks", use.ranks, last);
  };
  return first_of({broken_in("memory", record.memory, of_rank),
                   broken_in("noise", record.noise, of_rank),
                   broken_in("machine", record.machine, of_machine),
                   broken_in("buffers", record.buffers, of_buffers)});
}

std::string contradictory_protocol(const Record& record) {
  return broken_in("protocols", record.protocols, [](const Protocol& protocol) {
    const auto of_eager_probe = [](const EagerLimit& one) {
      return first_of(
          {descending({{"limit_bytes", one.limit_bytes}, {"most_bytes", one.most_bytes}}),
           descending({{"held_bytes", one.held_bytes}, {"most_bytes", one.most_bytes}}),
           above_in("exceptions", one.exceptions, one.most_bytes),
           descending({{"corrections", one.corrections}, {"probes", one.probes}})});
    };
    const auto of_flood = [](const Unexpected& flood) {
      return descending({{"accepted", flood.accepted}, {"most", flood.most}});
    };
    double most_bytes = 0;
    for (const EagerLimit& one : protocol.eager_probes) {
      most_bytes = std::max(most_bytes, static_cast<double>(one.most_bytes));
    }
    return first_of(
        {above(if_known(most_bytes), {{"eager_limit_bytes", protocol.eager_limit_bytes}}),
         broken_in("evidence.hand_overs", protocol.eager_probes, of_eager_probe),
         broken_in("evidence.unexpected", protocol.unexpected, of_flood)});
  });
}

std::string contradictory_noise(const Record& record) {
  return broken_in("noise", record.noise, [](const CoreNoise& noise) {
    const auto work = if_known(noise.work_seconds);
    const auto pieces = work ? std::optional(noise.recorded_seconds / *work) : std::nullopt;
    const auto of_period = [&](const NoisePeriod& period) {
      return above(noise.recorded_seconds, {{"period_seconds", period.period_seconds}});
    };
    return first_of({descending({{"median_seconds", noise.median_seconds},
                                 {"longest_seconds", noise.longest_seconds},
                                 {"recorded_seconds", noise.recorded_seconds}}),
                     above(noise.recorded_seconds, {{"work_seconds", noise.work_seconds},
                                                    {"limit_seconds", noise.limit_seconds}}),
                     above_in("stolen", noise.stolen, pieces),
                     above(pieces, {{"interruptions", noise.interruptions}}),
                     above_in("interruptions_per_second", noise.interruptions_per_second,
                              work ? std::optional(1 / *work) : std::nullopt),
                     noise.periods ? broken_in("periods", *noise.periods, of_period) : ""});
  });
}

std::string disordered_summary(const Record& record) {
  return broken_in("series", record.series, [](const Series& series) {
    const Summary& summary = series.summary;
    const auto& within = summary.within_seconds;
    const auto low = within ? std::optional(within->low) : std::nullopt;
    const auto high = within ? std::optional(within->high) : std::nullopt;
    const KeyNumber least{"summary.minimum_seconds", summary.minimum_seconds};
    const KeyNumber median{"summary.median_seconds", summary.median_seconds};
    const KeyNumber most{"summary.maximum_seconds", summary.maximum_seconds};
    return first_of({descending({least,
                                 median,
                                 {"summary.p90_seconds", summary.tails.p90_seconds},
                                 {"summary.p99_seconds", summary.tails.p99_seconds},
                                 {"summary.p999_seconds", summary.tails.p999_seconds},
                                 most}),
                     descending({least, {"summary.mean_seconds", summary.mean_seconds}, most}),
                     descending({least,
                                 {"summary.within_seconds", low},
                                 median,
                                 {"summary.within_seconds", high},
                                 most})});
  });
}

std::string excess_in_summary(const Record& record) {
  return broken_in("series", record.series, [](const Series& series) {
    const Summary& summary = series.summary;
    const auto samples = size_of(series.samples_seconds);
    const auto blocks = size_of(series.blocks);
    const auto& outliers = summary.outliers;
    return first_of(
        {above(samples, {{"summary.effective_samples", summary.effective_samples}}),
         outliers ? above(samples, {{"summary.outliers.count", outliers->count}}) : "",
         outliers ? above_in("summary.outliers.at_seconds", outliers->at_seconds,
                             largest(series.starts_seconds))
                  : "",
         above(largest(series.skews_seconds), {{"summary.skew_seconds", summary.skew_seconds}}),
         above(largest(series.page_faults), {{"summary.page_faults", summary.page_faults}}),
         above(blocks, {{"summary.undisturbed_blocks", summary.undisturbed_blocks},
                        {"warm_up_blocks", series.warm_up_blocks}})});
  });
}

std::string uneven_blocks(const Record& record) {
  return broken_in("series", record.series, [](const Series& series) -> std::string {
    const auto sum = std::accumulate(series.blocks.begin(), series.blocks.end(), std::size_t{0});
    const auto differs = [&](const auto& list) {
      return !list.empty() && list.size() != series.blocks.size();
    };
    if (sum != series.samples_seconds.size()) return "blocks";
    if (differs(series.starts_seconds)) return "starts_seconds";
    if (differs(series.noise_probes_seconds)) return "noise_probes_seconds";
    return differs(series.page_faults) ? "page_faults" : "";
  });
}

/// One exabyte a second is more than all links of a machine carry.
std::string fast_sample(const Record& record) {
  constexpr double most_bytes_per_second = 1e18;
  return broken_in("series", record.series, [](const Series& series) {
    const auto median = if_known(series.summary.median_seconds);
    return above(median ? std::optional(most_bytes_per_second * *median) : std::nullopt,
                 {{"bytes_per_sample", series.bytes_per_sample}});
  });
}

constexpr std::array<Invariant<Record>, 9> record_invariants{
    {{"a launch measures no longer than it runs", long_measuring},
     {"no time is longer than four times the launch, or an hour", long_time},
     {"blocks add up to the samples, and a list has an item for each block", uneven_blocks},
     {"quantiles ascend, and the mean is between minimum and maximum", disordered_summary},
     {"a summary counts no more than its samples and blocks have", excess_in_summary},
     {"no machine moves an exabyte in a second", fast_sample},
     {"no rank is above the last one of the launch", unknown_rank},
     {"limits are among the sizes tried, and results among the trials", contradictory_protocol},
     {"interruptions are parts of the recording", contradictory_noise}}};

}  // namespace

void check_record(const JsonNode& document, const Record& record) {
  check_invariants(record_invariants, document, record);
}

}  // namespace hockney
