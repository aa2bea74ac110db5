#pragma once

#include <string>
#include <vector>

#include "core/json_fields.hpp"
#include "core/json_values.hpp"
#include "core/provenance.hpp"
#include "core/record.hpp"
#include "core/record_file.hpp"

// Keys of records and profiles about place and method of a measurement.

namespace hockney {

inline constexpr double most_launches = 1e6;  ///< of a setting

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
                   key("shared_bytes", &MemoryUse::shared_bytes), below("peers", most_job_ranks),
                   at_most("waiting_messages", most_total), at_most("*bytes", most_message_bytes));
}

constexpr auto fields_of(std::type_identity<Build>) {
  return object_of(key("version", &Build::version), key("git_revision", &Build::git_revision),
                   key("compiler", &Build::compiler), key("flags", &Build::flags));
}

constexpr auto fields_of(std::type_identity<RequestedSetting>) {
  return object_of(key("variable", &RequestedSetting::variable),
                   key("requested", &RequestedSetting::requested).formerly("value"),
                   key("effective", &RequestedSetting::effective).formerly("in_force"),
                   key("proof", &RequestedSetting::proof),
                   key("reason", &RequestedSetting::reason));
}

/// Codec for variables and command lines. Masks secrets on writing, and on reading documents of
/// older versions.
template <class Value>
inline constexpr FieldCodec<Value, Value> secretless{
    [](const JsonNode& node) { return without_secrets(read_value<Value>(node)); },
    [](const Value& value) { return without_secrets(value); }};

using SecretlessWords = std::vector<std::string>;
using SecretlessVariables = std::map<std::string, std::string>;

constexpr auto fields_of(std::type_identity<MpiLibrary>) {
  return object_of(key("library", &MpiLibrary::library), key("standard", &MpiLibrary::standard),
                   key("settings", &MpiLibrary::settings, secretless<SecretlessVariables>),
                   key("requested", &MpiLibrary::requested, KeyUse::may_be_missing,
                       secretless<std::vector<RequestedSetting>>)
                       .formerly("asked"),
                   key("reported_faults", &MpiLibrary::messages, KeyUse::left_out_if_empty));
}

constexpr auto fields_of(std::type_identity<Host>) {
  return object_of(key("name", &Host::name), key("cpu_model", &Host::cpu_model),
                   key("kernel", &Host::kernel), key("governor", &Host::governor),
                   key("clocksource", &Host::clocksource),
                   key("topology_digest", &Host::topology_digest), key("cpus", &Host::cpus),
                   key("load_average", &Host::load_average),
                   key("network_facts", &Host::network, KeyUse::left_out_if_empty),
                   at_most("cpus", most_cpus), at_most("load_average", most_job_ranks));
}

constexpr auto fields_of(std::type_identity<SiteOrigin>) {
  return object_of(key("source", &SiteOrigin::source), key("detail", &SiteOrigin::detail),
                   key("inferred", &SiteOrigin::inferred));
}

constexpr auto fields_of(std::type_identity<Provenance>) {
  return object_of(key("command_line", &Provenance::command_line, secretless<SecretlessWords>),
                   key("environment", &Provenance::environment, secretless<SecretlessVariables>),
                   key("build", &Provenance::build), key("mpi", &Provenance::mpi),
                   key("hosts", &Provenance::hosts),
                   key("network", &Provenance::network, KeyUse::left_out_if_empty));
}

constexpr auto fields_of(std::type_identity<RankPlace>) {
  return object_of(key("rank", &RankPlace::rank), key("host", &RankPlace::host),
                   key("requested_cpu", &RankPlace::requested_cpu).formerly("asked_cpu"),
                   key("actual_cpus", &RankPlace::actual_cpus), below("rank", most_job_ranks),
                   below("requested_cpu", most_cpus), below("asked_cpu", most_cpus),
                   below("actual_cpus", most_cpus));
}

constexpr auto fields_of(std::type_identity<Clock>) {
  return object_of(key("source", &Clock::source),
                   key("resolution_seconds", &Clock::resolution_seconds),
                   key("cost_seconds", &Clock::cost_seconds));
}

constexpr auto fields_of(std::type_identity<CampaignPlace>) {
  return object_of(key("name", &CampaignPlace::name), key("setting", &CampaignPlace::setting),
                   key("launch", &CampaignPlace::launch),
                   key("axes", &CampaignPlace::axes, KeyUse::may_be_missing),
                   at_most("launch", most_launches));
}

}  // namespace hockney

// The keys of the document hockney.record/2 (results/hockney.record-2.schema.json), inner objects
// first. Those of place and method are above.

namespace hockney {

// Limits of numbers in records.

inline constexpr double most_calls = 1e15;        ///< of one operation in a launch
inline constexpr double most_starts = 1e9;        ///< starts that some rank missed
inline constexpr double most_page_faults = 1e12;  ///< of one operation
/// One exabyte a second is more than all links of a machine carry.
inline constexpr Bound bytes_of_a_sample = known("summary.median_seconds").times(1e18);

/// A point in every document: its operation, and all other members under the key `point`.
constexpr auto fields_of(std::type_identity<Point>) {
  return object_of(key("operation", &Point::operation),
                   inner_object("point", key("bytes", &Point::bytes), key("ranks", &Point::ranks),
                                key("hop", &Point::hop), key("path", &Point::path),
                                key("algorithm", &Point::algorithm), key("pair", &Point::pair),
                                key("parameters", &Point::parameters),
                                key("automatic", &Point::automatic, KeyUse::left_out_if_empty)),
                   at_most("point.bytes", most_message_bytes),
                   at_most("point.ranks", most_job_ranks), below("point.pair", most_job_ranks));
}

/// The key `point` alone.
inline nlohmann::json point_json(const Point& point) { return nlohmann::json(point)["point"]; }

/// Operations timed together in one sample.
std::int64_t read_batch(const JsonNode& node);

/// Writes why the counts prove no path, or null. It is for people: prove_path recomputes it.
void write_unproven(const Transport& transport, nlohmann::json& object);
/// Checks only the key's type.
void check_unproven(const JsonNode& object, Transport& transport);

constexpr auto fields_of(std::type_identity<Transport>) {
  return object_of(
      key("messages", &Transport::messages), key("payload_bytes", &Transport::payload_bytes),
      key("copy_calls", &Transport::copy_calls), key("copied_bytes", &Transport::copied_bytes),
      key("tcp_bytes", &Transport::tcp_bytes), key("shares_memory", &Transport::shares_memory),
      key("devices", &Transport::devices),
      by_hand({"unproven_because"}, check_unproven, write_unproven),
      at_most("messages", most_total), at_most("*bytes", most_total),
      at_most("copy_calls", most_total));
}

constexpr auto fields_of(std::type_identity<AlgorithmUse>) {
  return object_of(key("operation", &AlgorithmUse::operation), key("bytes", &AlgorithmUse::bytes),
                   key("ranks", &AlgorithmUse::ranks), key("parameters", &AlgorithmUse::parameters),
                   key("requested_algorithm", &AlgorithmUse::requested).formerly("asked_algorithm"),
                   key("ran", &AlgorithmUse::ran), key("proof", &AlgorithmUse::proof),
                   key("evidence", &AlgorithmUse::evidence), at_most("bytes", most_message_bytes),
                   at_most("ranks", most_job_ranks));
}

constexpr auto fields_of(std::type_identity<GuidelineSide>) {
  return object_of(key("operation", &GuidelineSide::operation),
                   key("parameters", &GuidelineSide::parameters));
}

constexpr auto fields_of(std::type_identity<Guideline>) {
  return object_of(key("name", &Guideline::name), key("left", &Guideline::left),
                   key("right", &Guideline::right), key("map", &Guideline::map),
                   key("factor", &Guideline::factor, positive_number),
                   at_most("factor", most_job_ranks));
}

constexpr auto fields_of(std::type_identity<HandOver>) {
  return object_of(
      key("call", &HandOver::call), key("receiver", &HandOver::receiver),
      key("datatype", &HandOver::datatype), key("limit_bytes", &HandOver::limit_bytes),
      key("held_bytes", &HandOver::held_bytes), key("most_bytes", &HandOver::most_bytes),
      key("exceptions", &HandOver::exceptions), key("probes", &HandOver::probes),
      key("corrections", &HandOver::corrections), at_most("most_bytes", most_message_bytes),
      ascending("limit_bytes", "most_bytes"), at_most("held_bytes", number_of("most_bytes")),
      at_most("exceptions", number_of("most_bytes")), at_most("corrections", number_of("probes")));
}

constexpr auto fields_of(std::type_identity<Unexpected>) {
  return object_of(key("bytes", &Unexpected::bytes), key("receiver", &Unexpected::receiver),
                   key("accepted", &Unexpected::accepted), key("most", &Unexpected::most),
                   at_most("bytes", most_message_bytes), at_most("accepted", number_of("most")));
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
      key("flags", &Protocol::flags),
      at_most("eager_limit_bytes", largest_of("evidence.hand_overs.most_bytes")));
}

constexpr auto fields_of(std::type_identity<NoisePeriod>) {
  return object_of(key("period_seconds", &NoisePeriod::period_seconds),
                   key("false_alarm", &NoisePeriod::false_alarm), key("share", &NoisePeriod::share),
                   at_most("false_alarm", 1), at_most("share", 1));
}

constexpr auto fields_of(std::type_identity<CoreNoise>) {
  return object_of(
      key("rank", &CoreNoise::rank), key("recorded_seconds", &CoreNoise::recorded_seconds),
      key("work_seconds", &CoreNoise::work_seconds),
      key("limit_seconds", &CoreNoise::limit_seconds), key("stolen", &CoreNoise::stolen),
      key("interruptions_per_second", &CoreNoise::interruptions_per_second),
      key("interruptions", &CoreNoise::interruptions),
      key("median_seconds", &CoreNoise::median_seconds),
      key("longest_seconds", &CoreNoise::longest_seconds), key("periods", &CoreNoise::periods),
      ascending("median_seconds", "longest_seconds", "recorded_seconds"),
      at_most("work_seconds", number_of("recorded_seconds")),
      at_most("stolen", ratio_of("recorded_seconds", "work_seconds")),
      at_most("interruptions", ratio_of("recorded_seconds", "work_seconds")),
      at_most("interruptions_per_second", inverse_of("work_seconds")),
      at_most("periods.period_seconds", number_of("recorded_seconds")));
}

constexpr auto fields_of(std::type_identity<LineProbe>) {
  return object_of(key("pair", &LineProbe::pair), key("seconds", &LineProbe::seconds),
                   below("pair", most_job_ranks));
}

/// No memory copies faster than this [B/s].
inline constexpr double most_copy_rate = 1e15;

constexpr auto fields_of(std::type_identity<RankProbe>) {
  return object_of(key("rank", &RankProbe::rank),
                   key("noise_probe_seconds", &RankProbe::noise_probe_seconds),
                   key("copy_bytes_per_second", &RankProbe::copy_bytes_per_second),
                   at_most("copy_bytes_per_second", most_copy_rate));
}

constexpr auto fields_of(std::type_identity<MachineProbe>) {
  return object_of(key("moment", &MachineProbe::moment),
                   key("at_seconds", &MachineProbe::at_seconds), key("lines", &MachineProbe::lines),
                   key("ranks", &MachineProbe::ranks));
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
                   key("thread_cpus", &PlannedPoint::thread_cpus, KeyUse::left_out_if_empty),
                   at_most("bytes_per_sample", most_total),
                   at_most("bus_bytes_per_sample", most_total), below("thread_cpus", most_cpus));
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
                   by_hand({"within_seconds", "within_level"}, read_within, write_within),
                   key("effective_samples", &Summary::effective_samples),
                   members_of(&Summary::tails, key("p90_seconds", &TailQuantiles::p90_seconds),
                              key("p99_seconds", &TailQuantiles::p99_seconds),
                              key("p999_seconds", &TailQuantiles::p999_seconds)),
                   key("outliers", &Summary::outliers).formerly("detours"),
                   key("skew_seconds", &Summary::skew_seconds),
                   key("page_faults", &Summary::page_faults),
                   key("undisturbed_blocks", &Summary::undisturbed_blocks).formerly("calm_visits"),
                   ascending("minimum_seconds", "median_seconds", "p90_seconds", "p99_seconds",
                             "p999_seconds", "maximum_seconds"),
                   at_least("within_seconds", number_of("minimum_seconds")),
                   at_most("within_seconds", number_of("maximum_seconds")));
}

/// InputError unless the blocks add up to the samples, and every list with one item for each block
/// has as many as there are blocks.
void check_blocks(const JsonNode& object, Series& series);

constexpr auto fields_of(std::type_identity<Series>) {
  return object_of(
      members_of(&Series::point), key("samples_seconds", &Series::samples_seconds),
      key("blocks", &Series::blocks).formerly("visits"),
      key("starts_seconds", &Series::starts_seconds, KeyUse::null_if_empty),
      key("noise_probes_seconds", &Series::noise_probes_seconds, KeyUse::null_if_empty)
          .formerly("controls_seconds"),
      key("page_faults", &Series::page_faults, KeyUse::null_if_empty),
      key("skews_seconds", &Series::skews_seconds, KeyUse::null_if_empty),
      key("locals_seconds", &Series::locals_seconds, KeyUse::null_if_empty),
      key("deliveries_checked", &Series::deliveries_checked),
      key("late_starts", &Series::late_starts, KeyUse::may_be_missing),
      key("warm_up_blocks", &Series::warm_up_blocks, KeyUse::may_be_missing)
          .formerly("warm_up_visits"),
      key("batch", &Series::batch, read_batch), key("bytes_per_sample", &Series::bytes_per_sample),
      key("transport", &Series::transport), key("summary", &Series::summary),
      key("flags", &Series::flags), checked_by(check_blocks),
      at_most("summary.effective_samples", size_of_array("samples_seconds")),
      at_most("summary.outliers.count", size_of_array("samples_seconds")),
      at_most("summary.outliers.at_seconds", largest_of("starts_seconds")),
      // Keys of hockney.record/1.
      at_most("summary.detours.count", size_of_array("samples_seconds")),
      at_most("summary.detours.at_seconds", largest_of("starts_seconds")),
      at_most("summary.calm_visits", size_of_array("visits")),
      at_most("warm_up_visits", size_of_array("visits")),
      at_most("summary.skew_seconds", largest_of("skews_seconds")),
      at_most("summary.page_faults", largest_of("page_faults")),
      at_most("summary.page_faults", most_page_faults),
      at_most("summary.undisturbed_blocks", size_of_array("blocks")),
      at_most("warm_up_blocks", size_of_array("blocks")), at_most("page_faults", most_page_faults),
      at_most("batch", most_calls), at_most("deliveries_checked", most_calls),
      at_most("late_starts", most_starts), at_most("bytes_per_sample", most_total),
      at_most("bytes_per_sample", bytes_of_a_sample));
}

/// InputError for a time longer than the launch lasted. Simulated times have no such limit.
void check_times(const JsonNode& object, Record& record);

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
      key("machine", &Record::machine, KeyUse::left_out_if_empty), key("flags", &Record::flags),
      at_most("elapsed_seconds", longest_seconds), at_most("*seconds", longest_seconds),
      checked_by(check_times), at_most("memory.rank", largest_of("ranks.rank")),
      at_most("noise.rank", largest_of("ranks.rank")),
      at_most("machine.ranks.rank", largest_of("ranks.rank")),
      at_most("machine.lines.pair", largest_of("ranks.rank")),
      at_most("buffers.ranks", largest_of("ranks.rank")));
}

}  // namespace hockney
