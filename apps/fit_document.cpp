#include "apps/fit_document.hpp"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/error.hpp"
#include "core/record_file.hpp"
#include "report/fault_lines.hpp"

namespace hockney::apps {
namespace {

/// Whether records without any curve are an InputError.
enum class WithoutCurves { refused, allowed };

[[noreturn]] void reject_empty(std::span<const Record> records, const models::Curves& curves) {
  if (const std::vector<FaultFinding> faults = find_faults(records); !faults.empty()) {
    throw InputError({"nothing to fit", report::fault_lines(faults).front(),
                      "mend the cause and measure again"});
  }
  throw InputError({"nothing to fit",
                    std::to_string(curves.records_used) + " complete records without samples, " +
                        std::to_string(curves.records_left_out) + " interrupted or failed",
                    "name records of launches that were completed"});
}

models::Curves curves_of(std::span<const Record> records, models::GroupBy by,
                         WithoutCurves without) {
  models::Curves curves = collect_curves(records, by);
  if (curves.curves.empty() && without == WithoutCurves::refused) reject_empty(records, curves);
  return curves;
}

/// All but those of hockney-startup.
std::vector<Record> without_startup(std::span<const Record> records) {
  std::vector<Record> others;
  std::ranges::copy_if(records, std::back_inserter(others), [](const Record& record) {
    return record.procedure != collectives::startup_procedure;
  });
  return others;
}

/// Fits records that have the algorithms that were asked for, and the hop classes of the sites;
/// `faults` are theirs.
FittedRecords fit_prepared(std::span<const Record> records, const FitRequest& request,
                           WithoutCurves without, std::vector<FaultFinding> faults) {
  std::vector<Record> kept;
  if (!request.operations.empty()) {
    kept.assign(records.begin(), records.end());
    keep_operations({&kept}, request.operations);
  }
  const std::span<const Record> wanted = request.operations.empty() ? records : kept;
  std::vector<collectives::Scaling> scalings = collectives::fit_scalings(wanted);
  // What has no sizes has no curve over them.
  std::vector<Record> others;
  if (!scalings.empty()) others = without_startup(wanted);
  const std::span<const Record> sized = scalings.empty() ? wanted : others;
  models::FitSet set;
  if (!sized.empty()) set = fit_curves(curves_of(sized, request.by, without), request.options);
  name_breakpoints(set, records);
  std::vector<models::LogGp> loggp = models::fit_loggp(wanted);
  // Collectives are replayed on the ping-pong of each hop class, whatever else is wanted.
  const bool is_network = request.by == models::GroupBy::hop && request.operations.empty();
  const models::FitSet network =
      request.sites && !is_network ? fit_curves(models::collect_curves(records)) : set;
  collectives::Fits collectives = fit_collectives_of(wanted, network, request.sites).fits;
  return {std::move(set), std::move(loggp), std::move(collectives), std::move(scalings),
          std::move(faults)};
}

}  // namespace

nlohmann::json FittedRecords::document() const {
  nlohmann::json keys = to_json(set);
  keys["loggp"] = to_json(loggp);
  keys.update(to_json(collectives));
  keys.update(to_json(scalings));
  keys["faults"] = faults;
  return keys;
}

FittedRecords fit_records(std::vector<Record> records, const FitRequest& request) {
  std::vector<FaultFinding> faults = find_faults(records);
  note_asked_algorithms(records);
  if (request.sites) name_network_hops(records, *request.sites);
  return fit_prepared(records, request, WithoutCurves::refused, std::move(faults));
}

report::Page page_with_fit(report::RecordFolders& folders) {
  std::span<const Record> records = folders.all().records();
  std::vector<Record> noted;
  if (asks_for_algorithms(records)) {
    noted.assign(records.begin(), records.end());
    note_asked_algorithms(noted);
    records = noted;
  }
  const FittedRecords fitted =
      fit_prepared(records, {}, WithoutCurves::allowed, folders.all().faults());
  report::Page page = page_of(folders, fitted.collectives);
  if (!fitted.empty()) page.documents.push_back({"fit", fitted.document()});
  return page;
}

}  // namespace hockney::apps
