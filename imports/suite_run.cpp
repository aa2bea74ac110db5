#include "imports/suite_run.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "core/imported.hpp"

namespace hockney::imports {
namespace {

/// Where a suite printed several figures for one point (a table that was made twice), all count.
Series& series_at(Record& record, const SuiteFigure& figure) {
  const auto found = std::ranges::find(record.series, figure.point, &Series::point);
  if (found != record.series.end()) return *found;
  record.points.own().push_back(
      {.point = figure.point, .bytes_per_sample = figure.bytes_per_sample});
  return record.series.emplace_back(
      Series{.point = figure.point, .bytes_per_sample = figure.bytes_per_sample});
}

}  // namespace

const std::vector<SuiteReader>& suites() {
  static const std::vector<SuiteReader> all{{"osu", "OSU Micro-Benchmarks", read_osu},
                                            {"imb", "Intel MPI Benchmarks", read_imb},
                                            {"nccl-tests", "nccl-tests and rccl-tests", read_nccl}};
  return all;
}

void LeftOut::add(const LeftOut& others) {
  if (count == 0) first = others.first;
  count += others.count;
}

Record record_of(const SuiteRun& run, const std::string& started_utc, const CampaignPlace& place) {
  Record record{.procedure = run.suite,
                .started_utc = started_utc,
                .stopped_because = std::string(imported_reason),
                .campaign = place};
  record.provenance.command_line = run.command;
  record.provenance.build.version = run.version;
  record.provenance.mpi.standard = run.standard;
  record.provenance.hosts = {Host{.name = run.host, .cpu_model = run.cpu}};
  record.clock.source = run.suite;
  for (const SuiteFigure& figure : run.figures) {
    Series& series = series_at(record, figure);
    series.samples_seconds.push_back(figure.seconds);
    if (figure.is_corrupt) series.flags = {std::string(corrupt_flag)};
  }
  for (Series& series : record.series) {
    series.blocks = {static_cast<int>(series.samples_seconds.size())};
    series.summary = summarise(series);
  }
  return record;
}

}  // namespace hockney::imports
