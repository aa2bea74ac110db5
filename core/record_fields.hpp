#pragma once

#include <string>
#include <vector>

#include "core/json_fields.hpp"
#include "core/json_values.hpp"
#include "core/record.hpp"
#include "core/record_file.hpp"

// The keys of the document hockney.record/1 (results/hockney.record-1.schema.json), from the inner
// objects to the whole.

namespace hockney {

/// A point in every document: its operation, and all else under the key `point`.
constexpr auto fields_of(std::type_identity<Point>) {
  return object_of(key("operation", &Point::operation),
                   inner_object("point", key("bytes", &Point::bytes), key("ranks", &Point::ranks),
                                key("hop", &Point::hop), key("path", &Point::path),
                                key("algorithm", &Point::algorithm), key("pair", &Point::pair),
                                key("parameters", &Point::parameters)));
}

/// The key `point` alone.
inline nlohmann::json point_json(const Point& point) { return nlohmann::json(point)["point"]; }

/// Operations timed together in one sample.
std::int64_t read_batch(const JsonNode& node);

/// Why the counts prove no path, or null. For people: the counts say it again.
void write_unproven(const Transport& transport, nlohmann::json& object);
/// Tells a mistake in the file all the same.
void check_unproven(const JsonNode& object, Transport& transport);

constexpr auto fields_of(std::type_identity<Transport>) {
  return object_of(
      key("messages", &Transport::messages), key("payload_bytes", &Transport::payload_bytes),
      key("copy_calls", &Transport::copy_calls), key("copied_bytes", &Transport::copied_bytes),
      key("tcp_bytes", &Transport::tcp_bytes), key("shares_memory", &Transport::shares_memory),
      key("devices", &Transport::devices),
      by_hand({"unproven_because"}, check_unproven, write_unproven));
}

constexpr auto fields_of(std::type_identity<AlgorithmUse>) {
  return object_of(key("operation", &AlgorithmUse::operation), key("bytes", &AlgorithmUse::bytes),
                   key("ranks", &AlgorithmUse::ranks), key("parameters", &AlgorithmUse::parameters),
                   key("asked_algorithm", &AlgorithmUse::requested), key("ran", &AlgorithmUse::ran),
                   key("proof", &AlgorithmUse::proof), key("evidence", &AlgorithmUse::evidence));
}

constexpr auto fields_of(std::type_identity<GuidelineSide>) {
  return object_of(key("operation", &GuidelineSide::operation),
                   key("parameters", &GuidelineSide::parameters));
}

constexpr auto fields_of(std::type_identity<Guideline>) {
  return object_of(key("name", &Guideline::name), key("left", &Guideline::left),
                   key("right", &Guideline::right), key("map", &Guideline::map),
                   key("factor", &Guideline::factor, positive_number));
}

constexpr auto fields_of(std::type_identity<HandOver>) {
  return object_of(key("call", &HandOver::call), key("receiver", &HandOver::receiver),
                   key("datatype", &HandOver::datatype), key("limit_bytes", &HandOver::limit_bytes),
                   key("held_bytes", &HandOver::held_bytes),
                   key("most_bytes", &HandOver::most_bytes),
                   key("exceptions", &HandOver::exceptions), key("probes", &HandOver::probes),
                   key("corrections", &HandOver::corrections));
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
      inner_object("evidence", key("hand_overs", &Protocol::hand_overs),
                   key("unexpected", &Protocol::unexpected), key("stated", &Protocol::stated)),
      key("flags", &Protocol::flags));
}

constexpr auto fields_of(std::type_identity<BufferMemoryUse>) {
  return object_of(key("kind", &BufferMemoryUse::memory), key("ranks", &BufferMemoryUse::ranks),
                   key("evidence", &BufferMemoryUse::evidence),
                   key("proven", &BufferMemoryUse::is_proven),
                   key("gpu_aware", &BufferMemoryUse::gpu_aware));
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

constexpr auto fields_of(std::type_identity<MemoryUse>) {
  return object_of(key("rank", &MemoryUse::rank), key("moment", &MemoryUse::moment),
                   key("peers", &MemoryUse::peers),
                   key("communicators", &MemoryUse::communicators, KeyUse::may_be_missing),
                   key("waiting_messages", &MemoryUse::messages),
                   key("waiting_message_bytes", &MemoryUse::message_bytes),
                   key("rss_bytes", &MemoryUse::rss_bytes), key("pss_bytes", &MemoryUse::pss_bytes),
                   key("shared_bytes", &MemoryUse::shared_bytes));
}

constexpr auto fields_of(std::type_identity<Build>) {
  return object_of(key("version", &Build::version), key("git_revision", &Build::git_revision),
                   key("compiler", &Build::compiler), key("flags", &Build::flags));
}

constexpr auto fields_of(std::type_identity<RequestedSetting>) {
  return object_of(
      key("variable", &RequestedSetting::variable), key("value", &RequestedSetting::requested),
      key("in_force", &RequestedSetting::effective), key("proof", &RequestedSetting::proof),
      key("reason", &RequestedSetting::reason));
}

constexpr auto fields_of(std::type_identity<MpiLibrary>) {
  return object_of(key("library", &MpiLibrary::library), key("standard", &MpiLibrary::standard),
                   key("settings", &MpiLibrary::settings),
                   key("asked", &MpiLibrary::requested, KeyUse::may_be_missing),
                   key("messages", &MpiLibrary::messages, KeyUse::left_out_if_empty));
}

constexpr auto fields_of(std::type_identity<Host>) {
  return object_of(key("name", &Host::name), key("cpu_model", &Host::cpu_model),
                   key("kernel", &Host::kernel), key("governor", &Host::governor),
                   key("clocksource", &Host::clocksource),
                   key("topology_digest", &Host::topology_digest), key("cpus", &Host::cpus),
                   key("load_average", &Host::load_average),
                   key("network_facts", &Host::network, KeyUse::left_out_if_empty));
}

constexpr auto fields_of(std::type_identity<SiteOrigin>) {
  return object_of(key("source", &SiteOrigin::source), key("detail", &SiteOrigin::detail),
                   key("inferred", &SiteOrigin::inferred));
}

constexpr auto fields_of(std::type_identity<Provenance>) {
  return object_of(key("command_line", &Provenance::command_line),
                   key("environment", &Provenance::environment), key("build", &Provenance::build),
                   key("mpi", &Provenance::mpi), key("hosts", &Provenance::hosts),
                   key("network", &Provenance::network, KeyUse::left_out_if_empty));
}

constexpr auto fields_of(std::type_identity<RankPlace>) {
  return object_of(key("rank", &RankPlace::rank), key("host", &RankPlace::host),
                   key("asked_cpu", &RankPlace::asked_cpu),
                   key("actual_cpus", &RankPlace::actual_cpus));
}

constexpr auto fields_of(std::type_identity<Clock>) {
  return object_of(key("source", &Clock::source),
                   key("resolution_seconds", &Clock::resolution_seconds),
                   key("cost_seconds", &Clock::cost_seconds));
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

constexpr auto fields_of(std::type_identity<CampaignPlace>) {
  return object_of(key("name", &CampaignPlace::name), key("setting", &CampaignPlace::setting),
                   key("launch", &CampaignPlace::launch),
                   key("axes", &CampaignPlace::axes, KeyUse::may_be_missing));
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

/// The interval and, beside it, its level.
void read_within(const JsonNode& object, Summary& summary);
void write_within(const Summary& summary, nlohmann::json& object);

constexpr auto fields_of(std::type_identity<Summary>) {
  return object_of(key("median_seconds", &Summary::median_seconds),
                   key("minimum_seconds", &Summary::minimum_seconds),
                   key("maximum_seconds", &Summary::maximum_seconds),
                   by_hand({"within_seconds", "within_level"}, read_within, write_within),
                   key("effective_samples", &Summary::effective_samples),
                   members_of(&Summary::tails, key("p90_seconds", &TailQuantiles::p90_seconds),
                              key("p99_seconds", &TailQuantiles::p99_seconds),
                              key("p999_seconds", &TailQuantiles::p999_seconds)),
                   key("detours", &Summary::outliers), key("skew_seconds", &Summary::skew_seconds),
                   key("page_faults", &Summary::page_faults),
                   key("calm_visits", &Summary::undisturbed_blocks));
}

/// InputError when the blocks do not add up to the samples, or what there is one of for each block
/// is not as long as the blocks.
void check_blocks(const JsonNode& object, Series& series);

constexpr auto fields_of(std::type_identity<Series>) {
  return object_of(members_of(&Series::point), key("samples_seconds", &Series::samples_seconds),
                   key("visits", &Series::blocks),
                   key("starts_seconds", &Series::starts_seconds, KeyUse::null_if_empty),
                   key("controls_seconds", &Series::noise_probes_seconds, KeyUse::null_if_empty),
                   key("page_faults", &Series::page_faults, KeyUse::null_if_empty),
                   key("skews_seconds", &Series::skews_seconds, KeyUse::null_if_empty),
                   key("locals_seconds", &Series::locals_seconds, KeyUse::null_if_empty),
                   key("deliveries_checked", &Series::deliveries_checked),
                   key("late_starts", &Series::late_starts, KeyUse::may_be_missing),
                   key("warm_up_visits", &Series::warm_up_blocks, KeyUse::may_be_missing),
                   key("batch", &Series::batch, read_batch),
                   key("bytes_per_sample", &Series::bytes_per_sample),
                   key("transport", &Series::transport), key("summary", &Series::summary),
                   key("flags", &Series::flags), checked_by(check_blocks));
}

constexpr auto fields_of(std::type_identity<Record>) {
  return object_of(
      DocumentSchema{record_schema, "use the version of hockney that wrote the file"},
      key("procedure", &Record::procedure), key("status", &Record::status),
      key("started_utc", &Record::started_utc), key("elapsed_seconds", &Record::elapsed_seconds),
      key("measuring_seconds", &Record::measuring_seconds),
      key("stopped_because", &Record::stopped_because), key("seed", &Record::seed),
      key("campaign", &Record::campaign), key("provenance", &Record::provenance),
      key("ranks", &Record::ranks), key("clock", &Record::clock), key("start", &Record::start),
      key("sync", &Record::sync), key("points", &Record::points), key("series", &Record::series),
      key("protocols", &Record::protocols, KeyUse::null_if_empty),
      key("memory", &Record::memory, KeyUse::null_if_empty),
      key("algorithms", &Record::algorithms, KeyUse::null_if_empty),
      key("guidelines", &Record::guidelines, KeyUse::null_if_empty),
      key("buffers", &Record::buffers, KeyUse::left_out_if_empty),
      key("noise", &Record::noise, KeyUse::left_out_if_empty), key("flags", &Record::flags));
}

}  // namespace hockney
