#pragma once

#include "core/json_fields.hpp"
#include "core/json_limits.hpp"
#include "core/json_values.hpp"
#include "core/provenance.hpp"
#include "core/secrets.hpp"

// The keys of records and profiles that say where and how something was measured.

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
  return object_of(
      key("variable", &RequestedSetting::variable), key("value", &RequestedSetting::requested),
      key("in_force", &RequestedSetting::effective), key("proof", &RequestedSetting::proof),
      key("reason", &RequestedSetting::reason));
}

/// Of a member with variables or a command line: its secrets are neither written nor, where an
/// older version wrote them, read.
template <class Value>
inline constexpr FieldCodec<Value, Value> secretless{
    [](const JsonNode& node) { return without_secrets(read_value<Value>(node)); },
    [](const Value& value) { return without_secrets(value); }};

using SecretlessWords = std::vector<std::string>;
using SecretlessVariables = std::map<std::string, std::string>;

constexpr auto fields_of(std::type_identity<MpiLibrary>) {
  return object_of(key("library", &MpiLibrary::library), key("standard", &MpiLibrary::standard),
                   key("settings", &MpiLibrary::settings, secretless<SecretlessVariables>),
                   key("asked", &MpiLibrary::requested, KeyUse::may_be_missing,
                       secretless<std::vector<RequestedSetting>>),
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
                   key("asked_cpu", &RankPlace::asked_cpu),
                   key("actual_cpus", &RankPlace::actual_cpus), below("rank", most_job_ranks),
                   below("asked_cpu", most_cpus), below("actual_cpus", most_cpus));
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
