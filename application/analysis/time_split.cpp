#include "application/analysis/time_split.hpp"

#include <algorithm>

#include "application/analysis/volume.hpp"

namespace hockney::applications {

TimeParts time_parts(const profile::Rank& rank) {
  const double elsewhere = rank.mpi_seconds + rank.mpi_io_seconds + rank.io_seconds;
  const double scale = elsewhere > rank.seconds ? rank.seconds / elsewhere : 1;
  return {.computing_seconds = std::max(0.0, rank.seconds - elsewhere),
          .mpi_seconds = scale * rank.mpi_seconds,
          .mpi_io_seconds = scale * rank.mpi_io_seconds,
          .io_seconds = scale * rank.io_seconds};
}

Efficiencies TimeSplit::efficiencies() const {
  if (ranks == 0 || !(seconds > 0)) return {};
  const double mean_outside = mean.outside_mpi();
  return {.parallel = mean_outside / seconds,
          .load_balance = share_of(mean_outside, most_outside_seconds),
          .communication = most_outside_seconds / seconds,
          .serialisation = std::nullopt,
          .transfer = std::nullopt,
          .additive_load_balance = 1 - load_seconds() / seconds,
          .additive_communication = 1 - (seconds - most_outside_seconds) / seconds};
}

TimeSplit time_split(const profile::Profile& profile) {
  TimeSplit split{.seconds = profile.seconds, .mean = {}};
  split.ranks = static_cast<int>(profile.ranks.size());
  if (split.ranks == 0) return split;
  TimeParts sum;
  for (const profile::Rank& rank : profile.ranks) {
    const TimeParts parts = time_parts(rank);
    sum.computing_seconds += parts.computing_seconds;
    sum.mpi_seconds += parts.mpi_seconds;
    sum.mpi_io_seconds += parts.mpi_io_seconds;
    sum.io_seconds += parts.io_seconds;
    split.seconds = std::max(split.seconds, rank.seconds);
    if (parts.outside_mpi() <= split.most_outside_seconds) continue;
    split.most_outside_seconds = parts.outside_mpi();
    split.busiest_rank = rank.rank;
  }
  split.mean = {.computing_seconds = sum.computing_seconds / split.ranks,
                .mpi_seconds = sum.mpi_seconds / split.ranks,
                .mpi_io_seconds = sum.mpi_io_seconds / split.ranks,
                .io_seconds = sum.io_seconds / split.ranks};
  split.ended_before_seconds = std::max(0.0, split.seconds - split.mean.whole());
  return split;
}

std::optional<TimeShares> time_shares(const TimeSplit& split) {
  const double whole = split.mean.whole();
  if (!(whole > 0)) return std::nullopt;
  const double load = std::clamp(split.load_seconds(), 0.0, split.mean.mpi_seconds);
  return TimeShares{.computing = split.mean.computing_seconds / whole,
                    .load_imbalance = load / whole,
                    .communication = (split.mean.mpi_seconds - load) / whole,
                    .files = (split.mean.mpi_io_seconds + split.mean.io_seconds) / whole};
}

}  // namespace hockney::applications
