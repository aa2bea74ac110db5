#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/faults.hpp"
#include "core/site_file.hpp"
#include "driver/page/records_page.hpp"
#include "models/collectives/collective_fit.hpp"
#include "models/collectives/measured_network.hpp"
#include "models/curves.hpp"
#include "models/fit_set.hpp"
#include "models/loggp.hpp"

namespace hockney::driver {

/// Models of collectives for `hockney fit` and `hockney predict`.
struct CollectiveModels {
  std::shared_ptr<const collectives::MeasuredNetwork>
      network;  ///< nullptr without ping-pongs or a site file
  collectives::Fits fits;
};

/// Notes the requested algorithms in records without a verification launch
/// (docs/how-to/sweep-and-tune.md). The algorithm that ran is unknown there, but it is not the
/// library's default.
void note_requested_algorithms(std::vector<Record>& records);

/// Fits the collectives of the records. With a site file, their ping-pongs give the network on
/// which schedules are replayed.
CollectiveModels fit_collectives_of(std::span<const Record> records, const models::FitSet& fits,
                                    const std::optional<SiteFile>& sites);

/// The page of records, with the document of `hockney fit --json`.
report::Page page_with_fit(report::Results& results);

}  // namespace hockney::driver
