#pragma once

#include <vector>

#include "core/json_fields.hpp"
#include "core/provenance.hpp"
#include "core/record_json.hpp"
#include "core/secretless.hpp"

// Keys of core/provenance.hpp in every document.

namespace hockney {

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

constexpr auto fields_of(std::type_identity<MpiLibrary>) {
  return object_of(key("library", &MpiLibrary::library), key("standard", &MpiLibrary::standard),
                   key("settings", &MpiLibrary::settings, secretless<SecretlessVariables>),
                   key("requested", &MpiLibrary::requested, KeyUse::may_be_missing,
                       secretless<std::vector<RequestedSetting>>)
                       .formerly("asked"),
                   key("reported_faults", &MpiLibrary::messages, KeyUse::left_out_if_empty));
}

constexpr auto fields_of(std::type_identity<OtherUse>) {
  return object_of(key("cpus", &OtherUse::cpus), key("steal_cpus", &OtherUse::steal_cpus),
                   key("command", &OtherUse::command),
                   key("command_cpus", &OtherUse::command_cpus));
}

constexpr auto fields_of(std::type_identity<Host>) {
  return object_of(key("name", &Host::name), key("cpu_model", &Host::cpu_model),
                   key("kernel", &Host::kernel), key("governor", &Host::governor),
                   key("clocksource", &Host::clocksource),
                   key("topology_digest", &Host::topology_digest), key("cpus", &Host::cpus),
                   key("load_average", &Host::load_average),
                   key("others", &Host::others, KeyUse::left_out_if_empty),
                   key("network_facts", &Host::network, KeyUse::left_out_if_empty),
                   key("memory_bytes", &Host::memory_bytes, KeyUse::left_out_if_empty),
                   key("gpus", &Host::gpus, KeyUse::left_out_if_empty),
                   key("serial", &Host::serial, KeyUse::left_out_if_empty));
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

}  // namespace hockney
