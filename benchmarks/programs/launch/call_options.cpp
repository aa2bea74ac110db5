#include <algorithm>
#include <functional>
#include <set>

#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/guidelines.hpp"
#include "benchmarks/harness/payload.hpp"
#include "benchmarks/programs/launch/axes.hpp"
#include "benchmarks/programs/launch/communicators.hpp"
#include "benchmarks/programs/launch/option_parser.hpp"
#include "core/cli/cli11.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "core/words.hpp"

namespace hockney::benchmarks::programs {
namespace {

void add_communicator_option(CLI::App& app, LaunchOptions& options) {
  add_list_option(app, "--communicator", options.communicators, valid_words<Communicator>(),
                  parse_communicator,
                  "all, or some of world, node (every node's ranks, all nodes at once), leaders "
                  "(one rank of each node), hops (ranks within each hop class), half (the first "
                  "half), several (both halves at once), across (for each hop class, two places "
                  "that far apart)")
      ->default_str("world");
}

/// An option with the operations that it concerns; one that concerns none of them is an error.
struct Concern {
  std::string option;
  bool is_given = false;
  std::string why;  ///< it concerns none of them
  std::function<bool(const Descriptor&)> concerns;
};

std::vector<Concern> concerns_of(const LaunchOptions& options) {
  std::vector<Concern> concerns;
  for (const Axis& axis : axes()) {
    const bool is_given = !axis.why_not.empty() && options.choices.has(*axis.values.parameter);
    concerns.push_back({axis.option, is_given, axis.why_not,
                        [&axis](const Descriptor& operation) { return axis.concerns(operation); }});
  }
  const auto of_pairs = communicators_of({.shape = GroupShape::pairs}, options).size();
  concerns.insert(
      concerns.end(),
      {{"--same-cores", options.same_cores, "none of them is by threads",
        [](const Descriptor& operation) { return operation.threaded; }},
       {"--recording", options.recording.has_value(), "none of them records noise",
        [](const Descriptor& operation) { return operation.records_noise; }},
       {"--communicator across", of_pairs > 0, "all of them are between two ranks",
        [](const Descriptor& operation) { return operation.shape != GroupShape::pair; }},
       {"--communicator", options.communicators.size() > of_pairs, "none of them is of all ranks",
        [](const Descriptor& operation) { return operation.shape == GroupShape::everybody; }}});
  return concerns;
}

/// Those with a name, or an operation on the left side, that is none of these, are left out.
std::vector<Guideline> chosen(const std::string& text, const std::vector<std::string>& operations) {
  std::vector<Guideline> all = guidelines();
  const std::vector<std::string> known = strings_of(all, &Guideline::name);
  const std::vector<std::string> names = parse_list(text, known, [&](const std::string& name) {
    if (std::ranges::find(known, name) != known.end()) return name;
    throw InputError({"unknown guideline '" + name + "'", "no guideline has this name",
                      suggest(name, known, "--list")});
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
    all.push_back(
        {.name = operation + " <= itself",
         .left = GuidelineSide{.operation = operation, .parameters = {{"variant", "a"}}},
         .right = GuidelineSide{.operation = operation, .parameters = {{"variant", "b"}}}});
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
  if (!side.parameters.empty()) options.further.push_back({side.operation, parameters_of(side)});
}

}  // namespace

void add_call_options(CLI::App& app, LaunchOptions& options) {
  add_under(app, "Collectives", [&] {
    add_axes(app, Section::collectives, options);
    add_communicator_option(app, options);
  });
  add_under(app, "Layout of data", [&] { add_axes(app, Section::layout, options); });
  add_under(app, "Contention", [&] { add_axes(app, Section::contention, options); });
  add_under(app, "One-sided operations", [&] { add_axes(app, Section::one_sided, options); });
  add_under(app, "Work beside operations", [&] { add_axes(app, Section::work, options); });
}

void check_concerns(const LaunchOptions& options) {
  for (const Concern& concern : concerns_of(options)) {
    const auto is_concerned = [&](const std::string& name) {
      return concern.concerns(find_operation(name).descriptor);
    };
    if (!concern.is_given || std::ranges::any_of(options.operations, is_concerned)) continue;
    throw InputError({concern.option + " with the operations " + join(options.operations),
                      concern.why, "leave it out, or choose other operations; see --list"});
  }
}

void add_guideline_options(CLI::App& app, GuidelineChoice& choice) {
  app.add_option("--guidelines", choice.names,
                 "Names joined by commas, or all; of these, the ones whose left side is one of "
                 "--operations. See --list")
      ->capture_default_str();
  app.add_flag("--itself", choice.itself,
               "In place of the guidelines: their left sides against themselves, to see how often "
               "there is a verdict without a difference");
}

void choose_guidelines(const GuidelineChoice& choice, LaunchOptions& options) {
  options.guidelines = chosen(choice.names, options.operations);
  if (choice.itself) {
    options.guidelines = against_themselves(options.guidelines);
    options.choices.set(variant_parameter, {{"a", 0}, {"b", 0}});
  }
  options.operations = sides_of(options.guidelines);
  if (!options.choices.has(work_parameter)) options.choices.set(work_parameter, {Work::none});
  if (choice.itself) return;
  for (const Guideline& guideline : options.guidelines) {
    if (guideline.map != SideMap::same) continue;  // points that are there anyway
    add_further(guideline.left, options);
    add_further(guideline.right, options);
  }
}

}  // namespace hockney::benchmarks::programs
