#include "benchmarks/programs/launch/call_options.hpp"

#include <algorithm>
#include <set>

#include "benchmarks/harness/block_buffer.hpp"
#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/guidelines.hpp"
#include "benchmarks/harness/overlap.hpp"
#include "benchmarks/harness/rooted_data.hpp"
#include "benchmarks/programs/launch/communicators.hpp"
#include "benchmarks/programs/launch/option_parser.hpp"
#include "core/cli/cli11.hpp"
#include "core/text.hpp"

namespace hockney {
namespace {

const std::vector<std::string> places{"no", "yes"};
const std::vector<std::string> cadences{"isolated", "streaming"};

/// A check that names the nearest of a few values.
auto one_of(const std::string& option, const std::vector<std::string>& values) {
  return [&values, option](const std::string& name) {
    if (std::ranges::find(values, name) != values.end()) return;
    throw InputError({"bad value '" + name + "' for " + option, "there is no such choice",
                      suggest(name, values)});
  };
}

/// The values of an option, none when it was not given.
template <class Check>
std::vector<std::string> values_of(const std::string& text, const std::vector<std::string>& all,
                                   Check check) {
  if (text.empty()) return {};
  return parse_names(text, all, check);
}

/// An option that concerns none of the operations is an error.
template <class Concerned>
void require_use(const std::string& option, const std::vector<std::string>& values,
                 const LaunchOptions& options, const std::string& why, Concerned concerned) {
  const auto is_concerned = [&](const std::string& name) {
    return concerned(find_operation(name).descriptor);
  };
  if (values.empty() || std::ranges::any_of(options.operations, is_concerned)) return;
  throw InputError({option + " with the operations " + join(options.operations), why,
                    "leave it out, or choose other operations; see --list"});
}

}  // namespace

void CallOptionGroup::add_to(CLI::App& app) {
  const std::string group = "Of collectives";
  app.add_option("--counts", counts_,
                 "How the blocks of vector collectives differ from rank to rank: all, or some of " +
                     join(distribution_names()))
      ->default_str("equal")
      ->group(group);
  app.add_option("--root", roots_,
                 "first, rotating (the next rank in every call) or a rank's number; joined by "
                 "commas")
      ->default_str("first")
      ->group(group);
  app.add_option("--in-place", in_place_, "no, yes (MPI_IN_PLACE), or both joined by a comma")
      ->default_str("no")
      ->group(group);
  app.add_option("--cadence", cadences_,
                 "isolated (ranks begin every call together), streaming (calls in a row, which may "
                 "overlap), or both joined by a comma")
      ->default_str("isolated")
      ->group(group);
  app.add_option(
         "--communicator", communicators_,
         "all, or some of world, node (every node's ranks, all nodes at once), leaders (one "
         "rank of each node), hops (ranks within each hop class), half (the first half), "
         "several (both halves at once)")
      ->default_str("world")
      ->group(group);
  add_work(app);
}

void CallOptionGroup::add_work(CLI::App& app) {
  const std::string group = "Of nonblocking collectives";
  app.add_option("--work", works_,
                 "Beside a call: none (its pure time), alone (work as long as that, and no call), "
                 "during (both at once); all, or some joined by commas")
      ->default_str("all")
      ->group(group);
  app.add_option("--tests", tests_,
                 "How often MPI_Test is called in the work during a call; joined by commas")
      ->default_str("0")
      ->group(group);
}

void CallOptionGroup::read_work(LaunchOptions& options) const {
  options.works = values_of(works_, work_names(), one_of("--work", work_names()));
  options.tests = values_of(tests_, {"0"},
                            [](const std::string& text) { parse_count<int>("--tests", text, 0); });
  for (const auto& [option, values] :
       {std::pair{"--work", options.works}, std::pair{"--tests", options.tests}}) {
    require_use(option, values, options, "none of them lets work go on beside it",
                [](const Descriptor& descriptor) { return descriptor.overlaps; });
  }
}

void CallOptionGroup::read_into(LaunchOptions& options) const {
  read_work(options);
  options.counts = values_of(counts_, distribution_names(), check_distribution);
  options.roots = values_of(roots_, {"first", "rotating"}, check_root);
  options.in_place = values_of(in_place_, places, one_of("--in-place", places));
  options.cadences = values_of(cadences_, cadences, one_of("--cadence", cadences));
  options.communicators = values_of(communicators_, communicator_names(), check_communicator);
  require_use("--counts", options.counts, options, "none of them has a count for each rank",
              [](const Descriptor& descriptor) { return descriptor.divides; });
  require_use("--root", options.roots, options, "none of them has a root",
              [](const Descriptor& descriptor) { return descriptor.rooted; });
  require_use("--in-place", options.in_place, options, "none of them can receive in place",
              [](const Descriptor& descriptor) { return descriptor.in_place != InPlace::never; });
  require_use("--cadence", options.cadences, options, "none of them is timed call by call",
              [](const Descriptor& descriptor) { return descriptor.single; });
  require_use(
      "--communicator", options.communicators, options, "none of them is of all ranks",
      [](const Descriptor& descriptor) { return descriptor.shape == GroupShape::everybody; });
}

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
