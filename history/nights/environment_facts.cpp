#include "history/nights/environment_facts.hpp"

#include <nlohmann/json.hpp>
#include <set>

#include "core/content_digest.hpp"
#include "core/names.hpp"

namespace hockney {
namespace {

using Facts = std::map<std::string, std::string>;

/// More hosts than these are told by their number and a digest.
constexpr std::size_t hosts_by_name = 8;

Facts facts_of(const Record& record) {
  const Provenance& provenance = record.provenance;
  Facts facts{{"mpi.library", provenance.mpi.library},
              {"mpi.standard", provenance.mpi.standard},
              {"hockney.version", provenance.build.version},
              {"hockney.git_revision", provenance.build.git_revision},
              {"hockney.compiler", provenance.build.compiler},
              {"hockney.flags", provenance.build.flags},
              {"clock.source", record.clock.source}};
  for (const auto& [name, value] : provenance.mpi.settings) facts["mpi.setting." + name] = value;
  for (const auto& [name, value] : provenance.environment) facts["environment." + name] = value;
  return facts;
}

/// The different values of all hosts of all launches.
class HostFacts {
 public:
  void add(const Host& host) {
    values_["host.cpu_model"].insert(host.cpu_model);
    values_["host.cpus"].insert(std::to_string(host.cpus));
    values_["host.kernel"].insert(host.kernel);
    values_["host.governor"].insert(host.governor.empty() ? "none" : host.governor);
    values_["host.clocksource"].insert(host.clocksource);
    values_["host.topology"].insert(host.topology_digest);
    hosts_.insert(host.name);
  }

  void put_into(Facts& facts) const {
    for (const auto& [name, values] : values_) {
      facts[name] = join({values.begin(), values.end()}, " | ");
    }
    const std::string names = join({hosts_.begin(), hosts_.end()}, ",");
    facts["hosts"] = hosts_.size() <= hosts_by_name
                         ? names
                         : std::to_string(hosts_.size()) + " hosts, " + content_digest(names);
  }

 private:
  std::map<std::string, std::set<std::string>> values_;
  std::set<std::string> hosts_;
};

}  // namespace

Environment environment_of(std::span<const Record> launches) {
  Facts facts;
  HostFacts hosts;
  for (const Record& record : launches) {
    Facts own = facts_of(record);
    for (const Host& host : record.provenance.hosts) hosts.add(host);
    if (&record == &launches.front()) {
      facts = std::move(own);
      continue;
    }
    std::erase_if(facts, [&](const auto& fact) {
      const auto other = own.find(fact.first);
      return other == own.end() || other->second != fact.second;
    });
  }
  if (!launches.empty()) hosts.put_into(facts);
  std::string digest = content_digest(nlohmann::json(facts).dump());
  return {.digest = std::move(digest), .facts = std::move(facts)};
}

}  // namespace hockney
