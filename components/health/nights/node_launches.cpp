#include "components/health/nights/node_launches.hpp"

#include <algorithm>

#include "core/point.hpp"
#include "core/samples.hpp"
#include "core/statistics.hpp"

namespace hockney::health {
namespace {

/// What all nodes have of a series: its point and what is counted, not one node's samples.
Series template_of(const Series& series) {
  Series shared;
  shared.point = series.point;
  shared.bytes_per_sample = series.bytes_per_sample;
  return shared;
}

/// The series of a launch whose time is the median over its nodes.
Series with_time(Series series, double seconds) {
  series.samples_seconds = {seconds};
  series.blocks = {1};
  series.summary = summarise(series);
  return series;
}

/// The record of a node without what it measured.
Record header_of(const Record& node) {
  Record header = node;
  header.series.clear();
  header.flags.clear();
  header.provenance.hosts.clear();
  return header;
}

}  // namespace

void NodeLaunches::add(const std::string& launch, const Record& node) {
  hosts_.add(launch, node);
  add_faults(faults_, find_faults({&node, 1}));
  const auto [place, is_new] = launches_.try_emplace(launch);
  Launch& nodes = place->second;
  if (is_new) nodes.record = header_of(node);
  for (const Host& host : node.provenance.hosts) {
    if (known_hosts_.insert(host.name).second) nodes.record.provenance.hosts.push_back(host);
  }
  for (const Series& series : node.series) {
    const auto seconds = launch_median(node, series);
    if (!seconds) continue;
    PointOfNodes& point = nodes.points[{curve_name(series.point), series.point.bytes.value}];
    if (point.seconds.empty()) point.series = template_of(series);
    point.seconds.push_back(*seconds);
  }
}

std::vector<Record> NodeLaunches::launches() const {
  std::vector<Record> records;
  records.reserve(launches_.size());
  for (const auto& [name, launch] : launches_) {
    Record& record = records.emplace_back(launch.record);
    for (const auto& [place, point] : launch.points) {
      record.series.push_back(with_time(point.series, median_of_some(point.seconds)));
    }
  }
  return records;
}

void add_faults(std::vector<FaultFinding>& faults, std::span<const FaultFinding> more) {
  for (const FaultFinding& one : more) {
    const auto known = std::ranges::find(faults, one.fault, &FaultFinding::fault);
    if (known == faults.end()) {
      faults.push_back(one);
      continue;
    }
    known->points = std::max(known->points, one.points);
    known->launches += one.launches;
    known->of_launches += one.of_launches;
  }
}

}  // namespace hockney::health
