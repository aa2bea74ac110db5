#include "benchmarks/harness/guidelines.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

namespace hockney::benchmarks {
namespace {

/// Of mock-ups; filled before main.
std::vector<Guideline>& stated() {
  static std::vector<Guideline> all;
  return all;
}

/// Operations that are there for a mock-up's sake.
std::set<std::string_view>& originals() {
  static std::set<std::string_view> all;
  return all;
}

GuidelineSide side(const std::string& operation, const std::string& key = "",
                   const std::string& value = "") {
  GuidelineSide made{.operation = operation, .parameters = {}};
  if (!key.empty()) made.parameters[key] = value;
  return made;
}

Guideline vectors(const std::string& name) {
  return {name + " <= " + name + "v", side(name), side(name + "v")};
}

Guideline nonblocking(const std::string& name) {
  return {name + " <= i" + name + " + wait", side(name), side("i" + name)};
}

/// A nonblocking call that is waited for at once may take twice as long as the blocking one, which
/// may not take longer than it.
Guideline price_of_nonblocking(const std::string& name) {
  constexpr double most = 2;
  return {"i" + name + " + wait <= 2 " + name, side("i" + name), side(name), SideMap::same, most};
}

Guideline persistent(const std::string& name) {
  return {"persistent " + name + " <= " + name, side("persistent-" + name), side(name)};
}

Guideline in_place(const std::string& name) {
  return {name + " in place <= " + name, side(name, "in-place", "yes"), side(name)};
}

Guideline predefined(const std::string& name) {
  return {name + " <= " + name + " of a user's operator", side(name, "operator", "sum"),
          side(name, "operator", "user-sum")};
}

/// Threads of one rank may not take longer than as many ranks of one thread on the same cores.
Guideline threads_as_ranks(const std::string& name) {
  return {name + ": threads <= ranks", side(name), side(name, "threads", "1"),
          SideMap::threads_as_ranks};
}

/// Between operations that the suite has anyway.
std::vector<Guideline> between_operations() {
  std::vector<Guideline> all;
  for (const char* name : {"allgather", "alltoall", "gather", "scatter"}) {
    all.push_back(vectors(name));
  }
  all.push_back({"alltoallv <= alltoallw", side("alltoallv"), side("alltoallw")});
  all.push_back({"send <= ssend", side("pingpong"), side("ssend-pingpong")});
  for (const char* name : {"barrier", "bcast", "reduce", "allreduce", "gather", "scatter",
                           "allgather", "alltoall", "reduce-scatter"}) {
    all.push_back(nonblocking(name));
    all.push_back(price_of_nonblocking(name));
  }
  for (const char* name : {"barrier", "bcast", "reduce", "allreduce", "allgather", "alltoall"}) {
    all.push_back(persistent(name));
  }
  for (const char* name : {"allgather", "allreduce", "alltoall", "reduce", "scan"}) {
    all.push_back(in_place(name));
  }
  for (const char* name : {"allreduce", "reduce"}) all.push_back(predefined(name));
  for (const char* name : {"threaded-pingpong", "threaded-pingping", "threaded-message-rate",
                           "threaded-bidirectional-bandwidth"}) {
    all.push_back(threads_as_ranks(name));
  }
  return all;
}

/// Between sizes of one operation, and between numbers of ranks.
void add_unary(const std::string& operation, std::vector<Guideline>& all) {
  const Descriptor& descriptor = find_operation(operation).descriptor;
  const bool has_variant = descriptor.in_place != InPlace::never;
  const GuidelineSide itself = has_variant ? side(operation, "in-place", "no") : side(operation);
  if (descriptor.sized) {
    all.push_back({operation + ": a size <= the next", itself, itself, SideMap::next_size});
    all.push_back({operation + ": whole <= in parts", itself, itself, SideMap::parts});
  }
  if (descriptor.shape != GroupShape::everybody) return;
  all.push_back({operation + ": some ranks <= more", itself, itself, SideMap::more_ranks});
}

bool is_there(const std::string& operation) {
  return std::ranges::any_of(
      catalogue(), [&](const CatalogueEntry& entry) { return entry.descriptor.name == operation; });
}

}  // namespace

void add_guideline(const Guideline& guideline) {
  const auto same_name = [&](const Guideline& other) { return other.name == guideline.name; };
  if (std::ranges::any_of(stated(), same_name)) {
    throw std::logic_error("the guideline '" + guideline.name + "' is stated twice");
  }
  stated().push_back(guideline);
}

void add_original(std::string_view operation) { originals().insert(operation); }

std::vector<Guideline> guidelines() {
  std::vector<Guideline> all = stated();
  for (Guideline& guideline : between_operations()) all.push_back(std::move(guideline));
  std::erase_if(all, [](const Guideline& guideline) {
    return !is_there(guideline.left.operation) || !is_there(guideline.right.operation);
  });
  std::set<std::string> held;  // as what applications call most: no variants of calls
  for (const Guideline& guideline : all) {
    const bool is_variant = guideline.map != SideMap::same || !guideline.left.parameters.empty() ||
                            guideline.left.operation.starts_with("persistent-") ||
                            originals().contains(guideline.left.operation) ||
                            find_operation(guideline.left.operation).descriptor.overlaps;
    if (!is_variant) held.insert(guideline.left.operation);
  }
  for (const std::string& operation : held) add_unary(operation, all);
  std::ranges::sort(all, {}, &Guideline::name);
  return all;
}

bool is_mock_up(std::string_view operation) {
  return std::ranges::any_of(
      stated(), [&](const Guideline& guideline) { return guideline.right.operation == operation; });
}

}  // namespace hockney::benchmarks
