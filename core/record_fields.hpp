#pragma once

#include <string>
#include <vector>

#include "core/json_fields.hpp"
#include "core/json_values.hpp"
#include "core/provenance_fields.hpp"
#include "core/record.hpp"
#include "core/record_file.hpp"
#include "core/record_json.hpp"

// Keys of records and profiles about place and method of a measurement. For the sources that define
// the functions of core/record_json.hpp.

namespace hockney {

constexpr auto fields_of(std::type_identity<BufferMemoryUse>) {
  return object_of(key("kind", &BufferMemoryUse::memory), key("ranks", &BufferMemoryUse::ranks),
                   key("evidence", &BufferMemoryUse::evidence),
                   key("proven", &BufferMemoryUse::is_proven),
                   key("gpu_aware", &BufferMemoryUse::gpu_aware));
}

constexpr auto fields_of(std::type_identity<MemoryUse>) {
  return object_of(key("rank", &MemoryUse::rank), key("moment", &MemoryUse::moment),
                   key("peers", &MemoryUse::peers),
                   key("communicators", &MemoryUse::communicators, KeyUse::may_be_missing),
                   key("waiting_messages", &MemoryUse::messages),
                   key("waiting_message_bytes", &MemoryUse::message_bytes),
                   key("rss_bytes", &MemoryUse::rss_bytes), key("pss_bytes", &MemoryUse::pss_bytes),
                   key("shared_bytes", &MemoryUse::shared_bytes));
}

constexpr auto fields_of(std::type_identity<RankPlace>) {
  return object_of(key("rank", &RankPlace::rank), key("host", &RankPlace::host),
                   key("requested_cpu", &RankPlace::requested_cpu).formerly("asked_cpu"),
                   key("actual_cpus", &RankPlace::actual_cpus));
}

constexpr auto fields_of(std::type_identity<Clock>) {
  return object_of(key("source", &Clock::source),
                   key("resolution_seconds", &Clock::resolution_seconds),
                   key("cost_seconds", &Clock::cost_seconds));
}

constexpr auto fields_of(std::type_identity<CampaignPlace>) {
  return object_of(key("name", &CampaignPlace::name), key("setting", &CampaignPlace::setting),
                   key("launch", &CampaignPlace::launch),
                   key("axes", &CampaignPlace::axes, KeyUse::may_be_missing));
}

}  // namespace hockney

// The keys of the document hockney.record/2 (results/hockney.record-2.schema.json), inner objects
// first. Those of place and method are above.

namespace hockney {

// Limits of numbers in records.

inline constexpr double most_calls = 1e15;        ///< of one operation in a launch
inline constexpr double most_starts = 1e9;        ///< starts that some rank missed
inline constexpr double most_page_faults = 1e12;  ///< of one operation

/// A point in every document: its operation, and all other members under the key `point`.
constexpr auto fields_of(std::type_identity<Point>) {
  return object_of(key("operation", &Point::operation),
                   inner_object("point", key("bytes", &Point::bytes), key("ranks", &Point::ranks),
                                key("hop", &Point::hop), key("path", &Point::path),
                                key("algorithm", &Point::algorithm), key("pair", &Point::pair),
                                key("parameters", &Point::parameters),
                                key("automatic", &Point::automatic, KeyUse::left_out_if_empty)));
}

/// Writes why the counts prove no path, or null. It is for people: prove_path recomputes it.
void write_unproven(const Transport& transport, nlohmann::json& object);
/// Checks only the key's type.
void check_unproven(const JsonNode& object, Transport& transport);

constexpr auto fields_of(std::type_identity<Transport>) {
  return object_of(key("messages", &Transport::messages),
                   key("payload_bytes", &Transport::payload_bytes).up_to(most_total),
                   key("copy_calls", &Transport::copy_calls),
                   key("copied_bytes", &Transport::copied_bytes).up_to(most_total),
                   key("tcp_bytes", &Transport::tcp_bytes).up_to(most_total),
                   key("shares_memory", &Transport::shares_memory),
                   key("devices", &Transport::devices),
                   by_hand({"unproven_because"}, check_unproven, write_unproven));
}

constexpr auto fields_of(std::type_identity<AlgorithmUse>) {
  return object_of(key("operation", &AlgorithmUse::operation), key("bytes", &AlgorithmUse::bytes),
                   key("ranks", &AlgorithmUse::ranks), key("parameters", &AlgorithmUse::parameters),
                   key("requested_algorithm", &AlgorithmUse::requested).formerly("asked_algorithm"),
                   key("ran", &AlgorithmUse::ran), key("proof", &AlgorithmUse::proof),
                   key("evidence", &AlgorithmUse::evidence));
}

constexpr auto fields_of(std::type_identity<GuidelineSide>) {
  return object_of(key("operation", &GuidelineSide::operation),
                   key("parameters", &GuidelineSide::parameters));
}

constexpr auto fields_of(std::type_identity<Guideline>) {
  return object_of(key("name", &Guideline::name), key("left", &Guideline::left),
                   key("right", &Guideline::right), key("map", &Guideline::map),
                   key("factor", &Guideline::factor, positive_number).up_to(most_job_ranks));
}

constexpr auto fields_of(std::type_identity<EagerLimit>) {
  return object_of(
      key("call", &EagerLimit::call), key("receiver", &EagerLimit::receiver),
      key("datatype", &EagerLimit::datatype), key("limit_bytes", &EagerLimit::limit_bytes),
      key("held_bytes", &EagerLimit::held_bytes), key("most_bytes", &EagerLimit::most_bytes),
      key("exceptions", &EagerLimit::exceptions), key("probes", &EagerLimit::probes),
      key("corrections", &EagerLimit::corrections));
}

constexpr auto fields_of(std::type_identity<Unexpected>) {
  return object_of(key("bytes", &Unexpected::bytes), key("receiver", &Unexpected::receiver),
                   key("accepted", &Unexpected::accepted), key("most", &Unexpected::most));
}

constexpr auto fields_of(std::type_identity<StatedLimit>) {
  return object_of(key("variable", &StatedLimit::variable),
                   key("value_bytes", &StatedLimit::value_bytes),
                   key("header_bytes", &StatedLimit::header_bytes));
}

constexpr auto fields_of(std::type_identity<Protocol>) {
  return object_of(
      key("hop", &Protocol::hop), key("pair", &Protocol::pair), key("path", &Protocol::path),
      key("eager_limit_bytes", &Protocol::eager_limit_bytes), key("reason", &Protocol::reason),
      inner_object("evidence", key("hand_overs", &Protocol::eager_probes),
                   key("unexpected", &Protocol::unexpected), key("stated", &Protocol::stated)),
      key("flags", &Protocol::flags));
}

constexpr auto fields_of(std::type_identity<NoisePeriod>) {
  return object_of(key("period_seconds", &NoisePeriod::period_seconds),
                   key("false_alarm", &NoisePeriod::false_alarm),
                   key("share", &NoisePeriod::share));
}

constexpr auto fields_of(std::type_identity<CoreNoise>) {
  return object_of(
      key("rank", &CoreNoise::rank), key("recorded_seconds", &CoreNoise::recorded_seconds),
      key("work_seconds", &CoreNoise::work_seconds),
      key("limit_seconds", &CoreNoise::limit_seconds), key("stolen", &CoreNoise::stolen),
      key("interruptions_per_second", &CoreNoise::interruptions_per_second),
      key("interruptions", &CoreNoise::interruptions),
      key("median_seconds", &CoreNoise::median_seconds),
      key("longest_seconds", &CoreNoise::longest_seconds), key("periods", &CoreNoise::periods));
}

constexpr auto fields_of(std::type_identity<LineProbe>) {
  return object_of(key("pair", &LineProbe::pair), key("seconds", &LineProbe::seconds));
}

constexpr auto fields_of(std::type_identity<RankProbe>) {
  return object_of(key("rank", &RankProbe::rank),
                   key("noise_probe_seconds", &RankProbe::noise_probe_seconds),
                   key("copy_bytes_per_second", &RankProbe::copy_bytes_per_second));
}

constexpr auto fields_of(std::type_identity<MemoryProbe>) {
  return object_of(key("rank", &MemoryProbe::rank), key("cores", &MemoryProbe::cores),
                   key("bytes_per_second", &MemoryProbe::bytes_per_second, positive_number));
}

constexpr auto fields_of(std::type_identity<DeviceProbe>) {
  return object_of(
      key("rank", &DeviceProbe::rank), key("device", &DeviceProbe::device),
      key("to_device_bytes_per_second", &DeviceProbe::to_device_bytes_per_second, positive_number),
      key("from_device_bytes_per_second", &DeviceProbe::from_device_bytes_per_second,
          positive_number));
}

constexpr auto fields_of(std::type_identity<MachineProbe>) {
  return object_of(key("moment", &MachineProbe::moment),
                   key("at_seconds", &MachineProbe::at_seconds), key("lines", &MachineProbe::lines),
                   key("ranks", &MachineProbe::ranks),
                   key("memory", &MachineProbe::memory, KeyUse::left_out_if_empty),
                   key("devices", &MachineProbe::devices, KeyUse::left_out_if_empty));
}

constexpr auto fields_of(std::type_identity<ClockSelfTest>) {
  return object_of(key("estimate_seconds", &ClockSelfTest::estimate_seconds, any_number),
                   key("bound_seconds", &ClockSelfTest::bound_seconds),
                   key("passed", &ClockSelfTest::passed));
}

constexpr auto fields_of(std::type_identity<Synchronisation>) {
  return object_of(key("scheme", &Synchronisation::scheme),
                   key("bound_seconds", &Synchronisation::bound_seconds),
                   key("self_test", &Synchronisation::self_test),
                   key("slope_used", &Synchronisation::slope_used),
                   key("end_error_seconds", &Synchronisation::end_error_seconds),
                   key("end_bound_seconds", &Synchronisation::end_bound_seconds),
                   key("duration_seconds", &Synchronisation::duration_seconds),
                   key("checks", &Synchronisation::checks));
}

constexpr auto fields_of(std::type_identity<PlannedPoint>) {
  return object_of(members_of(&PlannedPoint::point),
                   key("bytes_per_sample", &PlannedPoint::bytes_per_sample),
                   key("bus_bytes_per_sample", &PlannedPoint::bus_bytes_per_sample),
                   key("status", &PlannedPoint::status), key("reason", &PlannedPoint::reason),
                   key("thread_cpus", &PlannedPoint::thread_cpus, KeyUse::left_out_if_empty));
}

constexpr auto fields_of(std::type_identity<Outliers>) {
  return object_of(key("limit_seconds", &Outliers::limit_seconds), key("count", &Outliers::count),
                   key("at_seconds", &Outliers::at_seconds));
}

/// Reads the interval and its level, which has another key.
void read_within(const JsonNode& object, Summary& summary);
void write_within(const Summary& summary, nlohmann::json& object);

constexpr auto fields_of(std::type_identity<Summary>) {
  return object_of(key("median_seconds", &Summary::median_seconds),
                   key("minimum_seconds", &Summary::minimum_seconds),
                   key("maximum_seconds", &Summary::maximum_seconds),
                   key("mean_seconds", &Summary::mean_seconds),
                   by_hand({"within_seconds", "within_level"}, read_within, write_within),
                   key("effective_samples", &Summary::effective_samples),
                   members_of(&Summary::tails, key("p90_seconds", &TailQuantiles::p90_seconds),
                              key("p99_seconds", &TailQuantiles::p99_seconds),
                              key("p999_seconds", &TailQuantiles::p999_seconds)),
                   key("outliers", &Summary::outliers).formerly("detours"),
                   key("skew_seconds", &Summary::skew_seconds),
                   key("page_faults", &Summary::page_faults).up_to(most_page_faults),
                   key("undisturbed_blocks", &Summary::undisturbed_blocks).formerly("calm_visits"));
}

/// Replaces samples by the quotients that the clock measured (core/sample_unit.hpp). Without the
/// key they stay as they are.
void read_unit(const JsonNode& object, Series& series);

// NOLINTNEXTLINE(readability-function-size): a list of keys
constexpr auto fields_of(std::type_identity<Series>) {
  return object_of(
      members_of(&Series::point), key("samples_seconds", &Series::samples_seconds),
      key("blocks", &Series::blocks).formerly("visits"),
      key("starts_seconds", &Series::starts_seconds, KeyUse::null_if_empty),
      key("noise_probes_seconds", &Series::noise_probes_seconds, KeyUse::null_if_empty)
          .formerly("controls_seconds"),
      key("page_faults", &Series::page_faults, KeyUse::null_if_empty).up_to(most_page_faults),
      key("skews_seconds", &Series::skews_seconds, KeyUse::null_if_empty),
      key("locals_seconds", &Series::locals_seconds, KeyUse::null_if_empty),
      key("deliveries_checked", &Series::deliveries_checked).up_to(most_calls),
      key("late_starts", &Series::late_starts, KeyUse::may_be_missing).up_to(most_starts),
      key("warm_up_blocks", &Series::warm_up_blocks, KeyUse::may_be_missing)
          .formerly("warm_up_visits"),
      key("batch", &Series::batch, positive_count).up_to(most_calls),
      by_hand<Series, 1, nlohmann::json>({"unit_seconds"}, read_unit, nullptr),
      key("bytes_per_sample", &Series::bytes_per_sample), key("transport", &Series::transport),
      key("summary", &Series::summary), key("flags", &Series::flags));
}

/// One line of a journal. Older versions have no deliveries_checked and is_check.
constexpr auto fields_of(std::type_identity<MeasurementBlock>) {
  return object_of(
      key("point", &MeasurementBlock::point),
      key("batch", &MeasurementBlock::batch, positive_count).up_to(most_calls),
      key("samples_seconds", &MeasurementBlock::samples_seconds),
      key("started_seconds", &MeasurementBlock::started_seconds),
      key("skew_seconds", &MeasurementBlock::skew_seconds),
      key("locals_seconds", &MeasurementBlock::locals_seconds),
      key("late_starts", &MeasurementBlock::late_starts).up_to(most_starts),
      key("noise_probe_seconds", &MeasurementBlock::noise_probe_seconds)
          .formerly("control_seconds"),
      key("page_faults", &MeasurementBlock::page_faults).up_to(most_page_faults),
      key("transport", &MeasurementBlock::transport),
      key("deliveries_checked", &MeasurementBlock::deliveries_checked, KeyUse::may_be_missing)
          .up_to(most_calls),
      key("is_check", &MeasurementBlock::is_check, KeyUse::may_be_missing),
      key("flags", &MeasurementBlock::flags));
}

// NOLINTNEXTLINE(readability-function-size): a list of keys
constexpr auto fields_of(std::type_identity<Record>) {
  return object_of(
      DocumentSchema{record_schema, "use the version of hockney that wrote the file",
                     former_record_schema},
      key("procedure", &Record::procedure), key("status", &Record::status),
      key("started_utc", &Record::started_utc, utc_moment),
      key("elapsed_seconds", &Record::elapsed_seconds),
      key("measuring_seconds", &Record::measuring_seconds),
      key("stopped_because", &Record::stopped_because),
      key("under_way", &Record::under_way, KeyUse::left_out_if_empty), key("seed", &Record::seed),
      key("campaign", &Record::campaign), key("provenance", &Record::provenance),
      key("ranks", &Record::ranks), key("clock", &Record::clock), key("start", &Record::start),
      key("sync", &Record::sync), key("points", &Record::points), key("series", &Record::series),
      key("protocols", &Record::protocols, KeyUse::null_if_empty),
      key("memory", &Record::memory, KeyUse::null_if_empty),
      key("algorithms", &Record::algorithms, KeyUse::null_if_empty),
      key("guidelines", &Record::guidelines, KeyUse::null_if_empty),
      key("buffers", &Record::buffers, KeyUse::left_out_if_empty),
      key("noise", &Record::noise, KeyUse::left_out_if_empty),
      key("machine", &Record::machine, KeyUse::left_out_if_empty), key("flags", &Record::flags));
}

}  // namespace hockney
