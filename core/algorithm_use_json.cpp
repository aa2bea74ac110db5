#include "core/algorithm_use_json.hpp"

#include <nlohmann/json.hpp>

#include "core/json_values.hpp"
#include "core/record_fields.hpp"

namespace hockney {

nlohmann::json to_json(const AlgorithmUse& use) {
  return {{"operation", use.operation},   {"bytes", use.bytes.value},     {"ranks", use.ranks},
          {"parameters", use.parameters}, {"asked_algorithm", use.asked}, {"ran", or_null(use.ran)},
          {"proof", word(use.proof)},     {"evidence", use.evidence}};
}

AlgorithmUse read_algorithm_use(const JsonNode& node) {
  return {.operation = node.at("operation").text(),
          .bytes = {amount(node.at("bytes"))},
          .ranks = small_integer(node.at("ranks")),
          .asked = node.at("asked_algorithm").text(),
          .ran = optional_text(node, "ran"),
          .proof = read_word(node.at("proof"), proof_words),
          .evidence = node.at("evidence").text(),
          .parameters = node.at("parameters").text_members()};
}

}  // namespace hockney
