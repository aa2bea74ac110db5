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
// the functions of core/record_json.hpp, and for the schema.

namespace hockney {

constexpr auto fields_of(std::type_identity<BufferMemoryUse>) {
  return object_of(
      key("kind", &BufferMemoryUse::memory).says("of memory: huge, numa:0, cuda ..."),
      key("ranks", &BufferMemoryUse::ranks).says("that have it"),
      key("evidence", &BufferMemoryUse::evidence).says("what was read back"),
      key("proven", &BufferMemoryUse::is_proven).says("all of it is what was requested"),
      key("gpu_aware", &BufferMemoryUse::gpu_aware)
          .says("who says that MPI takes it: library or asserted; null for memory of the host"));
}

constexpr auto fields_of(std::type_identity<MemoryUse>) {
  return object_of(
      key("rank", &MemoryUse::rank).says("world rank"),
      key("moment", &MemoryUse::moment)
          .says("before-init, after-init, after-peer, flooded, after-flood or communicators"),
      key("peers", &MemoryUse::peers).says("ranks that it had exchanged a message with"),
      key("communicators", &MemoryUse::communicators, KeyUse::may_be_missing)
          .says("that it had made and held, beside its first ones"),
      key("waiting_messages", &MemoryUse::messages).says("of a flood, not received yet"),
      key("waiting_message_bytes", &MemoryUse::message_bytes).says("size of each of them"),
      key("rss_bytes", &MemoryUse::rss_bytes).says("resident"),
      key("pss_bytes", &MemoryUse::pss_bytes)
          .says("resident; pages of several processes count in parts"),
      key("shared_bytes", &MemoryUse::shared_bytes)
          .says("resident in shared-memory segments and files on tmpfs"),
      below("peers", most_job_ranks), at_most("waiting_messages", most_total),
      at_most("*bytes", most_message_bytes));
}

constexpr auto fields_of(std::type_identity<RankPlace>) {
  return object_of(key("rank", &RankPlace::rank).says("world rank"), key("host", &RankPlace::host),
                   key("requested_cpu", &RankPlace::requested_cpu)
                       .says("number of the operating system; null if no binding was requested")
                       .formerly("asked_cpu"),
                   key("actual_cpus", &RankPlace::actual_cpus).says("read back after binding"),
                   below("rank", most_job_ranks), below("requested_cpu", most_cpus),
                   below("asked_cpu", most_cpus), below("actual_cpus", most_cpus));
}

constexpr auto fields_of(std::type_identity<Clock>) {
  return object_of(
      key("source", &Clock::source).says("CLOCK_MONOTONIC_RAW or MPI_Wtime"),
      key("resolution_seconds", &Clock::resolution_seconds).says("smallest positive step seen"),
      key("cost_seconds", &Clock::cost_seconds).says("median time of one reading"));
}

constexpr auto fields_of(std::type_identity<CampaignPlace>) {
  return object_of(key("name", &CampaignPlace::name), key("setting", &CampaignPlace::setting),
                   key("launch", &CampaignPlace::launch).says("its number, from 0"),
                   key("axes", &CampaignPlace::axes, KeyUse::may_be_missing)
                       .says("of a sweep: the values of the setting"),
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
  return object_of(
      key("operation", &Point::operation).says("what is timed"),
      inner_object(
          "point",
          key("bytes", &Point::bytes)
              .says("message size: elements times MPI_Type_size, without gaps"),
          key("ranks", &Point::ranks).says("ranks that take part"),
          key("hop", &Point::hop).says("hop class of the ranks"),
          key("path", &Point::path).says("proven transport path"),
          key("algorithm", &Point::algorithm).says("proven algorithm"),
          key("pair", &Point::pair).says("world ranks of the pair; empty if all ranks take part"),
          key("parameters", &Point::parameters).says("further axes, such as window"),
          key("automatic", &Point::automatic, KeyUse::left_out_if_empty)
              .says("parameters whose values follow from the size")),
      at_most("point.bytes", most_message_bytes), at_most("point.ranks", most_job_ranks),
      below("point.pair", most_job_ranks));
}

/// Writes why the counts prove no path, or null. It is for people: prove_path recomputes it.
void write_unproven(const Transport& transport, nlohmann::json& object);
/// Checks only the key's type.
void check_unproven(const JsonNode& object, Transport& transport);

inline constexpr std::string_view unproven_shape = R"({"properties": {
  "unproven_because": {"type": ["string", "null"], "description": "why the counts prove no path"}
}})";

constexpr auto fields_of(std::type_identity<Transport>) {
  return object_of(
      key("messages", &Transport::messages).says("number of messages"),
      key("payload_bytes", &Transport::payload_bytes)
          .says("of the messages; one for each empty one"),
      key("copy_calls", &Transport::copy_calls).says("of process_vm_readv and process_vm_writev"),
      key("copied_bytes", &Transport::copied_bytes).says("by these calls"),
      key("tcp_bytes", &Transport::tcp_bytes).says("sent by the ranks' sockets"),
      key("shares_memory", &Transport::shares_memory)
          .says("both ranks map the same memory, and may write to it"),
      key("devices", &Transport::devices).says("open ones that carry data and leave no count"),
      by_hand({"unproven_because"}, check_unproven, write_unproven).shaped(unproven_shape),
      at_most("messages", most_total), at_most("*bytes", most_total),
      at_most("copy_calls", most_total));
}

constexpr auto fields_of(std::type_identity<AlgorithmUse>) {
  return object_of(key("operation", &AlgorithmUse::operation),
                   key("bytes", &AlgorithmUse::bytes).says("message size"),
                   key("ranks", &AlgorithmUse::ranks),
                   key("parameters", &AlgorithmUse::parameters)
                       .says("of the point, those that may choose an algorithm"),
                   key("requested_algorithm", &AlgorithmUse::requested)
                       .says("as the setting names it; default where the library chose")
                       .formerly("asked_algorithm"),
                   key("ran", &AlgorithmUse::ran).says("the algorithm that ran, proven"),
                   key("proof", &AlgorithmUse::proof)
                       .says("ignored: something else ran than what was requested"),
                   key("evidence", &AlgorithmUse::evidence), at_most("bytes", most_message_bytes),
                   at_most("ranks", most_job_ranks));
}

constexpr auto fields_of(std::type_identity<GuidelineSide>) {
  return object_of(key("operation", &GuidelineSide::operation),
                   key("parameters", &GuidelineSide::parameters).says("of its points"));
}

constexpr auto fields_of(std::type_identity<Guideline>) {
  return object_of(
      key("name", &Guideline::name),
      key("left", &Guideline::left).says("must not take longer than factor times right"),
      key("right", &Guideline::right),
      key("map", &Guideline::map).says("which sizes and ranks of the two sides belong together"),
      key("factor", &Guideline::factor, positive_number), at_most("factor", most_job_ranks));
}

constexpr auto fields_of(std::type_identity<HandOver>) {
  return object_of(
      key("call", &HandOver::call).says("send, isend, persistent or ssend"),
      key("receiver", &HandOver::receiver).says("progressing or asleep"),
      key("datatype", &HandOver::datatype).says("bytes, contiguous or strided"),
      key("limit_bytes", &HandOver::limit_bytes)
          .says("largest size handed over; null: not even an empty message"),
      key("held_bytes", &HandOver::held_bytes)
          .says("limit + 1; null: no size up to most_bytes was held"),
      key("most_bytes", &HandOver::most_bytes).says("largest size tried"),
      key("exceptions", &HandOver::exceptions).says("sizes that contradict one limit"),
      key("probes", &HandOver::probes).says("messages tried"),
      key("corrections", &HandOver::corrections).says("sizes first taken as held that were not"),
      at_most("most_bytes", most_message_bytes), ascending("limit_bytes", "most_bytes"),
      at_most("held_bytes", number_of("most_bytes")),
      at_most("exceptions", number_of("most_bytes")), at_most("corrections", number_of("probes")));
}

constexpr auto fields_of(std::type_identity<Unexpected>) {
  return object_of(key("bytes", &Unexpected::bytes).says("size of each message"),
                   key("receiver", &Unexpected::receiver).says("progressing or asleep"),
                   key("accepted", &Unexpected::accepted)
                       .says("messages sent before one was held; null: none of the most was held"),
                   key("most", &Unexpected::most).says("messages tried"),
                   at_most("bytes", most_message_bytes), at_most("accepted", number_of("most")));
}

constexpr auto fields_of(std::type_identity<StatedLimit>) {
  return object_of(
      key("variable", &StatedLimit::variable)
          .says("an MPI_T control variable that explains the limit"),
      key("value_bytes", &StatedLimit::value_bytes).says("its value"),
      key("header_bytes", &StatedLimit::header_bytes).says("value less measured limit"));
}

constexpr auto fields_of(std::type_identity<Protocol>) {
  return object_of(
      key("hop", &Protocol::hop).says("hop class of the pair"),
      key("pair", &Protocol::pair).says("world ranks: sender, receiver"),
      key("path", &Protocol::path).says("proven transport path"),
      key("eager_limit_bytes", &Protocol::eager_limit_bytes)
          .says("largest message that MPI_Send sends to a receiver that progresses and has not "
                "posted the receive"),
      key("reason", &Protocol::reason).says("why there is no limit; empty with a limit"),
      inner_object(
          "evidence", key("hand_overs", &Protocol::hand_overs).says("limit of each way of sending"),
          key("unexpected", &Protocol::unexpected).says("floods of messages without a receive"),
          key("stated", &Protocol::stated).says("settings that explain the limit")),
      key("flags", &Protocol::flags).says("doubts about the figures"),
      at_most("eager_limit_bytes", largest_of("evidence.hand_overs.most_bytes")));
}

constexpr auto fields_of(std::type_identity<NoisePeriod>) {
  return object_of(
      key("period_seconds", &NoisePeriod::period_seconds),
      key("false_alarm", &NoisePeriod::false_alarm)
          .says("bound on the probability that random times show such a period"),
      key("share", &NoisePeriod::share).says("part of the interruptions that keep to it"),
      at_most("false_alarm", 1), at_most("share", 1));
}

constexpr auto fields_of(std::type_identity<CoreNoise>) {
  return object_of(
      key("rank", &CoreNoise::rank).says("world rank"),
      key("recorded_seconds", &CoreNoise::recorded_seconds).says("length of the recording"),
      key("work_seconds", &CoreNoise::work_seconds).says("of the shortest piece of work"),
      key("limit_seconds", &CoreNoise::limit_seconds).says("a longer piece was interrupted"),
      key("stolen", &CoreNoise::stolen).says("mean / shortest - 1, of each part of the recording"),
      key("interruptions_per_second", &CoreNoise::interruptions_per_second).says("in each part"),
      key("interruptions", &CoreNoise::interruptions).says("in all parts"),
      key("median_seconds", &CoreNoise::median_seconds).says("length of an interruption"),
      key("longest_seconds", &CoreNoise::longest_seconds).says("longest interruption"),
      key("periods", &CoreNoise::periods)
          .says("of the interruptions, strongest first; null: too few"),
      ascending("median_seconds", "longest_seconds", "recorded_seconds"),
      at_most("work_seconds", number_of("recorded_seconds")),
      at_most("stolen", ratio_of("recorded_seconds", "work_seconds")),
      at_most("interruptions", ratio_of("recorded_seconds", "work_seconds")),
      at_most("interruptions_per_second", inverse_of("work_seconds")),
      at_most("periods.period_seconds", number_of("recorded_seconds")));
}

constexpr auto fields_of(std::type_identity<LineProbe>) {
  return object_of(key("pair", &LineProbe::pair).says("world ranks on one host"),
                   key("seconds", &LineProbe::seconds)
                       .says("half the round trip of a cache line, as floor-cacheline"),
                   below("pair", most_job_ranks));
}

/// No memory copies faster than this [B/s].
inline constexpr double most_copy_rate = 1e15;

constexpr auto fields_of(std::type_identity<RankProbe>) {
  return object_of(key("rank", &RankProbe::rank).says("world rank"),
                   key("noise_probe_seconds", &RankProbe::noise_probe_seconds)
                       .says("shortest time of a fixed piece of work, all ranks at once"),
                   key("copy_bytes_per_second", &RankProbe::copy_bytes_per_second)
                       .says("of memcpy in private memory, all ranks at once"),
                   at_most("copy_bytes_per_second", most_copy_rate));
}

constexpr auto fields_of(std::type_identity<MemoryProbe>) {
  return object_of(
      key("rank", &MemoryProbe::rank).says("first of its host"),
      key("cores", &MemoryProbe::cores).says("that worked, a thread on each"),
      key("bytes_per_second", &MemoryProbe::bytes_per_second, positive_number)
          .says("of a[i] = b[i] + s c[i] in arrays beyond all caches, three numbers counted"),
      at_most("cores", most_cpus), at_most("bytes_per_second", most_copy_rate));
}

constexpr auto fields_of(std::type_identity<DeviceProbe>) {
  return object_of(
      key("rank", &DeviceProbe::rank).says("first of its host"),
      key("device", &DeviceProbe::device).says("number of the GPU"),
      key("to_device_bytes_per_second", &DeviceProbe::to_device_bytes_per_second, positive_number)
          .says("from pinned memory of the host"),
      key("from_device_bytes_per_second", &DeviceProbe::from_device_bytes_per_second,
          positive_number)
          .says("to pinned memory of the host"),
      below("device", most_cpus), at_most("to_device_bytes_per_second", most_copy_rate),
      at_most("from_device_bytes_per_second", most_copy_rate));
}

constexpr auto fields_of(std::type_identity<MachineProbe>) {
  return object_of(key("moment", &MachineProbe::moment).says("of the launch"),
                   key("at_seconds", &MachineProbe::at_seconds)
                       .says("since measuring began, as series[].starts_seconds"),
                   key("lines", &MachineProbe::lines).says("of a few pairs of ranks"),
                   key("ranks", &MachineProbe::ranks).says("of each rank"),
                   key("memory", &MachineProbe::memory, KeyUse::left_out_if_empty)
                       .says("bandwidth of all cores of a host at once"),
                   key("devices", &MachineProbe::devices, KeyUse::left_out_if_empty)
                       .says("copies between a host and its GPUs"));
}

constexpr auto fields_of(std::type_identity<ClockSelfTest>) {
  return object_of(key("estimate_seconds", &ClockSelfTest::estimate_seconds, any_number)
                       .says("offset between ranks that read one clock; the truth is 0"),
                   key("bound_seconds", &ClockSelfTest::bound_seconds).says("of its error"),
                   key("passed", &ClockSelfTest::passed).says("|estimate| <= bound"));
}

constexpr auto fields_of(std::type_identity<Synchronisation>) {
  return object_of(
      key("scheme", &Synchronisation::scheme).says("same-clock, hca3 or simulated"),
      key("bound_seconds", &Synchronisation::bound_seconds)
          .says("largest distance of a rank's clock from rank 0's after synchronising"),
      key("self_test", &Synchronisation::self_test)
          .says("worst result between ranks that read one clock"),
      key("slope_used", &Synchronisation::slope_used).says("whether any rank corrects its drift"),
      key("end_error_seconds", &Synchronisation::end_error_seconds)
          .says("largest difference after measuring"),
      key("end_bound_seconds", &Synchronisation::end_bound_seconds)
          .says("of the error of end_error_seconds"),
      key("duration_seconds", &Synchronisation::duration_seconds)
          .says("time that synchronising took"),
      key("checks", &Synchronisation::checks)
          .says("repeated results between ranks of one clock, by hockney-self-test"));
}

constexpr auto fields_of(std::type_identity<PlannedPoint>) {
  return object_of(
      members_of(&PlannedPoint::point),
      key("bytes_per_sample", &PlannedPoint::bytes_per_sample)
          .says("bytes that count for bandwidth in one operation"),
      key("bus_bytes_per_sample", &PlannedPoint::bus_bytes_per_sample)
          .says("of collectives: what the busiest rank must send or receive by any algorithm"),
      key("status", &PlannedPoint::status).says("whether it was measured"),
      key("reason", &PlannedPoint::reason).says("why it was not measured; else empty"),
      key("thread_cpus", &PlannedPoint::thread_cpus, KeyUse::left_out_if_empty)
          .says("CPUs to which the threads of each rank are bound, thread 0 first"),
      at_most("bytes_per_sample", most_total), at_most("bus_bytes_per_sample", most_total),
      below("thread_cpus", most_cpus));
}

constexpr auto fields_of(std::type_identity<Outliers>) {
  return object_of(key("limit_seconds", &Outliers::limit_seconds)
                       .says("third quartile plus three interquartile ranges"),
                   key("count", &Outliers::count).says("samples beyond the limit"),
                   key("at_seconds", &Outliers::at_seconds)
                       .says("when their blocks began, since measuring began"));
}

/// Reads the interval and its level, which has another key.
void read_within(const JsonNode& object, Summary& summary);
void write_within(const Summary& summary, nlohmann::json& object);

inline constexpr std::string_view within_shape = R"({
  "properties": {
    "within_seconds": {"type": ["array", "null"], "items": {"type": "number", "minimum": 0},
                       "minItems": 2, "maxItems": 2,
                       "description": "[low, high] of the median in this launch"},
    "within_level": {"type": ["number", "null"], "minimum": 0, "maximum": 1,
                     "description": "coverage of within_seconds"}
  },
  "anyOf": [{"properties": {"within_seconds": {"type": "null"}}},
            {"required": ["within_level"], "properties": {"within_level": {"type": "number"}}}]
})";

constexpr auto fields_of(std::type_identity<Summary>) {
  return object_of(
      key("median_seconds", &Summary::median_seconds).says("of the samples that count"),
      key("minimum_seconds", &Summary::minimum_seconds).says("of all samples"),
      key("maximum_seconds", &Summary::maximum_seconds).says("of all samples"),
      key("mean_seconds", &Summary::mean_seconds)
          .says("of all samples, disturbed ones too, as OMB and IMB take it"),
      by_hand({"within_seconds", "within_level"}, read_within, write_within).shaped(within_shape),
      key("effective_samples", &Summary::effective_samples)
          .says("independent samples that the series is worth"),
      members_of(&Summary::tails,
                 key("p90_seconds", &TailQuantiles::p90_seconds)
                     .says("quantile of the samples that count; null with too few"),
                 key("p99_seconds", &TailQuantiles::p99_seconds).says("the same"),
                 key("p999_seconds", &TailQuantiles::p999_seconds).says("the same, 99.9 %")),
      key("outliers", &Summary::outliers).says("samples far above the others").formerly("detours"),
      key("skew_seconds", &Summary::skew_seconds).says("median over blocks"),
      key("page_faults", &Summary::page_faults)
          .says("of one operation, median over the blocks that count"),
      key("undisturbed_blocks", &Summary::undisturbed_blocks)
          .says("whose noise probe was within 10 % of the shortest; only their samples count")
          .formerly("calm_visits"),
      ascending("minimum_seconds", "median_seconds", "p90_seconds", "p99_seconds", "p999_seconds",
                "maximum_seconds"),
      at_least("mean_seconds", number_of("minimum_seconds")),
      at_most("mean_seconds", number_of("maximum_seconds")),
      at_least("median_seconds", smallest_of("within_seconds")),
      at_most("median_seconds", largest_of("within_seconds")),
      at_least("within_seconds", number_of("minimum_seconds")),
      at_most("within_seconds", number_of("maximum_seconds")));
}

/// InputError unless the blocks add up to the samples, and every list with one item for each block
/// has as many as there are blocks.
void check_blocks(const JsonNode& object, Series& series);

/// Replaces samples by the quotients that the clock measured (core/sample_unit.hpp). Without the
/// key they stay as they are.
void read_unit(const JsonNode& object, Series& series);

inline constexpr std::string_view unit_shape = R"({"properties": {
  "unit_seconds": {"type": ["number", "null"], "exclusiveMinimum": 0,
                   "description": "of samples_seconds times batch: blocks whose samples are whole multiples of it have the fewest digits that give back the multiples; others have all digits"}
}})";

// NOLINTNEXTLINE(readability-function-size): a list of keys
constexpr auto fields_of(std::type_identity<Series>) {
  return object_of(
      members_of(&Series::point),
      key("samples_seconds", &Series::samples_seconds)
          .says("time of one operation in each batch, in the order they were taken"),
      key("blocks", &Series::blocks).says("number of samples of each block").formerly("visits"),
      key("starts_seconds", &Series::starts_seconds, KeyUse::null_if_empty)
          .says("when each block began, since measuring began"),
      key("noise_probes_seconds", &Series::noise_probes_seconds, KeyUse::null_if_empty)
          .says("noise probe of each block, on the slowest rank: a fixed piece of work without MPI")
          .formerly("controls_seconds"),
      key("page_faults", &Series::page_faults, KeyUse::null_if_empty)
          .says("of one operation, in each block, on the rank with the most"),
      key("skews_seconds", &Series::skews_seconds, KeyUse::null_if_empty)
          .says("from the first rank's start to the last one's, median of each block; null if "
                "timed on one rank"),
      key("locals_seconds", &Series::locals_seconds, KeyUse::null_if_empty)
          .says("on request, of each block and rank: from its own start to its own end, median"),
      key("deliveries_checked", &Series::deliveries_checked)
          .says("iterations with checked data (docs/explanation/how-hockney-measures.md)"),
      key("late_starts", &Series::late_starts, KeyUse::may_be_missing)
          .says("starts that a rank missed; repeated, not among the samples"),
      key("warm_up_blocks", &Series::warm_up_blocks, KeyUse::may_be_missing)
          .says("first blocks, slower than later ones; they do not count")
          .formerly("warm_up_visits"),
      key("batch", &Series::batch).says("operations timed together in one sample"),
      by_hand<Series, 1, nlohmann::json>({"unit_seconds"}, read_unit, nullptr).shaped(unit_shape),
      key("bytes_per_sample", &Series::bytes_per_sample)
          .says("bytes that count for bandwidth in one operation"),
      key("transport", &Series::transport).says("counts of what carried the messages of a pair"),
      key("summary", &Series::summary)
          .says("of this launch. within_seconds is no uncertainty of a latency, which comes from "
                "several launches"),
      key("flags", &Series::flags).says("doubts about the figures"), checked_by(check_blocks),
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
      at_least("batch", 1), at_most("batch", most_calls), at_most("deliveries_checked", most_calls),
      at_most("late_starts", most_starts), at_most("bytes_per_sample", most_total),
      at_most("bytes_per_sample", bytes_of_a_sample));
}

/// One line of a journal. Older versions have no deliveries_checked and is_check.
constexpr auto fields_of(std::type_identity<MeasurementBlock>) {
  return object_of(
      key("point", &MeasurementBlock::point), key("batch", &MeasurementBlock::batch),
      key("samples_seconds", &MeasurementBlock::samples_seconds),
      key("started_seconds", &MeasurementBlock::started_seconds),
      key("skew_seconds", &MeasurementBlock::skew_seconds),
      key("locals_seconds", &MeasurementBlock::locals_seconds),
      key("late_starts", &MeasurementBlock::late_starts),
      key("noise_probe_seconds", &MeasurementBlock::noise_probe_seconds)
          .formerly("control_seconds"),
      key("page_faults", &MeasurementBlock::page_faults),
      key("transport", &MeasurementBlock::transport),
      key("deliveries_checked", &MeasurementBlock::deliveries_checked, KeyUse::may_be_missing),
      key("is_check", &MeasurementBlock::is_check, KeyUse::may_be_missing),
      key("flags", &MeasurementBlock::flags), at_most("*seconds", longest_seconds),
      at_least("batch", 1), at_most("batch", most_calls), at_most("late_starts", most_starts),
      at_most("page_faults", most_page_faults), at_most("deliveries_checked", most_calls));
}

/// InputError for a time longer than the launch lasted. Simulated times have no such limit.
void check_times(const JsonNode& object, Record& record);

// NOLINTNEXTLINE(readability-function-size): a list of keys
constexpr auto fields_of(std::type_identity<Record>) {
  return object_of(
      DocumentSchema{record_schema, "use the version of hockney that wrote the file",
                     former_record_schema,
                     "One launch of a hockney program. Times are in seconds, sizes in bytes. A key "
                     "that may be null may be missing: the fact is not known."},
      key("procedure", &Record::procedure).says("the experiment, such as pingpong"),
      key("status", &Record::status).says("interrupted: recovered from a journal"),
      key("started_utc", &Record::started_utc, utc_moment)
          .says("UTC, such as 2026-11-22T03:04:05Z; empty where it is not known"),
      key("elapsed_seconds", &Record::elapsed_seconds)
          .says("from the start of the program to the end of measuring"),
      key("measuring_seconds", &Record::measuring_seconds).says("of that, the measuring"),
      key("stopped_because", &Record::stopped_because).says("why no further epoch was run"),
      key("under_way", &Record::under_way, KeyUse::left_out_if_empty)
          .says("point that a dead launch was measuring, from its journal"),
      key("seed", &Record::seed).says("of the order of points and the draw of buffers"),
      key("campaign", &Record::campaign).says("null outside campaigns"),
      key("provenance", &Record::provenance).says("how it was measured"),
      key("ranks", &Record::ranks).says("where they ran"),
      key("clock", &Record::clock).says("that times are read from"),
      key("start", &Record::start)
          .says("how ranks began together: round-time, barrier, dissemination"),
      key("sync", &Record::sync).says("clocks of the ranks (docs/explanation/clocks.md)"),
      key("points", &Record::points).says("every planned point"),
      key("series", &Record::series).says("the samples of each measured point"),
      key("protocols", &Record::protocols, KeyUse::null_if_empty)
          .says("of hockney-protocol: eager limits (docs/how-to/paths-and-eager-limits.md)"),
      key("memory", &Record::memory, KeyUse::null_if_empty)
          .says("of hockney-protocol: memory of processes"),
      key("algorithms", &Record::algorithms, KeyUse::null_if_empty)
          .says("of a verification launch: algorithm of each collective "
                "(docs/how-to/sweep-and-tune.md)"),
      key("guidelines", &Record::guidelines, KeyUse::null_if_empty)
          .says("of hockney-guidelines: times to compare (docs/how-to/check-guidelines.md)"),
      key("buffers", &Record::buffers, KeyUse::left_out_if_empty)
          .says("what the memory of --memory turned out to be (docs/how-to/gpu-buffers.md)"),
      key("noise", &Record::noise, KeyUse::left_out_if_empty)
          .says("of hockney-noise, of each rank (docs/explanation/noise.md)"),
      key("machine", &Record::machine, KeyUse::left_out_if_empty)
          .says("probes of the machine without MPI "
                "(docs/explanation/disturbed-or-not-repeatable.md)"),
      key("flags", &Record::flags).says("faults and doubts about the figures"),
      at_most("elapsed_seconds", longest_seconds), at_most("*seconds", longest_seconds),
      checked_by(check_times), at_most("memory.rank", largest_of("ranks.rank")),
      at_most("noise.rank", largest_of("ranks.rank")),
      at_most("machine.ranks.rank", largest_of("ranks.rank")),
      at_most("machine.lines.pair", largest_of("ranks.rank")),
      at_most("machine.memory.rank", largest_of("ranks.rank")),
      at_most("machine.devices.rank", largest_of("ranks.rank")),
      at_most("buffers.ranks", largest_of("ranks.rank")));
}

}  // namespace hockney
