#include "selection/choice.hpp"

#include "core/sizes.hpp"

namespace hockney {

std::string describe(const Choice& choice) {
  if (choice.is_default()) return "default";
  std::string text = choice.algorithm;
  if (choice.segment > 0) text += " segment=" + format_bytes({choice.segment});
  if (choice.fanout > 0) text += " fanout=" + std::to_string(choice.fanout);
  for (const auto& [name, value] : choice.variables) text += " " + name + "=" + value;
  return text;
}

}  // namespace hockney
