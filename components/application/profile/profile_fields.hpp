#pragma once

#include <string_view>

#include "components/application/profile/profile.hpp"
#include "components/application/profile/profile_file.hpp"
#include "core/json_fields.hpp"
#include "core/provenance_fields.hpp"
#include "core/secretless.hpp"

// The keys of the document hockney.profile/1, from inner objects to outer ones. For the sources
// that define the functions of components/application/profile/profile_file.hpp.

namespace hockney::profile {

constexpr auto fields_of(std::type_identity<Facts>) {
  return object_of(key("host", &Facts::host), key("cpus", &Facts::cpus),
                   key("command_line", &Facts::command_line, secretless<SecretlessWords>),
                   key("environment", &Facts::environment, secretless<SecretlessVariables>),
                   key("library", &Facts::library), key("standard", &Facts::standard),
                   key("identity", &Facts::identity, KeyUse::left_out_if_empty),
                   key("begun_utc", &Facts::begun_utc, KeyUse::left_out_if_empty));
}

inline constexpr std::string_view profile_schema = "hockney.profile/1";

// Plausible limits of numbers in profiles.

inline constexpr double most_signals = 128;
/// Over all threads of a rank; recording a call takes longer than this allows.
inline constexpr double most_calls_per_second = 1e10;
inline constexpr double most_bytes_per_second = 1e15;
inline constexpr double most_rank_threads = 1024;
/// Over all ranks.
inline constexpr Bound calls_of_all =
    product_of("seconds", "world_ranks").times(most_calls_per_second);
/// The times of a rank's threads add up. Several threads per CPU may wait for files.
inline constexpr Bound time_of_threads = product_of("seconds", "provenance.hosts.cpus").times(8);
/// Recording these calls takes at most the time that the ranks ran.
inline constexpr Bound recorded_calls = ratio_of("ranks.seconds", "price.completion_seconds");
/// A call's time includes its recording; some calls take less than the mean.
inline constexpr Bound overhead_of_calls = ratio_of("ranks.seconds", "ranks.calls").times(10);

constexpr auto fields_of(std::type_identity<CpuUse>) {
  return object_of(
      key("user_seconds", &CpuUse::user_seconds), key("system_seconds", &CpuUse::system_seconds),
      key("involuntary_switches", &CpuUse::involuntary_switches),
      key("voluntary_switches", &CpuUse::voluntary_switches),
      key("minor_faults", &CpuUse::minor_faults), key("major_faults", &CpuUse::major_faults),
      key("mpi_cpu_seconds", &CpuUse::mpi_cpu_seconds),
      key("computing_cpu_seconds", &CpuUse::computing_cpu_seconds, KeyUse::left_out_if_empty),
      key("waiting_seconds", &CpuUse::waiting_seconds),
      key("mpi_waiting_seconds", &CpuUse::mpi_waiting_seconds),
      key("other_waiting_seconds", &CpuUse::other_waiting_seconds),
      key("throttled_seconds", &CpuUse::throttled_seconds),
      key("reading_seconds", &CpuUse::reading_seconds), at_most("*switches", most_total),
      at_most("*faults", most_total), at_most("*seconds", longest_seconds));
}

constexpr auto fields_of(std::type_identity<Rank>) {
  return object_of(key("rank", &Rank::rank), key("host", &Rank::host), key("cpus", &Rank::cpus),
                   key("seconds", &Rank::seconds), key("mpi_seconds", &Rank::mpi_seconds),
                   key("mpi_io_seconds", &Rank::mpi_io_seconds),
                   key("io_seconds", &Rank::io_seconds), key("io_bytes", &Rank::io_bytes),
                   key("calls", &Rank::calls), key("folded_calls", &Rank::folded_calls),
                   key("folded_messages", &Rank::folded_messages), key("end", &Rank::end),
                   key("signal", &Rank::signal), key("cpu", &Rank::cpu, KeyUse::left_out_if_empty),
                   below("cpus", most_cpus),
                   at_most("io_bytes", known("seconds").times(most_bytes_per_second)),
                   at_most("folded_calls", number_of("calls")),
                   at_most("folded_messages", known("seconds").times(most_calls_per_second)),
                   at_most("signal", most_signals));
}

constexpr auto fields_of(std::type_identity<Communicator>) {
  return object_of(key("name", &Communicator::name), key("identity", &Communicator::identity),
                   key("size", &Communicator::size), at_most("size", 2 * most_job_ranks));
}

constexpr auto fields_of(std::type_identity<Site>) {
  return object_of(key("module", &Site::module), key("offset", &Site::offset),
                   key("function", &Site::function));
}

constexpr auto fields_of(std::type_identity<Region>) {
  return object_of(key("name", &Region::name), key("entered", &Region::entered),
                   key("seconds", &Region::seconds),
                   key("cpu_seconds", &Region::cpu_seconds, KeyUse::left_out_if_empty),
                   key("waiting_seconds", &Region::waiting_seconds, KeyUse::left_out_if_empty),
                   at_most("entered", most_total), at_most("cpu_seconds", most_total),
                   at_most("waiting_seconds", most_total));
}

constexpr auto fields_of(std::type_identity<Calls>) {
  return object_of(
      key("call", &Calls::call), key("communicator", &Calls::communicator),
      key("site", &Calls::site), key("region", &Calls::region), key("count", &Calls::count),
      key("bytes", &Calls::bytes), key("min_bytes", &Calls::min_bytes),
      key("max_bytes", &Calls::max_bytes), key("seconds", &Calls::seconds),
      key("min_seconds", &Calls::min_seconds), key("max_seconds", &Calls::max_seconds),
      key("ranks", &Calls::ranks), key("slowest_rank", &Calls::slowest_rank),
      key("slowest_seconds", &Calls::slowest_seconds), ascending("min_bytes", "max_bytes", "bytes"),
      ascending("min_seconds", "max_seconds", "seconds"), at_most("max_bytes", most_total),
      at_most("slowest_seconds", number_of("seconds")),
      at_most("bytes", product_of("count", "max_bytes")),
      at_most("seconds", product_of("count", "max_seconds")));
}

constexpr auto fields_of(std::type_identity<Messages>) {
  return object_of(key("from", &Messages::from), key("to", &Messages::to),
                   key("communicator", &Messages::communicator), key("carrier", &Messages::carrier),
                   key("messages", &Messages::messages), key("bytes", &Messages::bytes),
                   key("min_bytes", &Messages::min_bytes), key("max_bytes", &Messages::max_bytes),
                   ascending("min_bytes", "max_bytes", "bytes"), at_most("max_bytes", most_total),
                   at_most("bytes", product_of("messages", "max_bytes")));
}

constexpr auto fields_of(std::type_identity<Overhead>) {
  return object_of(key("send_seconds", &Overhead::send_seconds),
                   key("receive_seconds", &Overhead::receive_seconds),
                   key("completion_seconds", &Overhead::completion_seconds),
                   key("other_seconds", &Overhead::other_seconds));
}

constexpr auto fields_of(std::type_identity<EventLog>) {
  return object_of(key("file", &EventLog::file), key("events", &EventLog::events),
                   key("not_logged", &EventLog::not_logged), at_most("events", most_total),
                   at_most("not_logged", most_total));
}

constexpr auto fields_of(std::type_identity<CodeModule>) {
  return object_of(key("path", &CodeModule::path), key("build_id", &CodeModule::build_id));
}

constexpr auto fields_of(std::type_identity<Frame>) {
  return object_of(key("module", &Frame::module), key("offset", &Frame::offset));
}

constexpr auto fields_of(std::type_identity<Stack>) {
  return object_of(key("frames", &Stack::frames), key("call", &Stack::call),
                   key("ranks", &Stack::ranks), key("counts", &Stack::counts),
                   at_most("counts", most_total));
}

constexpr auto fields_of(std::type_identity<Samples>) {
  return object_of(
      key("period_seconds", &Samples::period_seconds), key("lost", &Samples::lost),
      key("folded", &Samples::folded), key("threads", &Samples::threads),
      key("handler_seconds", &Samples::handler_seconds), key("modules", &Samples::modules),
      key("frames", &Samples::frames), key("stacks", &Samples::stacks), at_most("lost", most_total),
      at_most("folded", most_total), at_most("threads", most_total),
      at_most("period_seconds", longest_seconds), at_most("handler_seconds", longest_seconds));
}

constexpr auto fields_of(std::type_identity<ParallelRegion>) {
  return object_of(
      key("site", &ParallelRegion::site), key("threads", &ParallelRegion::threads),
      key("count", &ParallelRegion::count), key("seconds", &ParallelRegion::seconds),
      key("thread_seconds", &ParallelRegion::thread_seconds),
      key("busy_seconds", &ParallelRegion::busy_seconds),
      key("slowest_seconds", &ParallelRegion::slowest_seconds),
      key("ranks", &ParallelRegion::ranks), key("waiting_rank", &ParallelRegion::waiting_rank),
      key("waiting_seconds", &ParallelRegion::waiting_seconds), at_most("threads", most_job_ranks),
      at_most("count", most_total), at_most("*seconds", most_total));
}

/// InputError if an index or a rank is out of the document's range.
void check_profile(const JsonNode& document, Profile& profile);

constexpr auto fields_of(std::type_identity<Profile>) {
  return object_of(
      DocumentSchema{profile_schema, "use the version of hockney that wrote the file"},
      key("written_utc", &Profile::written_utc, utc_moment),
      key("identity", &Profile::identity, KeyUse::left_out_if_empty),
      key("seconds", &Profile::seconds),
      key("world_ranks", &Profile::world_ranks, positive_integer),
      key("thread_level", &Profile::thread_level), key("provenance", &Profile::provenance),
      key("notes", &Profile::notes), key("price", &Profile::overhead), key("log", &Profile::log),
      key("ranks", &Profile::ranks), key("communicators", &Profile::communicators),
      key("sites", &Profile::sites), key("regions", &Profile::regions),
      key("calls", &Profile::calls), key("messages", &Profile::messages),
      key("samples", &Profile::samples, KeyUse::left_out_if_empty),
      key("parallel_regions", &Profile::parallel_regions, KeyUse::left_out_if_empty),
      checked_by(check_profile), at_most("seconds", longest_seconds),
      at_most("seconds", largest_of("ranks.seconds")), at_most("ranks.seconds", known("seconds")),
      at_most("ranks.mpi_seconds", time_of_threads),
      at_most("ranks.mpi_io_seconds", time_of_threads),
      at_most("ranks.io_seconds", time_of_threads),
      at_most("ranks.calls", known("seconds").times(most_calls_per_second)),
      at_most("calls.count", calls_of_all), at_most("calls.count", recorded_calls),
      at_most("calls.max_seconds", known("seconds")),
      at_most("calls.seconds", product_of("seconds", "world_ranks").times(most_rank_threads)),
      at_most("calls.ranks", number_of("world_ranks")),
      below("calls.slowest_rank", number_of("world_ranks")),
      at_most("parallel_regions.ranks", number_of("world_ranks")),
      below("parallel_regions.waiting_rank", number_of("world_ranks")),
      at_most("messages.messages", calls_of_all),
      at_most("regions.seconds", hockney::sum_of("ranks.seconds")),
      at_most("regions.entered", calls_of_all), at_most("log.events", calls_of_all),
      at_most("log.not_logged", calls_of_all), at_most("price.*seconds", 1),
      at_most("price.*seconds", overhead_of_calls));
}

}  // namespace hockney::profile
