#include <fmt/format.h>
#include <algorithm>
#include <cctype>
#include <iostream>
#include <iterator>
#include <limits>
#include <vector>

#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/communicators.hpp"
#include "benchmarks/programs/launch/axes.hpp"
#include "benchmarks/programs/launch/option_parser.hpp"
#include "core/cli/command_line.hpp"
#include "core/error.hpp"
#include "core/point_choice.hpp"
#include "core/quantities.hpp"
#include "core/suite_names.hpp"
#include "core/text.hpp"

namespace hockney::benchmarks::programs {
namespace {

std::vector<Bytes> parse_message_sizes(const std::string& text) {
  std::vector<Bytes> sizes = parse_sizes(text);
  if (sizes.back().value > std::numeric_limits<int>::max()) {
    throw InputError({fmt::format("bad size '{}'", format_bytes(sizes.back())),
                      "MPI 3 counts at most 2147483647 bytes in one message",
                      "use sizes below 2G"});
  }
  return sizes;
}

/// Parses "MIN:MAX", "MIN:" or "MAX"; a missing end is that of the usual sizes.
std::vector<Bytes> parse_omb_sizes(const std::string& text, const std::vector<Bytes>& usual) {
  const bool has_least = text.find(':') != std::string::npos;
  const std::string least = has_least ? "" : fmt::format("{}:", usual.front().value);
  const std::string most = text.ends_with(':') ? std::to_string(usual.back().value) : "";
  return parse_message_sizes(least + text + most);
}

/// hockney's name of an operation. Prints a line on stderr if another suite's name means a
/// different measurement.
std::string operation_called(const std::string& name) {
  const std::string ours(find_operation(name).descriptor.name);
  const std::string remark = name == ours ? "" : known_name(name).remark;
  if (!remark.empty()) {
    std::cerr << "note: " << escaped(name) << " is measured as " << ours << " (" << remark << ")\n";
  }
  return ours;
}

/// Parses names of operations, joined by commas, and of measurements made once.
void take_operations(const std::string& text, const std::vector<std::string>& once,
                     LaunchOptions& options) {
  std::vector<std::string> all = once;
  for (const CatalogueEntry& entry : catalogue()) all.emplace_back(entry.descriptor.name);
  const auto is_once = [&once](const std::string& name) {
    return std::ranges::find(once, name) != once.end();
  };
  options.operations = parse_list(text, all, [&](const std::string& name) {
    const std::string ours = known_name(name).operation;
    return is_once(ours) ? ours : operation_called(name);
  });
  options.once.clear();
  std::ranges::copy_if(options.operations, std::back_inserter(options.once), is_once);
  std::erase_if(options.operations, is_once);
}

/// "sparse:ROUNDS" or "sparse:ROUNDS:NIGHT".
placement::SparseDesign parse_sparse(const std::string& text) {
  const std::vector<std::string> parts = split(text, ':');
  if (parts.size() < 2 || parts.size() > 3) {
    throw InputError({fmt::format("bad value '{}' for --pairs", text),
                      "sparse needs a number of rounds",
                      fmt::format("write sparse:{0}, or sparse:{0}:3 for the fourth night",
                                  placement::usual_rounds)});
  }
  placement::SparseDesign design{.rounds = parse_count<int>("--pairs sparse", parts[1], 1)};
  if (parts.size() == 3) design.night = parse_count<std::uint64_t>("--pairs sparse", parts[2], 0);
  return design;
}

/// Parses "0-3,2-5": pairs of ranks.
std::vector<placement::RankPair> parse_listed(const std::string& text) {
  std::vector<placement::RankPair> pairs;
  for (const std::string& part : split(text, ',')) {
    const std::vector<std::string> ranks = split(part, '-');
    if (ranks.size() != 2) {
      throw InputError({fmt::format("bad value '{}' for --pairs", text),
                        fmt::format("'{}' is no pair of ranks", part), "write 0-3,2-5"});
    }
    pairs.push_back(
        {parse_count<int>("--pairs", ranks[0], 0), parse_count<int>("--pairs", ranks[1], 0)});
  }
  return pairs;
}

void take_pairs(const std::string& text, LaunchOptions& options) {
  if (text == "all") {
    options.pairs = PairChoice::all;
  } else if (text == "sparse" || text.starts_with("sparse:")) {
    options.pairs = PairChoice::sparse;
    options.sparse = parse_sparse(text);
  } else if (!text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) != 0) {
    options.pairs = PairChoice::listed;
    options.listed = parse_listed(text);
  } else if (text != "representative") {
    throw InputError({fmt::format("bad value '{}' for --pairs", text), "it is no choice of pairs",
                      suggest(text, {"representative", "all", "sparse:16", "0-1"})});
  }
}

/// "a", "b" and "slow-5" for "5".
std::vector<Variant> parse_variants(const std::string& slow_downs) {
  constexpr double percent = 0.01;
  std::vector<Variant> variants{{"a", 0}, {"b", 0}};
  for (const std::string& text : split(slow_downs, ',')) {
    const int share = parse_count<int>("--slow-downs", text, 1);
    variants.push_back({"slow-" + text, share * percent});
  }
  return variants;
}

/// Self-tests use hockney's own timing.
void add_variant_options(CommandLine& app, const Program& program, LaunchOptions& options) {
  if (!program.slow_downs.empty()) {
    options.choices.set(variant_parameter, parse_variants(program.slow_downs));
    add_parsed_option(
        app, "--slow-downs",
        [&](const std::string& text) {
          options.choices.set(variant_parameter, parse_variants(text));
        },
        "Planted slow-downs [%], beside two variants without, which differ in name only")
        .default_str(program.slow_downs);
    return;
  }
  add_axes(app, Section::suites, options);
}

void add_data_options(CommandLine& app, const Program& program, LaunchOptions& options) {
  add_axes(app, Section::types, options);
  add_parsed_option(
      app, "--buffer-space",
      [&](const std::string& text) { options.buffer_space = parse_bytes(text); },
      "Most memory that the buffers of all ranks of a node may take; more is refused")
      .default_str("half of what is free");
  if (program.measures_files) return;
  add_axes(app, Section::buffers, options);
  app.add_flag("--gpu-aware", options.gpu_aware,
               "Give MPI memory of devices although it does not say that it takes it");
}

/// Adds the options of operations and sizes; all others refine these.
void add_subject_options(CommandLine& app, const Program& program, LaunchOptions& options) {
  std::vector<std::string> all = program.once;
  for (const CatalogueEntry& entry : catalogue()) all.emplace_back(entry.descriptor.name);
  take_operations(program.operations, program.once, options);
  add_parsed_option(
      app, "--operations",
      [&options, once = program.once](const std::string& text) {
        take_operations(text, once, options);
      },
      "Names joined by commas, or all; those of OMB and IMB too; see --list", type_of_list(all))
      .default_str(program.usual.empty() ? program.operations : program.usual);
  options.sizes = parse_message_sizes(program.sizes);
  options.has_usual_sizes = true;
  add_parsed_option(
      app, "-b,--sizes",
      [&](const std::string& text) {
        options.sizes = parse_message_sizes(text);
        options.has_usual_sizes = false;
      },
      "Message sizes: 0,8,1K or 0:4M (doubling) or 1:4M:8 (eight an octave)")
      .default_str(program.sizes)
      .trigger_on_parse();
  add_parsed_option(
      app, "-m,--message-size",
      [&options, usual = options.sizes](const std::string& text) {
        options.sizes = parse_omb_sizes(text, usual);
        options.has_usual_sizes = false;
      },
      "The same as OMB writes it: 8:64K, 8: or 64K, doubling. Of both the last one counts")
      .default_str("as --sizes")
      .trigger_on_parse();
}

void add_pair_options(CommandLine& app, LaunchOptions& options) {
  add_parsed_option(
      app, "--pairs", [&](const std::string& text) { take_pairs(text, options); },
      "representative: one pair of ranks for each hop class; all: every pair; "
      "sparse:16 or sparse:16:NIGHT: each node in at most so many pairs, other ones "
      "every night; 0-3,2-5: these. Given again, the last one counts",
      "representative|all|sparse")
      .default_str("representative");
  add_hop_option(app, options);
  app.add_flag("--each-node", options.each_node,
               "Every node measures itself with its own ranks, all nodes at the same time");
  app.add_flag("--concurrent", options.concurrent,
               "Measure disjoint pairs at the same time instead of one after the other");
}

std::int64_t parse_space(const std::string& text) {
  const std::int64_t space = parse_bytes(text).value;
  if (space > 0) return space;
  throw InputError({fmt::format("bad value '{}' for --space", text),
                    "nothing can be written into no space", "give more than 0 bytes"});
}

constexpr Seconds longest_recording{60.0};

Seconds parse_recording(const std::string& text) {
  const Seconds recording = parse_duration(text);
  if (recording.value > 0 && recording.value <= longest_recording.value) return recording;
  throw InputError({fmt::format("bad value '{}' for --recording", text),
                    "every piece of work in it is kept in memory", "give more than 0, up to 60s"});
}

}  // namespace

void add_workload_options(CommandLine& app, const Program& program, LaunchOptions& options) {
  add_under(app, "What is measured", [&] {
    add_subject_options(app, program, options);
    add_axes(app, Section::windows, options);
    add_data_options(app, program, options);
    add_variant_options(app, program, options);
    add_parsed_option(
        app, "--leave-out",
        [&](const std::string& text) { options.left_out = parse_point_choices(text); },
        "Points to leave out: an operation, with parameters and a size where some are meant: "
        "'allreduce memory=cuda at 8 bytes', 'bcast from 4K'; more after a semicolon; what follows "
        "': ' is recorded as the reason",
        "POINTS")
        .default_str("none");
  });
  if (program.measures_files) add_under(app, "Files", [&] { add_file_options(app, options); });
  add_under(app, "Pairs of ranks", [&] { add_pair_options(app, options); });
}

void add_file_options(CommandLine& app, LaunchOptions& options) {
  FileChoices& files = options.files;
  app.add_option("--path", files.path,
                 "Folder for the files, which all ranks see; they are removed afterwards")
      .type_name("DIR")
      .default_str("none: it must be given");
  add_axes(app, Section::file_pointers, options);
  add_axes(app, Section::file_sharing, options);
  add_axes(app, Section::file_data, options);
  add_parsed_option(
      app, "--space", [&](const std::string& text) { files.space = parse_space(text); },
      "Most bytes of files at any time; more is refused")
      .default_str("1G");
}

void add_noise_options(CommandLine& app, LaunchOptions& options) {
  add_parsed_option(
      app, "--recording",
      [&](const std::string& text) { options.recording = parse_recording(text); },
      "How long every rank repeats fixed-work without a pause, after all else: a period of "
      "interruptions can be a tenth of it, up to 60s")
      .default_str("2s");
  add_axes(app, Section::noise, options);
}

void add_thread_options(CommandLine& app, LaunchOptions& options) {
  add_axes(app, Section::threads, options);
  app.add_flag("--same-cores", options.same_cores,
               "With N threads every N-th rank works, and its threads run where the others would: "
               "are threads slower than as many ranks? 'hockney guidelines' judges it");
}

void hold_threads_to_ranks(LaunchOptions& options) {
  std::vector<int> threads = options.choices.of(threads_parameter);
  if (threads.empty()) threads = {1, 2};
  if (std::ranges::find(threads, 1) == threads.end()) {
    threads.insert(threads.begin(), 1);  // the ranks with which threads are compared
  }
  options.choices.set(threads_parameter, threads);
  for (const Guideline& guideline : guidelines()) {
    const bool is_measured =
        std::ranges::find(options.operations, guideline.left.operation) != options.operations.end();
    if (guideline.map != SizeRelation::threads_as_ranks || !is_measured) continue;
    options.guidelines.push_back(guideline);
  }
}

}  // namespace hockney::benchmarks::programs
