#include "models/loggp_json.hpp"

#include <array>
#include <nlohmann/json.hpp>

#include "core/json_values.hpp"

namespace hockney {
namespace {

using Json = nlohmann::json;

std::string_view word(LogGpWarning warning) {
  constexpr std::array<std::string_view, 3> words{"negative_latency", "gap_below_send",
                                                  "gap_below_receive"};
  return words.at(static_cast<std::size_t>(warning));
}

/// `name` and `name_ci`, with the unit at the end of both.
void add(Json& document, const std::string& name, const std::string& unit,
         const std::optional<LogGpParameter>& parameter) {
  document[name + unit] = parameter ? Json(parameter->value) : Json(nullptr);
  document[name + "_ci" + unit] = bounds_or_null(parameter ? parameter->interval : std::nullopt);
}

Json to_json(const LogGp& model) {
  Json document{{"setting", model.setting},
                {"mpi_library", model.mpi_library},
                {"hop", or_null(model.hop)},
                {"pair", model.pair},
                {"launches", model.launches},
                {"bytes", model.bytes},
                {"largest_relative_error", or_null(model.largest_error)},
                {"warnings", Json::array()}};
  add(document, "send_overhead", "_seconds", model.send_overhead_seconds);
  add(document, "receive_overhead", "_seconds", model.receive_overhead_seconds);
  add(document, "latency", "_seconds", model.latency_seconds);
  add(document, "gap", "_seconds", model.gap_seconds);
  add(document, "gap", "_seconds_per_byte", model.gap_seconds_per_byte);
  for (const LogGpWarning warning : model.warnings) document["warnings"].push_back(word(warning));
  return document;
}

}  // namespace

Json to_json(const std::vector<LogGp>& models) {
  Json array = Json::array();
  for (const LogGp& model : models) array.push_back(to_json(model));
  return array;
}

}  // namespace hockney
