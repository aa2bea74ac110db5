#include "benchmarks/programs/launch/option_parser.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <functional>
#include <map>
#include <random>
#include <set>

#include "benchmarks/harness/buffer_memory.hpp"
#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/payload.hpp"
#include "benchmarks/programs/launch/axes.hpp"
#include "benchmarks/programs/launch/communicators.hpp"
#include "core/cli/command_line.hpp"
#include "core/error.hpp"
#include "core/quantities.hpp"
#include "core/text.hpp"
#include "placement/machine.hpp"

namespace hockney::benchmarks::programs {
namespace {

constexpr const char* usual_path_size = "64K";  // above the eager limits of all libraries

Seconds parse_time(const std::string& option, const std::string& text) {
  const Seconds time = parse_duration(text);
  if (time.value > 0) return time;
  throw InputError({fmt::format("bad value '{}' for {}", text, option),
                    "nothing can be measured in no time", "give more than 0 seconds"});
}

std::vector<std::string> known_paths() { return {"cma", "shm", "tcp"}; }

std::string parse_path(const std::string& name) {
  const std::vector<std::string> known = known_paths();
  if (std::ranges::find(known, name) != known.end()) return name;
  throw InputError(
      {fmt::format("unknown path '{}'", name), "no count could prove it", suggest(name, known)});
}

/// Adds the options of paths of messages, for programs that prove them.
void add_path_options(CommandLine& app, LaunchOptions& options) {
  options.prove_paths = true;
  const auto expected = [&options]() -> ExpectedPath& {
    if (!options.expected_path) options.expected_path = {{}, parse_bytes(usual_path_size)};
    return *options.expected_path;
  };
  add_parsed_option(
      app, "--expect-path", [=](const std::string& text) { expected().path = parse_path(text); },
      "Where another path than this is proven, or none, the series is flagged and the exit code is "
      "1",
      type_of_choice(known_paths()))
      .default_str("none");
  add_parsed_option(
      app, "--expect-from", [=](const std::string& text) { expected().from = parse_bytes(text); },
      "The smallest message that --expect-path is about")
      .default_str(usual_path_size);
}

void check_expected_path(const LaunchOptions& options) {
  if (!options.expected_path) return;
  if (options.expected_path->path.empty()) {
    throw InputError({"--expect-from without --expect-path", "it says from which size on",
                      "name the path, or leave it out"});
  }
  if (std::ranges::max(options.sizes) >= options.expected_path->from) return;
  throw InputError(
      {fmt::format("--expect-path from {} on", format_bytes(options.expected_path->from)),
       "no message of that size is measured", "add --expect-from, or larger sizes"});
}

/// InputError for an assertion that concerns none of the memories.
void check_gpu_awareness(const LaunchOptions& options) {
  const auto is_about = [](const MemorySides& sides) {
    return is_on_device(sides.first) || is_on_device(sides.second);
  };
  if (!options.gpu_aware || std::ranges::any_of(options.choices.of(memory_parameter), is_about))
    return;
  throw InputError({"--gpu-aware without memory of a device",
                    "it says what MPI does with such memory", "add --memory cuda, or rocm"});
}

/// Adds options for the start scheme and the order of samples.
void add_sampling_options(CommandLine& app, const Program& program, LaunchOptions& options) {
  add_effort_options(app, options);
  add_start_option(app, options);
  app.add_flag("--local-times", options.local_times,
               "Record every rank's own time too, and print the shortest and the longest");
  app.add_flag("--all", options.all, "Print a table for each operation, with every column");
  app.add_flag("--tails", options.tails, "Print these tables, with high quantiles too");
  app.add_flag("--bytes", options.in_bytes, "Print sizes as plain numbers, for awk");
  if (program.clock_checks) {
    options.clock_checks = *program.clock_checks;
    add_count_option(app, "--clock-checks", options.clock_checks, 0,
                     "Synchronisations of the clocks of ranks that read the same one, all recorded")
        .default_str(std::to_string(*program.clock_checks));
  }
  add_seed_option(app, options, "Of the order of points and the places of buffers");
}

void set_binding(const std::string& text, PlacementOptions& placement) {
  placement.bind = text != "none";
  const bool list = text.find_first_not_of("0123456789,-") == std::string::npos;
  if (list) {
    placement.plan.policy = placement::Policy::listed;
    placement.plan.cpus = placement::parse_cpus(text);
  } else if (placement.bind) {
    placement.plan.policy = placement::parse_policy(text);
  }
}

/// Parses "eager=8192,algorithm=4"; InputError for a part without an axis and a value.
std::map<std::string, std::string> parse_axes(const std::string& text) {
  std::map<std::string, std::string> axes;
  for (const std::string& part : split(text, ',')) {
    const std::size_t equals = part.find('=');
    const bool whole = equals != std::string::npos && equals > 0 && equals + 1 < part.size();
    if (whole && axes.try_emplace(part.substr(0, equals), part.substr(equals + 1)).second) continue;
    throw InputError({fmt::format("bad value '{}' for --axes", text),
                      fmt::format("'{}' is no axis with its value, or its axis occurs twice", part),
                      "write it like eager=8192,algorithm=4"});
  }
  return axes;
}

void add_placement_options(CommandLine& app, LaunchOptions& options) {
  add_parsed_option(
      app, "--bind", [&](const std::string& text) { set_binding(text, options.placement); },
      "Ranks to CPUs; also a list of CPUs, such as 0,2,4-7", "hops|compact|scatter|none")
      .default_str("hops");
  app.add_option("--sites", options.placement.sites,
                 "Site file of the network, for hop classes between nodes")
      .type_name("FILE")
      .default_str("none; Slurm's own variables come first");
  app.add_flag("--allow-misplaced", options.placement.allow_misplaced,
               "Go on when a rank is not on the CPU it was bound to");
}

void add_output_options(CommandLine& app, LaunchOptions& options) {
  app.add_option("-o,--output", options.output,
                 "File for the record: .json, or .cbor to save space")
      .default_str("none");
  app.add_flag("--json", options.json, "Print the record instead of the table");
}

void add_campaign_options(CommandLine& app, LaunchOptions& options) {
  const auto place = [&options]() -> CampaignPlace& {
    if (!options.campaign) options.campaign = CampaignPlace{.setting = "default", .launch = 1};
    return *options.campaign;
  };
  add_parsed_option(
      app, "--campaign", [=](const std::string& text) { place().name = text; },
      "Name of the campaign this launch belongs to")
      .default_str("none");
  add_parsed_option(
      app, "--setting", [=](const std::string& text) { place().setting = text; },
      "Name of the campaign's setting")
      .default_str("default");
  add_parsed_option(
      app, "--axes", [=](const std::string& text) { place().axes = parse_axes(text); },
      "Where on the axes of a sweep it lies: eager=8192,algorithm=4")
      .default_str("none");
  add_parsed_option(
      app, "--launch",
      [=](const std::string& text) { place().launch = parse_count<int>("--launch", text, 1); },
      "Number of the launch")
      .default_str("1");
  add_parsed_option(
      app, "--first-epoch",
      [&](const std::string& text) { options.first_epoch = parse_time("--first-epoch", text); },
      "Longest time to measure each point once, if that is more than --budget")
      .default_str("most of --budget");
}

void add_communicator_option(CommandLine& app, LaunchOptions& options) {
  add_list_option(app, "--communicator", options.communicators, valid_words<Communicator>(),
                  parse_communicator,
                  "all, or some of world, node (every node's ranks, all nodes at once), leaders "
                  "(one rank of each node), hops (ranks within each hop class), half (the first "
                  "half), several (both halves at once), across (for each hop class, two places "
                  "that far apart)")
      .default_str("world");
}

/// An option and the operations that it concerns; it is an error if it concerns none of the
/// requested.
struct Concern {
  std::string option;
  bool is_given = false;
  std::string why;  ///< why it concerns none of them
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

/// The guidelines with a name in `text` and a left side in `operations`.
std::vector<Guideline> chosen(const std::string& text, const std::vector<std::string>& operations) {
  std::vector<Guideline> all = guidelines();
  const std::vector<std::string> known = strings_of(all, &Guideline::name);
  const std::vector<std::string> names = parse_list(text, known, [&](const std::string& name) {
    if (std::ranges::find(known, name) != known.end()) return name;
    throw InputError({fmt::format("unknown guideline '{}'", name), "no guideline has this name",
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

/// Left sides compared with themselves, under two names: none of these guidelines is violated.
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

/// Options for calls of collectives: their ranks, and the work beside them.
void add_call_options(CommandLine& app, LaunchOptions& options) {
  add_under(app, "Collectives", [&] {
    add_axes(app, Section::collectives, options);
    add_communicator_option(app, options);
  });
  add_under(app, "Layout of data", [&] { add_axes(app, Section::layout, options); });
  add_under(app, "Contention", [&] { add_axes(app, Section::contention, options); });
  add_under(app, "One-sided operations", [&] { add_axes(app, Section::one_sided, options); });
  add_under(app, "Work beside operations", [&] { add_axes(app, Section::work, options); });
}

}  // namespace

void add_effort_options(CommandLine& app, LaunchOptions& options) {
  add_budget_option(app, options, "Time for measuring, such as 3s or 500ms", "3s");
  add_count_option(app, "--epochs", options.epochs, 1,
                   "Measurement blocks of every point; replaces --budget")
      .default_str("as the budget allows; 2 under a simulator");
  add_limit_option(app, options,
                   "10 times the budget, 60s and 2s a point; docs/reference/commands.md");
  add_parsed_option(
      app, "--precision",
      [&](const std::string& text) { options.precision = parse_fraction("--precision", text); },
      "End early when every median is known within half of this inside the launch, such "
      "as 5%; a campaign gives its own")
      .default_str("none");
  add_count_option(app, "--samples", options.samples, 1, "Most samples in one measurement block")
      .default_str("100; 1 under a simulator");
}

void add_start_option(CommandLine& app, LaunchOptions& options) {
  add_parsed_option(
      app, "--start", [&](const std::string& text) { options.start = parse_start(text); },
      "How ranks begin together where the last one to end counts: round-time (an agreed "
      "time), barrier (MPI_Barrier) or dissemination (a barrier of our own)",
      "round-time|barrier|dissemination")
      .default_str("round-time; barrier on shared CPUs");
}

void add_surrounding_options(CommandLine& app, LaunchOptions& options) {
  add_under(app, "Where ranks run", [&] { add_placement_options(app, options); });
  add_under(app, "Output", [&] { add_output_options(app, options); });
  add_under(app, "Set by hockney run", [&] { add_campaign_options(app, options); });
}

void add_hop_option(CommandLine& app, LaunchOptions& options) {
  add_parsed_option(
      app, "--hops", [&](const std::string& text) { options.hops = placement::parse_hops(text); },
      "Only these hop classes", "smt|l2|l3|numa|package|cross-package|cross-node,...")
      .default_str("all");
}

void add_budget_option(CommandLine& app, LaunchOptions& options, const std::string& help,
                       const std::string& shown_default) {
  add_parsed_option(
      app, "--budget",
      [&](const std::string& text) { options.budget = parse_time("--budget", text); }, help)
      .default_str(shown_default);
}

void add_limit_option(CommandLine& app, LaunchOptions& options, const std::string& shown_default) {
  add_parsed_option(
      app, "--limit", [&](const std::string& text) { options.limit = parse_time("--limit", text); },
      "Longest time for all, with --epochs for each block: then the launch ends with exit code 3, "
      "and what was measured is kept")
      .default_str(shown_default);
}

void add_seed_option(CommandLine& app, LaunchOptions& options, const std::string& help) {
  options.seed = std::random_device()();
  add_count_option(app, "--seed", options.seed, 0, help).default_str("drawn anew");
}

void check_launch_options(const LaunchOptions& options) {
  check_concerns(options);
  check_gpu_awareness(options);
  check_expected_path(options);
  check_effort(options);
  check_campaign_place(options);
}

void check_effort(const LaunchOptions& options) {
  if (options.budget && options.epochs) {
    throw InputError({"both --budget and --epochs", "each says when to stop", "give one of them"});
  }
}

void check_campaign_place(const LaunchOptions& options) {
  if (!options.campaign || !options.campaign->name.empty()) return;
  throw InputError({"--setting, --axes or --launch without --campaign",
                    "they are places in a campaign", "name the campaign, or leave them out"});
}

void add_launch_options(CommandLine& app, const Program& program, LaunchOptions& options) {
  restrict_catalogue(program);
  add_workload_options(app, program, options);
  if (program.is_threaded) add_under(app, "Threads", [&] { add_thread_options(app, options); });
  if (program.measures_noise) add_under(app, "Noise", [&] { add_noise_options(app, options); });
  add_call_options(app, options);
  if (program.proves_paths) {
    add_under(app, "Paths of messages", [&] { add_path_options(app, options); });
  }
  add_under(app, "How long, and from which start",
            [&] { add_sampling_options(app, program, options); });
  add_surrounding_options(app, options);
}

void check_concerns(const LaunchOptions& options) {
  for (const Concern& concern : concerns_of(options)) {
    const auto is_concerned = [&](const std::string& name) {
      return concern.concerns(find_operation(name).descriptor);
    };
    if (!concern.is_given || std::ranges::any_of(options.operations, is_concerned)) continue;
    throw InputError(
        {fmt::format("{} with the operations {}", concern.option, join(options.operations)),
         concern.why, "leave it out, or choose other operations; see --list"});
  }
}

void add_guideline_options(CommandLine& app, GuidelineChoice& choice) {
  app.add_option("--guidelines", choice.names,
                 "Names joined by commas, or all; of these, the ones whose left side is one of "
                 "--operations. See --list")
      .capture_default_str();
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
    if (guideline.map != SizeRelation::same) continue;  // its points are measured anyway
    add_further(guideline.left, options);
    add_further(guideline.right, options);
  }
}

}  // namespace hockney::benchmarks::programs
