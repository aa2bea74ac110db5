#include "core/guideline.hpp"

#include <nlohmann/json.hpp>

#include "core/record_json.hpp"

namespace hockney {
namespace {

constexpr std::array<Word<SideMap>, 4> map_words{{{SideMap::same, "same"},
                                                  {SideMap::next_size, "next_size"},
                                                  {SideMap::parts, "parts"},
                                                  {SideMap::more_ranks, "more_ranks"}}};

nlohmann::json side_json(const GuidelineSide& side) {
  return {{"operation", side.operation}, {"parameters", side.parameters}};
}

GuidelineSide read_side(const JsonNode& node) {
  return {.operation = node.at("operation").text(),
          .parameters = node.at("parameters").text_members()};
}

double read_factor(const JsonNode& node) {
  const double factor = node.number();
  if (!(factor > 0)) node.reject("is " + std::to_string(factor), "times are multiplied by it", "");
  return factor;
}

}  // namespace

std::string_view word(SideMap map) { return map_words.at(static_cast<std::size_t>(map)).text; }

nlohmann::json to_json(const Guideline& guideline) {
  return {{"name", guideline.name},
          {"left", side_json(guideline.left)},
          {"right", side_json(guideline.right)},
          {"map", word(guideline.map)},
          {"factor", guideline.factor}};
}

Guideline read_guideline(const JsonNode& node) {
  return {.name = node.at("name").text(),
          .left = read_side(node.at("left")),
          .right = read_side(node.at("right")),
          .map = read_word(node.at("map"), map_words),
          .factor = read_factor(node.at("factor"))};
}

}  // namespace hockney
