#include "benchmarks/launch/guideline_options.hpp"

#include <algorithm>
#include <set>

#include "benchmarks/harness/guidelines.hpp"
#include "benchmarks/launch/option_values.hpp"
#include "core/names.hpp"

namespace hockney {
namespace {

/// Those with a name, or an operation on the left side, that is none of these, are left out.
std::vector<Guideline> chosen(const std::string& text, const std::vector<std::string>& operations) {
  std::vector<Guideline> all = guidelines();
  const std::vector<std::string> known = strings_of(all, &Guideline::name);
  const std::vector<std::string> names = parse_names(text, known, [&](const std::string& name) {
    if (std::ranges::find(known, name) != known.end()) return;
    throw InputError({"unknown guideline '" + name + "'", "no guideline has this name",
                      suggest(name, known) + "; see --list"});
  });
  std::erase_if(all, [&](const Guideline& guideline) {
    return std::ranges::find(names, guideline.name) == names.end() ||
           std::ranges::find(operations, guideline.left.operation) == operations.end();
  });
  if (!all.empty()) return all;
  throw InputError({"no guideline for the operations " + join(operations),
                    "none of those chosen has one of them on its left side",
                    "choose others; see --list"});
}

/// Left sides against themselves, under two names: no guideline of these is violated.
std::vector<Guideline> against_themselves(const std::vector<Guideline>& guidelines) {
  std::set<std::string> operations;
  for (const Guideline& guideline : guidelines) operations.insert(guideline.left.operation);
  std::vector<Guideline> all;
  all.reserve(operations.size());
  for (const std::string& operation : operations) {
    all.push_back({.name = operation + " <= itself",
                   .left = {.operation = operation, .parameters = {{"variant", "a"}}},
                   .right = {.operation = operation, .parameters = {{"variant", "b"}}}});
  }
  return all;
}

/// The operations of both sides, each once.
std::vector<std::string> sides_of(const std::vector<Guideline>& guidelines) {
  std::set<std::string> operations;
  for (const Guideline& guideline : guidelines) {
    operations.insert({guideline.left.operation, guideline.right.operation});
  }
  return {operations.begin(), operations.end()};
}

void add_further(const GuidelineSide& side, LaunchOptions& options) {
  if (!side.parameters.empty()) options.further.push_back({side.operation, side.parameters});
}

}  // namespace

void GuidelineOptionGroup::add_to(CLI::App& app) {
  if (!is_used_) return;
  const std::string group = "Of guidelines";
  app.add_option("--guidelines", guidelines_,
                 "Names joined by commas, or all; of these, the ones whose left side is one of "
                 "--operations. See --list")
      ->group(group);
  app.add_flag("--itself", itself_,
               "In place of the guidelines: their left sides against themselves, to see how often "
               "there is a verdict without a difference")
      ->group(group);
}

void GuidelineOptionGroup::read_into(LaunchOptions& options) const {
  if (!is_used_) return;
  options.guidelines = chosen(guidelines_, options.operations);
  if (itself_) {
    options.guidelines = against_themselves(options.guidelines);
    options.variants = {{"a", 0}, {"b", 0}};
  }
  options.operations = sides_of(options.guidelines);
  if (options.works.empty()) options.works = {"none"};
  if (itself_) return;
  for (const Guideline& guideline : options.guidelines) {
    if (guideline.map != SideMap::same) continue;  // points that are there anyway
    add_further(guideline.left, options);
    add_further(guideline.right, options);
  }
}

}  // namespace hockney
