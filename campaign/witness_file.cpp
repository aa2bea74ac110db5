#include "campaign/witness_file.hpp"

#include <nlohmann/json.hpp>

#include "core/algorithm_use_json.hpp"
#include "core/atomic_file.hpp"
#include "core/json_values.hpp"
#include "core/record_fields.hpp"

namespace hockney {
namespace {

constexpr std::string_view schema = "hockney.algorithms/1";

}  // namespace

void save_witness(const std::string& setting, const SettingWitness& witness,
                  const std::string& file) {
  nlohmann::json algorithms = nlohmann::json::array();
  for (const AlgorithmUse& use : witness.algorithms) algorithms.push_back(to_json(use));
  const nlohmann::json document{{"schema", schema},
                                {"setting", setting},
                                {"library", witness.library},
                                {"failure", witness.failure},
                                {"launches", witness.launches},
                                {"algorithms", std::move(algorithms)}};
  write_atomically(file, json_text(document) + "\n");
}

SettingWitness load_witness(const std::string& file) {
  const JsonNode document = load_json(file);
  const JsonNode name = document.at("schema");
  if (name.text() != schema) {
    name.reject("is '" + name.text() + "'", "this hockney does not know it",
                "remove the file, and the witness is launched again");
  }
  return {.library = document.at("library").text(),
          .failure = document.at("failure").text(),
          .launches = small_integer(document.at("launches")),
          .algorithms = read_array(document.at("algorithms"), read_algorithm_use)};
}

}  // namespace hockney
