#include "benchmarks/harness/rooted_data.hpp"

#include "benchmarks/harness/buffers.hpp"
#include "core/error.hpp"
#include "core/quantities.hpp"

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

GatherData::GatherData(const Context& context, const Point& point)
    : roots_(context, point),
      rank_(context.rank),
      in_place_(is_in_place(point)),
      type_(message_of(point).type->handle),
      send_(own_block(context, point)),
      receive_(all_blocks(context, point)) {}

void GatherData::refill(std::uint64_t seed) {
  send_.fill(seed);
  if (!roots_.may_be(rank_)) return;
  receive_.spoil(seed);
  if (in_place_) receive_.fill_block(static_cast<std::size_t>(rank_), seed);
}

bool GatherData::verify(std::uint64_t seed) const {
  return roots_.last() != rank_ || receive_.holds(seed);
}

ScatterData::ScatterData(const Context& context, const Point& point)
    : roots_(context, point),
      rank_(context.rank),
      in_place_(is_in_place(point)),
      type_(message_of(point).type->handle),
      send_(all_blocks(context, point)),
      receive_(own_block(context, point)) {}

void ScatterData::refill(std::uint64_t seed) {
  receive_.spoil(seed);
  if (roots_.may_be(rank_)) send_.fill(seed);
}

bool ScatterData::verify(std::uint64_t seed) const {
  return (in_place_ && roots_.last() == rank_) || receive_.holds(seed);
}

namespace {

constexpr int sender = 0;  // whose message it is, whoever sends it

}  // namespace

void BcastData::refill(std::uint64_t seed) {
  const std::uint64_t right = pattern_seed(seed, sender);
  rank_ == roots_.coming() ? fill_pattern(data_.bytes(), right)
                           : fill_wrong_pattern(data_.to_spoil(), right);
}

bool BcastData::verify(std::uint64_t seed) const {
  return holds_message(data_.bytes(), *message_.type, pattern_seed(seed, sender));
}

}  // namespace hockney
