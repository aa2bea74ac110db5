#include "core/faults.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <set>

#include "core/fault_fields.hpp"
#include "core/json_fields.hpp"
#include "core/point.hpp"
#include "core/quantities.hpp"
#include "core/samples.hpp"

namespace hockney {

void to_json(nlohmann::json& json, const FaultFinding& finding) { write_fields(json, finding); }
namespace {

/// A series is void if the error of the clocks exceeds this share of one sample.
constexpr double tolerated_clock_share = 0.01;

bool has(const std::vector<std::string>& flags, std::string_view flag) {
  return std::ranges::find(flags, flag) != flags.end();
}

bool is_shifted_by_clocks(const Record& record, const Series& series) {
  if (!has(record.flags, clock_drifted_flag)) return false;
  const auto error = record.sync ? record.sync->end_error_seconds : std::nullopt;
  const auto median = counted(series).median_seconds;
  if (!error || !median) return true;
  return std::abs(*error) > tolerated_clock_share * static_cast<double>(series.batch) * *median;
}

std::string place_of(const Record& record, const Point& point) {
  const std::string setting = record.campaign && record.campaign->setting != "default"
                                  ? record.campaign->setting + " "
                                  : "";
  const std::string bytes = point.bytes.value > 0 ? " at " + format_bytes(point.bytes) : "";
  return fmt::format("{}{}{}", setting, curve_name(point), bytes);
}

std::string detail_of(Fault fault, const Record& record) {
  if (fault == Fault::clocks_drifted && record.sync && record.sync->end_error_seconds) {
    return fmt::format("clocks {} apart at the end",
                       format_duration(Seconds{std::abs(*record.sync->end_error_seconds)}));
  }
  const auto& messages = record.provenance.mpi.messages;
  if (fault == Fault::library_degraded && !messages.empty()) return messages.front();
  return {};
}

/// Collects the faults of one kind.
class FaultCollector {
 public:
  explicit FaultCollector(Fault fault) : found_{.fault = fault} {}

  void add(const Record& record, const Point& point) {
    const std::string place = place_of(record, point);
    if (places_.empty()) found_.first = place;
    places_.insert(place);
    if (last_ == &record) return;
    last_ = &record;
    ++found_.launches;
    if (found_.detail.empty()) found_.detail = detail_of(found_.fault, record);
  }

  [[nodiscard]] FaultFinding finish(std::size_t of_launches) && {
    found_.points = places_.size();
    found_.of_launches = of_launches;
    return std::move(found_);
  }

 private:
  FaultFinding found_;
  std::set<std::string> places_;
  const Record* last_ = nullptr;
};

void gather(const Record& record, std::vector<FaultCollector>& faults) {
  const auto of = [&](Fault fault) -> FaultCollector& {
    return faults[static_cast<std::size_t>(fault)];
  };
  for (const Series& series : record.series) {
    if (const auto fault = fault_of(record, series)) of(*fault).add(record, series.point);
  }
  for (const PlannedPoint& planned : record.points) {
    for (const Fault fault : {Fault::wrong_data, Fault::clocks_drifted}) {
      if (planned.reason == cause_of(fault)) of(fault).add(record, planned.point);
    }
  }
  for (const Protocol& protocol : record.protocols) {
    if (!has(protocol.flags, corrupt_flag)) continue;
    of(Fault::wrong_data).add(record, {.operation = "protocol", .ranks = 2, .hop = protocol.hop});
  }
}

}  // namespace

std::optional<Fault> fault_of(const Record& record, const Series& series) {
  if (has(series.flags, corrupt_flag)) return Fault::wrong_data;
  if (is_shifted_by_clocks(record, series)) return Fault::clocks_drifted;
  if (has(record.flags, library_degraded_flag)) return Fault::library_degraded;
  return std::nullopt;
}

std::string_view cause_of(Fault fault) {
  switch (fault) {
    case Fault::wrong_data:
      return wrong_data_reason;
    case Fault::clocks_drifted:
      return "the clocks of the ranks drifted apart";
    case Fault::library_degraded:
      break;
  }
  return "the MPI library could not set up its shared memory";
}

bool is_fault(std::string_view cause) {
  for (std::size_t fault = 0; fault < enum_words<Fault>.size(); ++fault) {
    if (cause == cause_of(static_cast<Fault>(fault))) return true;
  }
  return false;
}

void name_drift(Record& record) {
  constexpr double shortest_lead_seconds = 1e-6;  // from agreeing on a start to the start
  const auto error = record.sync ? record.sync->end_error_seconds : std::nullopt;
  const bool is_drift =
      has(record.flags, clock_drifted_flag) && std::abs(error.value_or(0)) >= shortest_lead_seconds;
  if (!is_drift) return;
  for (PlannedPoint& planned : record.points.own()) {
    if (planned.reason.starts_with(missed_starts_reason)) {
      planned.reason = cause_of(Fault::clocks_drifted);
    }
  }
}

std::vector<FaultFinding> find_faults(std::span<const Record> launches,
                                      std::span<const Record> other_side) {
  std::vector<FaultCollector> faults;
  for (std::size_t fault = 0; fault < enum_words<Fault>.size(); ++fault) {
    faults.emplace_back(static_cast<Fault>(fault));
  }
  for (const Record& record : launches) gather(record, faults);
  for (const Record& record : other_side) gather(record, faults);
  std::vector<FaultFinding> found;
  for (FaultCollector& fault : faults) {
    FaultFinding one = std::move(fault).finish(launches.size() + other_side.size());
    if (one.points > 0) found.push_back(std::move(one));
  }
  return found;
}

}  // namespace hockney
