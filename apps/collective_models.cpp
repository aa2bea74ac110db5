#include "apps/collective_models.hpp"

#include <algorithm>
#include <map>

#include "campaign/fingerprints/verdict.hpp"
#include "core/settings/collective_variable.hpp"

namespace hockney::apps {
namespace {

/// Hosts of the collectives' launches, by number of ranks.
std::map<int, std::vector<std::string>> hosts_by_ranks(std::span<const Record> records) {
  std::map<int, std::vector<std::string>> hosts;
  for (const Record& record : records) {
    hosts.try_emplace(static_cast<int>(record.ranks.size()), collectives::hosts_of(record));
  }
  return hosts;
}

/// The variables of the environment that asked for an algorithm of any collective, and were heard.
std::vector<AskedAlgorithm> asked_by(const std::vector<RequestedSetting>& settings) {
  std::vector<AskedAlgorithm> requested;
  for (const RequestedSetting& setting : settings) {
    if (!collective_variable(setting.variable) || setting.proof == Proof::ignored) continue;
    requested.push_back({setting.variable, setting.requested, setting.effective});
  }
  return requested;
}

/// What is to be noted in a record.
std::vector<AlgorithmUse> asked_algorithms(const Record& record) {
  std::vector<AlgorithmUse> asked;
  const auto settings = asked_by(record.provenance.mpi.requested);
  const bool has_axis = record.campaign && record.campaign->axes.contains("algorithm");
  if (settings.empty() || has_axis || !record.algorithms.empty()) return asked;
  for (const Series& series : record.series) {
    const campaign::RequestedAlgorithm requested =
        campaign::requested_algorithm(series.point.operation, settings);
    if (requested.is_default()) continue;
    asked.push_back({.operation = series.point.operation,
                     .bytes = series.point.bytes,
                     .ranks = series.point.ranks,
                     .requested = requested.algorithm,
                     .evidence = "the environment asks for it",
                     .parameters = choosing_parameters(series.point)});
  }
  return asked;
}

}  // namespace

bool asks_for_algorithms(std::span<const Record> records) {
  return std::ranges::any_of(
      records, [](const Record& record) { return !asked_algorithms(record).empty(); });
}

void note_asked_algorithms(std::vector<Record>& records) {
  for (Record& record : records) {
    std::vector<AlgorithmUse> asked = asked_algorithms(record);
    if (!asked.empty()) record.algorithms = std::move(asked);
  }
}

CollectiveModels fit_collectives_of(std::span<const Record> records, const models::FitSet& fits,
                                    const std::optional<SiteFile>& sites) {
  CollectiveModels models;
  collectives::FormContext context;
  const bool has_pairs = std::ranges::any_of(
      fits.fits, [](const models::Fit& fit) { return fit.point.operation == "pingpong"; });
  if (sites && has_pairs) {
    models.network = std::make_shared<const collectives::MeasuredNetwork>(*sites, records, fits);
    // Ranks that nobody has measured live on the first hosts of the site file.
    context.network = [network = models.network, known = hosts_by_ranks(records)](
                          int ranks) -> std::optional<collectives::RankNetwork> {
      const auto found = known.find(ranks);
      if (found != known.end()) return network->on(found->second);
      const auto& hosts = network->sites().hosts;
      const auto count = static_cast<std::size_t>(ranks);
      if (count > hosts.size()) return std::nullopt;
      return network->on({hosts.begin(), hosts.begin() + ranks});
    };
  }
  models.fits = fit_collectives(collectives::collect_collectives(records), context);
  return models;
}

}  // namespace hockney::apps
