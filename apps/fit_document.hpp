#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "apps/collective_models.hpp"
#include "core/faults.hpp"
#include "core/site_file.hpp"
#include "models/collectives/rank_scaling.hpp"
#include "models/curves.hpp"
#include "models/fit_set.hpp"
#include "models/loggp.hpp"
#include "report/page/records_page.hpp"

namespace hockney::apps {

/// What is fitted of records.
struct FitRequest {
  std::string operations;  ///< joined by commas; empty: all
  models::GroupBy by = models::GroupBy::hop;
  models::FitOptions options;
  std::optional<SiteFile> sites;
};

/// All models of some records.
struct FittedRecords {
  models::FitSet set;
  std::vector<models::LogGp> loggp;
  collectives::Fits collectives;
  std::vector<collectives::Scaling> scalings;
  std::vector<FaultFinding> faults;  ///< of the records, whose figures are left out

  [[nodiscard]] bool empty() const {
    return set.fits.empty() && collectives.fits.empty() && scalings.empty();
  }
  /// The document of `hockney fit --json`.
  [[nodiscard]] nlohmann::json document() const;
};

/// Fits the records. InputError where none of them holds a curve.
FittedRecords fit_records(std::vector<Record> records, const FitRequest& request = {});

/// The page of records with the document that `hockney fit --json` prints of them, too.
report::Page page_with_fit(report::RecordFolders& folders);

}  // namespace hockney::apps
