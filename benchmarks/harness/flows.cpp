#include "benchmarks/harness/flows.hpp"

#include "core/quantities.hpp"

namespace hockney::benchmarks {

std::string parameter_text(const Flows& flows) {
  return flows.number == 0 ? "all" : std::to_string(flows.number);
}

Flows parse_flows(const std::string& text) {
  return {text == "all" ? 0 : parse_count<int>("--flows", text, 1)};
}

int flows_of(const Point& point, int most) {
  const int number = point.parameters[flows_parameter].number;
  return number == 0 ? most : number;
}

std::optional<std::string> flows_obstacle(const Point& point, int most) {
  const int flows = flows_of(point, most);
  if (flows <= most) return std::nullopt;
  return std::to_string(point.ranks) + " ranks carry " + std::to_string(most) +
         (most == 1 ? " flow" : " flows");
}

CutMessage::CutMessage(const Context& context, const Point& point, std::size_t buffers)
    : PassedMessage(context, point, (context.rank + context.size / 2) % context.size,
                    (context.rank + context.size / 2) % context.size, buffers),
      is_in_first_half_(context.rank < context.size / 2),
      pair_(context.rank % (context.size / 2)),
      works_(pair_ < flows_of(point, context.size / 2)) {}

}  // namespace hockney::benchmarks
