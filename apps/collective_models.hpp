#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/collectives/collective_fit.hpp"
#include "models/collectives/measured_network.hpp"

namespace hockney::apps {

/// What `hockney fit` and `hockney predict` know of collectives.
struct CollectiveModels {
  std::shared_ptr<const collectives::MeasuredNetwork>
      network;  ///< nullptr without ping-pongs or a site file
  collectives::Fits fits;
};

/// Whether note_asked_algorithms would note anything.
bool asks_for_algorithms(std::span<const Record> records);

/// Notes in records without a verification run (docs/algorithms.md) which algorithms their
/// environment asked for: what ran is not known, but it is not the library's own choice.
void note_asked_algorithms(std::vector<Record>& records);

/// Fits the collectives of the records. With a site file, ping-pongs among them make the network
/// that schedules are replayed on.
CollectiveModels fit_collectives_of(std::span<const Record> records, const models::FitSet& fits,
                                    const std::optional<SiteFile>& sites);

}  // namespace hockney::apps
