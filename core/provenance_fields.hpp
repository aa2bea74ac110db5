#pragma once

#include <vector>

#include "core/json_fields.hpp"
#include "core/provenance.hpp"
#include "core/record_json.hpp"
#include "core/secretless.hpp"

// Keys of core/provenance.hpp in every document.

namespace hockney {

constexpr auto fields_of(std::type_identity<Build>) {
  return object_of(key("version", &Build::version).says("of hockney"),
                   key("git_revision", &Build::git_revision), key("compiler", &Build::compiler),
                   key("flags", &Build::flags).says("of the compiler"));
}

constexpr auto fields_of(std::type_identity<RequestedSetting>) {
  return object_of(key("variable", &RequestedSetting::variable).says("of the environment"),
                   key("requested", &RequestedSetting::requested)
                       .says("value in the environment")
                       .formerly("value"),
                   key("effective", &RequestedSetting::effective)
                       .says("value in the library")
                       .formerly("in_force"),
                   key("proof", &RequestedSetting::proof).says("whether the two agree"),
                   key("reason", &RequestedSetting::reason).says("why it is not proven"));
}

constexpr auto fields_of(std::type_identity<MpiLibrary>) {
  return object_of(
      key("library", &MpiLibrary::library).says("first line of MPI_Get_library_version"),
      key("standard", &MpiLibrary::standard).says("MPI_Get_version, such as 3.1"),
      key("settings", &MpiLibrary::settings, secretless<SecretlessVariables>)
          .says("MPI_T control variables and their effective values"),
      key("requested", &MpiLibrary::requested, KeyUse::may_be_missing,
          secretless<std::vector<RequestedSetting>>)
          .says("settings that the environment asks for")
          .formerly("asked"),
      key("reported_faults", &MpiLibrary::messages, KeyUse::left_out_if_empty)
          .says("that the library reported in the log of the launch"));
}

constexpr auto fields_of(std::type_identity<OtherUse>) {
  return object_of(
      key("cpus", &OtherUse::cpus).says("by processes and interrupts"),
      key("steal_cpus", &OtherUse::steal_cpus).says("by the hypervisor"),
      key("command", &OtherUse::command).says("that used most; empty if none is known"),
      key("command_cpus", &OtherUse::command_cpus).says("by this command"),
      at_most("cpus", most_cpus), at_most("steal_cpus", most_cpus),
      at_most("command_cpus", most_cpus));
}

/// No host has more memory [B].
inline constexpr double most_memory_bytes = 1e18;

constexpr auto fields_of(std::type_identity<Host>) {
  return object_of(
      key("name", &Host::name), key("cpu_model", &Host::cpu_model),
      key("kernel", &Host::kernel).says("of the operating system"),
      key("governor", &Host::governor).says("of CPU frequencies; empty if the kernel has none"),
      key("clocksource", &Host::clocksource).says("of the kernel"),
      key("topology_digest", &Host::topology_digest).says("equal for equal machines"),
      key("cpus", &Host::cpus).says("number of CPUs"),
      key("load_average", &Host::load_average).says("of one minute, at the start"),
      key("others", &Host::others, KeyUse::left_out_if_empty)
          .says("CPUs that others used of the job's while it measured"),
      key("network_facts", &Host::network, KeyUse::left_out_if_empty)
          .says("about its place in the network: slurm_address, slurm_pattern, cray_name, "
                "infiniband_guids"),
      key("memory_bytes", &Host::memory_bytes, KeyUse::left_out_if_empty)
          .says("that the kernel can use"),
      key("gpus", &Host::gpus, KeyUse::left_out_if_empty)
          .says("model of each, with its PCI vendor and device"),
      key("serial", &Host::serial, KeyUse::left_out_if_empty)
          .says("of the board; the kernel gives it to root only"),
      at_most("cpus", most_cpus), at_most("load_average", most_job_ranks),
      at_most("memory_bytes", most_memory_bytes));
}

constexpr auto fields_of(std::type_identity<SiteOrigin>) {
  return object_of(
      key("source", &SiteOrigin::source).says("kind of source"),
      key("detail", &SiteOrigin::detail).says("the file, command or records it was read from"),
      key("inferred", &SiteOrigin::inferred).says("guessed from measured latencies"));
}

constexpr auto fields_of(std::type_identity<Provenance>) {
  return object_of(key("command_line", &Provenance::command_line, secretless<SecretlessWords>)
                       .says("as the program was started"),
                   key("environment", &Provenance::environment, secretless<SecretlessVariables>)
                       .says("variables that steer MPI"),
                   key("build", &Provenance::build).says("the program"),
                   key("mpi", &Provenance::mpi).says("the MPI library"),
                   key("hosts", &Provenance::hosts).says("machines of the launch"),
                   key("network", &Provenance::network, KeyUse::left_out_if_empty)
                       .says("source of the hop classes between hosts"));
}

}  // namespace hockney
