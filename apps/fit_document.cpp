#include "apps/fit_document.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "core/error.hpp"
#include "core/record_file.hpp"
#include "report/fault_lines.hpp"

namespace hockney::apps {
namespace {

models::Curves curves_of(const std::vector<Record>& records, models::GroupBy by) {
  models::Curves curves = collect_curves(records, by);
  if (curves.curves.empty()) {
    if (const std::vector<FaultFinding> faults = find_faults(records); !faults.empty()) {
      throw InputError({"nothing to fit", report::fault_lines(faults).front(),
                        "mend the cause and measure again"});
    }
    throw InputError({"nothing to fit",
                      std::to_string(curves.records_used) + " complete records without samples, " +
                          std::to_string(curves.records_left_out) + " interrupted or failed",
                      "name records of launches that were completed"});
  }
  return curves;
}

/// All but those of hockney-startup.
std::vector<Record> without_startup(std::vector<Record> records) {
  std::erase_if(records, [](const Record& record) {
    return record.procedure == collectives::startup_procedure;
  });
  return records;
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
  std::vector<Record> kept;
  if (!request.operations.empty()) {
    kept = records;
    keep_operations({&kept}, request.operations);
  }
  const std::vector<Record>& wanted = request.operations.empty() ? records : kept;
  std::vector<collectives::Scaling> scalings = collectives::fit_scalings(wanted);
  // What has no sizes has no curve over them.
  const std::vector<Record> others =
      scalings.empty() ? std::vector<Record>() : without_startup(wanted);
  const std::vector<Record>& sized = scalings.empty() ? wanted : others;
  models::FitSet set;
  if (!sized.empty()) set = fit_curves(curves_of(sized, request.by), request.options);
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

report::Page page_with_fit(std::span<const report::NamedRecords> folders, double level) {
  std::vector<Record> several;
  const std::span<const Record> records = together(folders, several);
  if (models::collect_curves(records).curves.empty()) return page_of(folders, level);
  const FittedRecords fitted = fit_records({records.begin(), records.end()});
  report::Page page = page_of(folders, level, fitted.collectives);
  if (!fitted.empty()) page.documents.push_back({"fit", fitted.document()});
  return page;
}

}  // namespace hockney::apps
