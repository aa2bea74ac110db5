#include "benchmarks/harness/catalogue.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/error.hpp"
#include "core/record.hpp"
#include "core/suite_names.hpp"
#include "core/text.hpp"

namespace hockney::benchmarks {
namespace {

OperationKind threaded_kind(const Descriptor& descriptor) {
  if (descriptor.windowed) return OperationKind::threaded_windows;
  if (!descriptor.single) return OperationKind::threaded_messages;
  return descriptor.sized ? OperationKind::threaded_collective : OperationKind::threaded_barrier;
}

std::string_view name_of(const CatalogueEntry& entry) { return entry.descriptor.name; }

/// A static of a function: registrations run before main, in any order of files.
std::vector<CatalogueEntry>& entries() {
  static std::vector<CatalogueEntry> all;
  return all;
}

struct PartialBuild {
  std::string why;
  std::string remedy;
};

std::optional<PartialBuild>& partial_build() {
  static std::optional<PartialBuild> build;
  return build;
}

/// Guidelines of mock-ups; filled before main.
std::vector<Guideline>& stated() {
  static std::vector<Guideline> all;
  return all;
}

/// Operations that exist only for comparison with mock-ups.
std::set<std::string_view>& originals() {
  static std::set<std::string_view> all;
  return all;
}

/// Adds guidelines between sizes of one operation, and between numbers of ranks.
void add_unary(const std::string& operation, std::vector<Guideline>& all) {
  const Descriptor& descriptor = find_operation(operation).descriptor;
  for (Guideline& guideline : unary_guidelines(operation, descriptor.in_place != InPlace::never)) {
    const bool between_ranks = guideline.map == SizeRelation::more_ranks;
    const bool fits = between_ranks ? descriptor.shape == GroupShape::everybody : descriptor.sized;
    if (fits) all.push_back(std::move(guideline));
  }
}

bool is_there(const std::string& operation) {
  return std::ranges::any_of(
      catalogue(), [&](const CatalogueEntry& entry) { return entry.descriptor.name == operation; });
}

}  // namespace

OperationKind kind_of(const Descriptor& descriptor) {
  if (descriptor.threaded) return threaded_kind(descriptor);
  const bool pair = descriptor.shape == GroupShape::pair;
  if (descriptor.one_sided && pair) {
    return descriptor.windowed ? OperationKind::windowed_one_sided : OperationKind::one_sided;
  }
  if (descriptor.windowed) {
    return pair ? OperationKind::windowed_pair : OperationKind::windowed_pairs;
  }
  if (descriptor.single) {
    return descriptor.sized ? OperationKind::collective : OperationKind::barrier;
  }
  return pair ? OperationKind::pair : OperationKind::ring;
}

const std::vector<CatalogueEntry>& catalogue() { return entries(); }

void keep_in_catalogue(const std::function<bool(const Descriptor&)>& is_kept) {
  std::erase_if(entries(), [&](const CatalogueEntry& entry) { return !is_kept(entry.descriptor); });
}

void add_to_catalogue(const CatalogueEntry& entry) {
  auto& all = entries();
  const auto place = std::ranges::lower_bound(all, name_of(entry), {}, name_of);
  if (place != all.end() && name_of(*place) == name_of(entry)) {
    throw std::logic_error(fmt::format("two operations are called {}", name_of(entry)));
  }
  all.insert(place, entry);
}

void explain_missing_operations(const std::string& why, const std::string& remedy) {
  partial_build() = PartialBuild{.why = why, .remedy = remedy};
}

const CatalogueEntry& find_operation(const std::string& name) {
  const auto& all = catalogue();
  for (const std::string& known : {name, known_name(name).operation}) {
    const auto found = std::ranges::find(all, known, name_of);
    if (found != all.end()) return *found;
  }
  const auto names =
      strings_of(all, [](const CatalogueEntry& entry) { return std::string(name_of(entry)); });
  const std::string problem = fmt::format("unknown operation '{}'", name);
  if (partial_build()) throw InputError({problem, partial_build()->why, partial_build()->remedy});
  throw InputError({problem, "the catalogue does not hold it", suggest(name, names, "--list")});
}

void add_guideline(const Guideline& guideline) {
  const auto same_name = [&](const Guideline& other) { return other.name == guideline.name; };
  if (std::ranges::any_of(stated(), same_name)) {
    throw std::logic_error(fmt::format("the guideline '{}' is stated twice", guideline.name));
  }
  stated().push_back(guideline);
}

void add_original(std::string_view operation) { originals().insert(operation); }

std::vector<Guideline> guidelines() {
  std::vector<Guideline> all = stated();
  for (Guideline& guideline : guidelines_between_calls()) all.push_back(std::move(guideline));
  std::erase_if(all, [](const Guideline& guideline) {
    return !is_there(guideline.left.operation) || !is_there(guideline.right.operation);
  });
  std::set<std::string> held;  // operations as applications call them: no variants
  for (const Guideline& guideline : all) {
    const bool is_variant = guideline.map != SizeRelation::same ||
                            !guideline.left.parameters.empty() ||
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

bool is_for_guidelines(std::string_view operation) {
  return is_mock_up(operation) || originals().contains(operation);
}

}  // namespace hockney::benchmarks
