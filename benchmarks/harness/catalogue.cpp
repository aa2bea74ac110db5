#include "benchmarks/harness/catalogue.hpp"

#include <algorithm>
#include <stdexcept>

#include "core/error.hpp"
#include "core/suite_names.hpp"
#include "core/text.hpp"

namespace hockney::benchmarks {

namespace {

OperationKind threaded_kind(const Descriptor& descriptor) {
  if (descriptor.windowed) return OperationKind::threaded_windows;
  if (!descriptor.single) return OperationKind::threaded_messages;
  return descriptor.sized ? OperationKind::threaded_collective : OperationKind::threaded_barrier;
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

namespace {

std::string_view name_of(const CatalogueEntry& entry) { return entry.descriptor.name; }

/// A function's static, because registrations run before main in any order of files.
std::vector<CatalogueEntry>& entries() {
  static std::vector<CatalogueEntry> all;
  return all;
}

}  // namespace

const std::vector<CatalogueEntry>& catalogue() { return entries(); }

void keep_in_catalogue(const std::function<bool(const Descriptor&)>& is_kept) {
  std::erase_if(entries(), [&](const CatalogueEntry& entry) { return !is_kept(entry.descriptor); });
}

void add_to_catalogue(const CatalogueEntry& entry) {
  auto& all = entries();
  const auto place = std::ranges::lower_bound(all, name_of(entry), {}, name_of);
  if (place != all.end() && name_of(*place) == name_of(entry)) {
    throw std::logic_error("two operations are called " + std::string(name_of(entry)));
  }
  all.insert(place, entry);
}

const CatalogueEntry& find_operation(const std::string& name) {
  const auto& all = catalogue();
  for (const std::string& known : {name, known_name(name).operation}) {
    const auto found = std::ranges::find(all, known, name_of);
    if (found != all.end()) return *found;
  }
  const auto names =
      strings_of(all, [](const CatalogueEntry& entry) { return std::string(name_of(entry)); });
  throw InputError({"unknown operation '" + name + "'", "the catalogue does not hold it",
                    suggest(name, names, "--list")});
}

}  // namespace hockney::benchmarks
