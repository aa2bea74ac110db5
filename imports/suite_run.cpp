#include "imports/suite_run.hpp"

#include <algorithm>

namespace hockney::imports {
namespace {

/// Where a suite printed several figures for one point (a table that was made twice), all count.
Series& series_at(Record& record, const SuiteFigure& figure) {
  const auto found = std::ranges::find(record.series, figure.point, &Series::point);
  if (found != record.series.end()) return *found;
  record.points.push_back({.point = figure.point, .bytes_per_sample = figure.bytes_per_sample});
  return record.series.emplace_back(
      Series{.point = figure.point, .bytes_per_sample = figure.bytes_per_sample});
}

int highest_rank(const SuiteRun& run) {
  return std::ranges::max(run.figures, {},
                          [](const SuiteFigure& figure) { return figure.point.ranks; })
      .point.ranks;
}

}  // namespace

const std::vector<SuiteReader>& suites() {
  static const std::vector<SuiteReader> all{{"osu", "OSU Micro-Benchmarks, MPI", read_osu},
                                            {"imb", "Intel MPI Benchmarks", read_imb},
                                            {"nccl-tests", "nccl-tests and rccl-tests", read_nccl}};
  return all;
}

Record record_of(const SuiteRun& run, const std::string& started_utc, const CampaignPlace& place) {
  Record record{.procedure = run.suite,
                .started_utc = started_utc,
                .stopped_because = "imported",
                .campaign = place};
  record.provenance.command_line = run.command;
  record.provenance.build.version = run.version;
  record.provenance.mpi.standard = run.standard;
  record.provenance.hosts = {Host{.name = run.host, .cpu_model = run.cpu}};
  for (int rank = 0; rank < highest_rank(run); ++rank) {
    record.ranks.push_back({.rank = rank, .host = run.host});
  }
  record.clock.source = run.suite;
  for (const SuiteFigure& figure : run.figures) {
    series_at(record, figure).samples_seconds.push_back(figure.seconds);
  }
  for (Series& series : record.series) {
    series.visits = {static_cast<int>(series.samples_seconds.size())};
    series.summary = summarise(series);
  }
  return record;
}

}  // namespace hockney::imports
