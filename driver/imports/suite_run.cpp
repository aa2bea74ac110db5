#include "driver/imports/suite_run.hpp"

#include <fmt/format.h>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/point.hpp"
#include "core/suite_names.hpp"

namespace hockney::imports {
namespace {

/// The series of a record by their points. If a suite printed several figures of a point (a
/// repeated table), all count.
class SeriesByPoint {
 public:
  explicit SeriesByPoint(Record& record) : record_(record) {}

  Series& at(const SuiteFigure& figure) {
    auto& places = places_[key_of(figure.point)];
    for (const std::size_t place : places) {
      if (record_.series[place].point == figure.point) return record_.series[place];
    }
    places.push_back(record_.series.size());
    record_.points.own().push_back(
        {.point = figure.point, .bytes_per_sample = figure.bytes_per_sample});
    return record_.series.emplace_back(
        Series{.point = figure.point, .bytes_per_sample = figure.bytes_per_sample});
  }

 private:
  Record& record_;
  std::unordered_map<std::string, std::vector<std::size_t>> places_;  ///< by key_of
};

}  // namespace

std::string key_of(const Point& point) {
  return fmt::format("{} {}", curve_name(point), point.bytes.value);
}

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
  SeriesByPoint known(record);
  for (const SuiteFigure& figure : run.figures) {
    Series& series = known.at(figure);
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
