#include "benchmarks/harness/roots.hpp"

#include "core/error.hpp"
#include "core/numbers.hpp"

namespace hockney {
namespace {

bool has(const Point& point, const std::string& key, const std::string& value) {
  const auto named = point.parameters.find(key);
  return named != point.parameters.end() && named->second == value;
}

}  // namespace

void check_root(const std::string& name) {
  if (name == "first" || name == "rotating") return;
  if (!name.empty() && name.find_first_not_of("0123456789") == std::string::npos) {
    parse_count<int>("--root", name, 0);
    return;
  }
  throw InputError({"bad value '" + name + "' for --root", "it is no rank",
                    "use first, rotating or the number of a rank"});
}

int root_of(const Point& point) {
  const auto named = point.parameters.find("root");
  const bool is_number =
      named != point.parameters.end() && named->second != "first" && named->second != "rotating";
  return is_number ? std::stoi(named->second) : 0;
}

bool root_rotates(const Point& point) { return has(point, "root", "rotating"); }
bool is_in_place(const Point& point) { return has(point, "in-place", "yes"); }

}  // namespace hockney
