#include <nlohmann/json.hpp>

#include "core/algorithm_use.hpp"
#include "core/atomic_file.hpp"
#include "core/guideline.hpp"
#include "core/json_values.hpp"
#include "core/protocol.hpp"
#include "core/record_file.hpp"
#include "core/record_json.hpp"
#include "core/transport.hpp"

namespace hockney {
namespace {

using Json = nlohmann::json;

Json to_json(const PlannedPoint& planned) {
  return {{"operation", planned.point.operation},
          {"point", point_json(planned.point)},
          {"bytes_per_sample", planned.bytes_per_sample},
          {"bus_bytes_per_sample", or_null(planned.bus_bytes_per_sample)},
          {"status", word(planned.status)},
          {"reason", planned.reason}};
}

Json to_json(const Detours& detours) {
  return {{"limit_seconds", detours.limit_seconds},
          {"count", detours.count},
          {"at_seconds", detours.at_seconds}};
}

Json to_json(const Summary& summary) {
  return {{"median_seconds", or_null(summary.median_seconds)},
          {"minimum_seconds", or_null(summary.minimum_seconds)},
          {"maximum_seconds", or_null(summary.maximum_seconds)},
          {"within_seconds", bounds_or_null(summary.within_seconds)},
          {"within_level", summary.within_seconds ? Json(summary.within_seconds->level) : Json()},
          {"effective_samples", or_null(summary.effective_samples)},
          {"p90_seconds", or_null(summary.tails.p90_seconds)},
          {"p99_seconds", or_null(summary.tails.p99_seconds)},
          {"p999_seconds", or_null(summary.tails.p999_seconds)},
          {"detours", summary.detours ? to_json(*summary.detours) : Json(nullptr)},
          {"skew_seconds", or_null(summary.skew_seconds)},
          {"page_faults", or_null(summary.page_faults)},
          {"calm_visits", or_null(summary.calm_visits)}};
}

Json to_json(const Series& series) {
  return {{"operation", series.point.operation},
          {"point", point_json(series.point)},
          {"samples_seconds", series.samples_seconds},
          {"visits", series.visits},
          {"starts_seconds", filled_or_null(series.starts_seconds)},
          {"controls_seconds", filled_or_null(series.controls_seconds)},
          {"page_faults", filled_or_null(series.page_faults)},
          {"skews_seconds", filled_or_null(series.skews_seconds)},
          {"locals_seconds", filled_or_null(series.locals_seconds)},
          {"deliveries_checked", or_null(series.deliveries_checked)},
          {"late_starts", series.late_starts},
          {"warm_up_visits", series.warm_up_visits},
          {"batch", series.batch},
          {"bytes_per_sample", series.bytes_per_sample},
          {"transport", transport_json(series.transport)},
          {"summary", to_json(series.summary)},
          {"flags", series.flags}};
}

Json to_json(const Host& host) {
  return {{"name", host.name},
          {"cpu_model", host.cpu_model},
          {"kernel", host.kernel},
          {"governor", host.governor},
          {"clocksource", host.clocksource},
          {"topology_digest", host.topology_digest},
          {"cpus", host.cpus},
          {"load_average", host.load_average}};
}

Json to_json(const RankPlace& place) {
  return {{"rank", place.rank},
          {"host", place.host},
          {"asked_cpu", or_null(place.asked_cpu)},
          {"actual_cpus", place.actual_cpus}};
}

Json to_json(const ClockSelfTest& test) {
  return {{"estimate_seconds", test.estimate_seconds},
          {"bound_seconds", test.bound_seconds},
          {"passed", test.passed}};
}

Json to_json(const AskedSetting& setting) {
  return {{"variable", setting.variable},
          {"value", setting.asked},
          {"in_force", or_null(setting.in_force)},
          {"proof", word(setting.proof)},
          {"reason", setting.reason}};
}

/// For keys of some procedures only.
template <class Value>
Json array_or_null(const std::vector<Value>& values) {
  return values.empty() ? Json(nullptr) : array_json(values, hockney::to_json);
}

Json to_json(const Provenance& provenance) {
  return {{"command_line", provenance.command_line},
          {"environment", provenance.environment},
          {"build",
           {{"version", provenance.build.version},
            {"git_revision", provenance.build.git_revision},
            {"compiler", provenance.build.compiler},
            {"flags", provenance.build.flags}}},
          {"mpi",
           {{"library", provenance.mpi.library},
            {"standard", provenance.mpi.standard},
            {"settings", provenance.mpi.settings},
            {"asked", array_json(provenance.mpi.asked, to_json)}}},
          {"hosts", array_json(provenance.hosts, to_json)}};
}

Json to_json(const Synchronisation& sync) {
  return {{"scheme", sync.scheme},
          {"bound_seconds", sync.bound_seconds},
          {"self_test", sync.self_test ? to_json(*sync.self_test) : Json(nullptr)},
          {"slope_used", sync.slope_used},
          {"end_error_seconds", or_null(sync.end_error_seconds)},
          {"end_bound_seconds", or_null(sync.end_bound_seconds)},
          {"duration_seconds", sync.duration_seconds},
          {"checks", sync.checks ? array_json(*sync.checks, to_json) : Json(nullptr)}};
}

Json to_json(const CampaignPlace& place) {
  return {{"name", place.name},
          {"setting", place.setting},
          {"launch", place.launch},
          {"axes", place.axes}};
}

}  // namespace

Json to_json(const Record& record) {
  return {{"schema", record_schema},
          {"procedure", record.procedure},
          {"status", word(record.status)},
          {"started_utc", record.started_utc},
          {"elapsed_seconds", record.elapsed_seconds},
          {"measuring_seconds", record.measuring_seconds},
          {"stopped_because", record.stopped_because},
          {"seed", record.seed},
          {"campaign", record.campaign ? to_json(*record.campaign) : Json(nullptr)},
          {"provenance", to_json(record.provenance)},
          {"ranks", array_json(record.ranks, to_json)},
          {"clock",
           {{"source", record.clock.source},
            {"resolution_seconds", record.clock.resolution_seconds},
            {"cost_seconds", record.clock.cost_seconds}}},
          {"start", or_null(record.start)},
          {"sync", record.sync ? to_json(*record.sync) : Json(nullptr)},
          {"points", array_json(record.points, to_json)},
          {"series", array_json(record.series, to_json)},
          {"protocols", array_or_null(record.protocols)},
          {"memory", array_or_null(record.memory)},
          {"algorithms", array_or_null(record.algorithms)},
          {"guidelines", array_or_null(record.guidelines)},
          {"flags", record.flags}};
}

void save_record(const Record& record, const std::string& file) {
  const Json document = to_json(record);
  if (!file.ends_with(".cbor")) {
    return write_atomically(file, json_text(document) + "\n");
  }
  // A variable of the environment in another encoding must not cost the launch.
  const auto odd_bytes = Json::error_handler_t::replace;
  const std::vector<std::uint8_t> bytes =
      Json::to_cbor(Json::parse(document.dump(-1, ' ', false, odd_bytes)));
  write_atomically(file, std::string(bytes.begin(), bytes.end()));
}

}  // namespace hockney
