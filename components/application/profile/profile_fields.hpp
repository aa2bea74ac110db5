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

inline constexpr double most_signals = 128;

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
      key("reading_seconds", &CpuUse::reading_seconds));
}

constexpr auto fields_of(std::type_identity<Rank>) {
  return object_of(
      key("rank", &Rank::rank), key("host", &Rank::host), key("cpus", &Rank::cpus),
      key("seconds", &Rank::seconds), key("mpi_seconds", &Rank::mpi_seconds).up_to(most_total),
      key("mpi_io_seconds", &Rank::mpi_io_seconds).up_to(most_total),
      key("io_seconds", &Rank::io_seconds).up_to(most_total),
      key("io_bytes", &Rank::io_bytes).up_to(most_total), key("calls", &Rank::calls),
      key("folded_calls", &Rank::folded_calls), key("folded_messages", &Rank::folded_messages),
      key("end", &Rank::end), key("signal", &Rank::signal).up_to(most_signals),
      key("cpu", &Rank::cpu, KeyUse::left_out_if_empty));
}

constexpr auto fields_of(std::type_identity<Communicator>) {
  return object_of(key("name", &Communicator::name), key("identity", &Communicator::identity),
                   key("size", &Communicator::size).up_to(2 * most_job_ranks));
}

constexpr auto fields_of(std::type_identity<Site>) {
  return object_of(key("module", &Site::module), key("offset", &Site::offset),
                   key("function", &Site::function));
}

constexpr auto fields_of(std::type_identity<Region>) {
  return object_of(
      key("name", &Region::name), key("entered", &Region::entered),
      key("seconds", &Region::seconds).up_to(most_total),
      key("cpu_seconds", &Region::cpu_seconds, KeyUse::left_out_if_empty).up_to(most_total),
      key("waiting_seconds", &Region::waiting_seconds, KeyUse::left_out_if_empty)
          .up_to(most_total));
}

constexpr auto fields_of(std::type_identity<Calls>) {
  return object_of(key("call", &Calls::call), key("communicator", &Calls::communicator),
                   key("site", &Calls::site), key("region", &Calls::region),
                   key("count", &Calls::count), key("bytes", &Calls::bytes).up_to(most_total),
                   key("min_bytes", &Calls::min_bytes), key("max_bytes", &Calls::max_bytes),
                   key("seconds", &Calls::seconds).up_to(most_total),
                   key("min_seconds", &Calls::min_seconds), key("max_seconds", &Calls::max_seconds),
                   key("ranks", &Calls::ranks), key("slowest_rank", &Calls::slowest_rank),
                   key("slowest_seconds", &Calls::slowest_seconds).up_to(most_total));
}

constexpr auto fields_of(std::type_identity<Messages>) {
  return object_of(key("from", &Messages::from), key("to", &Messages::to),
                   key("communicator", &Messages::communicator), key("carrier", &Messages::carrier),
                   key("messages", &Messages::messages),
                   key("bytes", &Messages::bytes).up_to(most_total),
                   key("min_bytes", &Messages::min_bytes), key("max_bytes", &Messages::max_bytes));
}

constexpr auto fields_of(std::type_identity<Overhead>) {
  return object_of(key("send_seconds", &Overhead::send_seconds),
                   key("receive_seconds", &Overhead::receive_seconds),
                   key("completion_seconds", &Overhead::completion_seconds),
                   key("other_seconds", &Overhead::other_seconds));
}

constexpr auto fields_of(std::type_identity<EventLog>) {
  return object_of(key("file", &EventLog::file), key("events", &EventLog::events),
                   key("not_logged", &EventLog::not_logged));
}

constexpr auto fields_of(std::type_identity<CodeModule>) {
  return object_of(key("path", &CodeModule::path), key("build_id", &CodeModule::build_id));
}

constexpr auto fields_of(std::type_identity<Frame>) {
  return object_of(key("module", &Frame::module), key("offset", &Frame::offset));
}

constexpr auto fields_of(std::type_identity<Stack>) {
  return object_of(key("frames", &Stack::frames), key("call", &Stack::call),
                   key("ranks", &Stack::ranks), key("counts", &Stack::counts));
}

constexpr auto fields_of(std::type_identity<Samples>) {
  return object_of(key("period_seconds", &Samples::period_seconds), key("lost", &Samples::lost),
                   key("folded", &Samples::folded), key("threads", &Samples::threads),
                   key("handler_seconds", &Samples::handler_seconds),
                   key("modules", &Samples::modules), key("frames", &Samples::frames),
                   key("stacks", &Samples::stacks));
}

constexpr auto fields_of(std::type_identity<ParallelRegion>) {
  return object_of(key("site", &ParallelRegion::site),
                   key("threads", &ParallelRegion::threads).up_to(most_job_ranks),
                   key("count", &ParallelRegion::count),
                   key("seconds", &ParallelRegion::seconds).up_to(most_total),
                   key("thread_seconds", &ParallelRegion::thread_seconds).up_to(most_total),
                   key("busy_seconds", &ParallelRegion::busy_seconds).up_to(most_total),
                   key("slowest_seconds", &ParallelRegion::slowest_seconds).up_to(most_total),
                   key("ranks", &ParallelRegion::ranks),
                   key("waiting_rank", &ParallelRegion::waiting_rank),
                   key("waiting_seconds", &ParallelRegion::waiting_seconds).up_to(most_total));
}

constexpr auto fields_of(std::type_identity<Profile>) {
  return object_of(DocumentSchema{profile_schema, "use the version of hockney that wrote the file"},
                   key("written_utc", &Profile::written_utc, utc_moment),
                   key("identity", &Profile::identity, KeyUse::left_out_if_empty),
                   key("seconds", &Profile::seconds),
                   key("world_ranks", &Profile::world_ranks, positive_integer).up_to(most_ranks),
                   key("thread_level", &Profile::thread_level),
                   key("provenance", &Profile::provenance), key("notes", &Profile::notes),
                   key("price", &Profile::overhead), key("log", &Profile::log),
                   key("ranks", &Profile::ranks), key("communicators", &Profile::communicators),
                   key("sites", &Profile::sites), key("regions", &Profile::regions),
                   key("calls", &Profile::calls), key("messages", &Profile::messages),
                   key("samples", &Profile::samples, KeyUse::left_out_if_empty),
                   key("parallel_regions", &Profile::parallel_regions, KeyUse::left_out_if_empty));
}

}  // namespace hockney::profile
