#include <algorithm>
#include <set>

#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/flows.hpp"
#include "benchmarks/harness/guidelines.hpp"
#include "benchmarks/harness/payload.hpp"
#include "benchmarks/harness/rooted_data.hpp"
#include "benchmarks/programs/launch/communicators.hpp"
#include "benchmarks/programs/launch/option_parser.hpp"
#include "core/cli/cli11.hpp"
#include "core/quantities.hpp"
#include "core/text.hpp"
#include "core/words.hpp"

namespace hockney::benchmarks::programs {
namespace {

/// The value of a name of an option that has a few of them.
template <class Enum, std::size_t count>
auto one_of(const std::string& option, const NamedValues<Enum, count>& values) {
  return [option, values](const std::string& name) {
    return value_in(values, name, "bad value '" + name + "' for " + option,
                    "there is no such choice");
  };
}

void add_work_options(CLI::App& app, LaunchOptions& options) {
  constexpr NamedValues<Work, 3> works{
      {{Work::none, "none"}, {Work::alone, "alone"}, {Work::during, "during"}}};
  add_list_option(app, "--work", options.works, names_in(works), one_of("--work", works),
                  "Beside a nonblocking call, or by the target of a one-sided one: none (its pure "
                  "time), alone (work as long as that, and no call), during (both at once); all, "
                  "or some joined by commas")
      ->default_str("all; none of one-sided operations");
  const auto parse_tests = [](const std::string& text) {
    return parse_count<int>("--tests", text, 0);
  };
  add_list_option(
      app, "--tests", options.tests, {"0"}, parse_tests,
      "How often MPI_Test (the target of a one-sided call: MPI_Iprobe) is called in the "
      "work during a call; joined by commas")
      ->type_name("N,...")
      ->default_str("0");
}

void add_contention_options(CLI::App& app, LaunchOptions& options) {
  const auto parse_flows = [](const std::string& text) {
    check_flows(text);
    return text;
  };
  add_list_option(
      app, "--flows", options.flows, {"1", all_flows}, parse_flows,
      "How many messages of cut, fan-in, fan-out and victim meet, or pairs of message-rate are at "
      "work, numbers or all, joined by commas; the factor is that to 1")
      ->type_name("1|all,...")
      ->default_str("1,all; all of message-rate");
  add_list_option(
      app, "--pairing", options.pairings, {"1"},
      [](const std::string& text) { return parse_count<int>("--pairing", text, 0); },
      "Which random pairs the operations have that draw them: a number gives the same pairs "
      "every time; joined by commas")
      ->type_name("N,...")
      ->default_str("1");
}

void add_collective_options(CLI::App& app, LaunchOptions& options) {
  add_list_option(
      app, "--counts", options.counts, distribution_names(), checked_by(check_distribution),
      "How the blocks of vector collectives differ from rank to rank: all, or some of " +
          join(distribution_names()))
      ->default_str("equal");
  add_list_option(app, "--root", options.roots, {"first", "rotating"}, checked_by(check_root),
                  "first, rotating (the next rank in every call) or a rank's number; joined by "
                  "commas")
      ->default_str("first");
  add_list_option(app, "--in-place", options.in_place, names_in(receive_place_names),
                  one_of("--in-place", receive_place_names),
                  "no, yes (MPI_IN_PLACE), or both joined by a comma")
      ->default_str("no");
  add_list_option(app, "--cadence", options.cadences, names_in(cadence_names),
                  one_of("--cadence", cadence_names),
                  "isolated (ranks begin every call together), streaming (calls in a row, which "
                  "may overlap), or both joined by a comma")
      ->default_str("isolated");
  add_list_option(app, "--communicator", options.communicators, names_in(communicator_names),
                  parse_communicator,
                  "all, or some of world, node (every node's ranks, all nodes at once), leaders "
                  "(one rank of each node), hops (ranks within each hop class), half (the first "
                  "half), several (both halves at once), across (for each hop class, two places "
                  "that far apart)")
      ->default_str("world");
}

/// The enumerator of a word of an option.
template <WordedEnum Enum>
auto worded(const std::string& option) {
  return [option](const std::string& text) {
    if (const auto value = find_word<Enum>(text)) return *value;
    throw InputError({"bad value '" + text + "' for " + option, "there is no such choice",
                      suggest(text, valid_words<Enum>())});
  };
}

void add_window_options(CLI::App& app, LaunchOptions& options) {
  add_list_option(app, "--window-kind", options.window_kinds, valid_words<WindowKind>(),
                  worded<WindowKind>("--window-kind"),
                  "How memory comes into a window: all, or some of created, allocated, dynamic and "
                  "shared, joined by commas")
      ->default_str("allocated");
  add_list_option(app, "--synchronisation", options.epoch_kinds, valid_words<EpochKind>(),
                  worded<EpochKind>("--synchronisation"),
                  "How calls are completed: all, or some of fence, pscw (post, start, complete, "
                  "wait), lock, lock-all (around each), flush and flush-local")
      ->default_str("flush");
  add_list_option(app, "--completion", options.completions, valid_words<Completion>(),
                  worded<Completion>("--completion"),
                  "Where the time ends: origin (the call has returned), target (which may read its "
                  "memory, and knows it), or both joined by a comma")
      ->default_str("origin,target; origin of what changes nothing");
}

/// Not beside the layouts of files: no operation on them has data with gaps.
void add_layout_options(CLI::App& app, LaunchOptions& options) {
  if (app.get_option_no_throw("--layout") != nullptr) return;
  add_list_option(app, "--layout", options.layouts, valid_words<DataLayout>(),
                  worded<DataLayout>("--layout"),
                  "How the data of derived-pingpong, pack-pingpong and copy-pingpong lie: all, or "
                  "some of contiguous, vector, indexed and struct; half of the memory is gaps")
      ->default_str("vector");
}

/// An option with the operations that it concerns; one that concerns none of them is an error.
struct Concern {
  std::string option;
  bool is_given = false;
  std::string why;  ///< it concerns none of them
  bool (*concerns)(const Descriptor&) = nullptr;
};

// NOLINTNEXTLINE(readability-function-size): a table
std::vector<Concern> concerns_of(const LaunchOptions& options) {
  const auto carries_data = [](const Descriptor& operation) { return operation.sized; };
  const auto overlaps = [](const Descriptor& operation) { return operation.overlaps; };
  const std::string no_data = "none of them carries data";
  const auto one_sided = [](const Descriptor& operation) { return operation.one_sided; };
  const auto is_threaded = [](const Descriptor& operation) { return operation.threaded; };
  const std::string no_window = "none of them is one-sided";
  const auto moves_files = [](const Descriptor& operation) {
    return operation.files && operation.sized;
  };
  const std::string no_files = "none of them writes or reads files";
  const auto of_pairs = communicators_of({.shape = GroupShape::pairs}, options).size();
  const std::string no_work = "none of them lets work go on beside it";
  return {
      {"--datatype", !options.datatypes.empty(), no_data, carries_data},
      {"--operator", !options.operators.empty(), "none of them is a reduction",
       [](const Descriptor& operation) { return operation.reduces; }},
      {"--cache", !options.caches.empty(), no_data, carries_data},
      {"--memory", !options.memories.empty(), no_data, carries_data},
      {"--work", !options.works.empty(), no_work, overlaps},
      {"--tests", !options.tests.empty(), no_work, overlaps},
      {"--window-kind", !options.window_kinds.empty(), no_window, one_sided},
      {"--synchronisation", !options.epoch_kinds.empty(), no_window, one_sided},
      {"--completion", !options.completions.empty(), no_window, one_sided},
      {"--threads", !options.threads.empty(), "none of them is by threads", is_threaded},
      {"--communicators", !options.thread_communicators.empty(),
       "no threads of them could share a communicator",
       [](const Descriptor& operation) { return operation.shares_communicator; }},
      {"--same-cores", options.same_cores, "none of them is by threads", is_threaded},
      {"--compat", !options.compat.empty(), "no suite's way of timing them is known here",
       fits_suite_loops},
      {"--neighbours", !options.neighbours.empty(), "none of them has neighbours",
       [](const Descriptor& operation) { return operation.has_neighbours; }},
      {"--pages", !options.pages.empty(), "none of them chooses its pages",
       [](const Descriptor& operation) { return operation.chooses_pages; }},
      {"--recording", options.recording.has_value(), "none of them records noise",
       [](const Descriptor& operation) { return operation.records_noise; }},
      {"--counts", !options.counts.empty(), "none of them has a count for each rank",
       [](const Descriptor& operation) { return operation.divides; }},
      {"--root", !options.roots.empty(), "none of them has a root",
       [](const Descriptor& operation) { return operation.rooted; }},
      {"--pointer", !options.files.pointers.empty(), no_files, moves_files},
      {"--layout", !options.files.layouts.empty(), no_files, moves_files},
      {"--cache", !options.files.caches.empty(), no_files, moves_files},
      {"--flows", !options.flows.empty(), "none of them lets messages meet",
       [](const Descriptor& operation) { return operation.contends; }},
      {"--layout", !options.layouts.empty(), "the data of none of them have gaps",
       [](const Descriptor& operation) { return operation.laid_out; }},
      {"--pairing", !options.pairings.empty(), "none of them draws pairs",
       [](const Descriptor& operation) { return operation.draws_pairs; }},
      {"--in-place", !options.in_place.empty(), "none of them can receive in place",
       [](const Descriptor& operation) { return operation.in_place != InPlace::never; }},
      {"--cadence", !options.cadences.empty(), "none of them is timed call by call",
       [](const Descriptor& operation) { return operation.single; }},
      {"--communicator across", of_pairs > 0, "all of them are between two ranks",
       [](const Descriptor& operation) { return operation.shape != GroupShape::pair; }},
      {"--communicator", options.communicators.size() > of_pairs, "none of them is of all ranks",
       [](const Descriptor& operation) { return operation.shape == GroupShape::everybody; }}};
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
  if (!side.parameters.empty()) options.further.push_back({side.operation, side.parameters});
}

}  // namespace

void add_call_options(CLI::App& app, LaunchOptions& options) {
  add_under(app, "Collectives", [&] { add_collective_options(app, options); });
  add_under(app, "Layout of data", [&] { add_layout_options(app, options); });
  add_under(app, "Contention", [&] { add_contention_options(app, options); });
  add_under(app, "One-sided operations", [&] { add_window_options(app, options); });
  add_under(app, "Work beside operations", [&] { add_work_options(app, options); });
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
    options.variants = {{"a", 0}, {"b", 0}};
  }
  options.operations = sides_of(options.guidelines);
  if (options.works.empty()) options.works = {Work::none};
  if (choice.itself) return;
  for (const Guideline& guideline : options.guidelines) {
    if (guideline.map != SideMap::same) continue;  // points that are there anyway
    add_further(guideline.left, options);
    add_further(guideline.right, options);
  }
}

}  // namespace hockney::benchmarks::programs
